// SPDX-License-Identifier: MIT
#include "kloop.h"

namespace kl::test {
namespace {

class Calculators : public Kloop {
protected:
    static Json rowOf(const Json& answer, const std::string& gpu)
    {
        for (const Json& row : answer["gpus"])
            if (row["gpu"] == gpu)
                return row;
        ADD_FAILURE() << gpu;
        return Json::object();
    }
};

TEST_F(Calculators, SmemIsComparedWithEveryGpu)
{
    const Answer answer = kloop({"smem", "-M", "128", "-K", "64", "-N", "64", "--json"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    const Json json = answer.json();
    EXPECT_EQ(json["schema"], "kernelloop.smem/1");
    EXPECT_EQ(json["bytes"], 3 * 128 * 64 * 2 + 128 * 64 * 4);
    const Json l4 = rowOf(json, "NVIDIA L4");
    EXPECT_EQ(l4["limit"], 99 * 1024);
    EXPECT_EQ(l4["fits"], true);
    EXPECT_EQ(l4["needs_opt_in"], true);
    EXPECT_TRUE(l4["correction"].is_string());
    EXPECT_EQ(rowOf(json, "NVIDIA T4")["fits"], false);
    EXPECT_TRUE(rowOf(json, "NVIDIA H200")["correction"].is_null());
}

TEST_F(Calculators, SmemThatFitsNowhereExitsWithOne)
{
    const Answer answer = kloop({"smem", "-M", "1024", "-K", "128", "--json"});
    EXPECT_EQ(answer.code, 1);
    const Json gpus = answer.json()["gpus"];
    EXPECT_FALSE(gpus.empty());
    for (const Json& gpu : gpus)
        EXPECT_EQ(gpu["fits"], false) << gpu;
    EXPECT_THAT(kloop({"smem", "-M", "1024", "-K", "128"}).out, testing::HasSubstr("extern __shared__"));
}

TEST_F(Calculators, BadSizesExitWithTheirField)
{
    const Answer answer = kloop({"smem", "-M", "0", "-K", "64", "--json"});
    EXPECT_EQ(answer.code, 4);
    EXPECT_EQ(answer.json()["error"]["where"], "M");
    EXPECT_EQ(kloop({"smem", "-M", "64"}).code, 2);
    EXPECT_EQ(kloop({"occupancy", "--threads", "2000"}).code, 4);
    EXPECT_EQ(kloop({"occupancy", "--threads", "256", "--gpu", "voodoo"}).code, 4);
    EXPECT_EQ(kloop({"advise"}).code, 2);
    EXPECT_EQ(kloop({"advise", "launch", "--kernel-us", "0", "--launch-us", "10"}).code, 4);
}

TEST_F(Calculators, OccupancyNamesLimiterAndLevers)
{
    const Answer answer = kloop({"occupancy", "--threads", "256", "--registers", "72", "--gpu", "h200", "--sweep", "registers", "--json"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    const Json row = rowOf(answer.json(), "NVIDIA H200");
    EXPECT_EQ(row["limiter"], "registers");
    EXPECT_EQ(row["blocks_by"]["registers"], 3);
    EXPECT_EQ(row["levers"][0]["to"], 64);
    EXPECT_EQ(row["sweep"].size(), 255U);
    const Answer all = kloop({"occupancy", "--threads", "256", "--registers", "72"});
    EXPECT_THAT(all.out, testing::HasSubstr("NVIDIA B200"));
    EXPECT_EQ(kloop({"occupancy", "--threads", "256", "--sweep", "registers"}).code, 2);
}

TEST_F(Calculators, OccupancyOfAStoredRunIsThatOfTheRun)
{
    KL_NEEDS_SAMPLE();
    const Answer run = kloop({"run", "transpose/naive", "--on", "sample", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const Json launch = run.json()["launches"][0];
    const std::string id = "run:" + run.json()["id"].get<std::string>();
    const Json row = rowOf(kloop({"occupancy", id, "--gpu", "H200", "--json"}).json(), "NVIDIA H200");
    EXPECT_EQ(row["blocks_per_sm"], launch["blocks_per_sm"]);
    EXPECT_EQ(rowOf(kloop({"occupancy", id, "--smem", "120000", "--json"}).json(), "NVIDIA H200")["limiter"], "shared memory");
    EXPECT_EQ(kloop({"occupancy", "run:0000"}).code, 4);
    EXPECT_EQ(kloop({"occupancy"}).code, 2);
}

TEST_F(Calculators, AdviceOnMemoryAndLaunches)
{
    const Json memory =
        kloop({"advise", "memory", "--gpu", "L4", "--bytes", "32768", "--shared-by", "block", "--reads", "8", "--json"}).json();
    EXPECT_EQ(memory["placement"]["tier"], "shared");
    EXPECT_EQ(memory["tiers"].size(), 4U);
    const Json launch = kloop({"advise", "launch", "--kernel-us", "5", "--launch-us", "10", "--json"}).json();
    EXPECT_NEAR(launch["kernel_work"]["runtime_reduction_most"].get<double>(), 0.3333, 1e-4);
    EXPECT_EQ(launch["fusion"]["speedup_most"], 2.0);
    EXPECT_THAT(kloop({"advise", "launch", "--kernel-us", "5", "--launch-us", "10"}).out, testing::HasSubstr("33"));
}

} // namespace
} // namespace kl::test
