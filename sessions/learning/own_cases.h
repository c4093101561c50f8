// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/fix_case.h"
#include "sessions/store/store.h"

namespace kl::inline learning {

/// The changes measured in this database: each change that a session evaluated, kept or not, by its interleaved A/B; and each pair of
/// stored runs of one kernel, problem and device that are one change apart, whose first is a profile (the newest run of each point counts,
/// of the 300 newest points among the 1,000 newest runs); and each pair of points of the newest search of a kernel, problem and device,
/// one change apart, whose first is such a profile. A change counts once: as a session evaluated it, else as a pair of runs, else as a pair
/// of a search. Replayed and imported runs and programs' kernels are left out.
Result<std::vector<FixState>> ownStates(const Store& store, const Catalog& catalog, const DiagnosisTree& tree);

} // namespace kl::inline learning
