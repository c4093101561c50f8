// SPDX-License-Identifier: MIT
#ifdef KL_HAVE_LIVE
#include "core/device/metric_catalog.h"
#include "core/model/kernel_code.h"
#include "core/model/source_lines.h"
#include "core/sass/line_table.h"
#include "profiler/live/cupti/cupti_api.h"
#include "profiler/live/cupti/sass_code.h"
#include "profiler/live/nvrtc/nvrtc.h"
#include "profiler/live/work/source_join.h"
#include "profiler/live/work/source_profile.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace kl {
namespace {

constexpr const char* kGather = R"(extern "C" __global__ void gather(const int* index, const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int where = index[i];
    float value = in[where];
    out[i] = value * 2.0f;
}
)";
constexpr int kIndexLine = 6;
constexpr int kLoadLine = 7;
constexpr int kUseLine = 8;

class SourceJoin : public testing::Test {
protected:
    void SetUp() override
    {
        if (const auto& loaded = Nvrtc::load(); !loaded)
            GTEST_SKIP() << loaded.error().message;
        if (const auto& loaded = CuptiApi::load(); !loaded)
            GTEST_SKIP() << loaded.error().message;
        auto compiled = Nvrtc::load()->compile({kGather, {}, "sm_90"});
        ASSERT_TRUE(compiled.ok() && compiled->ok);
        cubin = compiled->cubin;
    }

    /// The first instruction of a line that waits for one of another line.
    std::uint64_t waitingAt(int line) const
    {
        const auto code = SassCode::of(cubin, "gather");
        SourceLines places(cubin);
        for (std::uint64_t at = 0; at < code->bytes().size(); at += 16)
            if (const LineEntry* place = places.find("gather", static_cast<std::int64_t>(at)); place && place->line == line)
                for (const std::uint64_t from : code->findAwaited(at))
                    if (places.find("gather", static_cast<std::int64_t>(from))->line != line)
                        return at;
        ADD_FAILURE() << "no wait at line " << line;
        return 0;
    }

    std::string cubin;
};

TEST_F(SourceJoin, SamplesAndCountsMeetAtTheirLines)
{
    const std::uint64_t use = waitingAt(kUseLine);
    const std::uint64_t load = waitingAt(kLoadLine);
    const PcSamples samples{{{"gather", use, 1, {{"long_scoreboard", 70}, {"selected", 5}}},
                             {"gather", load, 1, {{"long_scoreboard", 20}, {"wait", 5}}},
                             {"other", 0, 1, {{"wait", 1000}}}},
                            1100,
                            0,
                            3,
                            2048};
    const std::vector<SassCount> counts{{"gather", use, 64, 0}, {"gather", use, 0, 2048}, {"gather", load, 64, 2000}, {"other", 0, 9, 9}};
    const SourceProfile profile = joinSource(samples, counts, cubin, "gather", {"other"});
    EXPECT_EQ(profile.launch, "gather");
    EXPECT_EQ(profile.samples, 100);
    EXPECT_EQ(profile.dropped, 3);
    EXPECT_EQ(profile.periodCycles, 2048);
    ASSERT_EQ(profile.lines.size(), 2u);
    const SourceLine& hottest = profile.lines[0];
    EXPECT_EQ(hottest.line, kUseLine);
    EXPECT_EQ(hottest.file, kSourceFile);
    EXPECT_DOUBLE_EQ(hottest.share, 0.75);
    EXPECT_EQ(hottest.executed, 64);
    EXPECT_EQ(hottest.threads, 2048);
    EXPECT_EQ(hottest.waitsFor, (std::map<std::string, std::int64_t>{{placeText(kSourceFile, kLoadLine), 70}}));
    EXPECT_EQ(findCause(hottest), (LinePlace{kSourceFile, kLoadLine}));
    EXPECT_EQ(findCause(profile.lines[1]), (LinePlace{kSourceFile, kIndexLine}));
    EXPECT_EQ(profile.instructions.size(), 2u);
    ASSERT_TRUE(profile.code);
    EXPECT_EQ(profile.code->functions, std::vector<std::string>{"gather"});
    EXPECT_EQ(profile.code->instructions.size() * 16, SassCode::of(cubin, "gather")->bytes().size()) << "all of them, also without samples";
    EXPECT_EQ(profile.code->samples(), 100);
    EXPECT_EQ(profile.code->computeCapability, 90);
    const auto sampled = std::ranges::find(profile.code->instructions, static_cast<std::int64_t>(use), &CodeInstruction::offset);
    EXPECT_EQ(sampled->line, kUseLine) << "the same as CUPTI's";
    EXPECT_EQ(sampled->executed, 64);
}

