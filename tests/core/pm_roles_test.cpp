// SPDX-License-Identifier: MIT
// Metrics over the duration of a launch: what a name shows, where the launch lies in the samples, means and tails.
#include "core/codec/run_codec.h"
#include "core/device/pm_roles.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kl::test {
namespace {

const std::string kWarps = "TPC.TriageCompute.tpc__warps_active_shader_cs_realtime" + std::string(kPmRollup);
const std::string kDram = "FBSP.TriageCompute.dramc__throughput" + std::string(kPmRollup);

TEST(PmRoles, ANamesUnitAndConfigurationDoNotMatterItsRollupDoes)
{
    EXPECT_EQ(findPmBase("FBSP.TriageCompute.dramc__throughput.avg.pct_of_peak_sustained_elapsed"), "dramc__throughput");
    EXPECT_EQ(findPmBase("TriageCompute.sm__throughput"), "sm__throughput");
    EXPECT_EQ(findPmBase("pmsampling:sm__cycles_active.avg"), "sm__cycles_active");
    EXPECT_EQ(findPmBase("lts__throughput.avg"), "lts__throughput");
    EXPECT_EQ(findPmBase("no metric"), "");
    EXPECT_EQ(findPmRole(kDram), PmRole::dram);
    EXPECT_EQ(findPmRole("dram__throughput" + std::string(kPmRollup)), PmRole::dram);
    EXPECT_EQ(findPmRole("sm__cycles_active.avg"), std::nullopt) << "cycles are not a share";
    EXPECT_EQ(findPmRole("sm__inst_executed_pipe_fma" + std::string(kPmRollup)), std::nullopt);
}

TEST(PmRoles, AreInTheOrderInWhichTheyAreShown)
{
    int at = 0;
    for (const PmRoleInfo& info : pmRoles())
        EXPECT_EQ(static_cast<int>(info.role), at++) << info.word;
}

TEST(PmSampling, TheLaunchIsCutOutOfTheSamples)
{
    const PmPass pass = trimToLaunch({{500, 1500, 2500, 3500, 4500}, {{kDram, {1, 2, 3, 4, 5}}}}, {0, 7, 0, 9, 0});
    EXPECT_EQ(pass.endNs, (std::vector<double>{1000, 2000, 3000}));
    EXPECT_EQ(pass.series[0].values, (std::vector<double>{2, 3, 4})) << "a pause inside the launch stays";
    const PmPass whole = trimToLaunch({{1000, 2000}, {{kDram, {1, 2}}}}, {1, 1});
    EXPECT_EQ(whole.endNs, (std::vector<double>{1000, 2000}));
    EXPECT_EQ(trimToLaunch({{1000, 2000}, {{kDram, {1, 2}}}}, {0, 0}), PmPass());
    EXPECT_EQ(trimToLaunch({}, {}), PmPass());
}

TEST(PmSampling, MeansAreWeightedByTheDurationOfTheSamples)
{
    const PmSampling sampling{"k", 1000, {{{1000, 4000}, {{kDram, {80, 40}}, {kWarps, {10, 20}}}}, {{1000}, {{kDram, {99}}}}}, {}};
    const std::vector<PmCurve> curves = pmCurves(sampling);
    ASSERT_EQ(curves.size(), 2U) << "each role once";
    EXPECT_EQ(curves[0].role, PmRole::activeWarps);
    EXPECT_EQ(curves[1].role, PmRole::dram);
    EXPECT_DOUBLE_EQ(curves[1].mean, 50);
    EXPECT_DOUBLE_EQ(curves[1].peak, 80);
    EXPECT_DOUBLE_EQ(pmDuration(sampling), 4000);
}

TEST(PmSampling, ATailIsSeenFromATenthOfTheLaunch)
{
    const auto withTail = [](int tail) {
        PmPass pass{{}, {{kWarps, {}}}};
        for (int i = 1; i <= 100; ++i) {
            pass.endNs.push_back(1000.0 * i);
            pass.series[0].values.push_back(i > 100 - tail ? 20 : 90);
        }
        return PmSampling{"k", 1000, {pass}, {}};
    };
    EXPECT_NE(pmFinding(withTail(18)).find("18"), std::string::npos);
    EXPECT_TRUE(pmFinding(withTail(9)).empty());
    EXPECT_TRUE(pmFinding(withTail(0)).empty());
    EXPECT_TRUE(pmFinding({}).empty());
}

TEST(PmSampling, GoesThroughARunsJson)
{
    RunRecord run;
    run.id.text = "r";
    run.kernel = {"transpose", "naive", {}};
    EXPECT_FALSE(runToJson(run).contains("pm_sampling"));
    run.pmSampling = PmSampling{"k", 1000, {{{1000, 2000}, {{kDram, {80.5, 40}}}}}, {}};
    const Result<RunRecord> again = runFromJson(runToJson(run));
    ASSERT_TRUE(again.ok()) << again.error().detail;
    EXPECT_EQ(again->pmSampling, run.pmSampling);
}

TEST(PmRoles, EachRoleHasItsNamesAndWord)
{
    const std::vector<std::pair<std::string, PmRole>> names{
        {"sm__cycles_active", PmRole::activeSms},    {"tpc__warps_active_shader_cs_realtime", PmRole::activeWarps},
        {"sm__warps_active", PmRole::activeWarps},   {"sm__throughput", PmRole::sm},
        {"sm__inst_executed", PmRole::instructions}, {"sm__pipe_tensor_cycles_active", PmRole::tensor},
        {"l1tex__throughput", PmRole::l1},           {"lts__t_sectors", PmRole::l2},
        {"dram__throughput", PmRole::dram}};
    for (const auto& [name, role] : names)
        EXPECT_EQ(findPmRole(name + std::string(kPmRollup)), role) << name;
    std::vector<std::string> words;
    for (const PmRoleInfo& info : pmRoles()) {
        words.emplace_back(info.word);
        EXPECT_EQ(&findPmRoleInfo(info.role), &info);
    }
    EXPECT_EQ(words, (std::vector<std::string>{"active-sms", "active-warps", "sm", "instructions", "tensor", "l1", "l2", "dram"}));
}

TEST(PmSampling, OnlyActiveSmsAndWarpsHaveATail)
{
    const auto finding = [](const std::string& metric, std::vector<double> values) {
        PmPass pass{{}, {{metric + std::string(kPmRollup), std::move(values)}}};
        for (std::size_t i = 1; i <= 10; ++i)
            pass.endNs.push_back(1000.0 * static_cast<double>(i));
        return pmFinding({"k", 1000, {pass}, {}});
    };
    const std::vector<double> tail{90, 90, 90, 90, 90, 90, 90, 45, 20, 20}; // the last of half the peak is the eighth
    EXPECT_NE(finding("sm__cycles_active", tail).find("Active SMs"), std::string::npos);
    EXPECT_NE(finding("sm__cycles_active", tail).find("20\u202f%"), std::string::npos) << finding("sm__cycles_active", tail);
    EXPECT_NE(finding("sm__warps_active", tail).find("Active warps"), std::string::npos);
    EXPECT_EQ(finding("dram__throughput", tail), "");
    EXPECT_EQ(finding("sm__cycles_active", {90, 90, 90, 90, 90, 90, 90, 90, 90, 20}).find("10\u202f%") == std::string::npos, false);
    EXPECT_EQ(finding("sm__cycles_active", std::vector<double>(10, 0)), "");
}

TEST(PmSampling, SamplesWithoutAnEndDoNotCount)
{
    const PmSampling sampling{"k", 1000, {{{1000, 2000}, {{kDram, {10, 30, 99}}}}, {{5000}, {}}, {{}, {}}}, {}};
    const std::vector<PmCurve> curves = pmCurves(sampling);
    ASSERT_EQ(curves.size(), 1U);
    EXPECT_DOUBLE_EQ(curves[0].mean, 20);
    EXPECT_DOUBLE_EQ(pmDuration(sampling), 5000) << "of all passes";
    EXPECT_EQ(pmDuration({}), 0);
    const PmPass pass = trimToLaunch({{500, 1500, 2500}, {{kDram, {1, 2}}}}, {0, 5, 5});
    EXPECT_EQ(pass.endNs, (std::vector<double>{1000, 2000}));
    EXPECT_EQ(pass.series[0].values, std::vector<double>{2}) << "a series that ended early";
}

TEST(PmSampling, ATailIsOfTheFirstCurveThatHasOneAndOfTheWholeDuration)
{
    PmPass pass{{}, {{"sm__cycles_active" + std::string(kPmRollup), {}}, {kWarps, {}}}};
    for (int i = 1; i <= 10; ++i) {
        pass.endNs.push_back(1000.0 * i);
        pass.series[0].values.push_back(90);
        pass.series[1].values.push_back(i > 7 ? 10 : 80);
    }
    const std::string warps = pmFinding({"k", 1000, {pass}, {}});
    EXPECT_TRUE(warps.starts_with("Active warps ")) << warps;
    EXPECT_NE(warps.find("30\u202f%"), std::string::npos) << warps;
    pass.series[0].values[9] = 10;
    pass.series[0].values[8] = 10;
    EXPECT_TRUE(pmFinding({"k", 1000, {pass}, {}}).starts_with("Active SMs ")) << "they come first";
    PmPass longer{{100'000}, {{kDram, {50}}}};
    EXPECT_EQ(pmFinding({"k", 1000, {pass, longer}, {}}), "") << "three of a hundred";
}

TEST(PmSampling, ACurveKnowsItsPassAndItsSeries)
{
    const PmSampling sampling{"k", 1000, {{{1000}, {{"nobody__knows", {1}}, {kWarps, {}}}}, {{500, 1500}, {{kWarps, {30, 60}}}}}, {}};
    const std::vector<PmCurve> curves = pmCurves(sampling);
    ASSERT_EQ(curves.size(), 1U);
    EXPECT_EQ(curves[0].pass, &sampling.passes[1]) << "the first has no values of it";
    EXPECT_EQ(curves[0].series, &sampling.passes[1].series[0]);
    EXPECT_EQ(curves[0].peak, 60);
    EXPECT_DOUBLE_EQ(curves[0].mean, 50);
}

} // namespace
} // namespace kl::test
