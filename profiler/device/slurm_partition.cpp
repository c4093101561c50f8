// SPDX-License-Identifier: MIT
#include "profiler/device/slurm_partition.h"

#include "core/base/trimmed.h"
#include "core/process/run_to_end.h"
#include "profiler/remote/host_trouble.h"
#include "profiler/remote/last_line.h"
#include "profiler/remote/slurm_commands.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::inline devices {
namespace {

constexpr double kSinfoSeconds = 20;

/// States of a node that runs no jobs; sinfo adds signs to them.
bool isOut(std::string_view state)
{
    for (const std::string_view out : {"down", "drain", "drng", "fail", "inval", "unk", "maint"})
        if (state.starts_with(out))
            return true;
    return false;
}

/// "gpu:h100:4(S:0-1)" without the sockets.
std::string gresWord(std::string_view gres)
{
    return std::string(gres.substr(0, gres.find('(')));
}

} // namespace

SlurmPartition readPartition(std::string_view printed)
{
    SlurmPartition partition;
    std::vector<std::string> states;
    while (!printed.empty()) {
        const std::size_t end = std::min(printed.find('\n'), printed.size());
        const std::string_view line = trimText(printed.substr(0, end));
        printed.remove_prefix(std::min(end + 1, printed.size()));
        const std::size_t first = line.find('|'), second = line.find('|', first + 1), third = line.find('|', second + 1);
        if (first == std::string_view::npos || second == std::string_view::npos || third == std::string_view::npos)
            continue;
        const std::string_view up = line.substr(0, first), nodes = line.substr(first + 1, second - first - 1);
        const std::string_view state = line.substr(second + 1, third - second - 1);
        const std::string gres = gresWord(line.substr(third + 1));
        states.push_back(fmt::format("{}, {} {} {}", up, nodes, nodes == "1" ? "node" : "nodes", state));
        partition.ready = partition.ready || (up == "up" && !isOut(state));
        if (gres.find("gpu") != std::string::npos && std::ranges::find(partition.gpus, gres) == partition.gpus.end())
            partition.gpus.push_back(gres);
    }
    partition.state = fmt::format("{}", fmt::join(states, "; "));
    return partition;
}

bool isPartitionHost(std::string_view host)
{
    return host.starts_with(kSlurm);
}

Result<SlurmPartition> askPartition(const std::string& host)
{
    const std::string name = host.substr(kSlurm.size());
    std::error_code failure;
    const CompletedRun run =
        runToEnd({.arguments = {"sinfo", "--noheader", "--partition=" + name, "--format=%a|%D|%T|%G"}}, kSinfoSeconds, {}, failure);
    if (failure || run.end.status != 0)
        return makeHostLostError(host, fmt::format("sinfo failed: {}.", failure ? failure.message() : lastLine(run.output)), kUseSlurm);
    SlurmPartition partition = readPartition(run.output);
    if (partition.state.empty())
        return makeHostLostError(host, fmt::format("Slurm has no partition \"{}\".", name), "sinfo lists the partitions.");
    return partition;
}

} // namespace kl::inline devices
