// SPDX-License-Identifier: MIT
#pragma once

#include "core/device/launch_gain.h"
#include "core/device/occupancy.h"
#include "core/device/shared_memory.h"

#include <optional>
#include <string>

namespace kl::inline session {

struct SessionModel;

/// The inputs and results of the three calculators (shared memory, occupancy, launch overhead) for a session's current kernel on its GPU,
/// before it is compiled as far as its descriptor gives them, then as compiled and measured. Of several launches, the one with the most
/// shared memory.
struct KernelFigures {
    std::string kernel; ///< address, with tunables
    std::string problem;
    std::string gpu;                    ///< name; empty where it is not known
    std::string block;                  ///< "32 × 8"
    int threads = 0;                    ///< per block
    std::int64_t smem = 0;              ///< bytes per block, static where it is compiled, plus dynamic
    bool compiled = false;              ///< the figures are a run's; else the descriptor's, without static shared memory
    std::optional<int> registers;       ///< per thread; unset before it is compiled
    std::optional<SmemFit> fit;         ///< unset where the GPU is not known
    std::optional<Occupancy> occupancy; ///< unset before it is compiled, or where the GPU is not known
    std::optional<LaunchCost> cost;     ///< microseconds; unset before it is measured
    std::optional<LaunchGain> gain;
    bool launchMeasured = false; ///< cost.launchUs is the run's own; else the documents' 5 µs
    std::string run;             ///< id of the run that they are from; empty before one
};

/// Unset where the catalog no longer has the kernel.
std::optional<KernelFigures> gatherFigures(const SessionModel& model);

} // namespace kl::inline session
