// SPDX-License-Identifier: MIT
#include "ui/charts/stacked_bar.h"

#include "ui/charts/geometry/bars.h"
#include "ui/style/theme.h"
#include "ui/widgets/decimal_mark.h"

#include <QPainter>

namespace kl::ui {

namespace {

constexpr double kBar = 26;
constexpr double kRow = 52;

} // namespace

void StackedBar::setRows(QStringList partNames, std::vector<StackedRow> rows, const QString& unit, const QString& emptyReason)
{
    parts_ = std::move(partNames);
    rows_ = std::move(rows);
    unit_ = unit;
    emptyReason_ = emptyReason;
    updateGeometry();
    update();
    emit changed();
}

QSize StackedBar::sizeHint() const
{
    return {420, static_cast<int>(kRow * std::max<double>(1, static_cast<double>(rows_.size())))};
}

void StackedBar::paint(QPainter& painter, const QSizeF& size)
{
    double y = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r, y += kRow) {
        const StackedRow& row = rows_[r];
        text(painter, {0, y, size.width(), 16}, Qt::AlignLeft | Qt::AlignVCenter, row.name, Token::muted);
        const auto spans = stackSpans(row.parts);
        for (std::size_t i = 0; i < spans.size(); ++i) {
            const QRectF box(size.width() * spans[i].from, y + 18, size.width() * (spans[i].to - spans[i].from), kBar);
            if (box.width() < 0.5)
                continue;
            painter.fillRect(box.adjusted(0, 0, -1, 0), color(seriesToken(static_cast<int>(i))));
            const QString share = QString::number((spans[i].to - spans[i].from) * 100, 'f', 0) + QStringLiteral("\u202f%");
            const Deltas deltas = i < row.deltas.size() ? row.deltas[i] : Deltas();
            QString words = share; // a share without its change would be half of it
            for (const Delta& delta : deltas)
                words += QStringLiteral("  ") + delta.text;
            if (box.width() > painter.fontMetrics().horizontalAdvance(words) + 8)
                text(painter, box, Qt::AlignCenter, words, Token::surface);
            addHit(box,
                   QStringLiteral("%1: %2 %3 (%4) %5")
                       .arg(parts_.value(static_cast<qsizetype>(i)), figureWithMark(QString::number(row.parts[i], 'g', 3)), unit_, share,
                            joinDeltas(deltas))
                       .trimmed(),
                   static_cast<int>(i));
        }
    }
}

ChartTable StackedBar::table() const
{
    ChartTable table{{tr("Part")}, {}};
    for (const StackedRow& row : rows_) {
        table.header << (row.name.isEmpty() ? unit_ : row.name + QStringLiteral(", ") + unit_);
        if (!row.deltas.empty())
            table.header << tr("Change");
    }
    for (qsizetype i = 0; i < parts_.size(); ++i) {
        QStringList cells{parts_[i]};
        for (const StackedRow& row : rows_) {
            const auto at = static_cast<std::size_t>(i);
            cells << (at < row.parts.size() ? QString::number(row.parts[at], 'g', 6) : QString());
            if (!row.deltas.empty())
                cells << (at < row.deltas.size() ? joinDeltas(row.deltas[at]) : QString());
        }
        table.rows.push_back(cells);
    }
    return table;
}

std::vector<LegendItem> StackedBar::legend() const
{
    std::vector<LegendItem> items;
    for (qsizetype i = 0; i < parts_.size() && !rows_.empty(); ++i)
        items.push_back({parts_[i], seriesToken(static_cast<int>(i))});
    return items;
}

} // namespace kl::ui
