// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace kl::inline remote {

/// What Slurm says of a partition.
struct SlurmPartition {
    bool ready = false;            ///< it is up, and at least one of its nodes can run jobs, now or later
    std::string state;             ///< Slurm's words: "up, 2 nodes idle"
    std::vector<std::string> gpus; ///< of its nodes, as Slurm names them: "gpu:h100:4"

    bool operator==(const SlurmPartition&) const = default;
};

/// Reads what sinfo prints.
SlurmPartition readPartition(std::string_view printed);

/// Errors environment: sinfo cannot be used, there is no such partition.
Result<SlurmPartition> askPartition(const std::string& name);

} // namespace kl::inline remote
