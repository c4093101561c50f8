// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/model/work.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline kernels {

/// An array read from a file.
struct Array {
    DType type = DType::f32;
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes; ///< raw elements, C order

    std::size_t count() const noexcept { return bytes.size() / static_cast<std::size_t>(countBytes(type)); }
};

/// The bytes of a .npy file, version 1.0 (NumPy's format specification: numpy.lib.format), little-endian, C order. NumPy has no
/// bfloat16 and no FP8: such values are written as float32, which holds each exactly.
std::string toNpy(DType type, const std::vector<std::int64_t>& shape, const std::byte* data);

/// Reads a .npy of versions 1 to 3: '<f2', '<f4', '<f8', '<i4', '<u4', '<i8', '<u8', '|i1', '|u1', '|b1'; '<i2' and '<u2' become i32. Error
/// badInput names `where` and the problem: not .npy, truncated, big-endian, Fortran order, other types.
Result<Array> fromNpy(std::string_view file, const std::string& where);

/// The first element that a type of whole numbers cannot hold; unset for other types.
std::optional<std::size_t> firstTooLarge(DType type, const Array& array);

/// Elements of another type, rounded to nearest; the same bytes where the types agree.
std::vector<std::byte> convertTo(DType type, const Array& array);

} // namespace kl::inline kernels
