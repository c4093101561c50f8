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

namespace kl {

/// What an A/B is about.
struct AbSubject {
    Address a;
    Address b;
    std::string problem; ///< canonical text
};

/// The verdict over an answer's blocks. keepAt above 1 adds what the keep rule says to the next step.
Comparison judgeBlocks(const AbAnswer& answer, const AbSubject& subject, const NoiseFloor& noise, double keepAt);

/// Whether B is kept in place of A (judgeKeep(), with the noise that the comparison was held against); inconclusive without a ratio.
KeepDecision keepDecision(const Comparison& comparison, double keepAt);

/// Whether ten more blocks may decide what the first ten left open.
bool wantsSecondLook(const Comparison& comparison, double keepAt);

/// Warning of a comparison whose timed passes were not checked.
inline constexpr const char* kPassesUnchecked = "passes-unchecked";

/// Two stored runs. One and the same, another kernel, problem, or no valid time is never comparable; another source, device, driver or
/// clock state is not either, unless `waive` gives a reason. See judgeUnpaired() for what the interval means.
Comparison compareRuns(const RunRecord& a, const RunRecord& b, const NoiseFloor& noise = {}, const std::string& waive = {});

/// Variant and tunables that differ between two addresses.
std::vector<Difference> tunableDifferences(const Address& a, const Address& b);

/// The variants that repair `address`, as the diagnosis wants them.
std::vector<CatalogFix> catalogFixesFor(const Catalog& catalog, const Address& address, const DeviceInfo& device);

} // namespace kl
