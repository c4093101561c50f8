// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/model/work.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace kl::inline kernels {

/// IEEE half precision, round to nearest even.
std::uint16_t toHalf(float value) noexcept;
float fromHalf(std::uint16_t bits) noexcept;

/// bfloat16, round to nearest even.
std::uint16_t toBfloat(float value) noexcept;
float fromBfloat(std::uint16_t bits) noexcept;

/// FP8 of the Open Compute Project ("OCP 8-bit Floating Point Specification", 2023), round to nearest even; too large values become the
/// largest finite number, as by CUDA's conversions with saturation.
std::uint8_t toF8(DType type, float value) noexcept;
float fromF8(DType type, std::uint8_t bits) noexcept;

/// The poison of a type, as the 32-bit word memory is filled with (smaller types: the same element several times). A NaN for floating
/// types, 0x7fbadbad for integers, a byte that is neither 0 nor 1 for bool.
std::uint32_t poisonWord(DType type) noexcept;

/// Whether no kernel could have written the poison on purpose; bytes of integer types can be anything.
bool isTellingPoison(DType type) noexcept;

/// Whether element `index` of raw memory still holds the poison.
bool isPoison(const std::byte* data, DType type, std::size_t index) noexcept;

/// Least and largest value of a type of whole numbers.
std::pair<double, double> findRange(DType type) noexcept;

/// The initial content of a buffer: deterministic in seed and the buffer's position in its work; a file's elements as they are.
/// Precondition: the content of a Fill::file is base64 of the buffer's bytes, as Catalog::work makes it; what it lacks of them is zero.
std::vector<std::byte> fillBuffer(const BufferSpec& spec, std::uint64_t seed, std::size_t position);

/// Raw elements as double precision.
std::vector<double> toDoubles(const std::byte* data, DType type, std::size_t count);
/// Writes one element, rounded to nearest even (integers: to the nearest).
void storeElement(std::byte* data, DType type, std::size_t index, double value) noexcept;
double elementAt(const std::byte* data, DType type, std::size_t index) noexcept;

} // namespace kl::inline kernels
