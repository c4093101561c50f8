// SPDX-License-Identifier: MIT
// CUPTI's host side answers about every chip without a GPU.
#ifdef KL_HAVE_LIVE
#include "core/device/metric_catalogue.h"
#include "profiler/live/cupti/activity.h"
#include "profiler/live/cupti/cupti_api.h"
#include "profiler/live/cupti/device_support.h"
#include "profiler/live/cupti/metric_host.h"
#include "profiler/live/cupti/range_profiler.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace kl {
namespace {

#define KL_NEED_CUPTI()                                                                                                                    \
    if (const auto& loaded = CuptiApi::load(); !loaded.ok())                                                                               \
    GTEST_SKIP() << loaded.error().message << " " << loaded.error().detail

class CuptiChip : public testing::TestWithParam<const char*> {};

TEST_P(CuptiChip, HasEveryMetricOfEveryTierOrSaysWhyNot)
{
    KL_NEED_CUPTI();
    const auto host = MetricHost::open(GetParam());
    ASSERT_TRUE(host.ok()) << host.error().detail;
    const auto selection = selectMetrics({2, {}, 0}, **host);
    ASSERT_TRUE(selection.ok());
    for (const auto& [name, reason] : selection->missing) {
        const MetricInfo* metric = findMetric(name);
        ASSERT_NE(metric, nullptr);
        EXPECT_FALSE(lackReason(*metric, GetParam()).empty()) << name << " is lacked without a reason";
    }
    EXPECT_LE(selection->missing.size(), 3u);
    EXPECT_EQ(selection->names.size() + selection->missing.size(), metricCatalogue().size());
}

TEST_P(CuptiChip, CollectsTierZeroWholeInOnePass)
{
    KL_NEED_CUPTI();
    const auto host = MetricHost::open(GetParam());
    ASSERT_TRUE(host.ok());
    const auto selection = selectMetrics({0, {}, 0}, **host);
    ASSERT_TRUE(selection.ok());
    EXPECT_EQ(selection->names.size(), 15u);
    EXPECT_EQ(selection->passes, 1);
}

TEST_P(CuptiChip, CollectsTierOneInAtMostFourPassesAndTierTwoInNineteen)
{
    KL_NEED_CUPTI();
    const auto host = MetricHost::open(GetParam());
    ASSERT_TRUE(host.ok());
    const auto one = selectMetrics({1, {}, 0}, **host);
    const auto two = selectMetrics({2, {}, 0}, **host);
    ASSERT_TRUE(one.ok() && two.ok());
    EXPECT_LE(one->passes, 4);
    EXPECT_LE(two->passes, 19);
    EXPECT_GT(two->passes, one->passes);
}

INSTANTIATE_TEST_SUITE_P(Chips, CuptiChip, testing::Values("GA100", "AD102", "GH100", "GB100", "GB202"),
                         [](const auto& given) { return std::string(given.param); });

TEST(CuptiHost, HopperTakesThreePassesForTierOne)
{
    KL_NEED_CUPTI();
    const auto host = MetricHost::open("GH100");
    ASSERT_TRUE(host.ok());
    EXPECT_EQ(selectMetrics({1, {}, 0}, **host)->passes, 3);
}

TEST(CuptiHost, TellsASubMetricFromAnUnknownOne)
{
    KL_NEED_CUPTI();
    const auto host = MetricHost::open("GH100");
    ASSERT_TRUE(host.ok());
    EXPECT_TRUE((*host)->has("dram__bytes_read.sum"));
    EXPECT_TRUE((*host)->has("lts__t_sector_hit_rate.pct"));
    EXPECT_TRUE((*host)->has("smsp__issue_active.avg.per_cycle_active"));
    EXPECT_FALSE((*host)->has("dram__bytes_read.nonsense"));
    EXPECT_FALSE((*host)->has("dram__bytes_read"));
    EXPECT_FALSE((*host)->has("no__such.sum"));
    EXPECT_FALSE((*host)->has(""));
}

TEST(CuptiHost, AnUnknownNameAmongKnownOnesEndsUpMissing)
{
    KL_NEED_CUPTI();
    const auto host = MetricHost::open("GB202");
    ASSERT_TRUE(host.ok());
    const auto selection = selectMetrics({2, {"no__such.sum", "dram__bytes_read.sum"}, 0}, **host);
    ASSERT_TRUE(selection.ok());
    EXPECT_EQ(selection->chipNames, std::vector<std::string>{"dram__bytes_op_read.sum"});
    EXPECT_EQ(selection->missing.count("no__such.sum"), 1u);
    EXPECT_EQ(selection->passes, 1);
}

TEST(CuptiHost, NothingToCollectIsNoPass)
{
    KL_NEED_CUPTI();
    const auto host = MetricHost::open("GH100");
    ASSERT_TRUE(host.ok());
    const auto selection = selectMetrics({2, {"no__such.sum"}, 0}, **host);
    ASSERT_TRUE(selection.ok());
    EXPECT_EQ(selection->passes, 0);
}

TEST(CuptiHost, ALimitOfPassesIsKept)
{
    KL_NEED_CUPTI();
    const auto host = MetricHost::open("GH100");
    ASSERT_TRUE(host.ok());
    const auto selection = selectMetrics({2, {}, 5}, **host);
    ASSERT_TRUE(selection.ok());
    EXPECT_LE(selection->passes, 5);
    EXPECT_GT(selection->names.size(), metricsOfTier(1).size());
    EXPECT_FALSE(selection->missing.empty());
}

TEST(CuptiHost, TheTensorWorkOfAdaHasItsOwnNames)
{
    KL_NEED_CUPTI();
    const auto host = MetricHost::open("AD102");
    ASSERT_TRUE(host.ok());
    const auto selection = selectMetrics({2, {"sm__ops_path_tensor_src_fp16.sum"}, 0}, **host);
    ASSERT_TRUE(selection.ok());
    EXPECT_EQ(selection->chipNames, std::vector<std::string>{"sm__ops_path_tensor_src_fp16_dst_fp32.sum"});
}

TEST(CuptiHost, RefusesAChipThatDoesNotExist)
{
    KL_NEED_CUPTI();
    const auto host = MetricHost::open("XX100");
    ASSERT_FALSE(host.ok());
    EXPECT_EQ(host.error().code, ErrorCode::environment);
    EXPECT_NE(host.error().detail.find("CUPTI_ERROR_INVALID_CHIP_NAME"), std::string::npos);
}

TEST(CuptiHost, KnowsTheSupportedChips)
{
    KL_NEED_CUPTI();
    const auto chips = supportedChips();
    ASSERT_TRUE(chips.ok());
    EXPECT_NE(std::ranges::find(*chips, "GH100"), chips->end());
    EXPECT_NE(std::ranges::find(*chips, "AD102"), chips->end());
}

TEST(CuptiHost, TellsItsVersion)
{
    KL_NEED_CUPTI();
    const auto version = cuptiVersion();
    ASSERT_TRUE(version.ok());
    EXPECT_TRUE(version->starts_with("1")) << *version;
}

TEST(CuptiErrors, NoPermissionIsOneSentenceWithTheFix)
{
    const Status status = checkCupti(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "cuptiRangeProfilerEnable");
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::environment);
    EXPECT_NE(status.error().message.find("RmProfilingAdminOnly: 1"), std::string::npos);
    EXPECT_NE(status.error().hint.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos);
    EXPECT_NE(status.error().detail.find("cuptiRangeProfilerEnable"), std::string::npos);
}

