// SPDX-License-Identifier: MIT
#include "ui/charts/waterfall_chart.h"

#include "core/base/format.h"
#include "ui/charts/geometry/ticks.h"
#include "ui/charts/swatch.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QPainter>

namespace kl::ui {

namespace {

constexpr double kRow = 26;
constexpr double kAxis = 34;

std::optional<BarSpan> makeSpan(double total)
{
    return total > 0 ? std::optional(BarSpan{0, total}) : std::nullopt;
}

} // namespace

void WaterfallChart::setSteps(std::vector<SavingStep> steps, const QString& emptyReason)
{
    steps_ = std::move(steps);
    shape_ = waterfall(steps_);
    emptyReason_ = emptyReason;
    updateGeometry();
    update();
    emit changed();
}

QSize WaterfallChart::sizeHint() const
{
    return {420, static_cast<int>(kRow * static_cast<double>(std::max<std::size_t>(3, steps_.size() + 1)) + kAxis)};
}

void WaterfallChart::paint(QPainter& painter, const QSizeF& size)
{
    const double names = std::min(220.0, size.width() * 0.4);
    const double lane = size.width() - names - 72; // room for a value on the right
    const bool brief = std::max(shape_.measuredTotal, shape_.quotedTotal) < kBriefMinutes;
    const double unit = brief ? 60 : 1; // of the axis, per minute
    const std::vector<double> ends{unit * shape_.measuredTotal, unit * shape_.quotedTotal};
    const AxisRange range = linearRange(ends, true);
    const double bottom = kRow * static_cast<double>(steps_.size() + 1);
    for (const double tick : niceTicks(range.low, range.high, 4)) {
        const double x = names + axisPosition(tick, range, lane, false);
        painter.fillRect(QRectF(x, 0, 1, bottom), color(Token::raised));
        text(painter, {x - 40, bottom + 2, 80, 14}, Qt::AlignHCenter | Qt::AlignTop, QString::number(tick), Token::muted);
    }
    text(painter, {names, bottom + 17, lane, 16}, Qt::AlignHCenter | Qt::AlignTop,
         brief ? tr("seconds saved, running total") : tr("minutes saved, running total"), Token::muted);

    const auto bar = [&](double y, double height, const BarSpan& span, bool measured) {
        const double from = names + axisPosition(unit * span.from, range, lane, false);
        const double to = names + axisPosition(unit * span.to, range, lane, false);
        const QRectF box(from, y, std::max(1.0, to - from), height);
        if (measured) {
            painter.fillRect(box, color(Token::series1));
        } else {
            painter.fillRect(box, makeHatch(Token::series4));
            painter.setPen(color(Token::series4));
            painter.drawRect(box);
        }
        return box;
    };
    const auto figure = [&](const QRectF& beside, double minutes) {
        text(painter, {beside.right() + 6, beside.top() - 3, 90, beside.height() + 6}, Qt::AlignLeft | Qt::AlignVCenter,
             q(formatMinutes(minutes)));
    };
    for (std::size_t i = 0; i <= steps_.size(); ++i) {
        const double y = kRow * static_cast<double>(i);
        const bool total = i == steps_.size();
        const WaterfallStep totals{makeSpan(shape_.measuredTotal), makeSpan(shape_.quotedTotal)};
        const WaterfallStep& step = total ? totals : shape_.steps[i];
        const std::optional<BarSpan>& measured = step.measured;
        const std::optional<BarSpan>& quoted = step.quoted;
        const QString name = total ? tr("Totals") : q(steps_[i].name);
        text(painter, {0, y, names - 8, kRow}, Qt::AlignLeft | Qt::AlignVCenter, name, total ? Token::text : Token::muted);
        QStringList tips;
        const double height = measured && quoted ? kRow / 2 - 3 : kRow - 8;
        if (measured) {
            figure(bar(y + 3, height, *measured, true), measured->to - measured->from);
            tips << tr("measured %1").arg(q(formatMinutes(measured->to - measured->from)));
        }
        if (quoted) {
            figure(bar(y + 4 + (measured ? height : 0), height, *quoted, false), quoted->to - quoted->from);
            tips << tr("claimed %1").arg(q(formatMinutes(quoted->to - quoted->from)));
        }
        addHit({0, y, size.width(), kRow}, name + QStringLiteral(": ") + tips.join(QStringLiteral(", ")), static_cast<int>(i));
    }
}

ChartTable WaterfallChart::table() const
{
    ChartTable table{{tr("Pattern"), tr("Measured, min"), tr("Claimed, min")}, {}};
    const auto cell = [](std::optional<double> value) { return value ? QString::number(*value, 'g', 6) : QString(); };
    for (const SavingStep& step : steps_)
        table.rows.push_back({q(step.name), cell(step.measured), cell(step.quoted)});
    table.rows.push_back({tr("Totals"), cell(shape_.measuredTotal), cell(shape_.quotedTotal)});
    return table;
}

std::vector<LegendItem> WaterfallChart::legend() const
{
    return {{tr("measured in this database"), Token::series1, Swatch::solid},
            {tr("claimed in the October 2025 documents"), Token::series4, Swatch::hatched}};
}

} // namespace kl::ui
