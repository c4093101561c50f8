// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/tree.h"
#include "kernels/catalog.h"
#include "profiler/collector.h"
#include "sessions/session/session_template.h"
#include "sessions/session/session_view.h"
#include "sessions/store/store.h"

#include <map>
#include <string>
#include <vector>

namespace kl::inline learning {

/// A stored profile whose finding has another class by another tree.
struct FindingChange {
    RunId run;
    std::string kernel; ///< canonical address
    std::string problem;
    std::string before; ///< class by the present tree
    std::string after;

    bool operator==(const FindingChange&) const = default;
};

/// What another tree would say of stored profiles.
struct TreeEffect {
    int looked = 0;    ///< profiles
    bool more = false; ///< there are older ones
    std::vector<FindingChange> changes;
};

inline constexpr int kLookedProfiles = 500; ///< newest ones: seconds
inline constexpr int kLookedSessions = 200;

/// Diagnoses the newest profiles by both trees; stores nothing. Errors: the store's; interrupted.
Result<TreeEffect> computeTreeEffect(const Store& store, const Catalog& catalog, const DiagnosisTree& now, const DiagnosisTree& other,
                                     const Job& job);

/// A gate of a stored session that would be judged otherwise.
struct GateChange {
    SessionId session;
    std::string name; ///< of the session
    std::string gate; ///< "G2"
    GateResult before = GateResult::unknown;
    GateResult after = GateResult::unknown;

    bool operator==(const GateChange&) const = default;
};

/// What other thresholds would make of the gates of stored sessions. The sessions keep theirs.
struct PlanEffect {
    int looked = 0;
    bool more = false;
    std::vector<GateChange> changes;
};

/// Judges the newest sessions of a kind by their own evidence and these thresholds. Errors: the store's; interrupted.
Result<PlanEffect> computeThresholdsEffect(const Store& store, const Catalog& catalog, const std::string& kind,
                                           const std::map<std::string, double>& thresholds, const Job& job);

} // namespace kl::inline learning
