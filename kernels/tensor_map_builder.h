// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/model/descriptor.h"
#include "kernels/model/expression.h"

#include <optional>
#include <string>

namespace kl::inline kernels {

/// Evaluates a map's formulas: missing strides are those of contiguous dimensions, element strides 1. Error
/// badInput: a formula whose value is not a whole number of at least 1.
Result<TensorMapSpec> buildTensorMap(const TensorMapFormula& formula, DType type, const Scope& scope);

/// The part of a map that breaks a rule of cuTensorMapEncodeTiled (CUDA driver API, "Tensor Map Object Management"), or reaches beyond the
/// buffer.
struct TensorMapFault {
    std::string field;   ///< "box[1]": of the map's object in a descriptor
    std::string message; ///< with the value
    std::string hint;
};
std::optional<TensorMapFault> tensorMapFault(const TensorMapSpec& map, DType type, std::int64_t count);

/// Types supported by the accelerator, or copied as bits of the same width without their own NaN.
bool isTensorType(DType type) noexcept;

} // namespace kl::inline kernels
