// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/run_facts.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline diagnosis {

/// A figure computed from a run that the diagnosis tree may compare with a threshold. The registry is closed: the tree, as data,
/// chooses among these. `compute` returns nullopt when an input was not measured.
struct Quantity {
    std::string_view id;    ///< "excess_sectors_percent"
    std::string_view title; ///< for tables and evidence bars: "excess sectors"
    std::string_view unit;  ///< as formatWithUnit understands: "%", "us", "", …
    std::string_view how;   ///< the formula as text, with its metrics
    Value (*compute)(const RunFacts&);
    std::string_view untrue = {}; ///< of a flag, which is 0 or 1: its title where it is 0; empty for other quantities
};

/// Every quantity, by theme.
const std::vector<Quantity>& quantities();

/// Null when there is no such quantity.
const Quantity* findQuantity(std::string_view id);

/// What a comparison asks of a flag: "throttled" where `sense` is > or >=, else "not throttled". Empty for other quantities.
std::string_view flagInWords(const Quantity& of, std::string_view sense);

/// Text about a run for a finding's sentence: "worst_access", "dominant_stall", "limiter", "busiest_unit", "invalid_reason".
/// Unset for any other id.
std::optional<std::string> factInWords(std::string_view id, const RunFacts& facts);
bool isFactInWords(std::string_view id);

/// One stall reason with its share of a warp's latency, percent. "selected" is left out: it is not a stall.
struct StallShare {
    std::string id;
    double percent = 0;
};
/// Largest first; empty when stalls were not collected.
std::vector<StallShare> stallShares(const RunFacts& facts);

/// Whether a class of opcodes multiplies matrices: mma.sync, and its successors on newer chips.
bool isMatrixOpcode(std::string_view opcodeClass) noexcept;

// The themes, one source each.
std::span<const Quantity> runQuantities();
std::span<const Quantity> unitQuantities();
std::span<const Quantity> memoryQuantities();
std::span<const Quantity> instructionQuantities();
std::span<const Quantity> stallQuantities();
std::span<const Quantity> opcodeQuantities();
std::span<const Quantity> launchQuantities();
std::span<const Quantity> experimentQuantities();

/// Busiest memory or compute unit with its share of peak; null name when nothing was measured.
struct BusiestUnit {
    const char* name = nullptr;
    double percent = 0;
};
BusiestUnit busiestUnit(const RunFacts& facts);

/// Wasted part of the global-memory sectors and which side is worse.
struct SectorWaste {
    double percent = 0;           ///< excess sectors over all sectors, loads and stores weighted by their traffic
    bool stores = false;          ///< the side that wastes more
    double perRequest = 0;        ///< sectors per request of that side
    double idealPerRequest = 0;   ///< of that side, a lower bound: its bytes over a sector's, and at least 1
    std::optional<double> wasted; ///< excess sectors in number; unset when requests were not counted
};
std::optional<SectorWaste> sectorWaste(const RunFacts& facts);

} // namespace kl::inline diagnosis
