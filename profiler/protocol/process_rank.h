// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>

namespace kl::inline protocol {

/// The place of a process among those that a launcher started together: torchrun, mpirun, srun.
struct ProcessRank {
    int rank = 0;
    std::optional<int> localRank; ///< among those of its machine
    std::optional<int> worldSize; ///< number of ranks

    bool operator==(const ProcessRank&) const = default;
};

/// From the environment variables of torchrun, Open MPI, MPICH and Slurm, in this order; `variable` returns a variable's value, null where
/// it is not set. Unset without a valid rank, and where it is the only one.
std::optional<ProcessRank> rankFrom(const std::function<const char*(const char*)>& variable);

} // namespace kl::inline protocol
