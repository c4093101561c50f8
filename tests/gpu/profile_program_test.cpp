// SPDX-License-Identifier: MIT
// kloop profile -- CMD on a real GPU, around a program that every build has: kloop launch, which launches one kernel and nothing else.
#include "core/codec/json.h"
#include "tests/support/build_folder.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace kl {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ProfileProgramOnGpu : public testing::Test {
protected:
    void SetUp() override
    {
        const char* other = std::getenv("KERNELLOOP_KLOOP"); // another build's
        kloop_ = other && *other ? other : test::buildFolder() + "/bin/kloop";
        if (!std::filesystem::exists(kloop_))
            GTEST_SKIP() << kloop_ << " is not built";
        const int launched = std::system((kloop_ + " launch copy/vector >/dev/null 2>&1").c_str());
        if (WIFEXITED(launched) && WEXITSTATUS(launched) == 5)
            GTEST_SKIP() << "no GPU: kloop launch ends with 5";
        folder_ = std::filesystem::temp_directory_path() / ("kl-program-" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    /// The answer to `kloop profile OPTIONS -- kloop launch KERNEL`; without results where the command failed, which fails the test.
    Json profile(const std::string& options, const std::string& launch) const
    {
        const std::string out = (folder_ / "out.json").string(), printed = (folder_ / "printed.txt").string();
        const std::string line = "KERNELLOOP_DB=" + (folder_ / "a.db").string() + ' ' + kloop_ + " profile --out " + out + ' ' + options +
                                 " -- " + kloop_ + " launch " + launch + " >" + printed + " 2>&1";
        EXPECT_EQ(std::system(line.c_str()), 0) << content(printed);
        const Result<Json> json = parseJson(content(out), out);
        return json && json->contains("results") ? *json : Json{{"results", Json::array()}};
    }

    static std::string content(const std::string& path)
    {
        std::ifstream in(path);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    std::string kloop_;
    std::filesystem::path folder_;
};

TEST_F(ProfileProgramOnGpu, NamesTimesAndDiagnosesTheKernel)
{
    const Json json = profile("--kernel transpose", "transpose/naive --repeat 12");
    ASSERT_THAT(json["results"], Not(IsEmpty())) << json.dump(2);
    const Json& run = json["results"][0];
    EXPECT_THAT(run["program"]["kernel"].get<std::string>(), HasSubstr("transpose"));
    EXPECT_EQ(run["program"]["launches"], 12);
    EXPECT_FALSE(run["finding"]["inferred"].get<bool>());
    EXPECT_EQ(run["plan"]["passes"], run["plan"]["ran"]);
    EXPECT_GT(run["launches"][0]["registers"].get<int>(), 0);
    const double timed = run["timing"]["gpu_ns"]["median"];
    const double counted = run["metrics"]["gpu__time_duration.sum"];
    EXPECT_NEAR(counted / timed, 1, 0.25) << "one launch by the profiler, the others by activity records";
}

TEST_F(ProfileProgramOnGpu, FindsTheLineThatTakesTheTime)
{
    const Json json = profile("--kernel transpose --source", "transpose/naive --repeat 12");
    ASSERT_THAT(json["results"], Not(IsEmpty()));
    const Json& run = json["results"][0];
    ASSERT_TRUE(run.contains("hot_lines")) << run["warnings"].dump();
    ASSERT_THAT(run["hot_lines"], Not(IsEmpty())) << run["source"]["unavailable"];
    EXPECT_EQ(run["source"]["counts_unavailable"], "");
    EXPECT_GT(run["source"]["lines"][0]["executed"].get<long>(), 0);
    EXPECT_EQ(run["hot_lines"][0]["file"], "kernel.cu");
    EXPECT_GT(run["hot_lines"][0]["line"].get<int>(), 0);
    EXPECT_FALSE(run["finding"]["inferred"].get<bool>()) << "the counters of a later launch";
}

TEST_F(ProfileProgramOnGpu, WithoutCountersInstructionsShowStridedStores)
{
    const Json json = profile("--no-counters --kernel transpose", "transpose/naive --repeat 12");
    ASSERT_THAT(json["results"], Not(IsEmpty())) << json.dump(2);
    const Json& run = json["results"][0];
    EXPECT_THAT(run["metrics"], IsEmpty());
    const Json& launch = run["launches"][0];
    ASSERT_TRUE(launch["warp"].is_object()) << run["warnings"].dump();
    const double requests = launch["warp"]["stores"]["requests"], sectors = launch["warp"]["stores"]["sectors"];
    EXPECT_GT(requests, 0) << "sectors are not counted on this chip";
    EXPECT_GT(sectors, 8 * requests) << "a store of a column";
    EXPECT_GT(launch["opcodes"]["st.global"].get<int>(), 0);
    EXPECT_GT(run["memory_bytes"].get<double>(), 0) << "its arguments point to buffers";
    EXPECT_EQ(run["finding"]["class"], "uncoalesced");
    EXPECT_TRUE(run["finding"]["inferred"].get<bool>());
}

TEST_F(ProfileProgramOnGpu, WithoutCountersEachLongKernelIsCountedInARunOfItsOwn)
{
    const Json json = profile("--no-counters", "reduction/sequential --repeat 12"); // two kernels
    ASSERT_GE(json["results"].size(), 2U) << json.dump(2);
    for (const Json& run : json["results"]) {
        EXPECT_TRUE(run["launches"][0]["warp"].is_object()) << run["warnings"].dump();
        EXPECT_GT(run["timing"]["gpu_ns"]["n"], 2);
    }
}

TEST_F(ProfileProgramOnGpu, ExecutionsBesideCountersAgreeWithThem)
{
    const Json json = profile("--executions --kernel transpose", "transpose/naive --repeat 12");
    ASSERT_THAT(json["results"], Not(IsEmpty())) << json.dump(2);
    const Json& run = json["results"][0];
    const Json& launch = run["launches"][0];
    ASSERT_TRUE(launch["warp"].is_object()) << run["warnings"].dump();
    const double warps = launch["grid_blocks"].get<double>() * std::ceil(launch["block_threads"].get<double>() / 32);
    EXPECT_NEAR(launch["warp"]["stores"]["requests"].get<double>() * warps /
                    run["metrics"]["smsp__sass_inst_executed_op_global_st.sum"].get<double>(),
                1, 0.01);
    EXPECT_FALSE(run["finding"]["inferred"].get<bool>());
}

/// CUPTI is asked for them by name: one that it does not know would be missing without a word.
TEST_F(ProfileProgramOnGpu, ExecutionsHaveSectorsAndWavefrontsBesideTheirIdeal)
{
    const Json strided = profile("--executions --kernel transpose", "transpose/naive --repeat 12");
    ASSERT_THAT(strided["results"], Not(IsEmpty()));
    const Json& stores = strided["results"][0]["launches"][0]["warp"]["stores"];
    EXPECT_EQ(stores["unknown"], 0);
    EXPECT_GT(stores["ideal"].get<double>(), 0);
    EXPECT_GE(stores["sectors"].get<double>(), 8 * stores["ideal"].get<double>()) << "32 rows of 4 bytes, where 4 sectors would do";

    const Json conflicting = profile("--executions --kernel transpose", "transpose/tiled --repeat 12");
    ASSERT_THAT(conflicting["results"], Not(IsEmpty()));
    const Json& warp = conflicting["results"][0]["launches"][0]["warp"];
    EXPECT_EQ(warp["loads"]["sectors"], warp["loads"]["ideal"]);
    EXPECT_GT(warp["shared_ideal"].get<double>(), 0);
    EXPECT_GT(warp["shared_wavefronts"].get<double>(), 8 * warp["shared_ideal"].get<double>()) << "columns without padding";
}

TEST_F(ProfileProgramOnGpu, AKernelLaunchedOnceHasItsLinesAndSaysWhyNoCounters)
{
    const Json json = profile("--kernel transpose --source", "transpose/naive --repeat 1");
    ASSERT_THAT(json["results"], Not(IsEmpty())) << json.dump(2);
    const Json& run = json["results"][0];
    EXPECT_EQ(run["program"]["launches"], 1);
    EXPECT_THAT(run["hot_lines"], Not(IsEmpty())) << run["source"]["unavailable"];
    EXPECT_EQ(run["timing"]["gpu_ns"]["n"], 1);
    EXPECT_THAT(run["warnings"].dump(), HasSubstr("sampled"));
}

} // namespace
} // namespace kl
