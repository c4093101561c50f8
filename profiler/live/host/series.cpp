// SPDX-License-Identifier: MIT
#include "profiler/live/host/series.h"

#include "core/base/try.h"
#include "core/stats/ab.h"
#include "core/stats/robust.h"

#include <algorithm>
#include <utility>

namespace kl::inline live {
namespace {

constexpr int kBlock = 10;    // passes per block
constexpr int kFewPasses = 3; // enough to tell a hopeless kernel
constexpr double kThrottled = 0.75;
constexpr double kPatience = 1.5;
constexpr double kShortPassNs = 20'000;
constexpr int kShortPassTimes = 2;
constexpr double kPrimedBelowNs = 1'000'000;

} // namespace

bool isThrottled(std::optional<double> clockMhz, double defaultMhz, bool clocksLocked)
{
    return clockMhz && defaultMhz > 0 && !clocksLocked && *clockMhz < kThrottled * defaultMhz;
}

const char* whyStop(const StopRule& rule, const std::vector<double>& samples, double measuredSeconds, double elapsedSeconds)
{
    const auto count = static_cast<int>(samples.size());
    const bool enough = count >= rule.minSamples;
    if (rule.hopelessNs > 0 && count >= kFewPasses && std::ranges::min(samples) > rule.hopelessNs)
        return "hopeless";
    if (enough && measuredSeconds >= rule.minSeconds) {
        if (const Summary summary = summarize(samples); summary.median > 0 && relativeNoise(summary) < rule.stableWidth)
            return "noise-stable";
        if (count >= rule.maxSamples)
            return "sample-limit";
    }
    return elapsedSeconds >= (enough ? rule.maxSeconds : 2 * rule.maxSeconds) ? "time-limit" : nullptr;
}

BlockPlan planBlock(int requested, double passNs)
{
    const bool isShort = passNs > 0 && passNs < kShortPassNs;
    return {isShort ? kShortPassTimes * requested : requested, passNs < kPrimedBelowNs};
}

std::optional<double> Patience::next()
{
    if (waited_ + step_ > kPatience + 1e-9) // sums of tenths are not exact
        return {};
    waited_ += step_;
    return std::exchange(step_, 2 * step_);
}

std::vector<double> Series::spans() const
{
    std::vector<double> values;
    for (const Sample& sample : kept)
        values.push_back(sample.spanNs);
    return values;
}

Result<Series> measureSeries(const SeriesPorts& ports, const StopRule& rule)
{
    Series series;
    Patience patience;
    const double begin = ports.now();
    double measured = 0; // on the kernel itself: a slow baseline must not cut its series short
    for (;;) {
        if (ports.stop.stop_requested())
            return Error{.code = ErrorCode::interrupted, .message = "Stopped by the user."};
        const double blockBegin = ports.now();
        KL_ASSIGN(std::vector<Sample> block, ports.block(rule.hopelessNs > 0 && series.kept.empty() ? kFewPasses : kBlock));
        measured += ports.now() - blockBegin;
        bool throttled = false;
        for (Sample& sample : block) {
            throttled = throttled || sample.throttled;
            (sample.throttled ? series.discarded : series.kept).push_back(std::move(sample));
        }
        KL_TRY(ports.between());
        const double elapsed = ports.now() - begin - series.waitedSeconds;
        if (const char* why = whyStop(rule, series.spans(), measured, elapsed)) {
            series.stoppedBy = why;
            break;
        }
        ports.report(elapsed);
        if (const std::optional<double> pause = throttled ? patience.next() : std::nullopt) {
            ports.wait(*pause);
            series.waitedSeconds = patience.waited();
        }
    }
    if (series.kept.empty())
        series.kept = std::exchange(series.discarded, {});
    return series;
}

} // namespace kl::inline live
