// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/search_record.h"
#include "core/search/strategy.h"
#include "kernels/catalog.h"
#include "sessions/search/space_build.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline search {

/// How often the best points are measured again, in turns; of an energy, which takes seconds, once.
inline constexpr int kRefineRounds = 3;
/// Seconds that counting all points may take.
inline constexpr double kCountSeconds = 20;

/// What a search makes as small as it can.
enum class Objective { time, energy };

/// One candidate's figures.
struct TunedPoint {
    std::string kernel; ///< address
    Params tunables;
    std::optional<double> ns;              ///< median GPU time, cold L2; unset when it failed
    std::optional<double> joules;          ///< energy per launch; unset unless it is the objective
    bool refined = false;                  ///< measured again, in turns with the other best ones
    bool remembered = false;               ///< measured by an earlier search
    bool cut = false;                      ///< ended early: clearly slower than the best so far
    std::string gpu;                       ///< UUID of the one that it was measured on, where several measure
    std::string why;                       ///< it failed
    double seconds = 0;                    ///< that compiling and timing it took
    double at = 0;                         ///< seconds from the begin of measuring to the end of its measurement
    std::map<std::string, double> metrics; ///< one-pass counters, CUPTI's names; empty: not counted

    /// What the search compares; unset when the point failed.
    std::optional<double> cost(Objective objective) const { return objective == Objective::time ? ns : joules; }
};

struct TunePlan {
    std::string strategy = kDefaultStrategy; ///< a name of strategies()
    Objective objective = Objective::time;
    std::uint64_t seed = 1;
    std::vector<Params> known;           ///< points that were good before, best first: measured right after the default, unless in order
    std::size_t width = 0;               ///< points that are open at a time; with the seed, it fixes which are proposed; 0: widthOn()
    double budgetSeconds = 0;            ///< of measuring; 0: until all are measured
    std::size_t budgetTrials = 0;        ///< points; 0: no limit
    double budgetJoules = 0;             ///< board power after each point × the time it took, summed; 0: no limit
    bool startsKnown = true;             ///< false: the strategy begins by itself, neither at the default nor at known points
    double countSeconds = kCountSeconds; ///< what one-pass counters of the measured points may take, best first; 0: none
    int jobs = 0;                        ///< compiler threads
    int refined = 8;                     ///< number of best points that are timed again, longer
    bool fresh = false;                  ///< ignore earlier measurements on this device
    std::optional<double> minOccupancy;  ///< percent; unset: the descriptor's
    std::function<void(const TunedPoint&)> onTime; ///< receives every time, on the measuring thread; may be empty
    std::function<void()> beforePoint;             ///< returns when the next point may be measured: a search is paused here; may be empty
};

struct TuneResult {
    SpaceBuild build;
    std::string device;
    std::vector<SearchReference> references; ///< one per GPU where several measure, that of `device` first
    std::vector<TunedPoint> points;          ///< best first, failed ones last
    std::size_t left = 0;                    ///< candidates that the budget did not reach
    double seconds = 0;                      ///< of measuring
};

/// The plan's width, or one point of a single GPU and two for each of several, so that each has its next one while the last is looked at.
std::size_t widthOn(const Collector& collector, const TunePlan& plan);

/// Judges and compiles the space for the collector's device, times what is left briefly, reads one-pass counters of what was timed, and
/// measures the best points again, in turns: the best of many brief times is the luckiest one's. On several GPUs, one measures the best
/// again, and times of the others count as the reference took the former instead of the latter. Only times: code
/// that uses the best checks it. Errors: buildSpace's, findStrategy's, environment without a device or where the objective is energy and
/// the first point's cannot be measured, interrupted.
Result<TuneResult> tune(Collector& collector, const Catalog& catalog, const KernelFamily& family, const Variant& variant,
                        const Params& fixed, const Params& problem, const TunePlan& plan, const Job& job);

} // namespace kl::inline search
