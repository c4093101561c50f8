// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "core/model/run.h"
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

/// A search with its verified result: the fastest correct point, and its speedup over the default.
struct BestPoint {
    TuneResult tuned;
    std::optional<RunRecord> run;         ///< of the fastest point that is correct on the whole suite, stored; unset when none is
    std::vector<WrongPoint> wrong;        ///< faster ones
    std::optional<Comparison> comparison; ///< the default (A) against it (B), stored; unset when it is the default
};

/// tune(), then the best points from the fastest on: checked on the whole suite until one is correct, that one against the default. The
/// times are kept for the recommender and the next search. Used by the command line and the window. Errors: tune()'s and Workbench's; usage
/// on a recording, which has no times of a space.
Result<BestPoint> findBest(Workbench& bench, const SearchSubject& subject, const TunePlan& plan, const Job& job);

} // namespace kl::inline search
