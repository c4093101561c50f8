// SPDX-License-Identifier: MIT
#include "tests/ui/support/shown_texts.h"

#include "ui/charts/chart_body.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QRegularExpression>
#include <QTabBar>
#include <QTextBrowser>
#include <QTextDocumentFragment>

#include <limits>

namespace kl::ui {
namespace {

constexpr int kCellRows = 100;

// Written apart from what the window knows of units.
const QString kUnit = QStringLiteral(
    "[ \\x{a0}\\x{202f}]?(?:×|%|(?:pts|ns|us|µs|ms|s|min|h|waves|B|[KMGT]i?B(?:/s)?|[KMGTP]?FLOP/[sB]|[kMG]?Hz|[nµm]?J|W)\\b)");
const QRegularExpression kPoint(QStringLiteral("(?<![\\w.=/:@#-])\\d+\\.\\d+") + kUnit + QStringLiteral("|\\$\\d+\\.\\d"));
const QString kThousands = QStringLiteral("(?![1-9]\\d{0,2}(?:,\\d{3})+(?!\\d))"); ///< not "1,270", whose comma is not a decimal comma
const QRegularExpression kComma(QStringLiteral("(?<![\\w.,=/:@#-])") + kThousands + QStringLiteral("\\d+,\\d+") + kUnit +
                                QStringLiteral("|\\$\\d+,\\d\\d\\b"));
const QRegularExpression kLone(QStringLiteral("^[-−+]?\\d+\\.\\d+$"));

void addCells(const QAbstractItemModel& model, const QModelIndex& parent, QStringList& texts)
{
    for (int row = 0; row < std::min(kCellRows, model.rowCount(parent)); ++row)
        for (int column = 0; column < model.columnCount(parent); ++column) {
            const QModelIndex cell = model.index(row, column, parent);
            for (const int role : {static_cast<int>(Qt::DisplayRole), static_cast<int>(Qt::ToolTipRole),
                                   static_cast<int>(Qt::AccessibleTextRole), static_cast<int>(Qt::AccessibleDescriptionRole)})
                texts << cell.data(role).toString();
            if (column == 0 && model.hasChildren(cell))
                addCells(model, cell, texts);
        }
}

/// Takes the texts that are drawn, and nothing else.
class TextEngine : public QPaintEngine {
public:
    TextEngine() : QPaintEngine(QPaintEngine::AllFeatures) {}
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState&) override {}
    void drawPath(const QPainterPath&) override {}
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
    void drawTextItem(const QPointF&, const QTextItem& item) override { texts << item.text().trimmed(); }
    Type type() const override { return User; }

    QStringList texts;
};

class TextDevice : public QPaintDevice {
public:
    explicit TextDevice(QSize size) : size_(size) {}
    QPaintEngine* paintEngine() const override { return &engine_; }
    const QStringList& texts() const { return engine_.texts; }

protected:
    int metric(PaintDeviceMetric metric) const override
    {
        constexpr int kDpi = 96, kDepth = 32;
        constexpr double kMmPerInch = 25.4;
        switch (metric) {
        case PdmWidth: return size_.width();
        case PdmHeight: return size_.height();
        case PdmWidthMM: return qRound(size_.width() * kMmPerInch / kDpi);
        case PdmHeightMM: return qRound(size_.height() * kMmPerInch / kDpi);
        case PdmNumColors: return std::numeric_limits<int>::max();
        case PdmDepth: return kDepth;
        case PdmDevicePixelRatio: return 1;
        case PdmDevicePixelRatioScaled: return static_cast<int>(devicePixelRatioFScale());
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY: return kDpi;
        }
        return 0;
    }

private:
    QSize size_;
    mutable TextEngine engine_;
};

/// The texts in a drawing of the chart.
void addPainted(ChartBody& chart, QStringList& texts)
{
    TextDevice drawing(chart.size());
    QPainter painter(&drawing);
    chart.draw(painter, QRectF(QPointF(), chart.size()));
    painter.end();
    for (const QString& words : drawing.texts())
        texts << (kLone.match(words).hasMatch() ? words + QStringLiteral(" %") : words); // a tick: its unit is the axis's
    for (const QStringList& row : chart.table().rows)
        texts << row;
}

void addTexts(QWidget& widget, QStringList& texts)
{
    texts << widget.toolTip() << widget.accessibleName() << widget.accessibleDescription() << widget.windowTitle();
    if (auto* chart = qobject_cast<ChartBody*>(&widget))
        return addPainted(*chart, texts);
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        texts << (label->textFormat() == Qt::RichText ? QTextDocumentFragment::fromHtml(label->text()).toPlainText() : label->text());
    else if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        texts << button->text();
    else if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget); view && view->model())
        addCells(*view->model(), {}, texts);
    else if (const auto* tabs = qobject_cast<const QTabBar*>(&widget))
        for (int i = 0; i < tabs->count(); ++i)
            texts << tabs->tabText(i) << tabs->tabToolTip(i);
    else if (const auto* box = qobject_cast<const QComboBox*>(&widget))
        addCells(*box->model(), {}, texts);
    else if (const auto* line = qobject_cast<const QLineEdit*>(&widget))
        texts << line->placeholderText();
    else if (const auto* text = qobject_cast<const QTextBrowser*>(&widget))
        texts << text->toPlainText();
}

} // namespace

QStringList findShownTexts(const QWidget& root)
{
    QStringList texts;
    for (QWidget* widget : root.findChildren<QWidget*>())
        if (widget->isVisible())
            addTexts(*widget, texts);
    texts.removeAll(QString());
    texts.removeDuplicates();
    return texts;
}

QStringList findPoints(const QStringList& texts)
{
    return texts.filter(kPoint);
}

bool hasComma(const QString& text)
{
    return kComma.match(text).hasMatch();
}

} // namespace kl::ui
