// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "core/model/run.h"
#include "sessions/search/tuner.h"

#include <optional>
#include <string>
#include <vector>

namespace kl {

class Workbench;

/// What a search looks through.
struct SearchSubject {
    const KernelFamily* family = nullptr;
    const Variant* variant = nullptr;
    Params fixed;   ///< tunables that stand still
    Params problem; ///< sizes left out take the family's default
};

/// A fast point that is not right.
struct WrongPoint {
    std::string kernel; ///< its address
    std::string reason;
};

/// A search with what was made sure of: its fastest point is right, and by how much it beats the default.
struct BestPoint {
    TuneResult tuned;
    std::optional<RunRecord> run;         ///< of the fastest point that is right on the whole suite, stored; nothing when none is
    std::vector<WrongPoint> wrong;        ///< faster ones
    std::optional<Comparison> comparison; ///< the default (A) against it (B), stored; nothing when it is the default
};

/// tune(), then the best points from the fastest on: checked on the whole suite until one is right, that one against the default. The times
/// are kept for the recommender. The one way that the command line and the window take. Errors: tune()'s and Workbench's; usage on a
/// recording, which has no times of a space.
Result<BestPoint> findBest(Workbench& bench, const SearchSubject& subject, const TunePlan& plan, const Job& job);

} // namespace kl
