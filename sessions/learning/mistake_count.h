// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/history.h"

#include <string>

namespace kl::inline learning {

/// How often a mistake was made, over the sessions of this database; where it has none, over the shipped ones.
struct MistakeCount {
    int made = 0;
    int caught = 0; ///< of these, refused before they cost anything

    bool operator==(const MistakeCount&) const = default;
};

/// Of the mistake with this id (MistakeKind::id). Replayed sessions do not count: they would count the recording.
MistakeCount mistakeCount(const History& history, const std::string& id);

/// The sums over all mistakes of the same sessions.
struct MistakeTotals {
    int made = 0;
    int repeated = 0; ///< of these, of a kind that was made before
    int blind = 0;    ///< optimizations without a profile
    double wrongMinutes = 0;

    bool operator==(const MistakeTotals&) const = default;
};

MistakeTotals mistakeTotals(const History& history);

} // namespace kl::inline learning
