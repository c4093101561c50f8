// SPDX-License-Identifier: MIT
// CUPTI's host side answers about every chip without a GPU.
#ifdef KL_HAVE_LIVE
#include "core/device/metric_catalog.h"
#include "core/device/metric_sections.h"
#include "profiler/live/cupti/activity.h"
#include "profiler/live/cupti/cupti_api.h"
#include "profiler/live/cupti/describe_metrics.h"
#include "profiler/live/cupti/device_support.h"
#include "profiler/live/cupti/metric_host.h"
#include "profiler/live/cupti/range_profiler.h"
#include "tests/support/snapshot.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace kl {
namespace {

#define KL_NEED_CUPTI()                                                                                                                    \
    if (const auto& loaded = CuptiApi::load(); !loaded.ok())                                                                               \
    GTEST_SKIP() << loaded.error().message << " " << loaded.error().detail

/// Passes of each tier as CUPTI 13.0 packs them. GH100 keeps its order of metrics for this: see metricCatalog().
struct ChipRow {
    const char* chip;
    int passes[3];
};
constexpr ChipRow kChips[] = {
    {"GA100", {1, 4, 15}}, {"AD102", {1, 4, 16}}, {"GH100", {1, 3, 19}}, {"GB100", {1, 3, 17}}, {"GB202", {1, 4, 19}},
};

class CuptiChip : public testing::TestWithParam<ChipRow> {
protected:
    void SetUp() override
    {
        KL_NEED_CUPTI();
        auto opened = MetricHost::open(GetParam().chip);
        ASSERT_TRUE(opened.ok()) << opened.error().detail;
        host = std::move(*opened);
    }
    std::unique_ptr<MetricHost> host;
};

TEST_P(CuptiChip, HasEveryMetricTranslatesItOrLacksItForTheStatedReason)
{
    for (const MetricInfo& metric : metricCatalog()) {
        const std::string name(metric.name);
        bool there = host->has(name);
        for (const std::string_view alternative : metric.alternatives)
            there = there || host->has(std::string(alternative));
        EXPECT_EQ(there, lackReason(metric, GetParam().chip).empty()) << name;
    }
}

TEST_P(CuptiChip, StoresATranslatedMetricUnderTheCatalogsName)
{
    const auto selection = selectMetrics({2, {}, 0}, *host);
    ASSERT_TRUE(selection.ok());
    EXPECT_EQ(selection->names.size() + selection->missing.size(), metricCatalog().size());
    for (const auto& [name, chipName] : selection->mapSpelled()) {
        EXPECT_FALSE(host->has(name)) << name;
        EXPECT_TRUE(host->has(chipName)) << chipName;
    }
}

TEST_P(CuptiChip, PacksTheTiersIntoTheTabledPasses)
{
    const auto version = cuptiVersion();
    ASSERT_TRUE(version.ok());
    for (int tier = 0; tier <= 2; ++tier) {
        const auto selection = selectMetrics({tier, {}, 0}, *host);
        ASSERT_TRUE(selection.ok());
        EXPECT_EQ(selection->names.size() + selection->missing.size(), listTierMetrics(tier).size());
        if (version->starts_with("13.0"))
            EXPECT_EQ(selection->passes, GetParam().passes[tier]) << "tier " << tier;
        else
            EXPECT_LE(selection->passes, GetParam().passes[tier] + tier) << "tier " << tier << " with CUPTI " << *version;
    }
}

TEST_P(CuptiChip, HasEveryMetricOfTheSectionsOrTheCatalogSaysWhyNot)
{
    for (const MetricSection& section : metricSections()) {
        if (!section.isOn(GetParam().chip))
            continue;
        const auto selection = selectMetrics({2, section.metrics, 0}, *host);
        ASSERT_TRUE(selection.ok()) << section.id;
        EXPECT_GT(selection->passes, 0) << section.id;
        for (const auto& [name, reason] : selection->missing) {
            const MetricInfo* metric = findMetric(name);
            ASSERT_NE(metric, nullptr) << section.id << ' ' << name;
            EXPECT_FALSE(lackReason(*metric, GetParam().chip).empty()) << section.id << ' ' << name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Chips, CuptiChip, testing::ValuesIn(kChips), [](const auto& given) { return std::string(given.param.chip); });

TEST(CuptiHost, EveryChipThatCuptiKnowsLacksOnlyWhatTheCatalogSays)
{
    KL_NEED_CUPTI();
    const auto chips = listSupportedChips();
    ASSERT_TRUE(chips.ok());
    int configured = 0;
    for (const std::string& chip : *chips) {
        const auto host = MetricHost::open(chip);
        if (!host) // CUPTI 13.0 lists GV11B and cannot configure it
            continue;
        ++configured;
        for (const MetricInfo& metric : metricCatalog()) {
            bool there = (*host)->has(std::string(metric.name));
            for (const std::string_view alternative : metric.alternatives)
                there = there || (*host)->has(std::string(alternative));
            EXPECT_EQ(there, lackReason(metric, chip).empty()) << chip << ' ' << metric.name;
        }
    }
    EXPECT_GE(configured, 20);
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
    EXPECT_GT(selection->names.size(), listTierMetrics(1).size());
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

TEST(CuptiHost, DescribesAMetricInCuptisWords)
{
    KL_NEED_CUPTI();
    const auto host = MetricHost::open("GH100");
    ASSERT_TRUE(host.ok());
    const auto words = (*host)->describe("dram__bytes_read.sum");
    ASSERT_TRUE(words.has_value());
    EXPECT_NE(words->text.find("DRAM"), std::string::npos);
    EXPECT_EQ(words->hardwareUnit, "dram");
    EXPECT_FALSE((*host)->describe("no__such.sum").has_value());
}

TEST(CuptiHost, SearchesNamesAndDescriptions)
{
    KL_NEED_CUPTI();
    auto host = MetricHost::open("GH100");
    ASSERT_TRUE(host.ok());
    CounterHost counters(std::move(*host));
    MetricsRequest request;
    request.search = "BYTES READ FROM DRAM";
    const auto answer = describeMetrics(request, counters);
    ASSERT_TRUE(answer.ok());
    const auto found = std::ranges::find(answer->found, "dram__bytes_read.sum", &ChipMetric::name);
    ASSERT_NE(found, answer->found.end());
    EXPECT_EQ(found->passes, 1);
    EXPECT_NE(std::ranges::find(found->rollups, "sum.per_second"), found->rollups.end());
    request.search = "";
    request.limit = 2;
    const auto all = describeMetrics(request, counters);
    ASSERT_TRUE(all.ok());
    EXPECT_EQ(all->found.size(), 2u);
    EXPECT_GT(all->matches, 1000);
}

TEST(CuptiHost, PlansWhatIsRequestedAndTellsStrangersFromMetricsOfOtherChips)
{
    KL_NEED_CUPTI();
    auto host = MetricHost::open("GH100");
    ASSERT_TRUE(host.ok());
    CounterHost counters(std::move(*host));
    MetricsRequest request;
    request.metrics = {"regex:^dram__bytes_(read|write)$", "dram__bytes_op_write.avg", "dram__byte_read.sum"};
    const auto answer = describeMetrics(request, counters);
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer->chip, "GH100");
    EXPECT_EQ(answer->names, (std::vector<std::string>{"dram__bytes_read.sum", "dram__bytes_write.sum"}));
    EXPECT_EQ(answer->passes, 1);
    EXPECT_NE(answer->missing.at("dram__bytes_op_write.avg").find("GB202"), std::string::npos);
    ASSERT_EQ(answer->unknown.size(), 1u);
    EXPECT_EQ(answer->unknown.at("dram__byte_read.sum").front(), "dram__bytes_read.sum");
}

TEST(CuptiHost, AnAnswerHasTheChipsSpellingsAndSearchesOnlyWhatMatches)
{
    KL_NEED_CUPTI();
    auto host = MetricHost::open("GB202");
    ASSERT_TRUE(host.ok());
    CounterHost counters(std::move(*host));
    MetricsRequest request;
    request.metrics = {"dram__bytes_read.sum"};
    const auto planned = describeMetrics(request, counters);
    ASSERT_TRUE(planned.ok());
    EXPECT_EQ(planned->chip, "GB202");
    EXPECT_EQ(planned->spelled, (std::map<std::string, std::string>{{"dram__bytes_read.sum", "dram__bytes_op_read.sum"}}));
    EXPECT_TRUE(planned->missing.empty());
    EXPECT_NE(std::ranges::find(planned->chips, "GH100"), planned->chips.end());
    request.metrics.clear();
    request.search = "dram__bytes_op sum";
    request.limit = 1;
    const auto none = describeMetrics(request, counters);
    ASSERT_TRUE(none.ok());
    EXPECT_TRUE(none->names.empty()) << "a search plans nothing";
    request.search = "DRAM__BYTES_OP_READ";
    const auto found = describeMetrics(request, counters);
    ASSERT_TRUE(found.ok());
    ASSERT_EQ(found->found.size(), 1U);
    EXPECT_TRUE(found->found[0].name.starts_with("dram__bytes_op_read")) << found->found[0].name;
    EXPECT_FALSE(found->found[0].description.empty());
    EXPECT_FALSE(found->found[0].hardwareUnit.empty());
    EXPECT_FALSE(found->found[0].unit.empty());
    EXPECT_NE(found->found[0].hardwareUnit, found->found[0].unit);
    EXPECT_GE(found->matches, 1);
    request.search = "dram__bytes_op_read no_such_word_at_all";
    EXPECT_EQ(describeMetrics(request, counters)->matches, 0) << "every word counts";
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
    const auto chips = listSupportedChips();
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

TEST(CuptiErrors, CausesThatAUserCanFixHaveAFix)
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

/// The message about a device that is not supported, for these two causes or without one.
std::string whyUnsupported(CUpti_Profiler_Support_Level vGpu, CUpti_Profiler_Support_Level confidential)
{
    CUpti_Profiler_DeviceSupported_Params answer{};
    answer.isSupported = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
    answer.architecture = answer.sli = answer.cmp = answer.wsl = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
    answer.vGpu = vGpu;
    answer.confidentialCompute = confidential;
    const Status status = judgeDeviceSupport(answer);
    EXPECT_FALSE(status.ok());
    return status ? std::string() : status.error().message;
}

TEST(CuptiErrors, NamesWhyADeviceHasNoCounters)
{
    const CUpti_Profiler_Support_Level yes = CUPTI_PROFILER_CONFIGURATION_SUPPORTED, no = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED,
                                       off = CUPTI_PROFILER_CONFIGURATION_DISABLED;
    const std::string none = whyUnsupported(yes, yes), virtualGpu = whyUnsupported(off, yes), confidential = whyUnsupported(yes, no),
                      both = whyUnsupported(off, no);
    EXPECT_EQ((std::set<std::string>{none, virtualGpu, confidential, both}).size(), 4U);
    const auto causeIn = [](const std::string& message) {
        const std::size_t begin = message.find(": ") + 2;
        return message.substr(begin, message.size() - 1 - begin); // without the last full stop
    };
    EXPECT_NE(both.find(causeIn(virtualGpu)), std::string::npos) << both;
    EXPECT_NE(both.find(causeIn(confidential)), std::string::npos) << both;
    EXPECT_EQ(both.find(causeIn(none)), std::string::npos) << both;
    EXPECT_EQ(both.find("SLI"), std::string::npos) << both;
}

TEST(CuptiErrors, SnapshotOfWhyADeviceHasNoCounters)
{
    const CUpti_Profiler_Support_Level yes = CUPTI_PROFILER_CONFIGURATION_SUPPORTED, no = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
    test::expectSnapshot("texts/device-support.txt", "no reason | " + whyUnsupported(yes, yes) + "\nvGPU | " + whyUnsupported(no, yes) +
                                                         "\nconfidential | " + whyUnsupported(yes, no) + "\nboth | " +
                                                         whyUnsupported(no, no) + '\n');
}

TEST(CuptiErrors, EachCauseHasItsWordsAndAFixOfItsOwn)
{
    std::set<std::string> messages, hints;
    const std::vector<CUptiResult> causes{CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED,
                                          CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES,
                                          CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED,
                                          CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED,
                                          CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED,
                                          CUPTI_ERROR_HARDWARE_BUSY,
                                          CUPTI_ERROR_NOT_COMPATIBLE};
    for (const CUptiResult cause : causes) {
        const Status status = checkCupti(cause, "cuptiProfilerInitialize");
        ASSERT_FALSE(status.ok());
        EXPECT_EQ(status.error().code, ErrorCode::environment) << cause;
        EXPECT_NE(status.error().hint, status.error().message) << cause;
        EXPECT_TRUE(status.error().detail.starts_with("cuptiProfilerInitialize: ")) << status.error().detail;
        EXPECT_TRUE(status.error().next.empty()) << cause;
        messages.insert(status.error().message);
        hints.insert(status.error().hint);
    }
    EXPECT_EQ(messages.size(), causes.size());
    EXPECT_EQ(hints.size(), causes.size());
    EXPECT_NE(checkCupti(CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, "c").error().hint.find("-mig 0"), std::string::npos);
    EXPECT_NE(checkCupti(CUPTI_ERROR_HARDWARE_BUSY, "c").error().hint.find("dcgm"), std::string::npos);
}

TEST(CuptiErrors, WhatIsNotKnownLeadsToTheCheckOfTheMachine)
{
    const Status other = checkCupti(CUPTI_ERROR_INVALID_PARAMETER, "cuptiRangeProfilerStart");
    ASSERT_FALSE(other.ok());
    EXPECT_EQ(other.error().code, ErrorCode::environment);
    EXPECT_TRUE(other.error().detail.starts_with("cuptiRangeProfilerStart: ")) << other.error().detail;
    ASSERT_EQ(other.error().next.size(), 1U);
    EXPECT_EQ(other.error().next[0].id, StepId::checkEnvironment);
    EXPECT_TRUE(checkCupti(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "c").error().next.empty());
    EXPECT_EQ(checkCupti(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "c").error().message, makeNotPermittedError().message);
}

TEST(CuptiErrors, CountersAreBusyByTheNameOfTheError)
{
    EXPECT_TRUE(countersBusy({.code = ErrorCode::environment, .message = "m", .detail = "call: CUPTI_ERROR_HARDWARE_BUSY"}));
    EXPECT_FALSE(countersBusy({.code = ErrorCode::environment, .message = "HARDWARE_BUSY", .detail = "call: CUPTI_ERROR_UNKNOWN"}));
}

TEST(CuptiErrors, EveryFeatureThatIsUnsupportedOrDisabledIsAReason)
{
    using Params = CUpti_Profiler_DeviceSupported_Params;
    const auto explainUnsupported = [](const std::vector<CUpti_Profiler_Support_Level Params::*>& features,
                                       CUpti_Profiler_Support_Level level) {
        Params answer{};
        answer.isSupported = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
        answer.architecture = answer.sli = answer.vGpu = answer.confidentialCompute = answer.cmp = answer.wsl =
            CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
        for (const auto feature : features)
            answer.*feature = level;
        const Status status = judgeDeviceSupport(answer);
        EXPECT_FALSE(status.ok());
        EXPECT_EQ(status.error().code, ErrorCode::environment);
        EXPECT_FALSE(status.error().hint.empty());
        const std::size_t colon = status.error().message.find(": ");
        return status.error().message.substr(colon + 2, status.error().message.size() - colon - 3); // without the full stop
    };
    const std::vector<std::pair<CUpti_Profiler_Support_Level Params::*, const char*>> features{
        {&Params::architecture, "7.0"}, {&Params::sli, "SLI"}, {&Params::vGpu, "virtual"}, {&Params::confidentialCompute, "confidential"},
        {&Params::cmp, "CMP"},          {&Params::wsl, "WSL"}};
    const std::string none = explainUnsupported({}, CUPTI_PROFILER_CONFIGURATION_SUPPORTED);
    EXPECT_FALSE(none.empty());
    for (const auto& [feature, word] : features) {
        const std::string reason = explainUnsupported({feature}, CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED);
        EXPECT_NE(reason.find(word), std::string::npos) << reason;
        EXPECT_EQ(explainUnsupported({feature}, CUPTI_PROFILER_CONFIGURATION_DISABLED), reason);
        EXPECT_EQ(explainUnsupported({feature}, CUPTI_PROFILER_CONFIGURATION_UNKNOWN), none);
    }
    EXPECT_EQ(explainUnsupported({&Params::sli, &Params::wsl}, CUPTI_PROFILER_CONFIGURATION_DISABLED),
              explainUnsupported({&Params::sli}, CUPTI_PROFILER_CONFIGURATION_DISABLED) + ", " +
                  explainUnsupported({&Params::wsl}, CUPTI_PROFILER_CONFIGURATION_DISABLED));
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
