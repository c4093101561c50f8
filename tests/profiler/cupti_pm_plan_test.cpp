// SPDX-License-Identifier: MIT
// What PM sampling collects on each chip, by CUPTI's host side, and how a launch is found in its samples.
#ifdef KL_HAVE_LIVE
#include "profiler/live/cupti/cupti_api.h"
#include "profiler/live/cupti/metric_host.h"
#include "profiler/live/cupti/pm_plan.h"
#include "profiler/live/cupti/pm_sampler.h"
#include "profiler/live/measure/sample_duration.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace kl::test {
namespace {

#define KL_NEED_CUPTI()                                                                                                                    \
    if (const auto& loaded = CuptiApi::load(); !loaded.ok())                                                                               \
    GTEST_SKIP() << loaded.error().message << " " << loaded.error().detail

std::set<PmRole> listRoles(const std::vector<PmGroup>& groups)
{
    std::set<PmRole> roles;
    for (const PmGroup& group : groups)
        for (const PmMetric& metric : group)
            roles.insert(metric.role);
    return roles;
}

TEST(CuptiPmPlan, EveryChipFromTuringOnSamplesAllRolesInFewGroups)
{
    KL_NEED_CUPTI();
    const auto chips = listSupportedChips();
    ASSERT_TRUE(chips.ok());
    int planned = 0;
    for (const std::string& chip : *chips) {
        const auto host = MetricHost::open(chip, {}, MetricUse::pmSampling);
        const auto groups = host ? planPmSampling(**host) : Result<std::vector<PmGroup>>(host.error());
        if (chip.starts_with("GV")) {
            EXPECT_FALSE(groups.ok()) << chip;
            continue;
        }
        ASSERT_TRUE(groups.ok()) << chip << ": " << groups.error().message;
        ++planned;
        EXPECT_LE(groups->size(), 3U) << chip;
        const std::set<PmRole> roles = listRoles(*groups);
        for (const PmRole role : {PmRole::activeSms, PmRole::activeWarps, PmRole::instructions, PmRole::l2})
            EXPECT_TRUE(roles.contains(role)) << chip << ' ' << findPmRoleInfo(role).word;
        const bool unifiedMemory = chip == "GA10B" || chip == "GB10B" || chip == "GB20B"; // no DRAM of its own
        EXPECT_EQ(roles.contains(PmRole::dram), !unifiedMemory) << chip;
        for (const PmGroup& group : *groups) {
            EXPECT_EQ(group.front().role, PmRole::activeSms) << chip;
            std::vector<std::string> names;
            for (const PmMetric& metric : group) {
                EXPECT_EQ(findPmRole(metric.name), metric.role) << metric.name;
                names.push_back(metric.name);
            }
            const Result<int> passes = (*host)->passes(names);
            ASSERT_TRUE(passes.ok());
            EXPECT_EQ(*passes, 1) << chip;
        }
    }
    EXPECT_GE(planned, 20);
}

TEST(CuptiPmPlan, HopperAndBlackwellForDataCentersNeedOneExecution)
{
    KL_NEED_CUPTI();
    for (const char* chip : {"GH100", "GB100"}) {
        const auto host = MetricHost::open(chip, {}, MetricUse::pmSampling);
        ASSERT_TRUE(host.ok());
        const auto groups = planPmSampling(**host);
        ASSERT_TRUE(groups.ok());
        EXPECT_EQ(groups->size(), 1U) << chip;
        EXPECT_EQ(listRoles(*groups).size(), pmRoles().size()) << chip;
    }
}

/// A chip that samples so many metrics in one pass, and some in none.
class SamplingChip final : public MetricSource {
public:
    explicit SamplingChip(std::vector<std::string> names, std::size_t room = 100) : names_(std::move(names)), room_(room) {}
    const std::string& chip() const noexcept override { return chip_; }
    bool has(const std::string&) override { return true; }
    Result<int> passes(const std::vector<std::string>& metrics) override
    {
        const bool tooMuch =
            metrics.size() > room_ || std::ranges::any_of(metrics, [&](const std::string& one) { return expensive.contains(one); });
        return tooMuch ? 2 : 1;
    }
    const std::vector<std::string>& baseNames() override { return names_; }
    std::vector<std::string> rollups(const std::string&) override { return {}; }

