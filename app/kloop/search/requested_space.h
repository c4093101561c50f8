// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/device/arch.h"
#include "kernels/space/search_space.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kl::cli {

class Program;

/// Which space of tunables a command line names.
struct SpaceOptions {
    std::string kernel; ///< a family or variant, with fixed tunables after @
    std::vector<std::string> problems;
    std::optional<double> minOccupancy; ///< percent; unset: the descriptor's
};

/// Adds --problem, whose missing sizes are the default problem's.
void addSpaceProblem(CLI::App& app, SpaceOptions& options);

/// Adds --arch, --problem and --min-occupancy.
void addSpaceOptions(CLI::App& app, SpaceOptions& options, std::string& arch);

/// Adds --jobs: threads that compile at once, 0 for one per processor.
void addJobs(CLI::App& app, int& jobs);

/// The space that a command line means.
struct RequestedSpace {
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

/// A family or a variant (a path to a user's kernel, too), with fixed tunables after @. Errors: Program::plainAddress's,
/// findTunedVariant's, usage for several problems. `chip`: where a family chooses its variant.
Result<RequestedSpace> makeRequestedSpace(Program& program, const SpaceOptions& options, const std::function<Chip()>& chip);

} // namespace kl::cli
