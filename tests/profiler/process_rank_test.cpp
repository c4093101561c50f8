// SPDX-License-Identifier: MIT
#include "profiler/protocol/process_rank.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace kl {
namespace {

std::optional<ProcessRank> ranked(const std::map<std::string, std::string>& variables)
{
    return rankFrom([&](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    });
}

TEST(ProcessRank, IsThatOfTheLauncher)
{
    EXPECT_EQ(ranked({{"RANK", "3"}, {"LOCAL_RANK", "1"}, {"WORLD_SIZE", "4"}}), (ProcessRank{3, 1, 4}));
    EXPECT_EQ(ranked({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}}),
              (ProcessRank{1, 1, 2}));
    EXPECT_EQ(ranked({{"PMI_RANK", "0"}, {"PMI_SIZE", "8"}}), (ProcessRank{0, {}, 8}));
    EXPECT_EQ(ranked({{"SLURM_PROCID", "2"}, {"SLURM_LOCALID", "0"}, {"SLURM_NTASKS", "4"}}), (ProcessRank{2, 0, 4}));
    EXPECT_EQ(ranked({{"RANK", "3"}, {"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}), (ProcessRank{3, {}, {}})) << "the inner launcher";
}

TEST(ProcessRank, ALauncherThatStartedNoOthersLeavesItToTheNext)
{
    EXPECT_EQ(ranked({{"PMI_RANK", "1"}, {"MPI_LOCALRANKID", "0"}, {"PMI_SIZE", "2"}}), (ProcessRank{1, 0, 2}));
    EXPECT_EQ(ranked({{"RANK", "0"}, {"WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}}),
              (ProcessRank{1, {}, 2}));
    EXPECT_EQ(ranked({{"RANK", "x"}, {"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}),
              (ProcessRank{1, {}, 2}));
    EXPECT_EQ(ranked({{"RANK", "2"}, {"LOCAL_RANK", "-1"}, {"WORLD_SIZE", "many"}}), (ProcessRank{2, {}, {}}));
    EXPECT_FALSE(ranked({{"WORLD_SIZE", "4"}, {"LOCAL_RANK", "1"}}));
}

TEST(ProcessRank, IsNoneWithoutOthers)
{
    EXPECT_FALSE(ranked({}));
    EXPECT_FALSE(ranked({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}})) << "a job of one task";
    for (const char* bad : {"", "x", "-1", "1x", "99999999999"})
        EXPECT_FALSE(ranked({{"RANK", bad}})) << bad;
}

} // namespace
} // namespace kl
