// SPDX-License-Identifier: MIT
// What the injected library and kloop tell each other: every line there and back, files of killed processes, damaged ones.
#include "profiler/inject/argument_reach.h"
#include "profiler/inject/launch_sampling.h"
#include "profiler/inject/launch_selector.h"
#include "profiler/inject/trace_writer.h"
#include "profiler/protocol/kernel_pattern.h"
#include "profiler/protocol/program_trace.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/wait.h>
#include <unistd.h>

namespace kl::inject {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kScale = "_Z5scalePfif";

TracedLaunch launchAt(std::uint64_t start)
{
    return {0, start, start + 500, 1, 7, 42, {64, 2, 1}, {256, 1, 1}, 32, 1024, 2048, 16, true, 9};
}

ProfiledLaunch profiledLaunch()
{
    ProfiledLaunch launch{kScale, 3, 1, {64, 2, 1}, {256, 1, 1}, {}, {"step", "scale \"x\"\n"}, {}, "", 0.25};
    launch.facts.entry = kScale;
    launch.facts.registers = 32;
    launch.metrics.values = {{"gpu__time_duration.sum", 510.5}, {"lost", std::nullopt}};
    launch.metrics.missing = {{"lost", "not here"}};
    launch.metrics.plan = {3, 3};
    return launch;
}

ProfiledLaunch findExecutedLaunch()
{
    ProfiledLaunch launch = profiledLaunch();
    launch.metrics = {};
    launch.facts.opcodes = {{"sass.fp32", 4}};
    launch.facts.warp.emplace();
    launch.facts.warp->executed = {{"sass.fp32", 400}};
    launch.memoryBytes = 1 << 30;
    return launch;
}

SampledKernel sampledKernel()
{
    SampledKernel kernel{kScale, 1, 2, {}};
    kernel.source.samples = 40;
    kernel.source.lines = {{"k.cu", 12, 40, 1, {{"long_scoreboard", 40}}, {}, {}, {}}};
    return kernel;
}

CountedRange countedRange()
{
    CountedRange range{"step", 9, {}, ""};
    range.metrics.values = {{"gpu__time_duration.sum", 9000}};
    range.metrics.rangeMode = "UserRange";
    return range;
}

std::string wholeTrace()
{
    DeviceInfo device;
    device.name = "NVIDIA H200";
    device.uuid = "GPU-1";
    return traceLine(4711, {"python3", "a b.py"}, "/x/libcupti.so.13") + traceLine(1, device) + traceLine(0, kScale) +
           traceLine(0, std::vector<std::string>{"step", "scale"}) + traceLaunchRanges(42, 0, {3, 4}) + traceLaunchAlone(42) +
           traceLine(ProcessRank{1, 0, 8}) + traceLine(countedRange()) + traceLaunchSampled(43) + traceLine(launchAt(1000)) +
           traceLine(TracedCopy{true, 5, 9, 1, 64}) + traceLine(TracedPause{100, 200}) + traceLine(profiledLaunch()) +
           traceExecuted(findExecutedLaunch()) + traceLine(sampledKernel()) + traceRangeTime(0, {2, 1000}) + traceRangeTime(0, {1, 500}) +
           traceLine(Warning{"code", "text"}) + traceEnd();
}

TEST(ProgramTrace, EveryLineIsReadAsItWasWritten)
{
    const ProcessTrace trace = parseTrace(wholeTrace());
    EXPECT_EQ(trace.damage, "");
    EXPECT_EQ(trace.pid, 4711);
    EXPECT_THAT(trace.command, ElementsAre("python3", "a b.py"));
    EXPECT_EQ(trace.cupti, "/x/libcupti.so.13");
    EXPECT_EQ(trace.devices.at(1).name, "NVIDIA H200");
    EXPECT_THAT(trace.kernels, ElementsAre(kScale));
    EXPECT_THAT(trace.launches, ElementsAre(launchAt(1000)));
    EXPECT_THAT(trace.copies, ElementsAre(TracedCopy{true, 5, 9, 1, 64}));
    EXPECT_THAT(trace.pauses, ElementsAre(TracedPause{100, 200}));
    EXPECT_THAT(trace.profiled, ElementsAre(profiledLaunch()));
    EXPECT_THAT(trace.executed, ElementsAre(findExecutedLaunch()));
    EXPECT_THAT(trace.sampled, ElementsAre(sampledKernel()));
    EXPECT_THAT(trace.stacks, ElementsAre(ElementsAre("step", "scale")));
    EXPECT_EQ(trace.stackOf.at(42), 0);
    EXPECT_THAT(trace.entriesOf.at(42), ElementsAre(3, 4));
    EXPECT_EQ(trace.rank, (ProcessRank{1, 0, 8}));
    EXPECT_THAT(trace.countedRanges, ElementsAre(countedRange()));
    EXPECT_THAT(trace.alone, ElementsAre(42));
    EXPECT_THAT(trace.sampledAt, ElementsAre(43));
    EXPECT_EQ(trace.ranges.at(0), (RangeTime{3, 1500}));
    EXPECT_THAT(trace.notes, ElementsAre(Warning{"code", "text"}));
    EXPECT_TRUE(trace.ended);
    EXPECT_FALSE(trace.cut);
}

TEST(ProgramTrace, ALaunchHasEachFigureInItsPlace)
{
    const std::string start = traceLine(1, {"a"}, "") + traceLine(0, "k");
    const ProcessTrace trace =
        parseTrace(start + "[\"k\",0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,1,16]\n[\"k\",0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0]\n");
    EXPECT_EQ(trace.damage, "");
    ASSERT_EQ(trace.launches.size(), 2U);
    const TracedLaunch& launch = trace.launches[0];
    EXPECT_EQ(launch.start, 1);
    EXPECT_EQ(launch.end, 2);
    EXPECT_EQ(launch.device, 3);
    EXPECT_EQ(launch.stream, 4);
    EXPECT_EQ(launch.correlation, 5U);
    EXPECT_THAT(launch.grid, ElementsAre(6, 7, 8));
    EXPECT_THAT(launch.block, ElementsAre(9, 10, 11));
    EXPECT_EQ(launch.registers, 12);
    EXPECT_EQ(launch.staticSmem, 13);
    EXPECT_EQ(launch.dynamicSmem, 14);
    EXPECT_EQ(launch.localBytes, 15);
    EXPECT_TRUE(launch.graph);
    EXPECT_EQ(launch.graphId, 16U);
    EXPECT_FALSE(trace.launches[1].graph);
    EXPECT_EQ(trace.launches[1].graphId, 0U) << "of a library that did not write it";
    for (const char* line : {"[\"k\",1,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,1,16]", "[\"k\",0,1]", "[\"r\",4,1]", "[\"n\",1,2,3]",
                             "{\"t\":\"kernel\",\"id\":2,\"name\":\"x\"}", "{\"t\":\"stack\",\"id\":1,\"ranges\":[]}", "{}", "[]", "x",
                             "{\"t\":\"process\",\"version\":0}"}) {
        const ProcessTrace damaged = parseTrace(start + line + "\n" + traceEnd());
        EXPECT_EQ(damaged.damage.substr(0, 7), "line 3 ") << line;
        EXPECT_TRUE(damaged.launches.empty());
        EXPECT_FALSE(damaged.ended);
    }
    EXPECT_EQ(parseTrace(start + "{\"t\":\"later\"}\n[\"z\"]\n" + traceEnd()).damage, "") << "what a later version adds is passed over";
    EXPECT_TRUE(parseTrace(start + "{\"t\":\"later\"}\n" + traceEnd()).ended);
    EXPECT_FALSE(parseTrace(start + "{\"t\":\"later\"}\n").ended);
}

TEST(ProgramTrace, WhyThereAreNoValuesIsReadAsItWasWritten)
{
    const ProfiledLaunch launch{kScale, 3, 1, {1, 2, 3}, {4, 5, 6}, {}, {}, {}, "no counters", 0.5, 77};
    const CountedRange range{"step", 9, {}, "entered once"};
    const ProcessTrace trace = parseTrace(traceLine(launch) + traceLine(range) + traceLine(TracedCopy{false, 5, 9, 1, 64}));
    EXPECT_THAT(trace.profiled, ElementsAre(launch));
    EXPECT_THAT(trace.countedRanges, ElementsAre(range));
    EXPECT_THAT(trace.copies, ElementsAre(TracedCopy{false, 5, 9, 1, 64}));
}

TEST(ProgramTrace, AKilledProcessLeavesAllLinesButItsLast)
{
    const std::string whole = traceLine(1, {"a"}, "") + traceLine(0, kScale) + traceLine(launchAt(1000)) + traceLine(launchAt(2000));
    const ProcessTrace trace = parseTrace(whole.substr(0, whole.size() - 5));
    EXPECT_THAT(trace.launches, ElementsAre(launchAt(1000)));
    EXPECT_TRUE(trace.cut);
    EXPECT_FALSE(trace.ended);
}

TEST(ProgramTrace, ADamagedLineIsNamedAndWhatStandsBeforeItIsKept)
{
    const std::string start = traceLine(1, {"a"}, "");
    for (const std::string bad : {"[\"k\",1\n", "{\"t\":\"device\"}\n", "[\"r\",1,0]\n", "\n", "{\"t\":\"stack\",\"id\":5,\"ranges\":[]}\n",
                                  "[\"k\",0,1,2,0,0,0,1,1,1,1,1,1,0,0,0,0,0]\n", "{\"t\":\"profiled\",\"kernel\":1}\n",
                                  "{\"t\":\"sampled\",\"launches\":\"x\"}\n", "{\"t\":\"device\",\"index\":0,\"device\":7}\n"}) {
        const ProcessTrace trace = parseTrace(start + bad + traceLine(0, kScale) + traceEnd());
        EXPECT_THAT(trace.damage, StartsWith("line 2 (")) << bad;
        EXPECT_EQ(trace.pid, 1);
        EXPECT_FALSE(trace.ended) << bad;
        EXPECT_TRUE(trace.kernels.empty() && trace.profiled.empty() && trace.sampled.empty() && trace.devices.empty()) << bad;
    }
    const ProcessTrace newer = parseTrace("{\"t\":\"process\",\"version\":99}\n");
    EXPECT_THAT(newer.damage, HasSubstr("99"));
    EXPECT_NE(newer.damage, parseTrace("{\"t\":\"process\",\"version\":" + std::to_string(kTraceVersion) + "}\n").damage)
        << "it is not refused for what it lacks";
    EXPECT_EQ(newer.pid, 0);
}

TEST(ProgramTrace, ConfigurationThereAndBack)
{
    const TraceConfig config{"gemm|sdpa", 3, 7, false, 1, {"a.sum"}, 5, 100, 2.5};
    EXPECT_EQ(*parseTraceConfig(encodeTraceConfig(config), "c"), config);
    EXPECT_EQ(*parseTraceConfig("{}", "c"), TraceConfig{});
    EXPECT_FALSE(parseTraceConfig("{\"skip\":\"x\"}", "c").ok());
}

TEST(ProgramTrace, NamesAsPeopleWriteThem)
{
    EXPECT_EQ(demangle(kScale), "scale(float*, int, float)");
    EXPECT_EQ(demangle("cudnn_generated_fort_native_sdpa"), "cudnn_generated_fort_native_sdpa");
    EXPECT_EQ(demangle(""), "");
}

TEST(KernelPattern, IsSearchedInTheName)
{
    const KernelPattern pattern = *KernelPattern::parse("sdpa|^scale\\(");
    EXPECT_TRUE(pattern.matches("cudnn_sdpa_x"));
    EXPECT_TRUE(pattern.matches("scale(float*)"));
    EXPECT_FALSE(pattern.matches("my::scale(float*)"));
    EXPECT_TRUE(KernelPattern::parse("")->matches("anything"));
    EXPECT_FALSE(KernelPattern::parse("x$")->matches(std::string(100'000, 'a'))); // as template libraries have them
    const auto bad = KernelPattern::parse("a(");
    ASSERT_FALSE(bad.ok());
    EXPECT_EQ(bad.error().code, ErrorCode::usage);
    EXPECT_EQ(bad.error().where, "--kernel");
    EXPECT_FALSE(bad.error().hint.empty());
    EXPECT_TRUE(KernelPattern::parse("a{2}b?c+")->matches("xaacc")) << "an extended expression";
}

using Choice = LaunchSelector::Choice;

Choice counters(int launch)
{
    return {launch, Profiling::counters};
}

const LaunchShape kShape{{1320, 1, 1}, {256, 1, 1}, 0};

TEST(LaunchSelector, TakesOneLaunchOfEachKernel)
{
    LaunchSelector selector(TraceConfig{});
    EXPECT_EQ(selector.next("a", kShape, true), counters(0));
    for (int launch = 1; launch <= kLaunchesAlone; ++launch)
        EXPECT_EQ(selector.next("a", kShape, true), (Choice{launch, Profiling::alone}));
    EXPECT_EQ(selector.next("a", kShape, true), std::nullopt);
    EXPECT_EQ(selector.next("b", kShape, true), counters(0));
}

TEST(LaunchSelector, SkipsAndCounts)
{
    TraceConfig config;
    config.skip = 2;
    config.count = 2;
    LaunchSelector selector(config);
    EXPECT_EQ(selector.next("a", kShape, true), std::nullopt);
    EXPECT_EQ(selector.next("a", kShape, true), std::nullopt);
    EXPECT_EQ(selector.next("a", kShape, true), counters(2));
    for (int i = 0; i < 2; ++i)
        (void)selector.next("b", kShape, true), (void)selector.next("c", kShape, true);
    EXPECT_EQ(selector.next("b", kShape, true), counters(2));
    EXPECT_EQ(selector.next("c", kShape, true), std::nullopt) << "two are enough";
}

TEST(LaunchSelector, ALaunchThatCannotBeProfiledIsPassedOver)
{
    LaunchSelector selector(TraceConfig{});
    EXPECT_EQ(selector.next("a", kShape, false), std::nullopt);
    EXPECT_EQ(selector.next("a", kShape, true), counters(1));
}

TEST(LaunchSelector, MatchesTheDemangledName)
{
    TraceConfig config;
    config.kernel = "^scale\\(float\\*";
    LaunchSelector selector(config);
    EXPECT_EQ(selector.next(kScale, kShape, true), counters(0));
    EXPECT_EQ(selector.next("_Z5otherPf", kShape, true), std::nullopt);
    config.kernel = "(";
    LaunchSelector broken(config);
    EXPECT_EQ(broken.next(kScale, kShape, true), std::nullopt);
}

TEST(LaunchSelector, NeverKernelsThatWaitForOtherGpus)
{
    LaunchSelector selector(TraceConfig{});
    EXPECT_EQ(selector.next("_Z37ncclDevKernel_AllReduce_Sum_f32_RING_LLv", kShape, true), std::nullopt);
    EXPECT_FALSE(explainNotReplayed("ncclDevKernel_AllReduce").empty());
    EXPECT_TRUE(explainNotReplayed(kScale).empty());
}

TEST(LaunchSelector, TakesEachShapeOfAKernel)
{
    LaunchSelector selector(TraceConfig{});
    const LaunchShape other{{7, 1, 1}, {256, 1, 1}, 0};
    EXPECT_EQ(selector.next("a", kShape, true), counters(0));
    EXPECT_EQ(selector.next("a", other, true), counters(1));
    EXPECT_EQ(selector.next("a", kShape, true), (Choice{2, Profiling::alone}));
    TraceConfig lines;
    lines.source = true;
    LaunchSelector sampling(lines);
    EXPECT_EQ(sampling.next("a", kShape, true), (Choice{0, Profiling::samples}));
    EXPECT_EQ(sampling.next("a", other, true), counters(1)) << "one shape of a kernel is sampled";
}

TEST(LaunchSelector, ProfilesWhatIsWantedAloneWhereSomethingIs)
{
    TraceConfig config;
    const LaunchShape other{{7, 1, 1}, {256, 1, 1}, 0};
    config.wanted = {{"b", other}};
    config.skip = 1;
    LaunchSelector selector(config);
    EXPECT_EQ(selector.next("a", other, true), std::nullopt);
    EXPECT_EQ(selector.next("b", kShape, true), std::nullopt);
    EXPECT_EQ(selector.next("b", other, true), counters(1));
    const Result<TraceConfig> read = parseTraceConfig(encodeTraceConfig(config), "c");
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, config);
}

TEST(LaunchSelector, WithoutCountersTimesAreTakenAndNothingElse)
{
    TraceConfig config;
    config.counters = false;
    LaunchSelector selector(config);
    EXPECT_EQ(selector.next("a", kShape, true), std::nullopt);
    EXPECT_EQ(selector.next("a", kShape, true), std::nullopt);
}

TEST(LaunchSelector, ExecutionsAreCountedWithoutCountersOrAfterThem)
{
    TraceConfig config;
    config.counters = false;
    config.executions = true;
    LaunchSelector bare(config);
    EXPECT_EQ(bare.next("a", kShape, true), (Choice{0, Profiling::executions}));
    EXPECT_EQ(bare.next("a", kShape, true), (Choice{1, Profiling::alone}));
    config.counters = true;
    LaunchSelector both(config);
    EXPECT_EQ(both.next("a", kShape, true), counters(0));
    EXPECT_EQ(both.next("a", kShape, true), (Choice{1, Profiling::executions}));
    EXPECT_EQ(both.next("a", kShape, true), (Choice{2, Profiling::alone}));
}

TEST(LaunchSelector, OneShapeInAnotherRangeIsAnother)
{
    LaunchSelector selector(TraceConfig{});
    LaunchShape first = kShape, second = kShape;
    first.range = "a";
    second.range = "b";
    EXPECT_EQ(selector.next("k", first, true), counters(0));
    EXPECT_EQ(selector.next("k", second, true), counters(1));
    EXPECT_EQ(selector.next("k", first, true), (Choice{2, Profiling::alone}));
}

TEST(RangeChoice, TakesTheRangeDirectlyInside)
{
    const RangeChoice within{"corpus", true};
    EXPECT_EQ(within.makeKey({"outer", "corpus", "case", "library"}), "case");
    EXPECT_EQ(within.makeKey({"corpus"}), "corpus");
    EXPECT_EQ(within.makeKey({"outer"}), "");
    EXPECT_FALSE(within.includes({"outer"}));
    EXPECT_TRUE(within.includes({"outer", "corpus"}));
    EXPECT_EQ((RangeChoice{"", true}.makeKey({"outer", "inner"})), "outer");
    EXPECT_EQ((RangeChoice{"corpus", false}.makeKey({"corpus", "case"})), "") << "not told apart";
    EXPECT_TRUE(RangeChoice{}.includes({}));
    TraceConfig config;
    config.ranges = within;
    config.executions = true;
    config.wanted = {{kScale, {{1, 2, 3}, {4, 5, 6}, 7, "case"}}};
    EXPECT_EQ(*parseTraceConfig(encodeTraceConfig(config), "c"), config);
}

TEST(ArgumentReach, CountsEachAllocationOnceFromItsLowestPointer)
{
    EXPECT_EQ(bytesWithinReach({}), std::nullopt);
    const std::vector<ArgumentReach> arguments{{0x1100, 0x1000, 0x1000}, {0x1800, 0x1000, 0x1000}, {0x9000, 0x9000, 64}, {0x99, 0x100, 5}};
    EXPECT_EQ(bytesWithinReach(arguments), 0xf00 + 64) << "the last one points before its allocation";
    const std::vector<ArgumentReach> ends{{0x1fff, 0x1000, 0x1000}, {0x4000, 0x3000, 0x1000}};
    EXPECT_EQ(bytesWithinReach(ends), 1) << "the last one points behind its allocation";
}

TEST(LaunchSelector, StopsWhenItsTimeIsSpent)
{
    LaunchSelector selector(TraceConfig{});
    selector.addSpent(59);
    EXPECT_EQ(selector.next("a", kShape, true), counters(0));
    selector.addSpent(2);
    EXPECT_TRUE(selector.isOutOfTime());
    EXPECT_EQ(selector.next("b", kShape, true), std::nullopt);
}

TEST(LaunchSelector, SamplesAKernelBeforeItsCountersAreReadAndAfter)
{
    TraceConfig config;
    config.source = true;
    LaunchSelector selector(config);
    EXPECT_EQ(selector.next("a", kShape, true), (Choice{0, Profiling::samples}));
    selector.wantSamples("a", 2);
    EXPECT_EQ(selector.next("a", kShape, false), std::nullopt);
    EXPECT_EQ(selector.next("a", kShape, true), counters(2));
    EXPECT_EQ(selector.next("a", kShape, true), (Choice{3, Profiling::executions}));
    EXPECT_EQ(selector.next("a", kShape, true), (Choice{4, Profiling::samples}));
    EXPECT_EQ(selector.next("a", kShape, true), (Choice{5, Profiling::samples}));
    EXPECT_EQ(selector.next("a", kShape, true), (Choice{6, Profiling::alone}));
}

TEST(LaunchSelector, TheTimeIsSpentWithItsLastSecond)
{
    TraceConfig config;
    config.maxProfileSeconds = 5;
    LaunchSelector selector(config);
    selector.addSpent(4.5);
    EXPECT_FALSE(selector.isOutOfTime());
    selector.addSpent(0.5);
    EXPECT_TRUE(selector.isOutOfTime());
}

TEST(LaunchSelector, LaunchesAreCountedWhateverBecomesOfThem)
{
    TraceConfig config;
    config.skip = 1;
    config.count = 1;
    LaunchSelector selector(config);
    const LaunchShape other{{7, 1, 1}, {256, 1, 1}, 0};
    EXPECT_EQ(selector.next("a", kShape, false), std::nullopt);
    EXPECT_EQ(selector.next("a", other, true), counters(1)) << "one launch of the kernel was skipped";
    EXPECT_EQ(selector.next("a", kShape, true), std::nullopt) << "one shape is enough";
    EXPECT_EQ(selector.next("a", other, true), (Choice{3, Profiling::alone})) << "of a chosen shape there are more";
}

TEST(LaunchSelector, OnlyASampledKernelGetsMoreSamples)
{
    LaunchSelector selector(TraceConfig{});
    EXPECT_EQ(selector.next("a", kShape, true), counters(0));
    selector.wantSamples("a", 3);
    EXPECT_EQ(selector.next("a", kShape, true), (Choice{1, Profiling::alone}));
}

TEST(LaunchSampling, ALaunchThatGaveEnoughIsTheOnlyOne)
{
    EXPECT_EQ(chooseSamplingAfter(11, 20'000), (LaunchSampling{11, 0}));
    EXPECT_EQ(chooseSamplingAfter(11, 3'000'000), (LaunchSampling{11, 0}));
}

TEST(LaunchSampling, AFinerPeriodAndMoreLaunchesMakeUpForAShortKernel)
{
    EXPECT_EQ(chooseSamplingAfter(11, 19'999), (LaunchSampling{11, 2}));
    EXPECT_EQ(chooseSamplingAfter(5, 6'000), (LaunchSampling{5, 4})) << "it is the shortest already";
    EXPECT_EQ(chooseSamplingAfter(11, 10'000), (LaunchSampling{11, 2}));
    EXPECT_EQ(chooseSamplingAfter(11, 5'000), (LaunchSampling{10, 2}));
    EXPECT_EQ(chooseSamplingAfter(11, 400), (LaunchSampling{6, 2})) << "12,800 a launch";
    EXPECT_EQ(chooseSamplingAfter(11, 40), (LaunchSampling{5, 5})) << "no finer than 32 cycles, and no more than five launches";
    EXPECT_EQ(chooseSamplingAfter(11, 0), (LaunchSampling{5, 5}));
}

class TraceFile : public testing::Test {
protected:
    void SetUp() override
    {
        folder_ = std::filesystem::temp_directory_path() / ("kl-trace-" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string content() const
    {
        std::string all;
        for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
            std::ifstream in(entry.path());
            all.append(std::istreambuf_iterator<char>(in), {});
        }
        return all;
    }
    std::filesystem::path folder_;
};

TEST_F(TraceFile, HoldsWhatWasFlushed)
{
    TraceWriter writer;
    ASSERT_TRUE(writer.open(folder_.string()).ok());
    writer.write("a\n");
    EXPECT_EQ(content(), "");
    writer.flush();
    EXPECT_EQ(content(), "a\n");
    writer.write(std::string(100'000, 'b') + '\n');
    EXPECT_EQ(content().size(), 100'003U) << "much is written at once";
}

TEST_F(TraceFile, IsOfItsProcessAndForItsUserAlone)
{
    TraceWriter first, second;
    ASSERT_TRUE(first.open(folder_.string()).ok());
    ASSERT_TRUE(second.open(folder_.string()).ok());
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
        ++files;
        EXPECT_EQ(entry.path().extension(), kTraceSuffix);
        EXPECT_EQ(entry.path().filename().string().find(std::to_string(::getpid()) + '-'), 0U);
        EXPECT_EQ(entry.status().permissions() & std::filesystem::perms::mask,
                  std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    }
    EXPECT_EQ(files, 2);
}

TEST_F(TraceFile, IsWrittenOnceThereIsEnough)
{
    TraceWriter writer;
    ASSERT_TRUE(writer.open(folder_.string()).ok());
    writer.write(std::string(64 * 1024 - 1, 'a'));
    EXPECT_EQ(content(), "");
    writer.write("b");
    EXPECT_EQ(content().size(), 64U * 1024);
    writer.write("c");
    writer.flush();
    EXPECT_EQ(content().size(), 64U * 1024 + 1) << "nothing twice";
}

TEST_F(TraceFile, AForkedChildWritesNothing)
{
    TraceWriter writer;
    ASSERT_TRUE(writer.open(folder_.string()).ok());
    writer.write("parent\n");
    const pid_t child = ::fork();
    if (child == 0) {
        writer.write("child\n");
        writer.flush();
        ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    writer.flush();
    EXPECT_EQ(content(), "parent\n");
}

TEST_F(TraceFile, AFolderThatIsNotThereIsAnError)
{
    TraceWriter writer;
    EXPECT_FALSE(writer.open((folder_ / "none").string()).ok());
    writer.write("x\n"); // without effect
    writer.flush();
    EXPECT_EQ(content(), "");
}

} // namespace
} // namespace kl::inject
