// SPDX-License-Identifier: MIT
#include "ui/charts/heat_strip.h"

#include "ui/style/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace kl::ui {

namespace {

constexpr double kCell = 30;
constexpr double kNames = 112;
constexpr double kLeastCell = 16; ///< room for a sign

} // namespace

void HeatStrip::setCells(QStringList rows, QStringList columns, std::vector<std::vector<Mark>> cells, const QString& emptyReason)
{
    rows_ = std::move(rows);
    columns_ = std::move(columns);
    cells_ = std::move(cells);
    emptyReason_ = emptyReason;
    updateGeometry();
    update();
    emit changed();
}

QSize HeatStrip::sizeHint() const
{
    return {420, static_cast<int>(kCell * static_cast<double>(std::max<qsizetype>(2, rows_.size())) + 22)};
}

void HeatStrip::paint(QPainter& painter, const QSizeF& size)
{
    const auto room = static_cast<qsizetype>(std::max(1.0, (size.width() - kNames) / kLeastCell));
    const qsizetype first = std::max<qsizetype>(0, columns_.size() - room); // the older ones are in the table
    const double width = std::min(72.0, (size.width() - kNames) / static_cast<double>(columns_.size() - first));
    const auto left = [&](qsizetype column) { return kNames + static_cast<double>(column - first) * width; };
    for (qsizetype r = 0; r < rows_.size(); ++r) {
        const double y = static_cast<double>(r) * kCell;
        text(painter, {0, y, kNames - 8, kCell}, Qt::AlignLeft | Qt::AlignVCenter, rows_[r], Token::muted);
        for (qsizetype c = first; c < columns_.size(); ++c) {
            const Mark mark = cells_[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
            const QRectF box(left(c), y + 1, width - 2, kCell - 2);
            QColor fill = color(mark == Mark::none ? Token::raised : markToken(mark));
            if (mark != Mark::none)
                fill.setAlphaF(0.16F);
            painter.fillRect(box, fill);
            text(painter, box, Qt::AlignCenter, markSign(mark), mark == Mark::none ? Token::muted : markToken(mark));
            addHit(box, QStringLiteral("%1 · %2: %3").arg(columns_[c], rows_[r], markWord(mark)), static_cast<int>(c));
        }
    }
    // Names that do not fit are left out rather than cut; a cell's tooltip has its name.
    double longest = 1;
    for (const QString& name : columns_.mid(first))
        longest = std::max(longest, QFontMetricsF(makeFont(TextRole::caption)).horizontalAdvance(name) + kGapTight);
    const auto every = static_cast<qsizetype>(std::ceil(longest / width));
    const double below = static_cast<double>(rows_.size()) * kCell + 2;
    if (first > 0)
        text(painter, {0, below, kNames - 8, 18}, Qt::AlignLeft | Qt::AlignVCenter,
             tr("newest %1 of %2").arg(columns_.size() - first).arg(columns_.size()), Token::muted);
    const QFontMetricsF metrics(makeFont(TextRole::caption));
    for (qsizetype c = first; c < columns_.size(); c += every)
        if (every == 1 || left(c) + metrics.horizontalAdvance(columns_[c]) <= left(columns_.size())) // else it would be cut
            text(painter, {left(c), below, width * static_cast<double>(every) - 2, 18},
                 every > 1 ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignCenter, columns_[c], Token::muted);
}

ChartTable HeatStrip::table() const
{
    ChartTable table{QStringList{tr("Gate")} + columns_, {}};
    for (qsizetype r = 0; r < rows_.size(); ++r) {
        QStringList cells{rows_[r]};
        for (const Mark mark : cells_[static_cast<std::size_t>(r)])
            cells << markWord(mark);
        table.rows.push_back(cells);
    }
    return table;
}

std::vector<LegendItem> HeatStrip::legend() const
{
    std::vector<LegendItem> items;
    for (const Mark mark : {Mark::pass, Mark::fail, Mark::waived, Mark::stale, Mark::none})
        items.push_back({markSign(mark) + u' ' + markWord(mark), markToken(mark)});
    return items;
}

} // namespace kl::ui
