// SPDX-License-Identifier: MIT
#include "ui/pages/kernels/sweep_chart.h"

#include "core/base/format.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <map>
#include <set>

namespace kl::ui {
namespace {

constexpr double kToMicro = 1e-3; ///< ns to µs
constexpr double kToGiga = 1e-9;
/// An axis whose largest value is this many times its smallest one is logarithmic: steps are mostly factors.
constexpr double kLogFrom = 8;

bool hasFlops(const std::vector<SweepRow>& rows)
{
    return std::ranges::any_of(rows, [](const SweepRow& row) { return row.flopsPerSecond().has_value(); });
}

std::optional<double> chooseFigure(const SweepRow& row, SweepFigure figure, bool flops)
{
    switch (figure) {
    case SweepFigure::time: return row.ns();
    case SweepFigure::throughput: return flops ? row.flopsPerSecond() : row.bytesPerSecond();
    case SweepFigure::speedup: return row.speedup();
    }
    return {};
}

std::string figureText(double value, SweepFigure figure, bool flops)
{
    switch (figure) {
    case SweepFigure::time: return formatTime(value);
    case SweepFigure::throughput: return flops ? formatFlops(value) : formatBandwidth(value);
    case SweepFigure::speedup: return formatRatio(value);
    }
    return {};
}

QString figureTitle(SweepFigure figure, bool flops)
{
    switch (figure) {
    case SweepFigure::time: return QObject::tr("GPU time, µs");
    case SweepFigure::throughput: return flops ? QObject::tr("Throughput, GFLOP/s") : QObject::tr("Throughput, GB/s");
    case SweepFigure::speedup: return QObject::tr("Speedup over the baseline");
    }
    return {};
}

double chooseScale(SweepFigure figure)
{
    return figure == SweepFigure::time ? kToMicro : figure == SweepFigure::throughput ? kToGiga : 1;
}

std::optional<double> findAxisPlace(const SweepRow& row, const std::string& axis)
{
    const auto found = row.problem.find(axis);
    const auto* number = found == row.problem.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
    return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

/// Kernel, if there are several, and what else is fixed along the line.
QString lineName(const SweepRow& row, const std::string& axis, const std::vector<std::string>& axes, bool severalKernels)
{
    Params fixed;
    for (const std::string& name : axes)
        if (const auto value = row.problem.find(name); name != axis && value != row.problem.end())
            fixed.insert(*value);
    QStringList parts;
    if (severalKernels || fixed.empty())
        parts << q(toText(row.kernel));
    if (!fixed.empty())
        parts << spaceProblem(toText(fixed));
    return parts.join(QStringLiteral(", "));
}

} // namespace

XYSpec sweepSpec(const std::vector<SweepRow>& rows, const std::string& axis, SweepFigure figure)
{
    const bool flops = hasFlops(rows);
    const std::vector<std::string> axes = listSweptAxes(rows);
    std::set<std::string> kernels;
    for (const SweepRow& row : rows)
        kernels.insert(toText(row.kernel));
    XYSpec spec;
    spec.x.title = q(axis);
    spec.x.withZero = false;
    spec.y.title = figureTitle(figure, flops);
    spec.emptyReason = QObject::tr("None of these sizes has this figure.");
    std::map<QString, std::size_t> lines;
    double least = 0, most = 0;
    for (const SweepRow& row : rows) {
        const std::optional<double> at = findAxisPlace(row, axis), value = chooseFigure(row, figure, flops);
        if (!at)
            continue;
        const QString name = lineName(row, axis, axes, kernels.size() > 1);
        const auto [line, fresh] = lines.emplace(name, spec.series.size());
        if (fresh) {
            XYSeries series;
            series.name = name;
            series.token = seriesToken(static_cast<int>(spec.series.size()));
            series.dashed = spec.series.size() >= kSeriesCount; // the colors begin again
            series.emptyReason = QObject::tr("no size was measured");
            spec.series.push_back(std::move(series));
        }
        if (!value)
            continue;
        QString tip = QObject::tr("%1: %2").arg(spaceProblem(toText(row.problem)), q(figureText(*value, figure, flops)));
        if (!row.classId().empty())
            tip += QStringLiteral(", ") + q(row.classId());
        spec.series[line->second].points.push_back({*at, *value * chooseScale(figure), {}, {}, tip});
        least = least == 0 ? *at : std::min(least, *at);
        most = std::max(most, *at);
    }
    for (XYSeries& series : spec.series)
        std::ranges::sort(series.points, {}, &XYPoint::x);
    spec.x.log = least > 0 && most >= kLogFrom * least;
    if (figure == SweepFigure::speedup)
        spec.references.push_back({1, withMark(QObject::tr("baseline, 1.0×")), Token::neutral});
    return spec;
}

QString sweepFinding(const std::vector<SweepRow>& rows, const std::string& axis, SweepFigure figure)
{
    const bool flops = hasFlops(rows);
    const XYSpec spec = sweepSpec(rows, axis, figure);
    if (spec.series.size() != 1 || spec.series.front().points.size() < 2)
        return QObject::tr("%1 by %2").arg(figureTitle(figure, flops), q(axis));
    const auto text = [&](const XYPoint& point) { return q(figureText(point.y / chooseScale(figure), figure, flops)); };
    const XYPoint &first = spec.series.front().points.front(), &last = spec.series.front().points.back();
    return QObject::tr("From %1 at %2=%3 to %4 at %2=%5")
        .arg(text(first), q(axis), QString::number(first.x, 'f', 0), text(last), QString::number(last.x, 'f', 0));
}

} // namespace kl::ui
