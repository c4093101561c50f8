// SPDX-License-Identifier: MIT
#include "ui/pages/compare/time_bars.h"

#include "core/base/format.h"
#include "core/stats/ratio_text.h"
#include "core/stats/timing_text.h"
#include "ui/pages/compare/run_names.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QPainter>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr double kBarRow = 54;

} // namespace

QString timeFigures(const Summary& ns)
{
    if (ns.n < 2)
        return TimeBars::tr("%1 (n %2, %3)").arg(q(formatTime(ns.median))).arg(ns.n).arg(q(timeInterval(ns)));
    return TimeBars::tr("%1 (95 % CI %2, n = %3)").arg(q(formatTime(ns.median)), q(timeInterval(ns))).arg(ns.n);
}

void TimeBars::setRuns(const std::vector<const RunRecord*>& runs, bool interleaved)
{
    bars_.clear();
    const QStringList names = runNames(runs);
    for (const RunRecord* run : runs) {
        Bar bar{names[static_cast<qsizetype>(bars_.size())], seriesToken(assignSeries(toText(run->kernel))), {}, {}, {}};
        if (run->timing)
            bar.ns = run->timing->gpu;
        if (run->baseline && run->baseline->gpu) {
            bar.baselineNs = run->baseline->gpu->median;
            bar.baselineName = q(run->baseline->name);
        }
        bars_.push_back(std::move(bar));
    }
    sameWork_ = runs.size() > 1 && runs[0]->kernel.family == runs[1]->kernel.family && runs[0]->problem == runs[1]->problem;
    interleaved_ = interleaved;
    updateGeometry();
    update();
    emit changed();
}

QString TimeBars::finding() const
{
    if (!sameWork_ || bars_.size() < 2 || !bars_[0].ns || !bars_[1].ns || bars_[0].ns->median <= 0 || bars_[1].ns->median <= 0)
        return tr("Time per run");
    if (interleaved_)
        return tr("%1 takes %2, %3 takes %4")
            .arg(bars_[0].name, q(formatTime(bars_[0].ns->median)), bars_[1].name, q(formatTime(bars_[1].ns->median)));
    return tr("%1 takes %2, %3 %4")
        .arg(bars_[1].name, q(formatTime(bars_[1].ns->median)), q(paceText(bars_[1].ns->median, bars_[0].ns->median)), bars_[0].name);
}

QString TimeBars::emptyReason() const
{
    const bool any = std::any_of(bars_.begin(), bars_.end(), [](const Bar& bar) { return bar.ns.has_value(); });
    return any ? QString() : tr("These runs have no times.");
}

QSize TimeBars::sizeHint() const
{
    return {420, static_cast<int>(kBarRow * std::max<double>(1, static_cast<double>(bars_.size()))) + 4};
}

ChartTable TimeBars::table() const
{
    ChartTable table{{tr("Run"), tr("GPU time, ns"), tr("low, ns"), tr("high, ns"), tr("n"), tr("Baseline, ns")}, {}};
    for (const Bar& bar : bars_)
        table.rows.push_back({bar.name, bar.ns ? QString::number(bar.ns->median) : tr("not measured"),
                              bar.ns ? QString::number(bar.ns->low) : QString(), bar.ns ? QString::number(bar.ns->high) : QString(),
                              bar.ns ? QString::number(bar.ns->n) : QString(),
                              bar.baselineNs ? QString::number(*bar.baselineNs) : QString()});
    return table;
}

void TimeBars::paint(QPainter& painter, const QSizeF& size)
{
    double longest = 0;
    for (const Bar& bar : bars_)
        longest = std::max({longest, bar.ns ? bar.ns->high : 0.0, bar.baselineNs.value_or(0)});
    if (longest <= 0)
        return;
    double y = 0;
    int index = 0;
    for (const Bar& bar : bars_) {
        const QString right = bar.ns ? timeFigures(*bar.ns) : tr("not measured");
        text(painter, {0, y, size.width() * 0.45, 18}, Qt::AlignLeft | Qt::AlignVCenter, bar.name);
        text(painter, {size.width() * 0.45, y, size.width() * 0.55, 18}, Qt::AlignRight | Qt::AlignVCenter, right,
             bar.ns ? Token::text : Token::muted);
        const QRectF lane(0, y + 22, size.width(), 14);
        painter.fillRect(lane, color(Token::raised));
        QString tip = bar.name + u'\n' + right;
        if (bar.ns) {
            painter.fillRect(QRectF(0, lane.top(), lane.width() * bar.ns->median / longest, lane.height()), color(bar.token));
            painter.setPen(QPen(color(Token::text), 1.5));
            painter.drawLine(QPointF(lane.width() * bar.ns->low / longest, lane.center().y()),
                             QPointF(lane.width() * bar.ns->high / longest, lane.center().y()));
        }
        if (bar.baselineNs) {
            const double x = std::min(lane.width() - 1, lane.width() * *bar.baselineNs / longest);
            painter.fillRect(QRectF(x - 1, lane.top() - 3, 2, lane.height() + 6), color(Token::text));
            const QString words = tr("baseline %1").arg(q(formatTime(*bar.baselineNs)));
            const double wide = painter.fontMetrics().horizontalAdvance(words) + 4.0;
            text(painter, {std::clamp(x - wide / 2, 0.0, size.width() - wide), y + 38, wide, 15}, Qt::AlignCenter, words, Token::muted);
            tip += u'\n' + bar.baselineName + QStringLiteral(": ") + q(formatTime(*bar.baselineNs));
        }
        addHit({0, y, size.width(), kBarRow}, tip, index++);
        y += kBarRow;
    }
}

} // namespace kl::ui
