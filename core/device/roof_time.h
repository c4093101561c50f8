// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/device.h"

#include <string>

namespace kl::inline device {

/// What a call has to move and to compute, each at a rate of its own.
struct RoofWork {
    double bytes = 0;       ///< through DRAM
    double flops = 0;       ///< FP32 operations, a fused multiply-add counts two
    double tensorFlops = 0; ///< dense FP16 operations of the tensor cores, a multiply-add counts two
};

/// The longest of the times that its parts need, each at its roof.
struct RoofTime {
    double ns = 0;
    std::string name; ///< "memory roof (4210 GB/s copied, 66.9 TFLOP/s FP32 peak)"
};

/// `copiedBytesPerNs`: bytes read and written by a copy that was measured on the device. The arithmetic peaks are those of computePeaks()
/// at the device's highest clock. Error environment where the work has operations whose peak is not known for this device.
Result<RoofTime> roofTime(const RoofWork& work, const DeviceInfo& device, double copiedBytesPerNs);

} // namespace kl::inline device
