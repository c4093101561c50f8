// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline device {
struct RoofRates;
}

namespace kl::inline diagnosis {

/// The memory level whose traffic an arithmetic intensity counts.
enum class MemoryLevel { dram, l2, l1 };
inline constexpr MemoryLevel kMemoryLevels[] = {MemoryLevel::dram, MemoryLevel::l2, MemoryLevel::l1};

/// "DRAM", "L2", "L1".
std::string_view titleFor(MemoryLevel level);

/// A kind of roof: the one table of their ids and titles, the slanted ones first, the flat ones from the lowest to the highest.
struct RoofKind {
    std::string_view id;
    std::string_view title;                 ///< "DRAM", "FP32", "tensor FP16"
    std::optional<double> RoofRates::*rate; ///< bytes/s or FLOP/s
    std::optional<MemoryLevel> level;       ///< unset for arithmetic
};
std::span<const RoofKind> roofKinds();

/// Of an id of the table.
const RoofKind& roofKind(std::string_view id);
/// Of a memory level.
const RoofKind& roofKind(MemoryLevel level);

/// A roof of the device: slanted (bytes/s of a memory level) or flat (FLOP/s of a kind of arithmetic).
struct Roof {
    std::string label; ///< "L2 10.3 TB/s", "FP32 66.9 TFLOP/s at 1980 MHz", "DRAM 4.3 TB/s measured"
    double value = 0;
    bool slanted = false;
    bool measured = false;            ///< the best that our own loops or recorded kernels reached on this product, not its data sheet
    std::optional<MemoryLevel> level; ///< of a slanted roof
    std::string id;                   ///< a RoofKind's; the measured one has its nominal roof's
    bool reachedHere = false;         ///< the run exceeds the product's figure, so that `value` is what the run itself reached
};

/// The kernel on the plot: work per byte and work per second, both of the same launch.
struct RooflinePoint {
    std::string label;
    double intensity = 0; ///< FLOP/byte
    double flopsPerSecond = 0;
    bool measured = false; ///< bytes measured by counters, not by formula
    MemoryLevel level = MemoryLevel::dram;
    std::string kind; ///< "analytic": FLOPs and bytes by formula; "useful": its FLOPs, measured bytes; "executed": both measured
};

/// A run under the roofs of its device.
struct Roofline {
    double clockMhz = 0;   ///< SM clock that the compute roofs and L1's hold at; 0 when not known
    std::string clockFrom; ///< "the counted pass", "the timing", "the device's maximum"
    std::string compute;   ///< id of the flat roof for the run's arithmetic
    std::vector<Roof> roofs;
    std::vector<RooflinePoint> points;          ///< of the run, analytic first, then by level
    std::map<std::string, double> reached;      ///< by a roof's id: bytes/s or FLOP/s of the counted launch, by counters
    std::optional<double> flops;                ///< by formula, of the whole sequence
    std::optional<double> executedFlops;        ///< by counters, of the counted launch
    std::optional<double> trafficAmplification; ///< DRAM bytes over the formula's least bytes
    std::optional<double> flopAmplification;    ///< executed FLOPs over the formula's
    std::vector<std::string> missing;           ///< what could not be drawn, with the reason: "L1: l1tex__t_sectors.sum was not collected"
};

/// Nominal and measured roofs (core/device/peaks.h) and the run's points. FLOPs executed: FP32 and FP64 adds and multiplies one each,
/// multiply-adds two, packed FP16 ones twice that as Nsight Compute's roofline counts them (none where the code is known to have no
/// arithmetic in half precision: conversions and constants use the same instructions), and the tensor cores' own. Bytes: DRAM read
/// and written, all bytes that L2 served, sectors x 32 through L1. Measured figures cover one launch: of a sequence of several, only the
/// analytic point is compared with the formula.
Roofline computeRoofline(const RunRecord& run);

/// Bytes that the counted launch moved at a level; unset when not measured.
std::optional<double> bytesAt(const RunRecord& run, MemoryLevel level);

/// The point to show of a run at a level: useful work over measured bytes, else executed work, else (DRAM) by formula.
const RooflinePoint* mainPoint(const Roofline& roofline, MemoryLevel level);

/// The meaning of a traffic amplification below 1, allowing for counting errors; empty if it is not below.
std::string amplificationNote(const Roofline& roofline);

/// The roof of an id, the nominal one or that measured; null when the device has none.
const Roof* findRoof(const Roofline& roofline, std::string_view id, bool measured = false);

} // namespace kl::inline diagnosis