TEST_F(SourceJoin, BothKindsOfScoreboardAreWaitsForTheProducer)
{
    const std::uint64_t use = waitingAt(kUseLine);
    const auto waits = [&](const std::map<std::string, std::int64_t>& stalls) {
        const PcSamples samples{{{"gather", use, 1, stalls}}, 0, 0, 0, 32};
        return joinSource(samples, {}, cubin, "gather").lines.at(0).waitsFor;
    };
    const std::string load = placeText(kSourceFile, kLoadLine);
    EXPECT_EQ(waits({{"short_scoreboard", 30}}), (std::map<std::string, std::int64_t>{{load, 30}}));
    EXPECT_EQ(waits({{"short_scoreboard", 30}, {"long_scoreboard", 12}, {"wait", 5}}), (std::map<std::string, std::int64_t>{{load, 42}}));
    EXPECT_TRUE(waits({{"barrier", 9}, {"wait", 5}}).empty()) << "no producer is behind a barrier";
}

TEST_F(SourceJoin, OfTheSequencesOtherKernelsNeitherSamplesNorCountsAreTaken)
{
    const auto compiled =
        Nvrtc::load()->compile({"__device__ float twice(float x) { return 2 * x * x; }\n"
                                "extern \"C\" __global__ void other(float* x) { x[threadIdx.x] = twice(x[threadIdx.x]); }\n"
                                "extern \"C\" __global__ void own(float* x) { x[threadIdx.x] = twice(x[0]); }\n",
                                {},
                                "sm_90"});
    ASSERT_TRUE(compiled.ok() && compiled->ok);
    const PcSamples samples{{{"other", 16, 1, {{"wait", 1000}}}, {"own", 16, 1, {{"wait", 3}}}}, 1003, 0, 0, 32};
    const std::vector<SassCount> counts{{"other", 16, 9, 288}, {"other", 32, 9, 288, 7}, {"own", 16, 2, 64}};
    const SourceProfile alone = joinSource(samples, counts, compiled->cubin, "own", {"other", "another"});
    ASSERT_TRUE(alone.code);
    EXPECT_EQ(alone.code->functions, std::vector<std::string>{"own"});
    EXPECT_EQ(alone.samples, 3);
    ASSERT_EQ(alone.instructions.size(), 1U);
    EXPECT_EQ(alone.instructions[0].executed, 2);
    EXPECT_EQ(alone.instructions[0].threads, 64);
    const SourceProfile both = joinSource(samples, counts, compiled->cubin, "own");
    EXPECT_EQ(both.code->functions, (std::vector<std::string>{"own", "other"})) << "functions that it calls are its own";
    EXPECT_EQ(both.samples, 1003);
}

TEST_F(SourceJoin, AFullQueueIsLaidToTheLineWhoseAccessesFillIt)
{
    const std::uint64_t load = waitingAt(kLoadLine);
    const std::uint64_t use = waitingAt(kUseLine);
    const PcSamples samples{{{"gather", use, 1, {{"mio_throttle", 80}, {"selected", 20}}}}, 100, 0, 0, 32};
    const auto findHottest = [&](std::int64_t ownWavefronts) {
        const std::vector<SassCount> counts{{"gather", load, 64, 2048, 64 * 31}, {"gather", use, 64, 2048, ownWavefronts}};
        return joinSource(samples, counts, cubin, "gather").lines.at(0);
    };
    EXPECT_EQ(findHottest(64).waitsFor, (std::map<std::string, std::int64_t>{{placeText(kSourceFile, kLoadLine), 78}})); // 80 x 31 / 32
    EXPECT_EQ(findCause(findHottest(64)), (LinePlace{kSourceFile, kLoadLine}));
    EXPECT_EQ(findCause(findHottest(0)), (LinePlace{kSourceFile, kUseLine})) << "it makes no access itself: the queue has other users";
    EXPECT_EQ(findCause(findHottest(64 * 32)), (LinePlace{kSourceFile, kUseLine})) << "it fills the queue itself";
}

