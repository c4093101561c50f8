// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/tree.h"
#include "core/model/comparison.h"
#include "core/model/run.h"
#include "kernels/catalogue.h"
#include "profiler/protocol/messages.h"

#include <string>
#include <vector>

namespace kl {

/// The verdict over an answer's blocks. `noise`: calibrated A/A noise of the device, a fraction. keepAt above 1 adds what the keep
/// rule says to the sentence.
Comparison judgeBlocks(const AbAnswer& answer, const std::string& a, const std::string& b, double noise, double keepAt);

/// Whether ten more blocks may decide what the first ten left open.
bool wantsSecondLook(const Comparison& comparison, double noise, double keepAt);

/// Variant and tunables that differ between two addresses.
std::vector<Difference> tunableDifferences(const Address& a, const Address& b);

/// The variants that repair `address`, as the diagnosis wants them.
std::vector<LadderFix> ladderOf(const Catalogue& catalogue, const Address& address);

} // namespace kl
