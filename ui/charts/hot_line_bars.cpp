// SPDX-License-Identifier: MIT
#include "ui/charts/hot_line_bars.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QPainter>

namespace kl::ui {
namespace {

constexpr double kRow = 42;
constexpr double kLine = 18;
constexpr double kBar = 12;
constexpr double kPlaceWidth = 64;
constexpr double kShareWidth = 56;
constexpr double kLeastText = 90; ///< pixels; a shorter piece of code is not useful

} // namespace

void HotLineBars::setRows(QStringList partNames, std::vector<HotLineRow> rows, const QString& emptyReason)
{
    parts_ = std::move(partNames);
    rows_ = std::move(rows);
    emptyReason_ = emptyReason;
    updateGeometry();
    update();
    emit changed();
}

QSize HotLineBars::sizeHint() const
{
    return {420, static_cast<int>(kRow * std::max<double>(2, static_cast<double>(rows_.size())))};
}

void HotLineBars::paint(QPainter& painter, const QSizeF& size)
{
    const double most = rows_.empty() ? 1 : std::max(rows_.front().share, 1e-9);
    const QFont plain = painter.font();
    double y = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i, y += kRow) {
        const HotLineRow& row = rows_[i];
        const double noteWidth = row.note.isEmpty() ? 0 : painter.fontMetrics().horizontalAdvance(row.note) + 12.0;
        text(painter, {0, y, kPlaceWidth, kLine}, Qt::AlignLeft | Qt::AlignVCenter, row.place, Token::muted);
        text(painter, {size.width() - kShareWidth, y, kShareWidth, kLine}, Qt::AlignRight | Qt::AlignVCenter,
             q(formatPercent(row.share * 100)));
        const double room = size.width() - kPlaceWidth - kShareWidth - noteWidth - 8;
        const bool both = row.note.isEmpty() || room >= kLeastText;
        text(painter, {both ? size.width() - kShareWidth - noteWidth : kPlaceWidth, y, noteWidth, kLine}, Qt::AlignLeft | Qt::AlignVCenter,
             row.note, Token::muted);
        painter.setFont(makeFont(TextRole::code));
        if (both)
            text(painter, {kPlaceWidth, y, room, kLine}, Qt::AlignLeft | Qt::AlignVCenter, row.text);
        painter.setFont(plain);
        painter.fillRect(QRectF(0, y + kLine + 2, size.width(), kBar), color(Token::raised));
        double left = 0;
        for (std::size_t part = 0; part < row.parts.size(); ++part) {
            const double width = size.width() * row.parts[part] / most;
            if (width >= 0.5)
                painter.fillRect(QRectF(left, y + kLine + 2, std::max(0.5, width - 1), kBar), color(seriesToken(static_cast<int>(part))));
            left += width;
        }
        addHit({0, y, size.width(), kRow - 6}, row.tip, static_cast<int>(i));
    }
}

ChartTable HotLineBars::table() const
{
    ChartTable table{{tr("Line"), tr("Samples, %")}, {}};
    for (const QString& part : parts_)
        table.header << part + QStringLiteral(", %");
    table.header << tr("Waits") << tr("Text");
    for (const HotLineRow& row : rows_) {
        QStringList cells{row.place, QString::number(row.share * 100, 'g', 4)};
        for (const double part : row.parts)
            cells << QString::number(part * 100, 'g', 4);
        table.rows.push_back(cells << row.note << row.text);
    }
    return table;
}

std::vector<LegendItem> HotLineBars::legend() const
{
    std::vector<LegendItem> items;
    for (qsizetype i = 0; i < parts_.size() && !rows_.empty(); ++i)
        items.push_back({parts_[i], seriesToken(static_cast<int>(i))});
    return items;
}

} // namespace kl::ui
