// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"

#include <map>
#include <string>

namespace kl::inline diagnosis {

/// Hardware metrics that follow from the code of a launch (WarpModel), its geometry and its measured time, under the names of those
/// that counters would give, so that the same quantities read them. What does not follow (hit rates, stalls, DRAM traffic) is not there.
/// Empty where the code was not modeled or the time is not known. Not measurements: never shown as such.
///
/// A pipe's share is warp instructions x 32 / lanes over the launch's cycles; PTX instructions are counted as machine instructions. L1: one
/// cycle for each shared-memory wavefront and for each 128-byte line that a request touches. L2 traffic: distinct sectors
/// of a block's loads, all of its stores, a sector per atomic address; its peak is `kL2BytesPerCycle` per multiprocessor.
std::map<std::string, double> predictMetrics(const RunRecord& run, const LaunchFacts& launch);

} // namespace kl::inline diagnosis
