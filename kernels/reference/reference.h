// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/model/work.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kl::inline kernels {

/// The expected values of some elements of the output, in double precision. `indices` empty means all, in order; large
/// attention problems give sampled rows.
struct Expected {
    std::vector<std::int64_t> indices;
    std::vector<double> values;
};

/// Evaluates a reference on the host: a function, an expression, or given elements. `inputs` holds each input buffer's
/// values converted to double, in the order of spec.inputs. Error badInput for an unknown function or sizes that do not fit.
Result<Expected> evaluateReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed);

} // namespace kl::inline kernels
