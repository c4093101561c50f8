// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/model/descriptor.h"
#include "kernels/model/expression.h"

namespace kl::inline kernels {

/// Largest data file that travels with a request.
inline constexpr std::int64_t kMaxDataBytes = 64LL << 20;

/// The elements of a descriptor's data file as base64, converted to `type`. `file` is relative to the family's descriptor, {FORMULA} in it
/// is replaced by its value; .npy, else raw elements of the type. Error badInput: readFile's, a damaged .npy, or a number of elements other
/// than `count`.
Result<std::string> readElements(const KernelFamily& family, const std::string& file, const Scope& scope, DType type, std::int64_t count,
                                 const std::string& whose);

} // namespace kl::inline kernels
