// SPDX-License-Identifier: MIT
#include "ui/pages/compare/sample_strip.h"

#include "core/base/format.h"
#include "ui/pages/compare/time_bars.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <iterator>

namespace kl {
namespace {

constexpr double kMicro = 1e-3; ///< ns to µs
constexpr double kSpread = 0.5; ///< width of a strip, in runs

} // namespace

XYSpec sampleStrips(const std::vector<const RunRecord*>& runs)
{
    XYSpec spec;
    spec.y = {QStringLiteral("GPU time, µs"), false, false, {}, {}, {}};
    spec.emptyReason = QStringLiteral("None of these runs has times.");
    std::vector<XYSeries> medians; // drawn over all samples, and last in the legend
    double at = 0;
    for (const RunRecord* run : runs) {
        const std::string name = toText(run->kernel);
        const Token token = seriesToken(seriesIndexOf(name));
        spec.x.categories << q(name);
        if (run->timing) {
            const Timing& timing = *run->timing;
            XYSeries strip{q(name), token, false, false, Marker::circle, {}, {}};
            for (std::size_t i = 0; i < timing.samples.size(); ++i) {
                const double place =
                    timing.samples.size() < 2 ? 0.5 : static_cast<double>(i) / static_cast<double>(timing.samples.size() - 1);
                strip.points.push_back(
                    {at - kSpread / 2 + kSpread * place, timing.samples[i] * kMicro, {}, {}, q(formatTime(timing.samples[i]))});
            }
            XYSeries median{QStringLiteral("median, 95 % interval"), Token::text, false, false, Marker::diamond, {}, {}};
            median.points.push_back({at, timing.gpu.median * kMicro, timing.gpu.low * kMicro, timing.gpu.high * kMicro,
                                     QStringLiteral("median %1").arg(timeFigures(timing.gpu))});
            if (!strip.points.empty())
                spec.series.push_back(std::move(strip));
            medians.push_back(std::move(median));
        }
        at += 1;
    }
    std::ranges::move(medians, std::back_inserter(spec.series));
    return spec;
}

} // namespace kl