    std::set<std::string> expensive;

private:
    std::string chip_ = "GX100";
    std::vector<std::string> names_;
    std::size_t room_;
};

std::vector<std::vector<std::string>> namesIn(const std::vector<PmGroup>& groups)
{
    std::vector<std::vector<std::string>> all;
    for (const PmGroup& group : groups) {
        all.emplace_back();
        for (const PmMetric& metric : group)
            all.back().push_back(metric.name.substr(0, metric.name.size() - kPmRollup.size()));
    }
    return all;
}

TEST(PmPlan, AGroupHoldsWhatOnePassSamples)
{
    using Groups = std::vector<std::vector<std::string>>;
    const std::vector<std::string> names{"dram__throughput", "sm__cycles_active", "sm__throughput", "sm__warps_active", "other__metric"};
    SamplingChip roomy(names);
    EXPECT_EQ(namesIn(*planPmSampling(roomy)), (Groups{{"sm__cycles_active", "sm__warps_active", "sm__throughput", "dram__throughput"}}));
    SamplingChip narrow(names, 3);
    EXPECT_EQ(namesIn(*planPmSampling(narrow)),
              (Groups{{"sm__cycles_active", "sm__warps_active", "sm__throughput"}, {"sm__cycles_active", "dram__throughput"}}));
    SamplingChip single(names, 1);
    EXPECT_EQ(namesIn(*planPmSampling(single)), (Groups{{"sm__cycles_active"}})) << "what does not fit beside it is left out";
}

TEST(PmPlan, OfEachRoleTheBestNameIsTakenThatNeedsOnePass)
{
    const auto chooseL2 = [](const std::vector<std::string>& names, const std::set<std::string>& expensive = {}) {
        std::vector<std::string> all{"sm__cycles_active"};
        all.insert(all.end(), names.begin(), names.end());
        SamplingChip chip(all);
        chip.expensive = expensive;
        const auto groups = planPmSampling(chip);
        return groups->front().size() > 1 ? namesIn(*groups).front().at(1) : std::string();
    };
    const std::string rollup(kPmRollup);
    EXPECT_EQ(chooseL2({"lts__t_sectors", "lts__throughput"}), "lts__throughput") << "by the order of the role's names";
    EXPECT_EQ(chooseL2({"lts__throughput", "TriageA.lts__throughput", "FBSP.TriageCompute.lts__t_sectors"}),
              "FBSP.TriageCompute.lts__t_sectors")
        << "the configuration comes first";
    EXPECT_EQ(chooseL2({"lts__throughput", "TriageA.lts__throughput", "TriageAC.lts__throughput"}), "TriageAC.lts__throughput");
    EXPECT_EQ(chooseL2({"lts__throughput", "TriageTop.lts__throughput"}), "TriageTop.lts__throughput");
    EXPECT_EQ(chooseL2({"lts__throughput", "TriageA.lts__throughput"}, {"TriageA.lts__throughput" + rollup}), "lts__throughput");
    EXPECT_EQ(chooseL2({"lts__throughput"}, {"lts__throughput" + rollup}), "");
    EXPECT_EQ(chooseL2({"Unknown.lts__throughput"}), "");
}

TEST(PmPlan, WithoutActiveSmsALaunchCannotBeFound)
{
    SamplingChip chip({"sm__throughput", "dram__throughput"});
    const auto none = planPmSampling(chip);
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.error().code, ErrorCode::environment);
    EXPECT_EQ(none.error().where, "GX100");
}

TEST(PmPlan, TheIntervalGrowsWithTheLaunch)
{
    EXPECT_EQ(pmIntervalNs(100'000), 1000U);
    EXPECT_EQ(pmIntervalNs(250'000), 1000U);
    EXPECT_EQ(pmIntervalNs(260'000), 2000U);
    EXPECT_EQ(pmIntervalNs(10'000'000), 40'000U);
    EXPECT_TRUE(triggersBySystemClock("GA100"));
    EXPECT_FALSE(triggersBySystemClock("GH100"));
    EXPECT_FALSE(triggersBySystemClock("GA102"));
    EXPECT_TRUE(triggersBySystemClock("TU102"));
}

TEST(PmPlan, ALaunchIsFoundByTheActiveSms)
{
    const PmGroup group{{PmRole::activeSms, "sm"}, {PmRole::dram, "dram"}};
    const std::vector<PmSample> samples{{0, 900'000, {4.5, 0.5}},
                                        {900'000, 901'000, {0, 0.1}},
                                        {901'000, 902'000, {55.5, 60.12345}},
                                        {902'000, 903'008, {99, 70}},
                                        {903'008, 904'000, {0, 1}}};
    const PmPass pass = makePass(samples, group);
    EXPECT_EQ(pass.endNs, (std::vector<double>{1000, 2008}));
    ASSERT_EQ(pass.series.size(), 2U);
    EXPECT_EQ(pass.series[1], (PmSeries{"dram", {60.123, 70}}));
    EXPECT_TRUE(makePass({}, group).endNs.empty());
    EXPECT_TRUE(makePass(std::vector<PmSample>{{0, 1000, {0, 5}}}, group).endNs.empty());
}

} // namespace
} // namespace kl::test
#endif
