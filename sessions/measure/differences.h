// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "core/model/run.h"

#include <optional>
#include <string_view>
#include <vector>

namespace kl::inline measure {

/// b / a - 1; unset where a side is missing or not finite, or a is 0.
std::optional<double> relativeChange(std::optional<double> a, std::optional<double> b);

/// Times, speedup, memory, energy where a side has it, and every metric of either, by name.
std::vector<Difference> metricDifferences(const RunRecord& a, const RunRecord& b);

/// What differs of device, driver, source, problem and clocks.
std::vector<Difference> environmentDifferences(const RunRecord& a, const RunRecord& b);

/// Variant and tunables that differ between two addresses.
std::vector<Difference> tunableDifferences(const Address& a, const Address& b);

/// Whether the GPU's clocks were locked when a run was measured: "locked" or "free". Our worker warns if they were not, and reports of
/// Nsight Compute say which. Tables of it, and kernels of a program, do not: empty.
std::string_view clockState(const RunRecord& run);

} // namespace kl::inline measure
