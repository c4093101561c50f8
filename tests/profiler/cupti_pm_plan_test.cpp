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

std::set<PmRole> rolesOf(const std::vector<PmGroup>& groups)
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
    const auto chips = supportedChips();
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
        const std::set<PmRole> roles = rolesOf(*groups);
        for (const PmRole role : {PmRole::activeSms, PmRole::activeWarps, PmRole::instructions, PmRole::l2})
            EXPECT_TRUE(roles.contains(role)) << chip << ' ' << infoOf(role).word;
        const bool unifiedMemory = chip == "GA10B" || chip == "GB10B" || chip == "GB20B"; // no DRAM of its own
        EXPECT_EQ(roles.contains(PmRole::dram), !unifiedMemory) << chip;
        for (const PmGroup& group : *groups) {
            EXPECT_EQ(group.front().role, PmRole::activeSms) << chip;
            std::vector<std::string> names;
            for (const PmMetric& metric : group) {
                EXPECT_EQ(pmRoleOf(metric.name), metric.role) << metric.name;
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
        EXPECT_EQ(rolesOf(*groups).size(), pmRoles().size()) << chip;
    }
}

TEST(PmPlan, TheIntervalGrowsWithTheLaunch)
{
    EXPECT_EQ(pmIntervalNs(100'000), 1000U);
    EXPECT_EQ(pmIntervalNs(250'000), 1000U);
    EXPECT_EQ(pmIntervalNs(260'000), 2000U);
    EXPECT_EQ(pmIntervalNs(10'000'000), 40'000U);
    EXPECT_TRUE(triggersBySystemClock("GA100"));
    EXPECT_FALSE(triggersBySystemClock("GH100"));
}

TEST(PmPlan, ALaunchIsFoundByTheActiveSms)
{
    const PmGroup group{{PmRole::activeSms, "sm"}, {PmRole::dram, "dram"}};
    const std::vector<PmSample> samples{{0, 900'000, {4.5, 0.5}},
                                        {900'000, 901'000, {0, 0.1}},
                                        {901'000, 902'000, {55.5, 60.12345}},
                                        {902'000, 903'008, {99, 70}},
                                        {903'008, 904'000, {0, 1}}};
    const PmPass pass = passOf(samples, group);
    EXPECT_EQ(pass.endNs, (std::vector<double>{1000, 2008}));
    ASSERT_EQ(pass.series.size(), 2U);
    EXPECT_EQ(pass.series[1], (PmSeries{"dram", {60.123, 70}}));
    EXPECT_TRUE(passOf({}, group).endNs.empty());
    EXPECT_TRUE(passOf(std::vector<PmSample>{{0, 1000, {0, 5}}}, group).endNs.empty());
}

} // namespace
} // namespace kl::test
#endif
