// SPDX-License-Identifier: MIT
#include "ui/pages/compare/sample_strip.h"

#include "core/base/format.h"
#include "ui/pages/compare/run_names.h"
#include "ui/pages/compare/time_bars.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <iterator>

namespace kl::ui {
namespace {

constexpr double kMicro = 1e-3; ///< ns to µs
constexpr double kSpread = 0.5; ///< width of a strip, in runs

/// Share of all pairs with `b` below `a`; ties count half. Both sorted and not empty.
double shareBelow(const std::vector<double>& a, const std::vector<double>& b)
{
    double below = 0;
    for (const double value : b) {
        const auto [first, last] = std::equal_range(a.begin(), a.end(), value);
        below += static_cast<double>(a.end() - last) + static_cast<double>(last - first) / 2;
    }
    return below / (static_cast<double>(a.size()) * static_cast<double>(b.size()));
}

std::vector<double> sortSamples(const RunRecord& run)
{
    std::vector<double> samples = run.timing ? run.timing->samples : std::vector<double>();
    std::ranges::sort(samples);
    return samples;
}

} // namespace

QString sampleFinding(const std::vector<const RunRecord*>& runs)
{
    if (runs.size() < 2)
        return {};
    const std::vector<double> a = sortSamples(*runs[0]);
    const std::vector<double> b = sortSamples(*runs[1]);
    if (a.empty() || b.empty())
        return {};
    const QStringList names = runNames(runs);
    if (b.back() < a.front())
        return QObject::tr("Every sample of %1 is faster than every sample of %2").arg(names[1], names[0]);
    if (a.back() < b.front())
        return QObject::tr("Every sample of %1 is slower than every sample of %2").arg(names[1], names[0]);
    return QObject::tr("The samples overlap: %1 is faster in %2 of all pairs").arg(names[1], q(formatPercent(100 * shareBelow(a, b))));
}

XYSpec sampleStrips(const std::vector<const RunRecord*>& runs)
{
    XYSpec spec;
    spec.y = {QStringLiteral("GPU time, µs"), false, false, {}, {}, {}};
    spec.emptyReason = QStringLiteral("These runs have no times.");
    std::vector<XYSeries> medians; // drawn over all samples, and last in the legend
    spec.x.title = QStringLiteral("samples in measurement order, by run");
    spec.x.categories = runNames(runs);
    double at = 0;
    for (const RunRecord* run : runs) {
        const QString& name = spec.x.categories[static_cast<qsizetype>(at)];
        const Token token = seriesToken(assignSeries(toText(run->kernel)));
        if (run->timing) {
            const Timing& timing = *run->timing;
            XYSeries strip{name, token, false, false, Marker::circle, {}, {}};
            for (std::size_t i = 0; i < timing.samples.size(); ++i) {
                const double place =
                    timing.samples.size() < 2 ? 0.5 : static_cast<double>(i) / static_cast<double>(timing.samples.size() - 1);
                strip.points.push_back({at - kSpread / 2 + kSpread * place,
                                        timing.samples[i] * kMicro,
                                        {},
                                        {},
                                        q(formatTime(timing.samples[i])),
                                        q(run->id.text),
                                        {}});
            }
            XYSeries median{QStringLiteral("median, 95 % CI"), Token::text, false, false, Marker::diamond, {}, {}};
            median.points.push_back({at,
                                     timing.gpu.median * kMicro,
                                     timing.gpu.low * kMicro,
                                     timing.gpu.high * kMicro,
                                     QStringLiteral("median %1").arg(timeFigures(timing.gpu)),
                                     q(run->id.text),
                                     {}});
            if (!strip.points.empty())
                spec.series.push_back(std::move(strip));
            medians.push_back(std::move(median));
        }
        at += 1;
    }
    std::ranges::move(medians, std::back_inserter(spec.series));
    return spec;
}

} // namespace kl::ui
