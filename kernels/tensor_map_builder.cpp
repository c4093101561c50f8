// SPDX-License-Identifier: MIT
#include "kernels/tensor_map_builder.h"

#include "core/base/try.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace kl::inline kernels {
namespace {

// cuTensorMapEncodeTiled, CUDA driver API.
constexpr std::size_t kMostRank = 5;
constexpr std::int64_t kMostAlongDim = std::int64_t{1} << 32;
constexpr std::int64_t kMostStride = std::int64_t{1} << 40; ///< less than this
constexpr std::int64_t kMostBox = 256;
constexpr std::int64_t kMostElementStride = 8;
constexpr std::int64_t kMapUnit = 16; ///< bytes of strides, addresses and a box's rows

std::int64_t countSwizzleBytes(TensorSwizzle swizzle)
{
    switch (swizzle) {
    case TensorSwizzle::none: return 0;
    case TensorSwizzle::b32: return 32;
    case TensorSwizzle::b64: return 64;
    case TensorSwizzle::b128: return 128;
    }
    return 0;
}

Status evaluateAll(const std::vector<std::string>& formulas, const Scope& scope, std::vector<std::int64_t>& out)
{
    for (const std::string& formula : formulas) {
        KL_ASSIGN(const std::int64_t value, evaluateCount(formula, scope, 1));
        out.push_back(value);
    }
    return {};
}

using MapFault = std::optional<TensorMapFault>;

std::string formatIndexed(const char* field, std::size_t index)
{
    return fmt::format("{}[{}]", field, index);
}

MapFault ranks(const TensorMapSpec& map)
{
    const std::size_t rank = map.dims.size();
    if (rank < 1 || rank > kMostRank)
        return TensorMapFault{"dims", fmt::format("{} dimensions: a tensor map has 1 to {}", rank, kMostRank),
                              "Merge contiguous dimensions."};
    if (map.interleave != TensorInterleave::none && rank < 3)
        return TensorMapFault{"interleave", fmt::format("needs 3 or more dimensions, has {}", rank), "Leave it out."};
    for (const auto& [list, field, wanted] : {std::tuple(&map.box, "box", rank), std::tuple(&map.elementStrides, "element_strides", rank),
                                              std::tuple(&map.strides, "strides", rank - 1)})
        if (list->size() != wanted)
            return TensorMapFault{field, fmt::format("has {} entries, {} dimensions need {}", list->size(), rank, wanted),
                                  field == std::string("strides") ? "One for each dimension but the innermost, or leave them out."
                                                                  : "One for each dimension."};
    return {};
}

MapFault boxFault(const TensorMapSpec& map, std::int64_t size)
{
    for (std::size_t i = 0; i < map.box.size(); ++i) {
        if (map.box[i] > kMostBox)
            return TensorMapFault{formatIndexed("box", i), fmt::format("{} elements; the limit of a box is {}", map.box[i], kMostBox),
                                  "Copy in several boxes."};
        if (map.elementStrides[i] > kMostElementStride)
            return TensorMapFault{formatIndexed("element_strides", i),
                                  fmt::format("{} is above {}", map.elementStrides[i], kMostElementStride),
                                  "Leave it out to take every element."};
    }
    if (map.interleave != TensorInterleave::none)
        return {};
    const std::int64_t row = map.box.front() * size;
    if (row % kMapUnit != 0)
        return TensorMapFault{"box[0]",
                              fmt::format("{} elements are {} bytes, which is not a multiple of {}", map.box.front(), row, kMapUnit),
                              fmt::format("Use a multiple of {} elements.", kMapUnit / size)};
    if (const std::int64_t span = countSwizzleBytes(map.swizzle); span > 0 && row > span)
        return TensorMapFault{"box[0]",
                              fmt::format("{} elements are {} bytes, more than the {} of the swizzle", map.box.front(), row, span),
                              fmt::format("Use at most {} elements, or another swizzle.", span / size)};
    return {};
}

MapFault strideFault(const TensorMapSpec& map, std::int64_t size, std::int64_t bytes)
{
    const std::int64_t unit = map.interleave == TensorInterleave::b32 ? 2 * kMapUnit : kMapUnit;
    double last = static_cast<double>(map.dims.front() - 1) * static_cast<double>(size); // of the last element
    for (std::size_t i = 0; i < map.dims.size(); ++i)
        if (map.dims[i] > kMostAlongDim)
            return TensorMapFault{formatIndexed("dims", i), fmt::format("{} elements; the limit of a dimension is 2^32", map.dims[i]),
                                  "Split the dimension."};
    for (std::size_t i = 0; i < map.strides.size(); ++i) {
        const std::int64_t stride = map.strides[i];
        if (stride % unit != 0)
            return TensorMapFault{formatIndexed("strides", i), fmt::format("{} bytes, which is not a multiple of {}", stride, unit),
                                  fmt::format("The row stride must be a multiple of {} bytes: choose other sizes, or pad the rows.", unit)};
        if (stride >= kMostStride)
            return TensorMapFault{formatIndexed("strides", i), fmt::format("{} bytes; it must be below 2^40", stride), "Split the tensor."};
        last += static_cast<double>(map.dims[i + 1] - 1) * static_cast<double>(stride);
    }
    if (last + static_cast<double>(size) > static_cast<double>(bytes))
        return TensorMapFault{
            "dims",
            fmt::format("the tensor ends {:.0f} bytes from its start, the buffer after {}", last + static_cast<double>(size), bytes),
            "Correct dims and strides, or the buffer's count."};
    return {};
}

} // namespace

