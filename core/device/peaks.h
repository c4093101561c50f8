// SPDX-License-Identifier: MIT
#pragma once

#include "core/device/device_table.h"
#include "core/model/device.h"

#include <optional>

namespace kl::inline device {

/// Roofs of a device at one SM clock; unset for a device that the table does not have. FP32 and FP64: lanes x 2 x SMs x clock; L1: bytes
/// per clock x SMs x clock; tensor cores: the data sheet's rate at that clock, else FLOPs per clock x SMs x clock; DRAM: data sheet, else
/// memory clock x bus width x 2.
struct Peaks : RoofRates {
    double clockMhz = 0; ///< that the compute roofs and L1's hold at
    /// The best that loops of our own and recorded kernels reached on this product, brought to the same clock (DRAM, L2 and tensor cores as
    /// measured). L2 in the bytes of lts__t_bytes, which counts what passes between the halves of L2, too.
    RoofRates measured;
};

/// `clockMhz`: the clock of the pass that is plotted; left out, the device's maximum.
Peaks computePeaks(const DeviceInfo& device, std::optional<double> clockMhz = {});

} // namespace kl::inline device
