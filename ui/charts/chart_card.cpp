// SPDX-License-Identifier: MIT
#include "ui/charts/chart_card.h"

#include "core/base/write_file.h"
#include "ui/charts/chart_body.h"
#include "ui/charts/swatch.h"
#include "ui/style/theme.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/text.h"

#include <QAction>
#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QSvgGenerator>
#include <QTableWidget>
#include <QToolButton>

namespace kl::ui {

namespace {

QString quoteCell(const QString& cell)
{
    if (!cell.contains(u',') && !cell.contains(u'"') && !cell.contains(u'\n'))
        return cell;
    QString escaped = cell;
    return u'"' + escaped.replace(u'"', QStringLiteral("\"\"")) + u'"';
}

/// A cell of a chart's table as the window shows it: its lone figures are written for CSV.
QString cellText(const QString& value)
{
    bool isFigure = false;
    value.toDouble(&isFigure);
    return isFigure ? figureWithMark(value) : value;
}

bool writeWhole(const QString& file, const QByteArray& bytes)
{
    return writeFile(utf8(file), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size()))).ok();
}

} // namespace

ChartCard::ChartCard(const QString& title, ChartBody* chart, QWidget* parent)
    : Card(title, parent), chart_(chart), stack_(new QStackedWidget(this)), legend_(new QWidget(this)),
      legendRow_(new FlowLayout(legend_, kGapBetween, kGapTight))
{
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("chartMenu"));
    button->setIcon(icon(QStringLiteral("menu"), Token::muted));
    button->setToolTip(tr("Copy or save the chart, or show it as a table"));
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    menu->addAction(tr("Copy image"), this, [this] { QApplication::clipboard()->setImage(image()); })
        ->setObjectName(QStringLiteral("copyImage"));
    menu->addAction(tr("Copy data"), this, [this] { QApplication::clipboard()->setText(tsv()); })
        ->setObjectName(QStringLiteral("copyData"));
    QAction* reset = menu->addAction(tr("Show all (double click)"), chart_, &ChartBody::resetZoom);
    reset->setObjectName(QStringLiteral("resetZoom"));
    connect(menu, &QMenu::aboutToShow, this, [this, reset] { reset->setVisible(chart_->isZoomed()); });
    menu->addSeparator();
    menu->addAction(tr("Save as PNG…"), this, [this] { askAndSave(QStringLiteral("png")); });
    menu->addAction(tr("Save as SVG…"), this, [this] { askAndSave(QStringLiteral("svg")); });
    menu->addAction(tr("Save as CSV…"), this, [this] { askAndSave(QStringLiteral("csv")); });
    menu->addSeparator();
    QAction* toggle = menu->addAction(tr("Show as table"));
    toggle->setCheckable(true);
    connect(toggle, &QAction::toggled, this, &ChartCard::showAsTable);
    button->setMenu(menu);
    chart_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(chart_, &QWidget::customContextMenuRequested, this, [this, menu](const QPoint& at) { menu->popup(chart_->mapToGlobal(at)); });
    tools()->addWidget(button);

    stack_->addWidget(chart_);
    body()->addWidget(legend_);
    body()->addWidget(stack_, 1);
    connect(chart_, &ChartBody::changed, this, &ChartCard::rebuild);
    connect(&Theme::instance(), &Theme::changed, button, [button] { button->setIcon(icon(QStringLiteral("menu"), Token::muted)); });
    setFinding(title);
    rebuild();
}

void ChartCard::makeTable()
{
    table_ = new QTableWidget(stack_);
    table_->setAccessibleName(title());
    table_->setTabKeyNavigation(false);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->verticalHeader()->hide();
    table_->setShowGrid(false);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    auto* copy = new QAction(tr("Copy rows"), table_);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, [this] { QApplication::clipboard()->setText(tsv()); });
    table_->addAction(copy);
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    table_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored); // only the chart determines the size hint
    stack_->addWidget(table_);
}

void ChartCard::setFinding(const QString& title, const QString& sentence)
{
    setTitle(title);
    chart_->setAccessibleName(sentence.isEmpty() ? title : sentence);
    if (table_)
        table_->setAccessibleName(title);
    findChild<QToolButton*>(QStringLiteral("chartMenu"))->setAccessibleName(tr("Menu of the chart: %1").arg(title));
    chart_->setAccessibleDescription(tr("Chart. Its menu shows the values as a table."));
}

