// SPDX-License-Identifier: MIT
#include "ui/pages/shared/code_table.h"

#include "ui/models/code_table_model.h"
#include "ui/style/theme.h"
#include "ui/widgets/decimal_mark.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kCodeRowHeight = 20;
constexpr int kCodeMargin = 6;
constexpr int kCodeShareWidth = 52; ///< of the percentage beside the stall bar
constexpr int kLeastCodeText = 240;
constexpr double kMarkedRowShade = 0.14; ///< opacity of the accent behind the rows of the chosen line
/// Pixels of the columns in their order; the text takes the rest.
constexpr int kCodeWidths[CodeTableModel::ColumnCount] = {64, kLeastCodeText, 150, 84, 66, 126, 108, 104};

/// Paints a cell by itself: the style sheet's way takes ten times as long.
class CodeDelegate : public QStyledItemDelegate {
public:
    CodeDelegate(const CodeTableModel* model, QObject* parent)
        : QStyledItemDelegate(parent), model_(model), code_(makeFont(TextRole::code)), plain_(makeFont(TextRole::caption))
    {
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const CodeInstruction* row = model_->at(index.row());
        if (!row)
            return;
        painter->save();
        if ((option.state & QStyle::State_Selected) != 0)
            painter->fillRect(option.rect, color(Token::border));
        else if (model_->isMarked(*row)) {
            QColor shade = color(Token::accent);
            shade.setAlphaF(static_cast<float>(kMarkedRowShade));
            painter->fillRect(option.rect, shade);
        }
        QRect inner = option.rect.adjusted(kCodeMargin, 0, -kCodeMargin, 0);
        if (index.column() == CodeTableModel::Samples)
            inner = paintStalls(*painter, inner, *row);
        painter->setFont(index.column() <= CodeTableModel::Text ? code_ : plain_);
        painter->setPen(color(index.column() == CodeTableModel::Place ? Token::muted : Token::text));
        const QString text = painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, inner.width());
        painter->drawText(
            inner, index.column() <= CodeTableModel::Text ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter, text);
        painter->restore();
    }

private:
    /// The bar of a row, as long as its samples against the hottest row's; returns where the percentage goes.
    QRect paintStalls(QPainter& painter, const QRect& inner, const CodeInstruction& row) const
    {
        const double room = inner.width() - kCodeShareWidth;
        double left = inner.left();
        const std::vector<std::int64_t> parts = row.samples > 0 ? model_->sumParts(row) : std::vector<std::int64_t>();
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const double width =
                room * static_cast<double>(parts[i]) / static_cast<double>(std::max<std::int64_t>(model_->mostSamples(), 1));
            if (parts[i] > 0)
                painter.fillRect(QRectF(left, inner.top() + 5, std::max(width, 0.5), inner.height() - 10),
                                 color(seriesToken(static_cast<int>(i))));
            left += width;
        }
        return inner.adjusted(static_cast<int>(room), 0, 0, 0);
    }

    const CodeTableModel* model_;
    QFont code_;
    QFont plain_;
};

} // namespace

CodeTable::CodeTable(CodeTableModel* model, QWidget* parent) : QTableView(parent), code_(model)
{
    setObjectName(QStringLiteral("codeTable"));
    setAccessibleName(tr("Instructions"));
    setModel(model);
    setItemDelegate(new CodeDelegate(model, this));
    setShowGrid(false);
    setWordWrap(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(kCodeRowHeight);
    verticalHeader()->setDefaultSectionSize(kCodeRowHeight);
    horizontalHeader()->setHighlightSections(false);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) { emit chosen(now.row()); });
    connect(model, &QAbstractItemModel::modelReset, this, &CodeTable::fitColumns);
}

void CodeTable::fitColumns()
{
    int others = 0;
    for (int column = 0; column < CodeTableModel::ColumnCount; ++column) {
        const bool shown = code_->hasColumn(column);
        setColumnHidden(column, !shown);
        if (column == CodeTableModel::Text)
            continue;
        const int place = column == CodeTableModel::Place && code_->collapsed() ? 2 * kCodeWidths[column] : kCodeWidths[column];
        const int head =
            horizontalHeader()->fontMetrics().horizontalAdvance(code_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        setColumnWidth(column, std::max(place, head + 20));
        others += shown ? columnWidth(column) : 0;
    }
    if (code_->hasColumn(CodeTableModel::Text))
        setColumnWidth(CodeTableModel::Text, std::max(kLeastCodeText, viewport()->width() - others));
    else // longer bars
        setColumnWidth(CodeTableModel::Samples, columnWidth(CodeTableModel::Samples) + std::max(0, viewport()->width() - others));
}

void CodeTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fitColumns();
}

void CodeTable::showRow(int row)
{
    const QModelIndex place = model()->index(row, 0);
    if (!place.isValid())
        return;
    setCurrentIndex(place);
    scrollTo(place, QAbstractItemView::PositionAtCenter);
}

void CodeTable::showHotSpot(bool next)
{
    const std::vector<std::size_t>& spots = code_->hotRows();
    if (spots.empty())
        return;
    const int now = currentIndex().row();
    if (next) {
        const auto found = std::ranges::find_if(spots, [now](std::size_t spot) { return static_cast<int>(spot) > now; });
        return showRow(static_cast<int>(found == spots.end() ? spots.front() : *found));
    }
    const auto after = std::ranges::find_if(spots, [now](std::size_t spot) { return static_cast<int>(spot) >= now; });
    showRow(static_cast<int>(after == spots.begin() ? spots.back() : *std::prev(after)));
}

bool CodeTable::showNext(const QString& words)
{
    const int rows = model()->rowCount();
    if (words.isEmpty())
        return true;
    const int now = std::max(currentIndex().row(), -1);
    for (int step = 1; step <= rows; ++step) {
        const int row = (now + step) % rows;
        if (model()->index(row, CodeTableModel::Text).data().toString().contains(words, Qt::CaseInsensitive)) {
            showRow(row);
            return true;
        }
    }
    return false;
}

QString CodeTable::tsv() const
{
    const PointsOnly points;
    QStringList lines;
    const auto add = [&](const auto& cell) {
        QStringList cells;
        for (int column = 0; column < CodeTableModel::ColumnCount; ++column)
            if (!isColumnHidden(column))
                cells << cell(column);
        lines << cells.join(u'\t');
    };
    add([this](int column) { return model()->headerData(column, Qt::Horizontal).toString(); });
    for (int row = 0; row < model()->rowCount(); ++row)
        if (!selectionModel()->hasSelection() || selectionModel()->isRowSelected(row))
            add([&](int column) { return model()->index(row, column).data().toString(); });
    return withPoints(lines.join(u'\n'));
}

void CodeTable::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        return QApplication::clipboard()->setText(tsv());
    const bool plain = event->modifiers() == Qt::NoModifier;
    if (plain && (event->key() == Qt::Key_N || event->key() == Qt::Key_P))
        return showHotSpot(event->key() == Qt::Key_N);
    QTableView::keyPressEvent(event);
}

} // namespace kl::ui
