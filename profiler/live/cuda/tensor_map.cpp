// SPDX-License-Identifier: MIT
#include "profiler/live/cuda/tensor_map.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::inline live {
namespace {

CUtensorMapDataType tensorType(DType type)
{
    switch (type) {
    case DType::f16: return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    case DType::bf16: return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    case DType::f32: return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    case DType::f64: return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
    case DType::i32: return CU_TENSOR_MAP_DATA_TYPE_INT32;
    case DType::u32: return CU_TENSOR_MAP_DATA_TYPE_UINT32;
    case DType::i64: return CU_TENSOR_MAP_DATA_TYPE_INT64;
    case DType::u64: return CU_TENSOR_MAP_DATA_TYPE_UINT64;
    case DType::f8e4m3:
    case DType::f8e5m2:
    case DType::i8:
    case DType::u8:
    case DType::boolean: break;
    }
    return CU_TENSOR_MAP_DATA_TYPE_UINT8;
}

CUtensorMapSwizzle toSwizzle(TensorSwizzle swizzle)
{
    switch (swizzle) {
    case TensorSwizzle::none: return CU_TENSOR_MAP_SWIZZLE_NONE;
    case TensorSwizzle::b32: return CU_TENSOR_MAP_SWIZZLE_32B;
    case TensorSwizzle::b64: return CU_TENSOR_MAP_SWIZZLE_64B;
    case TensorSwizzle::b128: return CU_TENSOR_MAP_SWIZZLE_128B;
    }
    return CU_TENSOR_MAP_SWIZZLE_NONE;
}

CUtensorMapInterleave toInterleave(TensorInterleave interleave)
{
    switch (interleave) {
    case TensorInterleave::none: return CU_TENSOR_MAP_INTERLEAVE_NONE;
    case TensorInterleave::b16: return CU_TENSOR_MAP_INTERLEAVE_16B;
    case TensorInterleave::b32: return CU_TENSOR_MAP_INTERLEAVE_32B;
    }
    return CU_TENSOR_MAP_INTERLEAVE_NONE;
}

CUtensorMapL2promotion toPromotion(TensorPromotion promotion)
{
    switch (promotion) {
    case TensorPromotion::none: return CU_TENSOR_MAP_L2_PROMOTION_NONE;
    case TensorPromotion::b64: return CU_TENSOR_MAP_L2_PROMOTION_L2_64B;
    case TensorPromotion::b128: return CU_TENSOR_MAP_L2_PROMOTION_L2_128B;
    case TensorPromotion::b256: return CU_TENSOR_MAP_L2_PROMOTION_L2_256B;
    }
    return CU_TENSOR_MAP_L2_PROMOTION_NONE;
}

template <class T> void copyInto(std::array<T, 5>& to, const std::vector<std::int64_t>& from)
{
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i)
        to[i] = static_cast<T>(from[i]);
}

} // namespace

TensorMapCall tensorMapCall(const TensorMapSpec& map, DType type)
{
    TensorMapCall call;
    call.type = tensorType(type);
    call.rank = static_cast<cuuint32_t>(map.dims.size());
    copyInto(call.dims, map.dims);
    copyInto(call.strides, map.strides);
    copyInto(call.box, map.box);
    copyInto(call.elementStrides, map.elementStrides);
    call.interleave = toInterleave(map.interleave);
    call.swizzle = toSwizzle(map.swizzle);
    call.promotion = toPromotion(map.promotion);
    if (map.outside == TensorOutside::nan)
        call.outside = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
    return call;
}

Result<CUtensorMap> encodeTensorMap(const TensorMapSpec& map, DType type, CUdeviceptr address, const std::string& buffer)
{
    const TensorMapCall call = tensorMapCall(map, type);
    CUtensorMap encoded{};
    const CUresult result = cuda().TensorMapEncodeTiled(
        &encoded, call.type, call.rank,
        reinterpret_cast<void*>(address), // NOLINT(performance-no-int-to-ptr): the driver's own type of a device address here
        call.dims.data(), call.strides.data(), call.box.data(), call.elementStrides.data(), call.interleave, call.swizzle, call.promotion,
        call.outside);
    if (const Status status = checkCuda(result, "cuTensorMapEncodeTiled"); !status)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("The driver rejects the tensor map of {} (dims {}, strides {}, box {}, address {:#x}).", buffer,
                                            fmt::join(map.dims, " × "), fmt::join(map.strides, ", "), fmt::join(map.box, " × "), address),
                     .hint = "Compare it with the rules of cuTensorMapEncodeTiled in NVIDIA's driver API.",
                     .where = buffer,
                     .detail = status.error().message};
    return encoded;
}

} // namespace kl::inline live
