// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/tree.h"
#include "core/model/comparison.h"
#include "core/model/run.h"
#include "core/stats/ab.h"
#include "kernels/catalog.h"
#include "profiler/protocol/messages.h"

#include <string>
#include <vector>

namespace kl::inline measure {

/// The subject of an A/B.
struct AbSubject {
    Address a;
    Address b;
    std::string problem; ///< canonical text
    bool ofEdit = false; ///< one kernel before and after an edit of its source
};

/// The verdict over an answer's blocks. keepAt above 1 adds the keep rule's result to the next step.
Comparison judgeBlocks(const AbAnswer& answer, const AbSubject& subject, const NoiseFloor& noise, double keepAt);

/// Whether B is kept in place of A (judgeKeep(), with the noise that the comparison was held against); inconclusive without a ratio.
KeepDecision keepDecision(const Comparison& comparison, double keepAt);

/// Whether ten more blocks may decide an inconclusive first look.
bool wantsSecondLook(const Comparison& comparison, double keepAt);

/// Warning of a comparison whose timed passes were not checked.
inline constexpr const char* kPassesUnchecked = "passes-unchecked";

/// Two stored runs. The same run, different kernels or problems, or a missing time are never comparable; a different source, device, driver
/// or clock state only if `waive` gives a reason. See judgeUnpaired() for what the interval means.
Comparison compareRuns(const RunRecord& a, const RunRecord& b, const NoiseFloor& noise = {}, const std::string& waive = {});

/// The variants that fix the kernel of a run, on its problem and GPU, for the diagnosis.
std::vector<CatalogFix> catalogFixesFor(const Catalog& catalog, const RunRecord& run);

/// The tree's diagnosis with those, and with whether the source is the user's. A kernel that the catalog does not have gets no steps.
Diagnosis diagnoseIn(const Catalog& catalog, const DiagnosisTree& tree, const RunRecord& run);

} // namespace kl::inline measure
