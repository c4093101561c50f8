// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "core/model/run.h"
#include "core/model/search_record.h"
#include "sessions/search/tuner.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline measure {
class Workbench;
}

namespace kl::inline search {

/// The subject of a search.
struct SearchSubject {
    const KernelFamily* family = nullptr;
    const Variant* variant = nullptr;
    Params fixed;   ///< tunables with a fixed value
    Params problem; ///< sizes left out take the family's default
};

/// A fast point that is not correct.
struct WrongPoint {
    std::string kernel; ///< its address
    std::string reason;
};

/// Loop 1: what follows the measuring of a space.
struct LoopPlan {
    TunePlan tune;
    std::string protocol = "loop1";
    int confirmations = 100; ///< passes of the winner and of its rival, in turns; 0: not confirmed
    double target = 1.10;    ///< time(rival) / time(winner) that is aimed at
    bool diagnosed = true;   ///< profiles the winner

    /// The documents' protocol: 20 points of a Latin hypercube, 100 of TPE, 100 passes to confirm the winner.
    static LoopPlan notes();
};

/// A search with its verified result: the fastest correct point, its speedup over the default and over its rival, and what limits it.
struct BestPoint {
    TuneResult tuned;
    std::optional<RunRecord> run;         ///< of the fastest point that is correct on the whole suite, stored; unset when none is
    std::vector<WrongPoint> wrong;        ///< faster ones
    std::optional<Comparison> comparison; ///< the default (A) against it (B), stored; unset when it is the default
    Params tunables = {};                 ///< of the run: all of the variant's
    std::optional<Confirmation> confirmation = {};
    std::optional<RunRecord> profile = {}; ///< of the winner, stored; unset when it was not diagnosed
    std::string record = {};               ///< id of the stored SearchRecord
};

/// Whether a device can measure the points of a search. Error usage: a recording, which has no times of a space.
Status checkSearchable(const Collector& collector);

/// tune(), then the best points from the fastest on: checked on the whole suite until one is correct; that one against the default, against
/// its rival, and profiled. The search is recorded from its first point on; its times are kept for the recommender and the next search.
/// Used by the command line, the window and sessions. Where the rival or the profile cannot be measured, the job reports it and the search
/// goes on. Errors: tune()'s, Workbench's and checkSearchable()'s.
Result<BestPoint> findBest(Workbench& bench, const SearchSubject& subject, const LoopPlan& plan, const Job& job);

} // namespace kl::inline search
