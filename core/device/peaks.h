// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"

#include <optional>

namespace kl {

/// Roofs of a device at one SM clock. FLOP/s and bytes/s; nothing where the device is unknown to the table.
struct Peaks {
    double clockMhz = 0;        ///< the clock that the compute roofs hold at
    std::optional<double> fp32; ///< lanes × 2 × SMs × clock
    std::optional<double> fp64;
    std::optional<double> tensorFp16; ///< dense, FP32 sums
    std::optional<double> dram;       ///< data sheet, else memory clock × bus width × 2
    std::optional<double> dramMeasured;
};

/// `clockMhz`: the clock of the pass that is plotted; left out, the device's maximum.
Peaks peaksOf(const DeviceInfo& device, std::optional<double> clockMhz = {});

} // namespace kl