TEST_F(SourceJoin, AWarpThatDrainsWaitsForTheLineOfTheLastStore)
{
    const auto code = SassCode::of(cubin, "gather");
    SourceLines places(cubin);
    std::optional<std::uint64_t> draining;
    int storing = 0, own = 0;
    for (std::uint64_t at = 0; at < code->bytes().size() && !draining; at += 16) {
        const auto store = code->lastStore(at);
        const LineEntry* from = store ? places.find("gather", static_cast<std::int64_t>(*store)) : nullptr;
        const LineEntry* place = places.find("gather", static_cast<std::int64_t>(at));
        if (from && place && from->line != place->line) {
            draining = at;
            storing = from->line;
            own = place->line;
        }
    }
    ASSERT_TRUE(draining);
    const PcSamples samples{{{"gather", *draining, 1, {{"drain", 7}, {"wait", 3}}}}, 10, 0, 0, 32};
    const SourceProfile profile = joinSource(samples, {}, cubin, "gather");
    ASSERT_EQ(profile.lines.size(), 1U);
    EXPECT_EQ(profile.lines[0].line, own);
    EXPECT_EQ(profile.lines[0].waitsFor, (std::map<std::string, std::int64_t>{{placeText(kSourceFile, storing), 7}}));
}

TEST_F(SourceJoin, TheKernelsOwnCodeComesFirstThenWhatIsSampledMost)
{
    const auto compiled = Nvrtc::load()->compile({"extern \"C\" __global__ void few(float* x) { x[threadIdx.x] *= 2; }\n"
                                                  "extern \"C\" __global__ void many(float* x) { x[threadIdx.x] *= 3; }\n"
                                                  "extern \"C\" __global__ void own(float* x) { x[threadIdx.x] *= 4; }\n",
                                                  {},
                                                  "sm_90"});
    ASSERT_TRUE(compiled.ok() && compiled->ok);
    const PcSamples samples{
        {{"few", 16, 1, {{"wait", 2}}}, {"many", 16, 1, {{"wait", 50}}}, {"own", 16, 1, {{"wait", 1}, {"selected", 4}}}}, 57, 0, 0, 32};
    const std::vector<SassCount> counts{{"own", 16, 3, 96, 5}, {"own", 16, 0, 0, 6}, {"own", 32, 3, 90, 0}};
    const SourceProfile profile = joinSource(samples, counts, compiled->cubin, "own");
    ASSERT_TRUE(profile.code);
    EXPECT_EQ(profile.code->functions, (std::vector<std::string>{"own", "many", "few"}));
    const auto at = [&](int function, std::int64_t offset) {
        return *std::ranges::find_if(profile.code->instructions,
                                     [&](const CodeInstruction& one) { return one.function == function && one.offset == offset; });
    };
    EXPECT_EQ(at(0, 16).wavefronts, 11);
    EXPECT_EQ(at(0, 16).executed, 3);
    EXPECT_EQ(at(0, 16).threads, 96);
    EXPECT_EQ(at(0, 32).wavefronts, std::nullopt) << "it makes no access";
    EXPECT_EQ(at(0, 32).threads, 90);
    EXPECT_EQ(at(1, 16).executed, std::nullopt) << "it was not counted";
    EXPECT_EQ(joinSource(samples, counts, compiled->cubin, "spelled otherwise").code->functions,
              (std::vector<std::string>{"many", "own", "few"}));
}

