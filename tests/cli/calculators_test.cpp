// SPDX-License-Identifier: MIT
#include "kloop.h"
#include "tests/support/store_support.h"
#include "text_rows.h"

#include <algorithm>
#include <set>

namespace kl::test {
namespace {

class Calculators : public Kloop {
protected:
    static Json findGpuRow(const Json& answer, const std::string& gpu)
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
    const Json l4 = findGpuRow(json, "NVIDIA L4");
    EXPECT_EQ(l4["limit"], 99 * 1024);
    EXPECT_EQ(l4["fits"], true);
    EXPECT_EQ(l4["needs_opt_in"], true);
    EXPECT_TRUE(l4["correction"].is_string());
    EXPECT_EQ(findGpuRow(json, "NVIDIA T4")["fits"], false);
    EXPECT_TRUE(findGpuRow(json, "NVIDIA H200")["correction"].is_null());
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
    const Json row = findGpuRow(answer.json(), "NVIDIA H200");
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
    const Json row = findGpuRow(kloop({"occupancy", id, "--gpu", "H200", "--json"}).json(), "NVIDIA H200");
    EXPECT_EQ(row["blocks_per_sm"], launch["blocks_per_sm"]);
    EXPECT_EQ(findGpuRow(kloop({"occupancy", id, "--smem", "120000", "--json"}).json(), "NVIDIA H200")["limiter"], "shared memory");
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

TEST_F(Calculators, EachFigureOfTilesIsInItsField)
{
    const Json json = kloop({"smem", "-M", "128", "-K", "64", "-N", "64", "--json"}).json();
    EXPECT_EQ(json["tile_bytes"], 49152);
    EXPECT_EQ(json["score_bytes"], 32768);
    EXPECT_EQ(json["static_limit"], 48 * 1024);
    EXPECT_EQ(json["ldmatrix_ways"], 8);
    const Json l4 = findGpuRow(json, "NVIDIA L4");
    EXPECT_EQ(l4["cc"], "8.9");
    EXPECT_EQ(l4["spare"], 99 * 1024 - 81920);
    EXPECT_NEAR(l4["percent"].get<double>(), 80.81, 0.01);
    EXPECT_EQ(l4["per_sm"], 100 * 1024);
    EXPECT_EQ(l4["blocks_per_sm"], 1);
    EXPECT_EQ(l4["rows_most"], 144);
    EXPECT_EQ(findGpuRow(json, "NVIDIA T4")["spare"], 64 * 1024 - 81920);
    EXPECT_EQ(findGpuRow(json, "NVIDIA T4")["needs_opt_in"], false);
    EXPECT_TRUE(kloop({"smem", "-M", "64", "-K", "60", "--bytes", "1", "--json"}).json()["ldmatrix_ways"].is_null()) << "a row is 60 bytes";
    EXPECT_EQ(kloop({"smem", "-M", "64", "-K", "64", "--pad", "16", "--json"}).json()["ldmatrix_ways"], 1);
    EXPECT_EQ(kloop({"smem", "-M", "64", "-K", "64", "--json"}).json()["score_bytes"], 0) << "none unless -N";
}

TEST_F(Calculators, WhatIsSaidOfTilesIsSaidWhereItApplies)
{
    const auto lines = [&](std::vector<std::string> options) {
        options.insert(options.begin(), "smem");
        const std::string text = kloop(options).out;
        return std::count(text.begin(), text.end(), '\n') - 2 - 11; // without the sum, the heading and the GPUs
    };
    EXPECT_EQ(lines({"-M", "64", "-K", "64", "--pad", "16"}), 0);
    EXPECT_EQ(lines({"-M", "64", "-K", "64"}), 2) << "bank conflicts";
    EXPECT_EQ(lines({"-M", "64", "-K", "60", "--bytes", "1"}), 1) << "no reads of 16 bytes";
    EXPECT_EQ(lines({"-M", "128", "-K", "64", "-N", "64", "--pad", "16"}), 3) << "the limit of static memory, and a correction";
}

TEST_F(Calculators, EachFigureOfAnOccupancyIsInItsField)
{
    const Json json =
        kloop({"occupancy", "--threads", "128", "--registers", "40", "--smem", "30000", "--gpu", "L4", "--sweep", "block-size", "--json"})
            .json();
    EXPECT_EQ(json["threads"], 128);
    EXPECT_EQ(json["registers"], 40);
    EXPECT_EQ(json["smem"], 30000);
    ASSERT_EQ(json["gpus"].size(), 1U) << "the one that is named";
    const Json row = findGpuRow(json, "NVIDIA L4");
    EXPECT_EQ(row["cc"], "8.9");
    EXPECT_EQ(row["blocks_per_sm"], 3);
    EXPECT_EQ(row["percent"], 25.0);
    EXPECT_EQ(row["limiter"], "shared memory");
    EXPECT_EQ(row["blocks_by"], Json({{"registers", 12}, {"shared_memory", 3}, {"warps", 12}, {"blocks", 24}}));
    EXPECT_EQ(row["levers"][0]["input"], "shared memory");
    EXPECT_EQ(row["levers"][0]["from"], 30000);
    EXPECT_EQ(row["levers"][0]["to"], 24576);
    EXPECT_NEAR(row["levers"][0]["percent"].get<double>(), 33.33, 0.01);
    EXPECT_EQ(row["sweep"].size(), 32U);
    EXPECT_EQ(row["sweep"][0], Json({{"at", 32}, {"blocks_per_sm", 3}, {"percent", 6.25}, {"limiter", "shared memory"}}));
    const auto sweep = [&](const char* input) {
        return kloop({"occupancy", "--threads", "128", "--registers", "40", "--smem", "30000", "--gpu", "L4", "--sweep", input, "--json"})
            .json()["gpus"][0]["sweep"];
    };
    EXPECT_EQ(sweep("shared-memory").back()["at"], 99 * 1024);
    EXPECT_EQ(sweep("registers").back()["at"], 255);
    const Json plain = kloop({"occupancy", "--threads", "128", "--json"}).json();
    EXPECT_EQ(plain["registers"], 32) << "the default";
    EXPECT_EQ(plain["smem"], 0);
    EXPECT_GT(plain["gpus"].size(), 5U);
    EXPECT_FALSE(plain["gpus"][0].contains("sweep"));
}

TEST_F(Calculators, InWordsOneGpuHasItsLeversAndSteps)
{
    const std::vector<std::string> rows = readRows(
        kloop({"occupancy", "--threads", "128", "--registers", "40", "--smem", "30000", "--gpu", "L4", "--sweep", "shared-memory"}).out);
    EXPECT_EQ(rows[1], "NVIDIA L4 | 8.9 | 25 % | 3 | shared memory | 12 | 3 | 12 | 24");
    EXPECT_EQ(rows[2], "shared memory 30,000 → 24,576: 33.3 %");
    EXPECT_THAT(rows, testing::Contains(testing::StartsWith("0 | 7,168 | 100 % | 12 | ")));
    EXPECT_EQ(rows.back(), "51,200 | 101,376 | 8.3 % | 1 | shared memory") << "where it changes";
    const std::vector<std::string> full = readRows(kloop({"occupancy", "--threads", "128", "--gpu", "L4"}).out);
    EXPECT_EQ(full.size(), 2U) << "nothing raises what is full";
    EXPECT_EQ(readRows(kloop({"occupancy", "--threads", "128", "--registers", "40"}).out).size(), 12U) << "of many, no levers";
}

TEST_F(Calculators, OfAStoredRunTheLongestLaunchCountsUnlessAnOptionReplacesIt)
{
    {
        RunRecord run = support::timedRun("aaaa0001", "naive", "2026-01-01T00:00:00.000Z", 1000);
        LaunchFacts shorter{.entry = "a", .blockThreads = 64, .registers = 32, .staticSmem = 100, .dynamicSmem = 200, .gpuNs = 10};
        LaunchFacts longest{.entry = "b", .blockThreads = 256, .registers = 80, .staticSmem = 1000, .dynamicSmem = 3000, .gpuNs = 20};
        LaunchFacts untimed{.entry = "c", .blockThreads = 512, .registers = 16};
        run.launches = {shorter, longest, untimed};
        const auto store = support::openStore(file("test.db"));
        ASSERT_TRUE(store->saveRun(run).ok());
        ASSERT_TRUE(store->saveRun(support::timedRun("aaaa0002", "naive", "2026-01-02T00:00:00.000Z", 1000)).ok());
    }
    for (const char* name : {"run:aaaa0001", "aaaa0001"}) {
        const Json json = kloop({"occupancy", name, "--json"}).json();
        EXPECT_EQ(json["threads"], 256) << name;
        EXPECT_EQ(json["registers"], 80) << name;
        EXPECT_EQ(json["smem"], 4000) << name;
    }
    const Json changed = kloop({"occupancy", "run:aaaa0001", "--threads", "128", "--registers", "40", "--json"}).json();
    EXPECT_EQ(changed["threads"], 128);
    EXPECT_EQ(changed["registers"], 40);
    EXPECT_EQ(changed["smem"], 4000);
    const Answer none = kloop({"occupancy", "run:aaaa0002", "--json"});
    EXPECT_EQ(none.code, 4);
    EXPECT_EQ(none.json()["error"]["where"], "run:aaaa0002") << "it has no launches";
}

TEST_F(Calculators, EachFigureOfAnAdviceIsInItsField)
{
    const Json launch = kloop({"advise", "launch", "--kernel-us", "10", "--launch-us", "6", "--json"}).json();
    EXPECT_EQ(launch["kernel_us"], 10.0);
    EXPECT_EQ(launch["launch_us"], 6.0);
    EXPECT_EQ(launch["kernels"], 2) << "the default";
    EXPECT_EQ(launch["serial_us"], 16.0);
    EXPECT_EQ(launch["queued_us"], 10.0);
    EXPECT_EQ(launch["kernel_work"], Json({{"runtime_reduction_most", 0.625}, {"queued_reduction_most", 0.4}}));
    EXPECT_NEAR(launch["fusion"]["speedup_least"].get<double>(), 32.0 / 26, 1e-9);
    EXPECT_EQ(launch["fusion"]["speedup_most"], 2.0);
    EXPECT_EQ(launch["launch_removed_speedup"], 1.6);
    EXPECT_EQ(readFigures(readRows(kloop({"advise", "launch", "--kernel-us", "10", "--launch-us", "6"}).out)),
              (std::vector<std::string>{"16 µs | 6 µs | 10 µs", "62.5 %", "2 | 1.23× | 2.00×", "1.60×", "10 µs | 40 %"}));
    const Json memory = kloop({"advise", "memory", "--json"}).json();
    EXPECT_EQ(memory["gpu"], "NVIDIA H200") << "the default";
    EXPECT_TRUE(memory["placement"].is_null()) << "no data is given";
    for (const Json& tier : memory["tiers"]) {
        std::set<std::string> texts;
        for (const char* field : {"tier", "use_for", "optimize", "size"})
            texts.insert(tier[field].get<std::string>());
        EXPECT_EQ(texts.size(), 4U);
        EXPECT_THAT(readRows(kloop({"advise", "memory"}).out),
                    testing::Contains(tier["tier"].get<std::string>() + " | " + tier["use_for"].get<std::string>() + " | " +
                                      tier["optimize"].get<std::string>() + " | " + readRows(tier["size"].get<std::string>())[0]));
    }
}

TEST_F(Calculators, WhoReadsDataAndHowOftenDecidesWhereItBelongs)
{
    const auto placed = [&](std::vector<std::string> options) {
        options.insert(options.begin(), {"advise", "memory", "--gpu", "L4", "--json"});
        return kloop(options).json()["placement"];
    };
    EXPECT_EQ(placed({"--bytes", "64", "--shared-by", "thread"})["tier"], "registers");
    const Json shared = placed({"--bytes", "4096", "--shared-by", "block", "--reads", "8"});
    EXPECT_EQ(shared["tier"], "shared");
    EXPECT_EQ(shared["next_steps"][0]["command"], "kloop smem");
    EXPECT_NE(shared["why"], shared["next"]);
    EXPECT_THAT(shared["next"].get<std::string>(), testing::EndsWith(": kloop smem"));
    EXPECT_EQ(placed({"--bytes", "4096", "--shared-by", "block"})["tier"], "global (DRAM)") << "read once";
    EXPECT_EQ(placed({"--bytes", "4096", "--reads", "8"})["tier"], "global (DRAM)") << "by the whole grid";
    EXPECT_EQ(kloop({"advise", "memory", "--bytes", "-1", "--json"}).json()["error"]["where"], "bytes");
    EXPECT_EQ(kloop({"advise", "memory", "--gpu", "voodoo", "--json"}).json()["error"]["where"], "gpu");
    EXPECT_EQ(kloop({"advise", "memory", "--bytes", "64", "--shared-by", "warp"}).code, 2);
}

} // namespace
} // namespace kl::test
