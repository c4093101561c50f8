// SPDX-License-Identifier: MIT
// Metrics on the command line: what there is, what a plan takes, and chosen ones of a recording.
#include "tests/cli/kloop.h"
#include "tests/support/build_folder.h"
#include "text_rows.h"

namespace kl::test {
namespace {

class CliMetrics : public Kloop {
protected:
    /// With the worker that was built, which answers for chips that are not here.
    Answer planned(const std::vector<std::string>& words) const
    {
        return kloop(words, "KERNELLOOP_WORKER='" + test::buildFolder() + "/bin/kloop-worker'");
    }
};

#define KL_NEEDS_PLANS()                                                                                                                   \
    if (const Answer probe = planned({"profile", "--plan", "--chip", "GH100", "--tier", "0"}); probe.code == 5)                            \
    GTEST_SKIP() << "no plans on this machine: " << probe.err

TEST_F(CliMetrics, ListsCatalogAndSectionsWithoutAGpu)
{
    const Answer answer = kloop({"metrics", "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const Json json = answer.json();
    EXPECT_EQ(json["schema"], "kernelloop.metrics/1");
    EXPECT_TRUE(json["chip"].is_null());
    EXPECT_EQ(json["tiers"][0]["metrics"].size(), 15u);
    EXPECT_TRUE(json["tiers"][0]["passes"].is_null());
    EXPECT_GE(json["sections"].size(), 10u);
    EXPECT_EQ(json["metrics"].size(), json["tiers"][2]["metrics"].size());
    EXPECT_THAT(kloop({"metrics"}).out, testing::HasSubstr("kloop metrics --chip GH100"));
}

TEST_F(CliMetrics, CountsThePassesOfAChip)
{
    KL_NEEDS_PLANS();
    const Json json = planned({"metrics", "--chip", "AD102", "--json"}).json();
    EXPECT_EQ(json["chip"], "AD102");
    EXPECT_EQ(json["tiers"][0]["passes"], 1);
    for (const Json& section : json["sections"])
        EXPECT_EQ(section["passes"].get<int>() > 0, section["id"] != "TensorCopies") << section["id"]; // Hopper's and newer ones
    int lacked = 0;
    for (const Json& metric : json["metrics"])
        lacked += metric["lacked"].is_null() ? 0 : 1;
    EXPECT_EQ(lacked, 2) << "the two of Hopper's matrix instructions";
}

TEST_F(CliMetrics, SearchesEverythingThatAChipHas)
{
    KL_NEEDS_PLANS();
    const Json json = planned({"metrics", "--chip", "GB202", "--search", "bytes read from dram", "--json"}).json();
    ASSERT_GE(json["matches"].get<int>(), 1);
    EXPECT_EQ(json["found"][0]["name"], "dram__bytes_op_read.sum");
    EXPECT_EQ(json["found"][0]["passes"], 1);
}

TEST_F(CliMetrics, ASearchFindsEveryWordAnywhere)
{
    KL_NEEDS_PLANS();
    const Json json = planned({"metrics", "--chip", "GH100", "--search", "Shared conflicts op_ld", "--json"}).json();
    ASSERT_GE(json["found"].size(), 1u);
    for (const Json& metric : json["found"])
        EXPECT_THAT(metric["name"].get<std::string>(), testing::HasSubstr("op_ld"));
    const Answer none = planned({"metrics", "--chip", "GH100", "--search", "conflicts zzz", "--json"});
    EXPECT_EQ(none.code, 0);
    EXPECT_EQ(none.json()["matches"], 0);
    const Json few = planned({"metrics", "--chip", "GH100", "--search", "", "--limit", "3", "--json"}).json();
    EXPECT_EQ(few["found"].size(), 3u);
    EXPECT_GT(few["matches"].get<int>(), 1000);
}

TEST_F(CliMetrics, PlansForAChipThatIsNotHere)
{
    KL_NEEDS_PLANS();
    const Answer answer =
        planned({"profile", "--plan", "--chip", "GB202", "--metrics", "dram__bytes_read.sum", "--sections", "Tensor", "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const Json json = answer.json();
    EXPECT_EQ(json["schema"], "kernelloop.plan/1");
    EXPECT_EQ(json["spelled"]["dram__bytes_read.sum"], "dram__bytes_op_read.sum");
    EXPECT_TRUE(json["missing"].contains("sm__inst_executed_pipe_tensor_op_gmma.sum"));
    EXPECT_GE(json["plan"]["passes"].get<int>(), 1);
    EXPECT_EQ(json["plan"]["ran"], 0);
}

TEST_F(CliMetrics, ABudgetLeavesOutWithThatReason)
{
    KL_NEEDS_PLANS();
    const Json json = planned({"profile", "--plan", "--chip", "GH100", "--max-passes", "4", "--json"}).json();
    EXPECT_LE(json["plan"]["passes"].get<int>(), 4);
    EXPECT_EQ(readFigures(json["missing"].value("sm__throughput.avg.pct_of_peak_sustained_elapsed", "")), "4");
}

TEST_F(CliMetrics, AnExpressionStandsForWhatMatches)
{
    KL_NEEDS_PLANS();
    const Json json = planned({"profile", "--plan", "--chip", "GH100", "--metrics", "regex:^dram__bytes_(read|write)$", "--json"}).json();
    EXPECT_EQ(json["metrics"], (Json{"dram__bytes_read.sum", "dram__bytes_write.sum"}));
    EXPECT_EQ(planned({"profile", "--plan", "--chip", "GH100", "--metrics", "regex:(("}).code, 4);
}

TEST_F(CliMetrics, TheSamplesPlanIsForTheChipOfTheRecording)
{
    KL_NEEDS_PLANS();
    const Json json = planned({"profile", "transpose/naive", "--plan", "--on", "sample", "--tier", "0", "--json"}).json();
    EXPECT_EQ(json["chip"], "GH100");
    EXPECT_EQ(json["plan"]["passes"], 1);
}

TEST_F(CliMetrics, AnUnknownMetricIsBadInputWithTheNearest)
{
    KL_NEEDS_PLANS();
    const Answer answer = planned({"profile", "--plan", "--chip", "GH100", "--metrics", "dram__byte_read.sum"});
    EXPECT_EQ(answer.code, 4);
    EXPECT_THAT(answer.err, testing::HasSubstr("dram__byte_read.sum"));
    EXPECT_THAT(answer.err, testing::HasSubstr(" dram__bytes_read.sum "));
}

TEST_F(CliMetrics, AnUnknownChipIsBadInputWithTheList)
{
    KL_NEEDS_PLANS();
    const Answer answer = planned({"profile", "--plan", "--chip", "H200"});
    EXPECT_EQ(answer.code, 4);
    EXPECT_THAT(answer.err, testing::HasSubstr("GH100"));
    EXPECT_EQ(planned({"profile", "--plan", "--chip", "gh100", "--tier", "0"}).code, 0);
}

TEST_F(CliMetrics, AnUnknownSectionIsWrongUsage)
{
    const Answer answer = kloop({"profile", "transpose/naive", "--on", "sample", "--sections", "Ocupancy"});
    EXPECT_EQ(answer.code, 2);
    EXPECT_THAT(answer.err, testing::HasSubstr(" Occupancy?"));
}

TEST_F(CliMetrics, APlanWithoutGpuAsksForAChip)
{
    const Answer answer = kloop({"profile", "--plan"});
    EXPECT_EQ(answer.code, 5);
    EXPECT_THAT(answer.err, testing::HasSubstr("--chip GH100"));
}

TEST_F(CliMetrics, WordsThatExcludeEachOtherAreWrongUsage)
{
    EXPECT_EQ(kloop({"profile", "transpose/naive", "--tier", "1", "--metrics", "dram__bytes_read.sum"}).code, 2);
    EXPECT_EQ(kloop({"profile", "transpose/naive", "--chip", "GH100"}).code, 2);
    EXPECT_EQ(kloop({"profile", "transpose/naive", "--max-passes", "0"}).code, 2);
    EXPECT_EQ(kloop({"profile", "transpose/naive", "--cache-control", "warm"}).code, 2);
    EXPECT_EQ(kloop({"profile", "transpose/naive", "--metrics", "", "--on", "sample"}).code, 2);
    EXPECT_EQ(kloop({"profile"}).code, 2);
    EXPECT_EQ(kloop({"launch", "transpose/naive", "--on", "sample"}).code, 2);
}

TEST_F(CliMetrics, LaunchNeedsAGpu)
{
    EXPECT_EQ(kloop({"launch", "transpose/naive"}).code, 5);
    EXPECT_EQ(kloop({"launch", "transpose/nave"}).code, 4);
}

TEST_F(CliMetrics, ChosenMetricsOfTheSampleAreTheOnlyOnes)
{
    KL_NEEDS_SAMPLE();
    const Answer whole = kloop({"profile", "transpose/naive", "--on", "sample", "--json"});
    const Answer answer =
        kloop({"profile", "transpose/naive", "--on", "sample", "--metrics", "dram__bytes_read.sum,gpu__time_duration.sum", "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const Json json = answer.json();
    EXPECT_EQ(json["metrics"].size(), 2u);
    EXPECT_EQ(json["metrics"]["dram__bytes_read.sum"], whole.json()["metrics"]["dram__bytes_read.sum"]);
    EXPECT_TRUE(json["missing"].empty());
    EXPECT_EQ(json["plan"], whole.json()["plan"]);
    EXPECT_FALSE(json["finding"]["class"].get<std::string>().empty());
    EXPECT_NE(json["id"], whole.json()["id"]);
}

TEST_F(CliMetrics, ASectionOfTheSampleSaysWhatWasNotRecorded)
{
    KL_NEEDS_SAMPLE();
    const Json json = kloop({"profile", "transpose/naive", "--on", "sample", "--sections", "Scheduler", "--json"}).json();
    EXPECT_TRUE(json["metrics"]["smsp__issue_active.avg.per_cycle_active"].is_number());
    EXPECT_TRUE(json["missing"].contains("smsp__warps_eligible.avg.per_cycle_active"));
}

TEST_F(CliMetrics, ABudgetOnTheSampleTakesTheTierThatFits)
{
    KL_NEEDS_SAMPLE();
    const Json json = kloop({"profile", "transpose/naive", "--on", "sample", "--max-passes", "1", "--json"}).json();
    EXPECT_EQ(json["plan"]["ran"], 1);
    EXPECT_EQ(json["metrics"].size(), 15u);
    EXPECT_TRUE(json["missing"].contains("sm__throughput.avg.pct_of_peak_sustained_elapsed"));
}

TEST_F(CliMetrics, AnUnknownMetricOfTheSampleIsBadInputWithTheNearest)
{
    KL_NEEDS_SAMPLE();
    const Answer answer = kloop({"profile", "transpose/naive", "--on", "sample", "--metrics", "dram__byte_read.sum"});
    EXPECT_EQ(answer.code, 4);
    EXPECT_THAT(answer.err, testing::HasSubstr("dram__bytes_read.sum"));
    EXPECT_EQ(kloop({"profile", "transpose/naive", "--on", "sample", "--metrics", "regex:^none"}).code, 4);
    EXPECT_EQ(kloop({"profile", "transpose/naive", "--on", "sample", "--metrics", "regex:^dram__bytes"}).code, 0);
}

TEST_F(CliMetrics, SeveralKernelsAreOneListOfResults)
{
    KL_NEEDS_SAMPLE();
    const Json json = kloop({"profile", "transpose/naive", "copy/coalesced", "--on", "sample", "--tier", "0", "--json"}).json();
    EXPECT_EQ(json["schema"], "kernelloop.profiles/1");
    ASSERT_EQ(json["results"].size(), 2u);
    EXPECT_EQ(json["results"][1]["kernel"], "copy");
}

} // namespace
} // namespace kl::test
