// SPDX-License-Identifier: MIT
#include "profiler/inject/launch_params.h"

// CUPTI's parameter structs name the oldest types too, which cuda.h shows only so; nothing else of cuda.h may be used here.
#define __CUDA_API_VERSION_INTERNAL // NOLINT(bugprone-reserved-identifier): cuda.h asks for this name
#include <cuda.h>
#include <cupti_driver_cbid.h>
#include <generated_cuda_meta.h>

namespace kl::inject {
namespace {

void fill(LaunchParams& launch, const auto& p)
{
    launch.grid = {static_cast<int>(p.gridDimX), static_cast<int>(p.gridDimY), static_cast<int>(p.gridDimZ)};
    launch.block = {static_cast<int>(p.blockDimX), static_cast<int>(p.blockDimY), static_cast<int>(p.blockDimZ)};
    launch.dynamicSmem = static_cast<int>(p.sharedMemBytes);
}

/// CU_LAUNCH_PARAM_BUFFER_POINTER and CU_LAUNCH_PARAM_BUFFER_SIZE, each followed by its value, up to CU_LAUNCH_PARAM_END.
void takePacked(LaunchParams& launch, void** extra)
{
    constexpr int kMostPairs = 8;
    for (int i = 0; extra && i < kMostPairs && extra[2 * i] != CU_LAUNCH_PARAM_END; ++i) {
        if (extra[2 * i] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            launch.packed = extra[2 * i + 1];
        else if (extra[2 * i] == CU_LAUNCH_PARAM_BUFFER_SIZE)
            launch.packedBytes = *static_cast<std::size_t*>(extra[2 * i + 1]);
    }
}

void takeAttributes(LaunchParams& launch, const CUlaunchConfig& config)
{
    for (unsigned i = 0; config.attrs && i < config.numAttrs; ++i) {
        const CUlaunchAttributeValue& value = config.attrs[i].value;
        if (config.attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
            launch.cluster = {static_cast<int>(value.clusterDim.x), static_cast<int>(value.clusterDim.y),
                              static_cast<int>(value.clusterDim.z)};
        else if (config.attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
            launch.cooperative = value.cooperative != 0;
    }
}

template <class Params> LaunchParams fromCall(const void* data)
{
    const auto& p = *static_cast<const Params*>(data);
    LaunchParams launch{p.f, {}, {}, 0};
    fill(launch, p);
    launch.arguments = p.kernelParams;
    if constexpr (requires { p.extra; })
        takePacked(launch, p.extra);
    return launch;
}

LaunchParams fromConfig(const void* data)
{
    const auto& p = *static_cast<const cuLaunchKernelEx_params*>(data);
    LaunchParams launch{p.f, {}, {}, 0};
    if (p.config) {
        fill(launch, *p.config);
        takeAttributes(launch, *p.config);
    }
    launch.arguments = p.kernelParams;
    takePacked(launch, p.extra);
    return launch;
}

} // namespace

LaunchParams launchParams(std::uint32_t callbackId, const void* data)
{
    switch (callbackId) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: return fromConfig(data);
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz: {
        LaunchParams launch = fromCall<cuLaunchCooperativeKernel_params>(data);
        launch.cooperative = true;
        return launch;
    }
    default: return fromCall<cuLaunchKernel_params>(data);
    }
}

} // namespace kl::inject
