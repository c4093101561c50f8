// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline live {

struct NvmlFunctions;

/// State of one GPU as NVML reports it: clocks, throttling, driver. Reads only, never changes a setting. No CUDA headers.
class Nvml {
public:
    /// Loads libnvidia-ml.so.1 and finds the device by UUID ("GPU-…"). Error environment.
    static Result<std::unique_ptr<Nvml>> open(const std::string& uuid);

    /// The same over given functions; for tests.
    static Result<std::unique_ptr<Nvml>> open(const std::string& uuid, const NvmlFunctions& functions);

    virtual ~Nvml() = default;

    virtual std::optional<double> smClockMhz() = 0; ///< current
    virtual std::optional<double> maxSmClockMhz() = 0;
    virtual std::optional<double> memoryClockMhz() = 0; ///< current
    virtual std::optional<double> maxMemoryClockMhz() = 0;
    virtual std::vector<std::string> throttleReasons() = 0; ///< active ones, as text ("power cap", "thermal"); idle is not one
    virtual bool clocksLocked() = 0;                        ///< application or locked clocks are set
    virtual std::string driverVersion() = 0;                ///< "580.159.04"
    virtual std::optional<double> temperatureC() = 0;
    virtual std::optional<double> powerW() = 0;
    virtual std::optional<double>
    totalEnergyJ() = 0; ///< of the board since the driver was loaded, in steps of a millijoule; Volta and newer
    virtual std::optional<bool> migEnabled() = 0;
    virtual std::optional<bool> persistenceMode() = 0;
    virtual std::optional<double> utilizationPercent() = 0; ///< share of the last second in which a kernel ran
    virtual int otherProcesses() = 0;                       ///< other compute processes on the device
};

/// NVML's bit mask of reasons as text: hardware slowdowns, thermal and power limits. Idle and set clocks are not throttling.
std::vector<std::string> throttleWords(unsigned long long bits);

/// "580.159.04", or why NVML cannot be loaded: the driver's version without any device.
Result<std::string> nvmlDriverVersion();

} // namespace kl::inline live