TEST_F(SourceJoin, WithoutLineInformationThereAreInstructionsAlone)
{
    const PcSamples samples{{{"gather", 16, 1, {{"wait", 4}}}}, 4, 0, 0, 32};
    const SourceProfile profile = joinSource(samples, {}, "an image that nothing can be read from", "gather");
    ASSERT_EQ(profile.lines.size(), 1u);
    EXPECT_EQ(profile.lines[0].line, 0);
    EXPECT_EQ(profile.lines[0].executed, std::nullopt);
    EXPECT_EQ(profile.instructions.at(0).samples, 4);
}

TEST(PcSampling, StallWordsAreThoseOfTheMetrics)
{
    EXPECT_EQ(stallWord("smsp__pcsamp_warps_issue_stalled_long_scoreboard"), "long_scoreboard");
    EXPECT_EQ(stallWord("smsp__pcsamp_warps_issue_stalled_no_instructions"), "no_instruction");
    EXPECT_EQ(stallWord("smsp__pcsamp_warps_issue_stalled_warpgroup_arrive"), "gmma");
    EXPECT_EQ(stallWord("smsp__pcsamp_warps_issue_stalled_wait_not_issued"), "");
    EXPECT_EQ(stallWord("smsp__pcsamp_sample_count"), "");
}

TEST(SamplingPlan, ShortLaunchesAreSampledOftenLongOnesSeldom)
{
    DeviceInfo device;
    device.clockMhz = 1980;
    device.smCount = 132;
    const SamplingPlan brief = planSampling(3'000, 3'000, 1000, device, 20'000);
    const SamplingPlan lengthy = planSampling(10e6, 10e6, 100'000, device, 20'000);
    EXPECT_LT(brief.periodLog2, lengthy.periodLog2);
    EXPECT_GT(brief.launches, 10);
    EXPECT_EQ(lengthy.launches, 1);
    EXPECT_LE(lengthy.periodLog2, 16);
}

TEST(SamplingPlan, EverySmGivesEightSamplesOrMoreInALaunch)
{
    DeviceInfo device;
    device.clockMhz = 1980;
    device.smCount = 132;
    const auto plan = [&](double launchNs, double sequenceNs, std::int64_t blocks) {
        return planSampling(launchNs, sequenceNs, blocks, device, 20'000);
    };
    EXPECT_EQ(plan(3'000, 3'000, 1000), (SamplingPlan{9, 14})) << "5940 cycles on 132 SMs";
    EXPECT_EQ(plan(20'000, 20'000, 1000), (SamplingPlan{12, 16}));
    EXPECT_EQ(plan(20'000, 20'000, 66), (SamplingPlan{12, 32})) << "half of the SMs";
    EXPECT_EQ(plan(20'000, 20'000, 1), (SamplingPlan{12, 2069}));
    EXPECT_EQ(plan(20'000, 1e6, 1), (SamplingPlan{12, 298})) << "0.3 s of sequences of 1 ms";
    EXPECT_EQ(plan(0, 0, 1), (SamplingPlan{11, 2069})) << "taken for 10 us";
    EXPECT_EQ(plan(100, 100, 1000), (SamplingPlan{5, 25})) << "no finer";
    EXPECT_EQ(plan(10e6, 10e6, 1000), (SamplingPlan{16, 1})) << "no coarser";
}

TEST(SamplingPlan, ASmallGridTakesMoreLaunchesWithinTheTimeAllowed)
{
    DeviceInfo device;
    device.clockMhz = 1980;
    device.smCount = 132;
    const SamplingPlan whole = planSampling(20'000, 20'000, 1000, device, 20'000);
    const SamplingPlan one = planSampling(20'000, 20'000, 1, device, 20'000);
    EXPECT_GT(one.launches, whole.launches);
    EXPECT_LE(one.launches * 20'000e-9, 0.3);
    EXPECT_EQ(planSampling(1e9, 2e9, 1, device, 20'000).launches, 1);
    EXPECT_GE(planSampling(0, 0, 1, device, 20'000).periodLog2, 5); // not timed
}

} // namespace
} // namespace kl
#endif
