// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

/// The few NVML functions that KernelLoop calls. nvml.h is not in every toolkit, so they are declared here, as NVML 12 and 13
/// export them. All return 0 on success.
namespace kl::inline live {

struct NvmlUtilization {
    unsigned gpu = 0; ///< percent of the last second in which a kernel ran
    unsigned memory = 0;
};

/// One compute process (nvmlProcessInfo_v2_t, used by the _v3 call).
struct NvmlProcess {
    unsigned pid = 0;
    unsigned long long usedMemory = 0;
    unsigned gpuInstance = 0;
    unsigned computeInstance = 0;
};

using NvmlDevice = struct NvmlDeviceTag*;

inline constexpr unsigned kNvmlClockSm = 1;
inline constexpr unsigned kNvmlClockMemory = 2;

struct NvmlFunctions {
    int (*init)() = nullptr;
    int (*deviceByUuid)(const char* uuid, NvmlDevice* device) = nullptr;
    int (*driverVersion)(char* text, unsigned size) = nullptr;
    int (*clock)(NvmlDevice device, unsigned type, unsigned* mhz) = nullptr;
    int (*maxClock)(NvmlDevice device, unsigned type, unsigned* mhz) = nullptr;
    int (*throttleReasons)(NvmlDevice device, unsigned long long* bits) = nullptr;
    int (*temperature)(NvmlDevice device, unsigned sensor, unsigned* celsius) = nullptr;
    int (*power)(NvmlDevice device, unsigned* milliwatt) = nullptr;
    int (*totalEnergy)(NvmlDevice device, unsigned long long* millijoule) = nullptr;
    int (*persistence)(NvmlDevice device, unsigned* enabled) = nullptr;
    int (*utilization)(NvmlDevice device, NvmlUtilization* value) = nullptr;
    int (*migMode)(NvmlDevice device, unsigned* current, unsigned* pending) = nullptr;
    int (*processes)(NvmlDevice device, unsigned* count, NvmlProcess* list) = nullptr;
};

} // namespace kl::inline live
