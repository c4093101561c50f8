// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace kl::inline kernels {

/// Order of 16-byte chunks in shared memory, repeating over so many bytes.
enum class TensorSwizzle { none, b32, b64, b128 };
/// Layout of a tensor whose innermost dimension is cut into slices of so many bytes.
enum class TensorInterleave { none, b16, b32 };
/// Least bytes that a miss fetches into L2.
enum class TensorPromotion { none, b64, b128, b256 };
/// The value of elements outside of the tensor.
enum class TensorOutside { zero, nan };

/// The tensor memory accelerator's description of a buffer (CUDA driver API, cuTensorMapEncodeTiled): dimensions innermost first. The
/// element type is the buffer's, the address that of the memory that a launch uses.
struct TensorMapSpec {
    std::vector<std::int64_t> dims;           ///< elements; one to five
    std::vector<std::int64_t> strides;        ///< bytes from one to the next along dimensions 1 and up: one fewer than dims
    std::vector<std::int64_t> box;            ///< elements that one copy moves, as many as dims
    std::vector<std::int64_t> elementStrides; ///< strides in elements, as many as dims
    TensorSwizzle swizzle = TensorSwizzle::none;
    TensorInterleave interleave = TensorInterleave::none;
    TensorPromotion promotion = TensorPromotion::none;
    TensorOutside outside = TensorOutside::zero;

    bool operator==(const TensorMapSpec&) const = default;
};

} // namespace kl::inline kernels
