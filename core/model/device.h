// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace kl {

/// A GPU as the driver describes it. Clocks in MHz, sizes in bytes, bandwidth in bytes per second.
struct DeviceInfo {
    std::string uuid;
    std::string name;
    int ccMajor = 0; ///< compute capability
    int ccMinor = 0;
    int smCount = 0;
    std::int64_t memoryBytes = 0;
    std::int64_t l2Bytes = 0;
    std::int64_t smemPerBlockOptin = 0;
    std::int64_t smemPerSm = 0;
    std::int64_t smemReservedPerBlock = 0;
    int maxThreadsPerSm = 0;
    int maxBlocksPerSm = 0;
    int regsPerSm = 0;
    double clockMhz = 0;       ///< maximum SM clock
    double memoryClockMhz = 0; ///< maximum memory clock
    int memoryBusBits = 0;
    std::string chip;          ///< CUPTI's chip name, "GH100"; empty when CUPTI did not report it
    std::string driverVersion; ///< "580.159.04"
    int cudaDriverVersion = 0; ///< 13000

    bool operator==(const DeviceInfo&) const = default;
};

/// "9.0".
std::string computeCapability(const DeviceInfo& device);

/// "sm_90".
std::string formatArch(const DeviceInfo& device);

} // namespace kl
