// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/tree.h"
#include "kernels/catalog.h"
#include "profiler/collector.h"
#include "sessions/measure/recommender.h"
#include "sessions/store/store.h"

#include <string>
#include <vector>

namespace kl::inline learning {

/// A stored profile, diagnosed again with the present tree.
struct Rediagnosis {
    RunId id;
    std::string kernel; ///< canonical address
    std::string problem;
    std::string device;
    Diagnosis before;
    Diagnosis after;
    bool stored = false; ///< `after`; the same verdict by the same tree is not stored again

    bool hasNewClass() const { return before.finding.classId != after.finding.classId; }
};

/// Whether the finding was made by another tree than this one. Findings without a version are older than versions are.
bool isOfAnotherTree(const Diagnosis& diagnosis, const DiagnosisTree& tree);

/// Diagnoses stored profiles again, in this order, from their metrics, times and code. With `keep`, each diagnosis by another tree, or
/// with another verdict, is stored; the earlier ones stay, with their trees' versions. Fixes carry the chances that the recommender gives
/// them, whose cases are judged by the same tree. Errors: the store's; badInput for a run that was not profiled; interrupted.
Result<std::vector<Rediagnosis>> rediagnoseRuns(Store& store, const Catalog& catalog, const DiagnosisTree& tree, Recommender& recommender,
                                                const std::vector<RunId>& runs, bool keep, const Job& job);

/// Every profile of the database, newest first.
Result<std::vector<RunId>> listStoredProfiles(const Store& store);

} // namespace kl::inline learning
