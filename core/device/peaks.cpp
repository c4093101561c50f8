// SPDX-License-Identifier: MIT
#include "core/device/peaks.h"

#include "core/device/device_table.h"

namespace kl::inline device {
namespace {

/// What follows the SM clock, at another clock.
RoofRates atClock(const MeasuredRoofs& measured, double clockMhz)
{
    RoofRates rates = measured.rates;
    if (!(clockMhz > 0) || !(measured.clockMhz > 0))
        return rates;
    for (std::optional<double>* rate : {&rates.l1, &rates.fp32, &rates.fp64}) // power, not a clock, holds the tensor cores
        if (*rate)
            **rate *= clockMhz / measured.clockMhz;
    return rates;
}

} // namespace

Peaks computePeaks(const DeviceInfo& device, std::optional<double> clockMhz)
{
    Peaks peaks;
    const GpuRow* row = findGpu(device.name);
    const double maximum = device.clockMhz > 0 ? device.clockMhz : row ? row->clockMhz : 0;
    peaks.clockMhz = clockMhz && *clockMhz > 0 ? *clockMhz : maximum;
    for (const CapabilityRow& capability : deviceTable().capabilities) {
        if (capability.limits.ccMajor != device.ccMajor || capability.limits.ccMinor != device.ccMinor || peaks.clockMhz <= 0)
            continue;
        const double cycles = device.smCount * peaks.clockMhz * 1e6;
        peaks.fp32 = 2 * capability.fp32Lanes * cycles;
        peaks.fp64 = 2 * capability.fp64Lanes * cycles;
        peaks.tensorFp16 = capability.tensorFp16FlopsPerClock * cycles;
        peaks.l1 = capability.l1BytesPerClock * cycles;
    }
    if (row) {
        // The data sheet's tensor peak holds at the sheet's own clock.
        if (row->tensorFp16 && row->clockMhz > 0 && peaks.clockMhz > 0)
            peaks.tensorFp16 = *row->tensorFp16 * peaks.clockMhz / row->clockMhz;
        peaks.dram = row->dramBytesPerSecond;
        peaks.l2 = row->l2;
        if (row->measured)
            peaks.measured = atClock(*row->measured, peaks.clockMhz);
    } else if (device.memoryClockMhz > 0 && device.memoryBusBits > 0) {
        peaks.dram = 2 * device.memoryClockMhz * 1e6 * device.memoryBusBits / 8;
    }
    return peaks;
}

} // namespace kl::inline device
