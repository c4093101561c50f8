// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/device/arch.h"
#include "core/model/device.h"
#include "kernels/model/expression.h"

#include <string>
#include <vector>

namespace kl::inline kernels {

/// The properties of a GPU used in formulas and for choosing a variant. If none is known (when reading a descriptor, or planning on
/// another machine), those of an H100 or H200.
struct Chip {
    int ccMajor = 9; ///< compute capability
    int ccMinor = 0;
    int sms = 132; ///< multiprocessors
    std::string name;

    bool operator==(const Chip&) const = default;
};

/// The chip of a device of a worker, a recording or a report; the default one if its compute capability is unknown.
Chip toChip(const DeviceInfo& device);

/// A chip of an architecture without a GPU here: with the SM count of its first GPU in the device table.
Chip toChip(const GpuArch& arch);

/// Adds SMS and CC (ten times the compute capability: 90 for 9.0). A size, tunable or constant with one of these names overrides it.
void addChip(Scope& scope, const Chip& chip);

/// The target of code with `targets` on a chip: the chip's own architecture if it names none, else the first target whose
/// machine code runs on it ("sm_90a" on 9.0 alone, "sm_100f" on 10.0 and 10.3). Error environment names kernel, targets and chip.
Result<std::string> targetOn(const std::string& kernel, const std::vector<std::string>& targets, const Chip& chip);

/// Whether there is one.
bool runsOn(const std::vector<std::string>& targets, const Chip& chip);

/// The same where an architecture or one of its feature targets is requested by name: that target itself where the code names none, or it.
/// Errors: findArch's, targetOn's.
Result<std::string> chooseTarget(const std::string& kernel, const std::vector<std::string>& targets, const std::string& requested);

} // namespace kl::inline kernels