bool isTensorType(DType type) noexcept
{
    return type != DType::boolean;
}

Result<TensorMapSpec> buildTensorMap(const TensorMapFormula& formula, DType type, const Scope& scope)
{
    TensorMapSpec map;
    for (const auto& [formulas, values] : {std::pair(&formula.dims, &map.dims), std::pair(&formula.strides, &map.strides),
                                           std::pair(&formula.box, &map.box), std::pair(&formula.elementStrides, &map.elementStrides)})
        KL_TRY(evaluateAll(*formulas, scope, *values));
    if (map.strides.empty()) {
        double stride = countBytes(type);
        for (std::size_t i = 0; i + 1 < map.dims.size(); ++i) {
            stride *= static_cast<double>(map.dims[i]);
            map.strides.push_back(static_cast<std::int64_t>(std::min(stride, static_cast<double>(kMaxCount))));
        }
    }
    if (map.elementStrides.empty())
        map.elementStrides.assign(map.dims.size(), 1);
    map.swizzle = formula.swizzle;
    map.interleave = formula.interleave;
    map.promotion = formula.promotion;
    map.outside = formula.outside;
    return map;
}

std::optional<TensorMapFault> tensorMapFault(const TensorMapSpec& map, DType type, std::int64_t count)
{
    const std::int64_t size = countBytes(type);
    if (!isTensorType(type))
        return TensorMapFault{"tensor_map", "a tensor map has no elements of type bool", "Declare the buffer as u8."};
    if (map.outside == TensorOutside::nan && (isInteger(type) || size == 1))
        return TensorMapFault{"oob_fill", "only floating-point elements of 16 bits or more can be filled with NaN",
                              "Leave it out: elements out of bounds read as 0."};
    if (map.interleave == TensorInterleave::b32 && map.swizzle != TensorSwizzle::b32)
        return TensorMapFault{"swizzle", "an interleave of 32B needs the swizzle 32B", "Write \"swizzle\": \"32B\"."};
    if (MapFault fault = ranks(map))
        return fault;
    if (MapFault fault = boxFault(map, size))
        return fault;
    return strideFault(map, size, count * size);
}

} // namespace kl::inline kernels
