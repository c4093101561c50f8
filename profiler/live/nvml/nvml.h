// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kl {

/// State of one GPU as NVML reports it: clocks, throttling, driver. Reads only, never changes a setting. No CUDA headers.
class Nvml {
public:
    /// Loads libnvidia-ml.so.1 and finds the device by UUID ("GPU-…"). Error environment.
    static Result<std::unique_ptr<Nvml>> open(const std::string& uuid);

    virtual ~Nvml() = default;

    virtual std::optional<double> smClockMhz() = 0;       ///< current
    virtual std::optional<double> maxSmClockMhz() = 0;
    virtual std::optional<double> memoryClockMhz() = 0;   ///< current
    virtual std::optional<double> maxMemoryClockMhz() = 0;
    virtual std::vector<std::string> throttleReasons() = 0; ///< active ones, in words ("power cap", "thermal"); idle is not one
    virtual bool clocksLocked() = 0;                      ///< application or locked clocks are set
    virtual std::string driverVersion() = 0;              ///< "580.159.04"
    virtual std::optional<double> temperatureC() = 0;
    virtual std::optional<double> powerW() = 0;
    virtual std::optional<bool> migEnabled() = 0;
    virtual int otherProcesses() = 0;                     ///< compute processes on the device besides ours
};

} // namespace kl
