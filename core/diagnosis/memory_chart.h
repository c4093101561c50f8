// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kl::inline diagnosis {

/// One figure of the memory chart.
struct MemoryFigure {
    std::string name; ///< "requests", "bytes", "rate", "of peak", "hit rate", "busy" …
    std::optional<double> value;
    std::string unit;    ///< as formatWithUnit understands: "count", "bytes", "byte/s", "%", ""
    std::string how;     ///< the metric, or the formula with its metrics
    std::string missing; ///< why there is no value; empty when there is one

    bool operator==(const MemoryFigure&) const = default;
};

/// A level of memory, or the multiprocessors' side of it.
struct MemoryUnit {
    std::string id; ///< "sm", "l1", "shared", "l2", "dram"
    std::string title;
    std::vector<MemoryFigure> figures;
};

/// What flows between two units.
struct MemoryFlow {
    std::string from; ///< a unit's id; data flows from here to `to`
    std::string to;
    std::string what; ///< "global loads", "writes"
    std::vector<MemoryFigure> figures;
};

/// The counted launch's traffic: SM, L1 and shared memory, L2, DRAM.
struct MemoryChart {
    std::string launch;       ///< entry of the launch that the figures belong to
    std::optional<double> ns; ///< its time while it was counted
    std::vector<MemoryUnit> units;
    std::vector<MemoryFlow> flows;
};

/// Figures that were not measured are there without a value and with the reason. Requests are warp instructions; bytes of global accesses
/// are requests x sectors per request x 32. Between L1 and L2: CUPTI's own bytes where they were collected (section MemoryWorkload, and
/// Nsight Compute's full reports), else what L2 read for anyone and what stores write through L1. Rates are bytes over the counted
/// launch's time, shares those of the nominal roofs (core/device/peaks.h).
MemoryChart memoryChart(const RunRecord& run);

/// Why figures are missing: each reason once, with the figures that it prevents ("L2 cache requests"), in the chart's order. Without
/// rates and shares of a peak, which follow from bytes.
std::vector<std::pair<std::string, std::vector<std::string>>> listMissing(const MemoryChart& chart);

} // namespace kl::inline diagnosis
