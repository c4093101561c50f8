// SPDX-License-Identifier: MIT
#include "ui/charts/evidence_bars.h"

#include "ui/charts/geometry/bars.h"
#include "ui/style/theme.h"

#include <QPainter>

#include <algorithm>

namespace kl::ui {

namespace {

constexpr double kRow = 38;

} // namespace

void EvidenceBars::setRows(std::vector<EvidenceRow> rows, const QString& emptyReason)
{
    rows_ = std::move(rows);
    emptyReason_ = emptyReason;
    updateGeometry();
    update();
    emit changed();
}

QString EvidenceBars::emptyReason() const
{
    if (!rows_.empty())
        return {};
    return emptyReason_.isEmpty() ? tr("This finding is not based on a measured value") : emptyReason_;
}

QSize EvidenceBars::sizeHint() const
{
    return {420, static_cast<int>(kRow * std::max<double>(2, static_cast<double>(rows_.size()))) + 4};
}

QSize EvidenceBars::minimumSizeHint() const
{
    return {220, sizeHint().height()};
}

void EvidenceBars::paint(QPainter& painter, const QSizeF& size)
{
    double y = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i, y += kRow) {
        const EvidenceRow& row = rows_[i];
        const EvidenceSpan span = evidenceSpan(row.value, row.threshold, row.percent);
        Segments right{{row.valueText, row.value ? Token::text : Token::muted}};
        addSegments(right, row.deltas);
        if (!row.thresholdText.isEmpty())
            right.emplace_back(QStringLiteral("  (") + row.sense + u' ' + row.thresholdText + u')', Token::text);
        QString words;
        for (const auto& segment : right)
            words += segment.first;
        const double rightWidth = std::min(size.width() * 0.6, painter.fontMetrics().horizontalAdvance(words) + 4.0);
        text(painter, {0, y, size.width() - rightWidth - 8, 16}, Qt::AlignLeft | Qt::AlignVCenter, row.name);
        paintSegments(painter, {size.width() - rightWidth, y, rightWidth, 16}, Qt::AlignRight, right);
        const QRectF lane(0, y + 19, size.width(), 10);
        painter.fillRect(lane, color(Token::raised));
        if (span.bar)
            painter.fillRect(QRectF(0, lane.top(), lane.width() * span.bar->to, lane.height()),
                             color(row.holds ? Token::accent : Token::neutral));
        for (const Delta& delta : row.deltas)
            if (delta.before && span.scaleMax > 0) {
                const double x = lane.width() * std::clamp(*delta.before / span.scaleMax, 0.0, 1.0);
                painter.fillRect(QRectF(std::clamp(x - 1, 0.0, lane.width() - 2), lane.top() - 2, 2, lane.height() + 4),
                                 color(delta.token));
            }
        if (span.tick) {
            const double x = std::min(lane.width() - 1, lane.width() * *span.tick);
            painter.fillRect(QRectF(x - 1, lane.top() - 3, 2, lane.height() + 6), color(Token::text));
        }
        addHit({0, y, size.width(), kRow}, row.name + u'\n' + words + (row.help.isEmpty() ? QString() : u'\n' + row.help),
               static_cast<int>(i));
    }
}

ChartTable EvidenceBars::table() const
{
    ChartTable table{{tr("Evidence"), tr("Value"), tr("Comparison"), tr("Threshold"), tr("Supports")}, {}};
    const bool compared = std::ranges::any_of(rows_, [](const EvidenceRow& row) { return !row.deltas.empty(); });
    if (compared)
        table.header << tr("Change");
    for (const EvidenceRow& row : rows_) {
        table.rows.push_back({row.name, row.valueText, row.sense, row.thresholdText, row.holds ? tr("yes") : tr("no")});
        if (compared)
            table.rows.back() << joinDeltas(row.deltas);
    }
    return table;
}

std::vector<LegendItem> EvidenceBars::legend() const
{
    if (std::none_of(rows_.begin(), rows_.end(), [](const EvidenceRow& row) { return row.threshold.has_value(); }))
        return {}; // plain values without thresholds
    return {{tr("supports the finding"), Token::accent},
            {tr("does not support it"), Token::neutral},
            {tr("threshold"), Token::text, Swatch::line}};
}

} // namespace kl::ui
