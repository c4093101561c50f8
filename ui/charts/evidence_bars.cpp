// SPDX-License-Identifier: MIT
#include "ui/charts/evidence_bars.h"

#include "ui/charts/geometry/bars.h"
#include "ui/charts/swatch.h"
#include "ui/style/theme.h"

#include <QPainter>
#include <QResizeEvent>

#include <algorithm>

namespace kl::ui {

namespace {

constexpr double kRow = 38;
constexpr double kNameLine = 16; ///< more, where a name needs a line of its own

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

QString EvidenceBars::formatEvidenceValue(const EvidenceRow& row)
{
    QString words = row.valueText;
    Segments deltas;
    addSegments(deltas, row.deltas);
    for (const auto& segment : deltas)
        words += segment.first;
    return words + formatThreshold(row);
}

QString EvidenceBars::formatThreshold(const EvidenceRow& row)
{
    if (row.thresholdText.isEmpty())
        return {};
    return QStringLiteral("  (") + row.sense + u' ' + row.thresholdText + (row.met ? QStringLiteral(" ✓)") : QStringLiteral(")"));
}

bool EvidenceBars::fitsBesideValue(const EvidenceRow& row, double width)
{
    const QFontMetricsF metrics(makeFont(TextRole::caption));
    return metrics.horizontalAdvance(row.name) + kGapBetween + metrics.horizontalAdvance(formatEvidenceValue(row)) <= width;
}

double EvidenceBars::heightFor(double width) const
{
    double height = 4;
    for (const EvidenceRow& row : rows_)
        height += kRow + (fitsBesideValue(row, width) ? 0 : kNameLine);
    return std::max(height, 2 * kRow + 4);
}

QSize EvidenceBars::sizeHint() const
{
    return {420, static_cast<int>(heightFor(width()))};
}

void EvidenceBars::resizeEvent(QResizeEvent* event)
{
    if (heightFor(event->size().width()) != heightFor(event->oldSize().width()))
        updateGeometry();
    PaintedChart::resizeEvent(event);
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
        const double top = y;
        const EvidenceSpan span = evidenceSpan(row.value, row.threshold, row.percent);
        Segments right{{row.valueText, row.value ? Token::text : Token::muted}};
        addSegments(right, row.deltas);
        if (!row.thresholdText.isEmpty())
            right.emplace_back(formatThreshold(row), Token::text);
        text(painter, {0, y, size.width(), kNameLine}, Qt::AlignLeft | Qt::AlignVCenter, row.name);
        if (!fitsBesideValue(row, size.width()))
            y += kNameLine;
        paintSegments(painter, {0, y, size.width(), kNameLine}, Qt::AlignRight, right);
        const QRectF lane(0, y + 19, size.width(), 10);
        painter.fillRect(lane, color(Token::raised));
        if (span.bar)
            painter.fillRect(QRectF(0, lane.top(), lane.width() * span.bar->to, lane.height()), row.holds ? QBrush(color(Token::accent))
                                                                                                : row.met ? makeHatch(Token::accent)
                                                                                                          : QBrush(color(Token::neutral)));
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
        addHit({0, top, size.width(), y + kRow - top},
               row.name + u'\n' + formatEvidenceValue(row) + (row.help.isEmpty() ? QString() : u'\n' + row.help), static_cast<int>(i));
    }
}

ChartTable EvidenceBars::table() const
{
    ChartTable table{{tr("Evidence"), tr("Value"), tr("Comparison"), tr("Threshold"), tr("Supports")}, {}};
    const bool compared = std::ranges::any_of(rows_, [](const EvidenceRow& row) { return !row.deltas.empty(); });
    if (compared)
        table.header << tr("Change");
    for (const EvidenceRow& row : rows_) {
        table.rows.push_back({row.name, row.valueText, row.sense, row.thresholdText,
                              row.holds ? tr("yes")
                              : row.met ? tr("no, but true")
                                        : tr("no")});
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
            {tr("true, but for a different question"), Token::accent, Swatch::hatched},
            {tr("not true"), Token::neutral},
            {tr("threshold"), Token::text, Swatch::line}};
}

} // namespace kl::ui