TEST(CuptiErrors, CausesThatAUserCanMendHaveAFix)
{
    for (const CUptiResult result :
         {CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED,
          CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, CUPTI_ERROR_HARDWARE_BUSY, CUPTI_ERROR_NOT_COMPATIBLE}) {
        const Status status = checkCupti(result, "cuptiProfilerInitialize");
        ASSERT_FALSE(status.ok());
        EXPECT_FALSE(status.error().hint.empty()) << result;
        EXPECT_EQ(status.error().message.find("refused"), std::string::npos) << result;
    }
}

TEST(CuptiErrors, AnyOtherErrorNamesTheCall)
{
    const Status status = checkCupti(CUPTI_ERROR_INVALID_PARAMETER, "cuptiRangeProfilerStart");
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.error().message.find("cuptiRangeProfilerStart"), std::string::npos);
    EXPECT_TRUE(checkCupti(CUPTI_SUCCESS, "cuptiRangeProfilerStart").ok());
}

TEST(CuptiErrors, NamesWhyADeviceHasNoCounters)
{
    CUpti_Profiler_DeviceSupported_Params answer{};
    answer.isSupported = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
    answer.architecture = answer.sli = answer.cmp = answer.wsl = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
    answer.vGpu = CUPTI_PROFILER_CONFIGURATION_DISABLED;
    answer.confidentialCompute = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
    const Status status = judgeDeviceSupport(answer);
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.error().message.find("virtual GPU"), std::string::npos);
    EXPECT_NE(status.error().message.find("confidential computing"), std::string::npos);
    EXPECT_EQ(status.error().message.find("SLI"), std::string::npos);
}

TEST(CuptiErrors, ASupportedDevicePasses)
{
    CUpti_Profiler_DeviceSupported_Params answer{};
    answer.isSupported = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
    EXPECT_TRUE(judgeDeviceSupport(answer).ok());
}

} // namespace
} // namespace kl
#endif
