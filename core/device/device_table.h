// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/device/occupancy.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline device {

/// What every GPU of a compute capability shares.
struct CapabilityRow {
    SmLimits limits;
    int fp32Lanes = 0; ///< FP32 multiply-adds per clock and SM
    int fp64Lanes = 0;
    int tensorFp16FlopsPerClock = 0; ///< dense FP16 with FP32 sums, FLOPs per clock and SM
    int l1BytesPerClock = 0;         ///< of loads that hit, and of shared memory: bytes per clock and SM
};

/// Roofs of one GPU, FLOP/s and bytes/s; unset where not known.
struct RoofRates {
    std::optional<double> dram;
    std::optional<double> l2; ///< between L2 and the multiprocessors
    std::optional<double> l1; ///< loads that hit L1
    std::optional<double> fp32;
    std::optional<double> fp64;
    std::optional<double> tensorFp16; ///< dense, FP32 sums

    bool operator==(const RoofRates&) const = default;
};

/// The best that loops of our own (tests/bench/roofs.cu) and recorded kernels of the catalog reached on a product, at one SM clock: no
/// recorded kernel exceeds it.
struct MeasuredRoofs {
    double clockMhz = 0;
    RoofRates rates;
};

/// One product. Absent figures follow from the capability and the clock.
struct GpuRow {
    std::string name;
    std::string match; ///< part of the driver's name that identifies it: "H200"
    int ccMajor = 0;
    int ccMinor = 0;
    int smCount = 0;
    double clockMhz = 0;                   ///< boost
    double dramBytesPerSecond = 0;         ///< data sheet
    std::optional<double> l2;              ///< bytes/s: slices x bytes per clock x the L2's clock, as its counters give them
    std::optional<double> tensorFp16;      ///< data sheet, dense, FLOP/s
    std::optional<MeasuredRoofs> measured; ///< unset if not measured
    std::int64_t l2Bytes = 0;
    std::int64_t memoryBytes = 0;
};

struct DeviceTable {
    std::vector<CapabilityRow> capabilities;
    std::vector<GpuRow> gpus;
};

/// resources/devices.json. Error badInput names the row and field.
Result<DeviceTable> parseDeviceTable(std::string_view json, std::string_view where);

/// The table the program carries; empty only if the embedded file is damaged, which a test rules out.
const DeviceTable& deviceTable();

/// The row whose `match` is in the driver's name, the longest match winning; null when the product is unknown.
const GpuRow* findGpu(std::string_view deviceName);

/// A row of the table as a device, for calculators that ask about a GPU that is not here.
DeviceInfo describeDevice(const GpuRow& row);

} // namespace kl::inline device
