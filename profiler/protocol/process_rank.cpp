// SPDX-License-Identifier: MIT
#include "profiler/protocol/process_rank.h"

#include <array>
#include <charconv>
#include <string_view>

namespace kl::inline protocol {
namespace {

struct Launcher {
    const char* rank;
    const char* localRank;
    const char* worldSize;
};

constexpr std::array kLaunchers = {
    Launcher{"RANK", "LOCAL_RANK", "WORLD_SIZE"}, Launcher{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_SIZE"},
    Launcher{"PMI_RANK", "MPI_LOCALRANKID", "PMI_SIZE"}, Launcher{"SLURM_PROCID", "SLURM_LOCALID", "SLURM_NTASKS"}};

std::optional<int> count(const char* text)
{
    const std::string_view digits = text ? text : "";
    int value = -1;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return problem == std::errc() && end == digits.data() + digits.size() && value >= 0 ? std::optional(value) : std::nullopt;
}

} // namespace

std::optional<ProcessRank> rankFrom(const std::function<const char*(const char*)>& variable)
{
    for (const Launcher& launcher : kLaunchers) {
        const std::optional<int> rank = count(variable(launcher.rank));
        const std::optional<int> worldSize = count(variable(launcher.worldSize));
        if (rank && worldSize.value_or(2) > 1)
            return ProcessRank{*rank, count(variable(launcher.localRank)), worldSize};
    }
    return {};
}

} // namespace kl::inline protocol
