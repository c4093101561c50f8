// SPDX-License-Identifier: MIT
#pragma once

#include "core/device/launch_gain.h"
#include "core/device/memory_advice.h"
#include "core/device/shared_memory.h"

#include <cstdint>
#include <optional>
#include <string>

namespace kl {

/// What a command line says to the calculators and about the environment to check.
struct CalcOptions {
    TilePlan tiles;
    std::string run; ///< occupancy: "run:ID" whose longest launch is meant; empty: the figures below
    std::optional<int> threads;
    std::optional<int> registers;
    std::optional<std::int64_t> smem;
    std::string gpu;   ///< part of a product's name; empty: all, or for advice the H200
    std::string sweep; ///< "registers", "shared-memory", "block-size"; empty: none
    DataUse data;      ///< bytes 0: no data to place
    std::string sharedBy = "grid";
    LaunchCost launch;
    std::string requiredTorch; ///< env: of this version
    std::string project;       ///< env: the project file; empty: kernelloop.json of this folder or one above
};

} // namespace kl
