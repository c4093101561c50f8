// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/model/descriptor.h"
#include "kernels/model/expression.h"

#include <optional>
#include <string>

namespace kl {

/// Evaluates a map's formulas: strides that are left out are those of dimensions that lie one behind the other, element strides 1. Error
/// badInput: a formula that gives no whole number of at least 1.
Result<TensorMapSpec> buildTensorMap(const TensorMapFormula& formula, DType type, const Scope& scope);

/// What of a map breaks a rule of cuTensorMapEncodeTiled (CUDA driver API, "Tensor Map Object Management"), or reaches beyond the buffer.
struct TensorMapFault {
    std::string field;   ///< "box[1]": of the map's object in a descriptor
    std::string message; ///< with the value
    std::string hint;
};
std::optional<TensorMapFault> tensorMapFault(const TensorMapSpec& map, DType type, std::int64_t count);

/// Types that the accelerator knows, or copies as bits of the same width without a NaN of their own.
bool isTensorType(DType type) noexcept;

} // namespace kl
