// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/next_step.h"
#include "core/base/result.h"
#include "core/device/device_table.h"

#include <cstdint>
#include <string>
#include <vector>

/// Which memory is for what, and where a given piece of data belongs.
namespace kl::inline device {

enum class MemoryTier { global, shared, registers, constant };

/// "global (DRAM)", "shared", "registers", "constant"
const char* toWord(MemoryTier tier);

/// One row of the memory-hierarchy advice.
struct TierAdvice {
    MemoryTier tier = MemoryTier::global;
    std::string useFor;
    std::string optimize;
    std::string size; ///< of the given GPU, with rates from its data sheet
};

/// The four tiers, largest first, with a GPU's own figures.
std::vector<TierAdvice> memoryHierarchy(const GpuRow& gpu);

/// What reuses a piece of data.
enum class SharedBy { thread, block, grid };

struct DataUse {
    std::int64_t bytes = 0; ///< of one thread's, one block's or all data, see `sharedBy`
    SharedBy sharedBy = SharedBy::grid;
    int reads = 1; ///< of each element
    bool readOnly = false;
    bool sameAddress = false; ///< all threads of a warp read one address at a time
};

struct Placement {
    MemoryTier tier = MemoryTier::global;
    std::string why;  ///< with the figures that decided
    std::string next; ///< what to do to make it pay
    std::vector<NextStep> nextSteps = {};
};

/// Where the data belongs on that GPU. Error badInput for sizes or counts that are not positive.
Result<Placement> placeData(const DataUse& use, const GpuRow& gpu);

/// The product that a user's text means: part of its name in any case. Error badInput with the known names; where several match, the
/// one whose `match` is the text itself, else the first.
Result<const GpuRow*> findGpuByName(const std::string& text);

} // namespace kl::inline device
