// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/device/arch.h"
#include "core/model/device.h"
#include "kernels/model/expression.h"

#include <string>
#include <vector>

namespace kl {

/// What formulas and the choice of a variant see of a GPU. Where none is known (a descriptor is read, a plan made on another machine) it
/// is that of an H100 or H200.
struct Chip {
    int ccMajor = 9; ///< compute capability
    int ccMinor = 0;
    int sms = 132; ///< multiprocessors
    std::string name;

    bool operator==(const Chip&) const = default;
};

/// The chip of a device that a worker, a recording or a report names; the usual one where its compute capability is not known.
Chip chipOf(const DeviceInfo& device);

/// A chip of an architecture that nobody has at hand: with the multiprocessors of the device table's first GPU of it.
Chip chipOf(const GpuArch& arch);

/// Adds SMS and CC (ten times the compute capability: 90 for 9.0). A size, tunable or constant of one of these names stands in its place.
void addChip(Scope& scope, const Chip& chip);

/// What code that names `targets` is compiled for there: the chip's own architecture where it names none, else the first target whose
/// machine code runs on it ("sm_90a" on 9.0 alone, "sm_100f" on 10.0 and 10.3). Error environment names kernel, targets and chip.
Result<std::string> targetOn(const std::string& kernel, const std::vector<std::string>& targets, const Chip& chip);

/// Whether there is one.
bool runsOn(const std::vector<std::string>& targets, const Chip& chip);

/// The same where an architecture or one of its feature targets is asked for by name: that target itself where the code names none, or it.
/// Errors: archNamed's, targetOn's.
Result<std::string> targetAsked(const std::string& kernel, const std::vector<std::string>& targets, const std::string& asked);

} // namespace kl
