// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/model/work.h"
#include "profiler/live/cuda/driver.h"

#include <array>
#include <string>

namespace kl::inline live {

/// The arguments of cuTensorMapEncodeTiled, without the address. Entries past the rank are 0.
struct TensorMapCall {
    CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
    cuuint32_t rank = 0;
    std::array<cuuint64_t, 5> dims{};
    std::array<cuuint64_t, 5> strides{}; ///< bytes, of dimensions 1 and up
    std::array<cuuint32_t, 5> box{};
    std::array<cuuint32_t, 5> elementStrides{};
    CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
    CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
    CUtensorMapL2promotion promotion = CU_TENSOR_MAP_L2_PROMOTION_NONE;
    CUtensorMapFloatOOBfill outside = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
};

/// FP8 is passed as bytes, which the accelerator only moves. Precondition: tensorMapFault() found nothing.
TensorMapCall tensorMapCall(const TensorMapSpec& map, DType type);

/// The map of a buffer at an address. Errors: the driver rejects it, with all arguments.
Result<CUtensorMap> encodeTensorMap(const TensorMapSpec& map, DType type, CUdeviceptr address, const std::string& buffer);

} // namespace kl::inline live
