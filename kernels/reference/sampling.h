// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/model/work.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kl::inline kernels {

/// Elements of an output of `count` that a reference evaluates: all of them, or `most` of them where there are more: the first, the last,
/// and one at a place chosen from the seed in each of as many equal parts.
std::vector<std::int64_t> sampleElements(std::int64_t count, std::int64_t most, std::uint64_t seed);

/// A parameter of a reference function. Error badInput if the descriptor does not have it.
Result<double> referenceParam(const ReferenceSpec& spec, const std::string& name);

/// The same as a whole number.
Result<std::int64_t> referenceSize(const ReferenceSpec& spec, const std::string& name);

/// Error of inputs whose element counts do not follow from the parameters.
Error sizesDoNotFit(const ReferenceSpec& spec);

} // namespace kl::inline kernels
