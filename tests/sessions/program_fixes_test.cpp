// SPDX-License-Identifier: MIT
// Names of a program's kernels, and the chances of their fixes.
#include "sessions/learning/recommend.h"
#include "sessions/program/program_profile.h"
#include "tests/sessions/program_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace kl {
namespace {

using support::codes;
using support::kCopy;
using support::kScale;
using support::process;
using support::profiled;
using support::summed;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(KernelNames, WithoutTypesAndArguments)
{
    EXPECT_EQ(shortKernelName("void lib::scale<float, (int)4>(float*, int)"), "scale<float, (int)4>");
    EXPECT_EQ(shortKernelName("void (anonymous namespace)::softmax<c10::Half>(x)"), "softmax<c10::Half>");
    EXPECT_EQ(shortKernelName("cudnn_sdpa_sm90"), "cudnn_sdpa_sm90");
    EXPECT_EQ(shortKernelName(""), "");
    EXPECT_THAT(kernelSlug("cudnn_Generated_fort.native"), ::testing::MatchesRegex("cudnn-generated-fort-native-[0-9a-f]{6}"));
    EXPECT_NE(kernelSlug("_Z5scalePfif"), kernelSlug("_Z5scalePdif"));
    EXPECT_LE(kernelSlug(std::string(500, 'x')).size(), 47U);
    EXPECT_THAT(kernelSlug("???"), ::testing::MatchesRegex("kernel-[0-9a-f]{6}"));
}

TEST(KernelNames, AreListedOnceAndOfManyTheFirst)
{
    EXPECT_EQ(listKernelNames({}), "");
    EXPECT_EQ(listKernelNames({"void lib::scale<float>(float*)", "copy(int)", "other::copy(int)"}), "copy, scale<float>");
    std::set<std::string> many{std::string(100, 'b')};
    for (int i = 0; i < 10; ++i)
        many.insert("c" + std::to_string(i));
    const std::string text = listKernelNames(many);
    EXPECT_THAT(text, ::testing::StartsWith(std::string(59, 'b') + "…, c0, "));
    EXPECT_THAT(text, HasSubstr("c6 "));
    EXPECT_THAT(text, ::testing::Not(HasSubstr("c7")));
    EXPECT_THAT(text, HasSubstr(" 3 "));
}

TEST(ProgramFixes, CarryTheChancesThatWereLearned)
{
    const DiagnosisTree tree = *DiagnosisTree::loadEmbedded();
    ProcessTrace trace = process(20, 50'000, 100'000);
    trace.profiled = {profiled(kScale, 50'000), profiled(kCopy, 50'000)};
    for (ProfiledLaunch& launch : trace.profiled)
        launch.metrics.values["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = 92;
    ProgramProfile profile = summed({trace});
    ASSERT_THAT(profile.runs, SizeIs(2));
    weighFixes(profile, loadShippedModel(), tree);
    EXPECT_THAT(codes(profile.notes), IsEmpty());
    int weighed = 0;
    for (const RunRecord& run : profile.runs)
        for (const Fix& fix : run.diagnosis->finding.fixes) {
            if (fix.kind.empty())
                continue;
            EXPECT_DOUBLE_EQ(fix.confidence, (*loadShippedModel())->estimateChance(computeState(run, tree), fix.kind).chance) << fix.kind;
            EXPECT_TRUE(fix.gain) << fix.kind;
            ++weighed;
        }
    EXPECT_GT(weighed, 0);

    weighFixes(profile, Error{.code = ErrorCode::badInput, .message = "It is damaged."}, tree);
    ASSERT_THAT(codes(profile.notes), ElementsAre("no-recommender")) << "once, of two kernels";
    EXPECT_THAT(profile.notes[0].text, HasSubstr("It is damaged."));
}

} // namespace
} // namespace kl
