// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace kl::inline live {

/// One measured pass of a sequence.
struct Sample {
    double spanNs = 0;              ///< first activity's start to last activity's end
    std::vector<double> partsNs;    ///< each activity alone, in order of start
    std::optional<double> clockMhz; ///< SM clock when the sequence was about to start
    bool throttled = false;         ///< see isThrottled()
};

/// Whether a clock means a throttled GPU: below 75 % of the device's default, unless the clocks are locked there on purpose. False for an
/// unknown clock or default.
bool isThrottled(std::optional<double> clockMhz, double defaultMhz, bool clocksLocked);

/// When a series ends: its noise is stable (the median's 95 % interval is narrower than `stableWidth` of the median) AND it was measured
/// for `minSeconds` AND holds `minSamples`; or `minSeconds` are over and `maxSamples` are there; or `maxSeconds` are over and `minSamples`
/// are there. (nvbench asks for a stable standard deviation of the mean; the median's order statistics do not mind a few slow passes.)
struct StopRule {
    int minSamples = 10;
    int maxSamples = 200;    ///< of a series that does not become stable
    double minSeconds = 0.1; ///< of measuring only this series
    double maxSeconds = 3;   ///< of everything except waiting
    double stableWidth = 0.01;
    double hopelessNs = 0; ///< the series begins with a few passes, and ends if all of them take longer; 0: never
};

/// "hopeless", "noise-stable", "sample-limit" or "time-limit"; null while the series goes on. After twice maxSeconds even a short series
/// ends.
const char* whyStop(const StopRule& rule, const std::vector<double>& samples, double measuredSeconds, double elapsedSeconds);

/// How a block of an A/B is measured if a pass takes `passNs` (0: not known).
struct BlockPlan {
    int groups = 0;      ///< of ABBA
    bool primed = false; ///< see Bench::enqueue
};

/// `requested` groups, twice as many where a pass takes less than 20 µs: GPU timestamps step by 32 ns, 1 % of a pass of 3 µs, and the
/// median of 20 pairs moves by as much; over repeats of such a kernel against itself (H200, 16,000 pairs drawn again) 20 pairs per block
/// ended as equivalent in 99.2 of 100, 40 in all. Primed below 1 ms: what a cold instruction cache costs, 0.3 µs, is negligible for a
/// longer pass, and its time would double.
BlockPlan planBlock(int requested, double passNs);

/// How long a throttled GPU is waited for: 0.1 s, then twice as long each time, 1.5 s in all.
class Patience {
public:
    /// Seconds to wait before the next try; unset at the end of the waiting budget.
    std::optional<double> next();
    double waited() const noexcept { return waited_; }

private:
    double step_ = 0.1;
    double waited_ = 0;
};

/// The ports of a series; tests use their own clock and samples.
struct SeriesPorts {
    std::function<Result<std::vector<Sample>>(int count)> block; ///< measures `count` passes
    std::function<Status()> between;                             ///< the baseline's turn, after each block
    std::function<double()> now;                                 ///< seconds, of any steady clock
    std::function<void(double seconds)> wait;                    ///< lets a hot GPU cool
    std::function<void(double elapsed)> report;
    std::stop_token stop;
};

struct Series {
    std::vector<Sample> kept;
    std::vector<Sample> discarded; ///< throttled passes
    const char* stoppedBy = "";    ///< of whyStop()
    double waitedSeconds = 0;

    std::vector<double> spans() const; ///< of the kept ones, ns
};

/// Blocks of ten passes, of three at first where a pass can be hopeless, until the rule ends the series. Throttled passes are discarded and
/// waited out while patience lasts; a series of only such passes keeps them, marked, since a marked time is better than none. Error
/// interrupted, or a port's own.
Result<Series> measureSeries(const SeriesPorts& ports, const StopRule& rule);

} // namespace kl::inline live
