// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace kl::inline devices {

/// What Slurm says of a partition.
struct SlurmPartition {
    bool ready = false;            ///< it is up, and at least one of its nodes can run jobs, now or later
    std::string state;             ///< Slurm's words: "up, 2 nodes idle"
    std::vector<std::string> gpus; ///< of its nodes, as Slurm names them: "gpu:h100:4"

    bool operator==(const SlurmPartition&) const = default;
};

/// Reads what sinfo prints.
SlurmPartition readPartition(std::string_view printed);

/// Whether a host of the list is a partition: "slurm:PARTITION".
bool isPartitionHost(std::string_view host);

/// Of such a host, without submitting a job. Errors environment: sinfo cannot be used, there is no such partition.
Result<SlurmPartition> askPartition(const std::string& host);

} // namespace kl::inline devices