void ChartCard::rebuild()
{
    auto items = chart_->legend();
    legend_->setVisible(items.size() > 1);
    if (items != inLegend_) {
        clearLayout(legendRow_);
        for (const LegendItem& item : items)
            legendRow_->addWidget(makeSwatch(item, legend_));
        inLegend_ = std::move(items);
    }
    if (!showsTable())
        return; // filled once it is
    const ChartTable table = chart_->table();
    table_->clear();
    table_->setColumnCount(static_cast<int>(table.header.size()));
    table_->setHorizontalHeaderLabels(table.header);
    table_->setRowCount(static_cast<int>(table.rows.size()));
    for (int r = 0; r < table_->rowCount(); ++r)
        for (int c = 0; c < table_->columnCount(); ++c)
            table_->setItem(r, c, new QTableWidgetItem(cellText(table.rows[static_cast<std::size_t>(r)].value(c))));
    table_->resizeColumnsToContents();
}

void ChartCard::showAsTable(bool table)
{
    if (table && !table_)
        makeTable();
    stack_->setCurrentIndex(table ? 1 : 0);
    rebuild();
}

bool ChartCard::showsTable() const
{
    return stack_->currentIndex() == 1;
}

QImage ChartCard::image() const
{
    constexpr int kScale = 2; // scale of the picture against the screen
    const QSize size = chart_->size().expandedTo({640, 320});
    QImage image(size * kScale, QImage::Format_ARGB32_Premultiplied);
    image.fill(color(Token::surface));
    QPainter painter(&image);
    painter.scale(kScale, kScale);
    chart_->draw(painter, QRectF(QPointF(0, 0), size));
    return image;
}

bool ChartCard::savePng(const QString& file) const
{
    QBuffer bytes;
    return image().save(&bytes, "PNG") && writeWhole(file, bytes.data());
}

bool ChartCard::saveSvg(const QString& file) const
{
    const QSize size = chart_->size().expandedTo({640, 320});
    QBuffer bytes;
    QSvgGenerator generator;
    generator.setOutputDevice(&bytes);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setTitle(title());
    generator.setDescription(chart_->accessibleName());
    QPainter painter;
    if (!painter.begin(&generator))
        return false;
    painter.fillRect(QRect(QPoint(0, 0), size), color(Token::surface));
    chart_->draw(painter, QRectF(QPointF(0, 0), size));
    return painter.end() && writeWhole(file, bytes.data());
}

QString ChartCard::csv() const
{
    const PointsOnly points;
    const ChartTable table = chart_->table();
    QStringList lines;
    const auto add = [&lines](const QStringList& cells) {
        QStringList out;
        for (const QString& cell : cells)
            out << quoteCell(withPoints(cell));
        lines << out.join(u',');
    };
    add(table.header);
    for (const QStringList& row : table.rows)
        add(row);
    return lines.join(u'\n') + u'\n';
}

QString ChartCard::tsv() const
{
    const PointsOnly points;
    const ChartTable table = chart_->table();
    const QItemSelectionModel* selection = table_ ? table_->selectionModel() : nullptr;
    QStringList lines{table.header.join(u'\t')};
    for (std::size_t r = 0; r < table.rows.size(); ++r)
        if (!selection || !selection->hasSelection() || selection->isRowSelected(static_cast<int>(r)))
            lines << QStringList(table.rows[r])
                         .replaceInStrings(QRegularExpression(QStringLiteral("[\\t\\n]")), QStringLiteral(" "))
                         .join(u'\t');
    return withPoints(lines.join(u'\n'));
}

bool ChartCard::saveCsv(const QString& file) const
{
    return writeWhole(file, csv().toUtf8());
}

void ChartCard::askAndSave(const QString& suffix)
{
    const QString file = chooseNewFile(this, tr("Save Chart"), QStringLiteral("chart.") + suffix,
                                       QStringLiteral("%1 (*.%2)").arg(suffix.toUpper(), suffix), QStringLiteral("charts"));
    if (file.isEmpty())
        return;
    const bool saved = suffix == u"png" ? savePng(file) : suffix == u"svg" ? saveSvg(file) : saveCsv(file);
    setCaption(saved ? tr("Saved as %1").arg(file) : tr("%1 could not be written. Choose a folder that you can write to.").arg(file));
}

} // namespace kl::ui
