// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/options.h"
#include "core/device/arch.h"
#include "kernels/space/search_space.h"

#include <functional>
#include <optional>

namespace kl {

/// The space that a command line means.
struct SpaceAsked {
    const KernelFamily* family = nullptr;
    const Variant* variant = nullptr;
    Params fixed;
    Params problem;
    std::optional<double> minOccupancy;

    SpaceQuestion on(const GpuArch& arch) const { return {fixed, problem, arch.limits, arch.name, minOccupancy}; }
    /// Where the points are compiled: for the feature target that was asked for.
    SpaceQuestion onTarget(const GpuArch& arch) const { return {fixed, problem, arch.limits, arch.target, minOccupancy}; }
    double occupancy() const { return minOccupancy.value_or(variant->search.minOccupancy); }
};

/// A family or a variant (a path to a user's kernel, too), with tunables that stand still behind @. Errors: Program::plainAddress's,
/// tunedVariant's, usage for several problems. `chip`: where a family chooses its variant.
Result<SpaceAsked> askedSpace(Program& program, const Options& options, const std::function<Chip()>& chip);

} // namespace kl
