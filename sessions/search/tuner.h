// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/catalog.h"
#include "sessions/search/space_build.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kl {

/// The order in which the candidates of a space are measured; names as in Kernel Tuner.
enum class TuneStrategy {
    bruteForce, ///< all, in the space's order
    random,     ///< all, shuffled by the seed
    greedy,     ///< from the default: every neighbor one tunable away, then on from the best of them; a random start when none is better
};

/// "brute_force", "random_sample", "greedy_mls"; unset for another word.
std::optional<TuneStrategy> strategyFrom(const std::string& word);

/// One candidate's time.
struct TunedPoint {
    std::string kernel; ///< address
    Params tunables;
    std::optional<double> ns; ///< median GPU time, cold L2; unset when it failed
    bool refined = false;     ///< timed longer
    bool remembered = false;  ///< measured by an earlier search
    std::string why;          ///< it failed
};

struct TunePlan {
    TuneStrategy strategy = TuneStrategy::bruteForce;
    std::uint64_t seed = 1;
    double budgetSeconds = 0;                      ///< of measuring; 0: until all are measured
    int jobs = 0;                                  ///< compiler threads
    int refined = 8;                               ///< number of best points that are timed again, longer
    bool fresh = false;                            ///< ignore earlier measurements on this device
    std::optional<double> minOccupancy;            ///< percent; unset: the descriptor's
    std::function<void(const TunedPoint&)> onTime; ///< receives every time, on the measuring thread; may be empty
};

struct TuneResult {
    SpaceBuild build;
    std::string device;
    std::vector<TunedPoint> points; ///< best first, failed ones last
    std::size_t left = 0;           ///< candidates that the budget did not reach
    double seconds = 0;             ///< of measuring
};

/// Judges and compiles the space for the collector's device, and times what is left: each briefly, the best points longer. Only times: code
/// that uses the best checks it. Errors: buildSpace's, environment without a device, interrupted.
Result<TuneResult> tune(Collector& collector, const Catalog& catalog, const KernelFamily& family, const Variant& variant,
                        const Params& fixed, const Params& problem, const TunePlan& plan, const Job& job);

/// The order of a strategy: given the times so far, which candidate is next; unset at the end. Pure; for tests.
class TuneOrder {
public:
    /// `points`: the candidates' tunables. `start`: where greedy begins.
    TuneOrder(TuneStrategy strategy, std::uint64_t seed, std::vector<Params> points, const Params& start);

    std::optional<std::size_t> next();
    /// The time of a candidate that next() gave; unset when it failed.
    void tell(std::size_t index, std::optional<double> ns);

private:
    std::optional<std::size_t> nextNeighbor();

    TuneStrategy strategy_;
    std::vector<Params> points_;
    std::vector<std::size_t> order_; ///< brute force, random, and greedy's random starts
    std::size_t at_ = 0;
    std::vector<bool> given_;
    std::vector<std::optional<double>> times_;
    std::optional<std::size_t> center_; ///< greedy: whose neighbors are tried
};

} // namespace kl
