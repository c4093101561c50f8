// SPDX-License-Identifier: MIT
// Small functions over the model's values.
#include "core/device/metric_catalog.h"
#include "core/diagnosis/without_counters.h"
#include "core/model/baselines.h"
#include "core/model/comparison.h"
#include "core/model/device.h"
#include "core/model/environment.h"
#include "core/model/measurement.h"
#include "core/model/model_words.h"
#include "core/model/run.h"
#include "core/process/fd.h"
#include "core/stats/mismatch_text.h"
#include "tests/core/support/profiles.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <initializer_list>
#include <string>
#include <utility>

namespace kl {
namespace {

Baseline namedBaseline(const char* name, std::optional<double> ns)
{
    Baseline made;
    made.name = name;
    if (ns)
        made.gpu = Summary{*ns, *ns, *ns, 10};
    return made;
}

TEST(Baselines, TheFastestMeasuredOneIsToBeBeaten)
{
    EXPECT_FALSE(findFastest({}));
    EXPECT_EQ(findFastest({namedBaseline("a", 3), namedBaseline("b", 2), namedBaseline("c", 2)})->name, "b");
    EXPECT_EQ(findFastest({namedBaseline("unavailable", {}), namedBaseline("b", 9)})->name, "b");
    EXPECT_EQ(findFastest({namedBaseline("first", {}), namedBaseline("second", {})})->name, "first");
}

TEST(Device, CapabilityAndArchitectureAreWrittenAsCudaWritesThem)
{
    DeviceInfo device;
    device.ccMajor = 8;
    device.ccMinor = 9;
    EXPECT_EQ(computeCapability(device), "8.9");
    EXPECT_EQ(formatArch(device), "sm_89");
}

TEST(Measurement, EverythingButCorrectAndUncheckedIsRefuted)
{
    using enum CorrectnessResult;
    EXPECT_FALSE(isRefuted(notChecked));
    EXPECT_FALSE(isRefuted(correct));
    for (const CorrectnessResult bad :
         {incorrect, incorrectWhenTimed, stateful, replays, nonDeterministic, belowPhysics, precisionDowngrade})
        EXPECT_TRUE(isRefuted(bad));
}

TEST(MismatchText, SaysWhereWhichThreadAndBothValues)
{
    const std::string whole = mismatchText({"out", 35, 3.0, 4.5, "wrong", "m=2, n=3", "block (0, 1), thread (3, 2)", "by row"});
    EXPECT_TRUE(whole.starts_with("out[35] (m=2, n=3), block (0, 1), thread (3, 2) (by row): 4.5 ")) << whole;
    EXPECT_TRUE(whole.ends_with(" 3")) << whole;
    EXPECT_EQ(mismatchText({"out", 0, {}, {}, "FAULT", "", "", ""}), "out[0]: FAULT");
    const std::string rounded = mismatchText({"y", 1, 0.1, 0.30000000001, "wrong", "", "", ""});
    EXPECT_TRUE(rounded.starts_with("y[1]: 0.3 ")) << rounded;
    EXPECT_TRUE(rounded.ends_with(" 0.1")) << rounded;
}

TEST(StallReasons, ATitleForEachIdAndTheIdForAnother)
{
    EXPECT_EQ(stallTitle("long_scoreboard"), "long scoreboard");
    EXPECT_EQ(stallTitle("gmma"), "wgmma");
    EXPECT_EQ(stallTitle("new_reason"), "new_reason");
}

TEST(WithoutCounters, AProfileStaysOneAndARunARun)
{
    RunRecord run = test::recordedStrided();
    ASSERT_FALSE(run.metrics->values.empty());
    const RunRecord bare = withoutCounters(run);
    ASSERT_TRUE(bare.metrics);
    EXPECT_TRUE(bare.metrics->values.empty());
    EXPECT_EQ(bare.timing, run.timing);
    EXPECT_EQ(bare.launches, run.launches);
    run.metrics.reset();
    EXPECT_FALSE(withoutCounters(run).metrics);
}

TEST(Fd, WhatIsReplacedIsClosedAndWhatIsMovedFromIsEmpty)
{
    const auto isOpen = [](int number) { return ::fcntl(number, F_GETFD) != -1; };
    Fd first(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    Fd second(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    const int replaced = first.get();
    const int kept = second.get();
    first = std::move(second);
    EXPECT_FALSE(isOpen(replaced));
    EXPECT_TRUE(isOpen(kept));
    EXPECT_EQ(first.get(), kept);
    EXPECT_EQ(second.get(), -1); // NOLINT(bugprone-use-after-move): what a move leaves is tested
    first.close();
    EXPECT_FALSE(isOpen(kept));
    EXPECT_FALSE(static_cast<bool>(first));
}

TEST(WithoutCounters, NothingThatWasSampledStays)
{
    RunRecord run = test::recordedStrided();
    run.sourceProfile.emplace();
    EXPECT_FALSE(withoutCounters(run).sourceProfile);
}

TEST(StallReasons, AMetricOfSamplesHasItsReasonsWord)
{
    EXPECT_EQ(stallWord("smsp__pcsamp_warps_issue_stalled_long_scoreboard"), "long_scoreboard");
    EXPECT_EQ(stallWord("smsp__pcsamp_warps_issue_stalled_no_instructions"), "no_instruction");
    EXPECT_EQ(stallWord("smsp__pcsamp_warps_issue_stalled_warpgroup_arrive"), "gmma");
    EXPECT_EQ(stallWord("smsp__pcsamp_warps_issue_stalled_wait_not_issued"), "") << "the same samples once more";
    EXPECT_EQ(stallWord("smsp__average_warps_issue_stalled_wait"), "");
}

/// Every word of an enumeration in its order, and back.
template <class E> void expectWords(std::initializer_list<std::pair<E, std::string>> words)
{
    for (const auto& [value, word] : words) {
        EXPECT_EQ(toWord(value), word);
        EXPECT_EQ(enumFrom<E>(word), value) << word;
    }
    EXPECT_EQ(enumFrom<E>("never heard of"), words.begin()->first);
}

TEST(ModelWords, AreThoseOfJsonAndOfDatabases)
{
    expectWords<ResultStatus>({{ResultStatus::ok, "ok"},
                               {ResultStatus::computationFailed, "computation_failed"},
                               {ResultStatus::validationFailed, "validation_failed"},
                               {ResultStatus::compilationFailed, "compilation_failed"},
                               {ResultStatus::deviceLimitsExceeded, "device_limits_exceeded"}});
    expectWords<Source>({{Source::live, "live"}, {Source::sample, "sample"}, {Source::import, "import"}});
    expectWords<Verdict>({{Verdict::faster, "faster"},
                          {Verdict::slower, "slower"},
                          {Verdict::equivalent, "equivalent"},
                          {Verdict::inconclusive, "inconclusive"},
                          {Verdict::notComparable, "not-comparable"}});
    expectWords<Requirement>({{Requirement::required, "required"}, {Requirement::optional, "optional"}});
    expectWords<CheckResult>({{CheckResult::pass, "pass"}, {CheckResult::fail, "fail"}, {CheckResult::skipped, "skipped"}});
}

TEST(MismatchText, ShowsAsManyDigitsAsTellFloatsApart)
{
    const std::string close = mismatchText({"y", 1, 0.300000012, 0.300000042, "wrong", "", "", ""});
    EXPECT_TRUE(close.starts_with("y[1]: 0.300000042 ")) << close;
    EXPECT_TRUE(close.ends_with(" 0.300000012")) << close;
    const std::string none = mismatchText({"y", 7, 3.0, {}, "NaN", "i=7", "", "by row"});
    EXPECT_TRUE(none.starts_with("y[7] (i=7): NaN ")) << none;
    EXPECT_TRUE(none.ends_with(" 3")) << none;
    EXPECT_EQ(mismatchText({"y", 7, {}, 16777217.0, "wrong", "", "block 1, thread 2", "usual"}),
              "y[7], block 1, thread 2 (usual): 16777217");
}

} // namespace
} // namespace kl
