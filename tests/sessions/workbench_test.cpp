// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/stats/ratio_text.h"
#include "profiler/replay/replay.h"
#include "sessions/measure/compare.h"
#include "sessions/measure/requests.h"
#include "sessions/store/sqlite.h"
#include "tests/sessions/engine_support.h"

#include <algorithm>
#include <set>

namespace kl::test {
namespace {

const Address kBenchNaive{"transpose", "naive", {}};
const Address kBenchTiled{"transpose", "tiled", {}};

/// A second run that went like this one.
RunRecord repeatRun(RunRecord run)
{
    run.id.text = newUuid();
    return run;
}

TEST_F(EngineTest, ARequestIsBuiltTheSameEachTime)
{
    const auto key = [&] { return requestKey(Verb::run, toJsonMessage(unwrap(runRequest(catalog, kBenchNaive, {}, true)))); };
    EXPECT_EQ(key(), key());
    EXPECT_NE(key(), requestKey(Verb::run, toJsonMessage(unwrap(runRequest(catalog, kBenchNaive, {}, false)))));
    const Params spelled = unwrap(parseParams("M=4096,N=4096")); // the default, written out
    EXPECT_EQ(key(), requestKey(Verb::run, toJsonMessage(unwrap(runRequest(catalog, kBenchNaive, spelled, true)))));
}

TEST_F(EngineTest, TheSecondLookIsARequestOfItsOwn)
{
    const AbRequest first = unwrap(abRequest(catalog, kBenchNaive, kBenchTiled, {}, 0));
    const AbRequest second = unwrap(abRequest(catalog, kBenchNaive, kBenchTiled, {}, 10));
    EXPECT_EQ(first.blocks, 10);
    EXPECT_EQ(second.firstBlock, 10);
    EXPECT_NE(requestKey(Verb::compare, toJsonMessage(first)), requestKey(Verb::compare, toJsonMessage(second)));
}

TEST_F(EngineTest, ARunIsStoredWithItsSpeedup)
{
    const RunRecord run = unwrap(bench.run(kBenchNaive, {}, true));
    EXPECT_DOUBLE_EQ(*run.speedup, 0.125);
    EXPECT_EQ(toText(run.problem), "M=4096,N=4096");
    EXPECT_EQ(run.source, Source::sample);
    EXPECT_EQ(run.startedAt, "2026-01-02T03:04:05.000Z");
    EXPECT_EQ(unwrap(store->run(run.id)), run);
    EXPECT_EQ(unwrap(bench.run(kBenchNaive, {}, true)).id, run.id); // replayed: the same row
}

TEST_F(EngineTest, EnergyIsMeasuredOnRequest)
{
    FakeCollector live(Source::live);
    live.kernels = gpu.kernels;
    live.kernels["transpose/naive"].joules = 0.25;
    TestBench here(catalog, tree, live, *store);
    EXPECT_FALSE(unwrap(here.run(kBenchNaive, {}, false)).timing->energy);
    const RunRecord run = unwrap(here.run(kBenchNaive, {}, false, {}, {}, {}, true));
    EXPECT_EQ(run.timing->energy->perLaunchJ, 0.25);
    EXPECT_EQ(unwrap(store->run(run.id)), run);
    ProfileScope scope;
    scope.energy = true;
    EXPECT_EQ(unwrap(here.profile(kBenchNaive, {}, scope)).timing->energy->perLaunchJ, 0.25);
    const RunRecord without = unwrap(here.run(kBenchTiled, {}, false, {}, {}, {}, true));
    EXPECT_FALSE(without.timing->energy->perLaunchJ);
    EXPECT_FALSE(without.timing->energy->reason.empty());
}

TEST_F(EngineTest, PmSamplingIsRequestedAndKept)
{
    FakeCollector live(Source::live);
    live.kernels = gpu.kernels;
    live.pmSampling =
        PmSampling{"transpose_naive", 1000, {{{1000, 2000}, {{"sm__throughput.avg.pct_of_peak_sustained_elapsed", {1, 2}}}}}, {}};
    TestBench here(catalog, tree, live, *store);
    EXPECT_FALSE(unwrap(here.profile(kBenchNaive, {}, {})).pmSampling);
    ProfileScope scope;
    scope.pmSampling = true;
    const RunRecord run = unwrap(here.profile(kBenchNaive, {}, scope));
    EXPECT_EQ(run.pmSampling, live.pmSampling);
    EXPECT_EQ(unwrap(store->run(run.id)), run);
    live.pmSampling.reset(); // as a worker answers that does not know it
    const RunRecord older = unwrap(here.profile(kBenchNaive, {}, scope));
    EXPECT_TRUE(older.pmSampling->passes.empty());
    EXPECT_FALSE(older.pmSampling->unavailable.empty());
}

TEST_F(EngineTest, TheSampleHasNoPmSamplingAndSaysSo)
{
    ProfileScope scope;
    scope.pmSampling = true;
    const RunRecord run = unwrap(bench.profile(kBenchNaive, {}, scope));
    EXPECT_FALSE(run.pmSampling->unavailable.empty());
    EXPECT_EQ(run.metrics, unwrap(bench.profile(kBenchNaive, {}, {})).metrics) << "the same recording";
}

TEST_F(EngineTest, ARecordingHasThePmSamplingThatItWasMadeWith)
{
    FakeCollector live(Source::live);
    live.kernels = gpu.kernels;
    live.pmSampling = PmSampling{"transpose_naive", 1000, {{{1000, 2000}, {{"dramc__throughput", {1, 2}}}}}, {}};
    const std::unique_ptr<Recorder> recorder = recordFrom(live);
    ProfileScope scope;
    scope.pmSampling = true;
    const support::TempDir dir;
    const auto scratch = support::openStore(":memory:");
    TestBench recording(catalog, tree, *recorder, *scratch);
    ASSERT_TRUE(recording.profile(kBenchNaive, {}, scope));
    ASSERT_TRUE(recorder->save(dir / "capture.zst"));
    const auto replay = unwrap(openCapture(support::readBytes(dir / "capture.zst"), "capture"));
    TestBench sample(catalog, tree, *replay, *store);
    EXPECT_EQ(unwrap(sample.profile(kBenchNaive, {}, scope)).pmSampling, live.pmSampling);
    EXPECT_EQ(unwrap(sample.profile(kBenchNaive, {}, {})).pmSampling, live.pmSampling) << "the same recording";
}

TEST_F(EngineTest, EnergiesAreComparedOnRequest)
{
    FakeCollector live(Source::live);
    live.kernels = gpu.kernels;
    TestBench here(catalog, tree, live, *store);
    EXPECT_FALSE(unwrap(here.ab(kBenchNaive, kBenchTiled, {})).energy);
    EXPECT_FALSE(unwrap(here.ab(kBenchNaive, kBenchTiled, {}, 1.0, {}, true)).energy->reason.empty()) << "there is no counter";
    live.kernels["transpose/naive"].joules = 0.5;
    live.kernels["transpose/tiled"].joules = 0.25;
    const Comparison comparison = unwrap(here.ab(kBenchNaive, kBenchTiled, {}, 1.0, {}, true));
    ASSERT_TRUE(comparison.energy && comparison.energy->ratio);
    EXPECT_NEAR(comparison.energy->ratio->value, 2, 0.01);
    EXPECT_LT(comparison.energy->ratio->low, comparison.energy->ratio->value);
    EXPECT_EQ(comparison.energy->blocks, 5);
    EXPECT_EQ(comparison.energy->bJ, 0.25);
    EXPECT_EQ(unwrap(store->comparison(comparison.id)).energy, comparison.energy);
}

TEST_F(EngineTest, TheSampleHasNoEnergiesAndSaysSo)
{
    EXPECT_FALSE(unwrap(bench.run(kBenchNaive, {}, true, {}, {}, {}, true)).timing->energy->reason.empty());
    EXPECT_FALSE(unwrap(bench.ab(kBenchNaive, kBenchTiled, {}, 1.0, {}, true)).energy->reason.empty());
}

TEST_F(EngineTest, LiveRunsAreRowsOfTheirOwn)
{
    FakeCollector live(Source::live);
    live.kernels = gpu.kernels;
    TestBench here(catalog, tree, live, *store);
    EXPECT_NE(unwrap(here.run(kBenchNaive, {}, false)).id, unwrap(here.run(kBenchNaive, {}, false)).id);
}

TEST_F(EngineTest, AProfileStandsWhereWhatWasLearnedCannotBeRead)
{
    FakeCollector live(Source::live);
    live.kernels = gpu.kernels;
    const auto warned = [](const RunRecord& run) { return std::ranges::count(run.warnings, "no-recommender", &Warning::code) > 0; };
    EXPECT_FALSE(warned(unwrap(TestBench(catalog, tree, live, *store).profile(kBenchNaive, {}, 2))));
    const auto file = sqlite::Connection::open((folder / "kl.db").string(), true, false);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->run("UPDATE runs SET record = x'00'"));
    const RunRecord run = unwrap(TestBench(catalog, tree, live, *store).profile(kBenchNaive, {}, 2));
    ASSERT_TRUE(run.diagnosis);
    EXPECT_TRUE(warned(run));
    EXPECT_EQ(unwrap(store->run(run.id)), run);
}

TEST_F(EngineTest, ALiveProfileIsDiagnosedBeforeItsCountersAreRead)
{
    FakeCollector live(Source::live);
    live.kernels = gpu.kernels;
    std::vector<RunRecord> early;
    const RunRecord run = unwrap(
        TestBench(catalog, tree, live, *store).profile(kBenchNaive, {}, 2, {}, [&](const RunRecord& part) { early.push_back(part); }));
    ASSERT_EQ(early.size(), 1u);
    EXPECT_TRUE(early[0].diagnosis);
    EXPECT_FALSE(early[0].metrics);
    EXPECT_EQ(early[0].timing, run.timing);
    EXPECT_TRUE(run.metrics);
    RunQuery all;
    all.kernel = toText(kBenchNaive);
    EXPECT_EQ(unwrap(store->runs(all)).size(), 1u); // the whole run alone is kept
}

TEST_F(EngineTest, ARecordedProfileHasNoEarlyLook)
{
    int early = 0;
    ASSERT_TRUE(bench.profile(kBenchNaive, {}, 2, {}, [&](const RunRecord&) { ++early; }));
    EXPECT_EQ(early, 0);
}

/// Keeps what it was asked.
class Listening : public FakeCollector {
public:
    using FakeCollector::FakeCollector;
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override
    {
        bodies.push_back(body);
        return FakeCollector::ask(verb, body, job);
    }
    std::vector<Json> bodies;
};

TEST_F(EngineTest, ASeedReachesEveryInputAndIsKeptWithTheRun)
{
    Listening live(Source::live);
    live.kernels = gpu.kernels;
    TestBench here(catalog, tree, live, *store);
    EXPECT_EQ(unwrap(here.run(kBenchNaive, {}, true)).correctness.seed, 1U);
    const RunRecord seeded = unwrap(here.run(kBenchNaive, {}, true, {}, 42));
    EXPECT_EQ(seeded.correctness.seed, 42U);
    EXPECT_EQ(unwrap(store->run(seeded.id)).correctness.seed, 42U);
    ASSERT_EQ(live.bodies.size(), 2U);
    const Json& body = live.bodies.back();
    EXPECT_EQ(body["work"]["seed"], 42);
    ASSERT_FALSE(body["suite"].empty());
    for (const Json& size : body["suite"])
        EXPECT_EQ(size["seed"], 42);
    EXPECT_EQ(live.bodies.front()["suite"].front()["seed"], 1);
}

TEST_F(EngineTest, ALiveRunIsOfTheHostAndTheGpuThatMeasuredIt)
{
    Listening live(Source::live);
    live.kernels = gpu.kernels;
    live.hello().host = "farm-7";
    TestBench here(catalog, tree, live, *store);
    EXPECT_EQ(unwrap(store->run(unwrap(here.run(kBenchNaive, {}, true)).id)).host, "farm-7");

    Listening recorded(Source::sample);
    recorded.kernels = gpu.kernels;
    recorded.hello().host = "farm-7";
    TestBench replayed(catalog, tree, recorded, *store);
    EXPECT_EQ(unwrap(replayed.run(kBenchNaive, {}, true)).host, "") << "a recording is of no machine at hand";
}

TEST(Seeds, FreshOnesDifferAndCanBeTyped)
{
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 100; ++i) {
        const std::uint64_t seed = freshSeed();
        EXPECT_GE(seed, 2U);
        EXPECT_LE(seed, 0xffffffffU);
        seen.insert(seed);
    }
    EXPECT_GT(seen.size(), 90U);
}

TEST_F(EngineTest, AFailedKernelIsARunNotAnError)
{
    gpu.kernels["transpose/naive"].right = false;
    const RunRecord run = unwrap(bench.run(kBenchNaive, {}, false));
    EXPECT_EQ(run.status, ResultStatus::validationFailed);
    EXPECT_FALSE(run.speedup);
    EXPECT_FALSE(unwrap(store->run(run.id)).timing);
}

TEST_F(EngineTest, AKernelThatTakesItsWorkerDownIsAFailedRunInTheDatabase)
{
    gpu.failWith = Error{.code = ErrorCode::kernelFailed,
                         .message = "The worker was killed by signal 9 during \"timing\" (run).",
                         .hint = "The next request starts a new worker.",
                         .where = "kloop-worker",
                         .detail = "device-side words"};
    const RunRecord run = unwrap(bench.run(kBenchNaive, {}, false));
    EXPECT_EQ(run.status, ResultStatus::computationFailed);
    EXPECT_NE(run.reason.find("killed by signal 9"), std::string::npos);
    EXPECT_EQ(run.device.name, "Fake H200");
    ASSERT_EQ(run.warnings.size(), 1U);
    EXPECT_NE(run.warnings.front().text.find("device-side words"), std::string::npos);
    EXPECT_EQ(unwrap(store->run(run.id)), run);
    const RunRecord profiled = unwrap(bench.profile(kBenchNaive, {}, {}));
    EXPECT_EQ(profiled.status, ResultStatus::computationFailed);
    gpu.failWith.reset();
    EXPECT_EQ(unwrap(bench.run(kBenchNaive, {}, false)).status, ResultStatus::ok);
}

TEST_F(EngineTest, TroubleAroundAKernelIsAnError)
{
    gpu.failWith = Error{.code = ErrorCode::notRecorded, .message = "not recorded"};
    EXPECT_EQ(bench.run(kBenchNaive, {}, false).error().code, ErrorCode::notRecorded);
    EXPECT_TRUE(unwrap(store->runs({})).empty());
}

TEST_F(EngineTest, AProfileOffersTheNextVariantFirst)
{
    const RunRecord run = unwrap(bench.profile(kBenchNaive, {}, 2));
    ASSERT_TRUE(run.diagnosis);
    EXPECT_EQ(run.diagnosis->finding.classId, "uncoalesced");
    ASSERT_FALSE(run.diagnosis->finding.fixes.empty());
    EXPECT_EQ(run.diagnosis->finding.fixes.front().variant, "transpose/tiled");
    EXPECT_EQ(run.metrics->tier, 2);
}

TEST_F(EngineTest, AnAbSaysWhichSideIsFaster)
{
    const Comparison faster = unwrap(bench.ab(kBenchNaive, kBenchTiled, {}));
    EXPECT_EQ(faster.verdict, Verdict::faster);
    EXPECT_NEAR(faster.ratio->value, 2.0, 0.02);
    EXPECT_EQ(faster.blocks, 10);
    ASSERT_EQ(faster.tunables.size(), 1U);
    EXPECT_EQ(faster.tunables.front().name, "variant");
    EXPECT_EQ(unwrap(store->comparison(faster.id)).sentence, faster.sentence);
    EXPECT_EQ(unwrap(bench.ab(kBenchTiled, kBenchNaive, {})).verdict, Verdict::slower);
}

TEST_F(EngineTest, AnAbOfAWrongKernelIsNotComparable)
{
    gpu.kernels["transpose/tiled"].right = false;
    const Comparison comparison = unwrap(bench.ab(kBenchNaive, kBenchTiled, {}));
    EXPECT_EQ(comparison.verdict, Verdict::notComparable);
    EXPECT_EQ(comparison.reason, "wrong-result");
    EXPECT_FALSE(comparison.ratio);
}

TEST_F(EngineTest, StoredRunsCompareWithEveryDifference)
{
    const RunRecord a = unwrap(bench.profile(kBenchNaive, {}, 2));
    const RunRecord b = unwrap(bench.profile(kBenchTiled, {}, 2));
    const Comparison comparison = unwrap(bench.compare(a.id, b.id));
    EXPECT_EQ(comparison.verdict, Verdict::faster);
    EXPECT_NEAR(comparison.ratio->value, 2.0, 1e-9);
    const auto dram = std::find_if(comparison.metrics.begin(), comparison.metrics.end(), [](const Difference& row) {
        return row.name == "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";
    });
    ASSERT_NE(dram, comparison.metrics.end());
    EXPECT_DOUBLE_EQ(*dram->change, 3.0);
    EXPECT_TRUE(comparison.environment.empty());
    ASSERT_EQ(comparison.nextSteps.size(), 1U);
    EXPECT_EQ(comparison.nextSteps.front().at(StepArgument::source), "sample"); // recorded sides are measured again on the recording
}

TEST_F(EngineTest, CountsOfADifferenceAreWrittenInFull)
{
    RunRecord a = unwrap(bench.run(kBenchNaive, {}, false));
    a.memoryBytes = 134217728;
    const Comparison comparison = compareRuns(a, repeatRun(a));
    const auto memory = std::find_if(comparison.metrics.begin(), comparison.metrics.end(),
                                     [](const Difference& row) { return row.name == "memory_bytes"; });
    ASSERT_NE(memory, comparison.metrics.end());
    EXPECT_EQ(memory->a, "134217728");
}

TEST_F(EngineTest, ACloseResultOfTwoRunsIsNoVerdict)
{
    RunRecord a = unwrap(bench.run(kBenchNaive, {}, false));
    RunRecord b = repeatRun(a);
    b.timing->gpu = {a.timing->gpu.median * 0.97, a.timing->gpu.low * 0.97, a.timing->gpu.high * 0.97, 100};
    const Comparison comparison = compareRuns(a, b);
    EXPECT_EQ(comparison.verdict, Verdict::inconclusive);
    EXPECT_EQ(comparison.reason, "runs-not-interleaved");
    ASSERT_EQ(comparison.nextSteps.size(), 1U);
    EXPECT_EQ(comparison.nextSteps.front().id, StepId::compareInTurn);
}

TEST_F(EngineTest, TwoRunsOfTheSameTimeAreNotCalledEquivalent)
{
    RunRecord a = unwrap(bench.run(kBenchNaive, {}, false));
    a.timing->gpu = {100'000, 99'990, 100'010, 200};
    const Comparison comparison = compareRuns(a, repeatRun(a));
    EXPECT_EQ(comparison.verdict, Verdict::inconclusive);
    EXPECT_FALSE(comparison.statistics.empty());
}

TEST_F(EngineTest, ARunIsNotComparedWithItself)
{
    const RunRecord a = unwrap(bench.run(kBenchNaive, {}, false));
    const Comparison comparison = unwrap(bench.compare(a.id, a.id, "a reason")); // which waives nothing
    EXPECT_EQ(comparison.verdict, Verdict::notComparable);
    EXPECT_EQ(comparison.reason, "same-run");
    EXPECT_FALSE(comparison.ratio);
    EXPECT_FALSE(comparison.next.empty());
}

TEST_F(EngineTest, ALargerCalibratedNoiseWidensTheIntervalOfTwoRuns)
{
    RunRecord a = unwrap(bench.run(kBenchNaive, {}, false));
    a.timing->gpu = {100'000, 99'990, 100'010, 200};
    RunRecord b = repeatRun(a);
    b.timing->gpu = {90'000, 89'990, 90'010, 200};
    EXPECT_EQ(compareRuns(a, b, NoiseFloor{0.001, "x"}).verdict, Verdict::faster);
    EXPECT_EQ(compareRuns(a, b, NoiseFloor{0.08, "x"}).verdict, Verdict::inconclusive);
}

TEST_F(EngineTest, ASlowerRunIsReportedAsAFasterOneIs)
{
    RunRecord a = unwrap(bench.run(kBenchNaive, {}, false));
    a.timing->gpu = {100'000, 99'990, 100'010, 200};
    RunRecord b = repeatRun(a);
    b.timing->gpu = {400'000, 399'990, 400'010, 200};
    const Comparison slower = compareRuns(a, b);
    EXPECT_EQ(slower.verdict, Verdict::slower);
    EXPECT_DOUBLE_EQ(slower.ratio->value, 0.25);
    EXPECT_NE(slower.sentence.find(formatRatio(4)), std::string::npos) << slower.sentence;
    EXPECT_NEAR(1 / slower.ratio->high, 3.70, 0.005); // the widened interval
    EXPECT_NEAR(1 / slower.ratio->low, 4.32, 0.005);
    EXPECT_NE(slower.sentence.find(intervalText(invertRatio(*slower.ratio))), std::string::npos) << "of the shown ratio";
    const Comparison faster = compareRuns(b, a);
    EXPECT_EQ(faster.verdict, Verdict::faster);
    EXPECT_NE(faster.sentence.find(formatRatio(4)), std::string::npos) << faster.sentence;
    EXPECT_NE(faster.sentence, slower.sentence);
    EXPECT_NE(faster.sentence.find(intervalText(*faster.ratio)), std::string::npos);
}

TEST_F(EngineTest, TheIntervalInASentenceIsThatOfItsRatio)
{
    const auto has = [](const Comparison& comparison, const Ratio& ratio) {
        return comparison.sentence.find(intervalText(ratio)) != std::string::npos;
    };
    const Comparison faster = unwrap(bench.ab(kBenchNaive, kBenchTiled, {}));
    EXPECT_TRUE(has(faster, *faster.ratio));
    const Comparison slower = unwrap(bench.ab(kBenchTiled, kBenchNaive, {}));
    EXPECT_TRUE(has(slower, invertRatio(*slower.ratio)));
    EXPECT_FALSE(has(slower, *slower.ratio));
    EXPECT_NE(slower.sentence.find(formatRatio(1 / slower.ratio->value)), std::string::npos);
    EXPECT_LT(slower.sentence.find(toText(kBenchNaive)), slower.sentence.find(toText(kBenchTiled))) << "the slower one first";
    EXPECT_LT(faster.sentence.find(toText(kBenchTiled)), faster.sentence.find(toText(kBenchNaive))) << "the faster one first";
}

TEST_F(EngineTest, ClocksMayDifferByFivePercentEitherWay)
{
    RunRecord a = unwrap(bench.run(kBenchNaive, {}, false));
    RunRecord b = repeatRun(a);
    a.timing->clockMhz = 1000;
    for (const auto& [clock, reason] :
         {std::pair{1049.0, ""}, std::pair{951.0, ""}, std::pair{1051.0, "other-clock"}, std::pair{949.0, "other-clock"}}) {
        b.timing->clockMhz = clock;
        const Comparison seen = compareRuns(a, b);
        EXPECT_EQ(seen.reason == "other-clock", std::string(reason) == "other-clock") << clock;
    }
    b.timing->clockMhz.reset();
    EXPECT_NE(compareRuns(a, b).reason, "other-clock") << "where one is not known";
}

TEST_F(EngineTest, TwoGpusOfOneNameAreDistinguished)
{
    const RunRecord a = unwrap(bench.run(kBenchNaive, {}, false));
    RunRecord b = repeatRun(a);
    b.device.uuid = "GPU-2";
    const std::string sentence = compareRuns(a, b).sentence;
    EXPECT_NE(sentence.find("GPU-2"), std::string::npos) << sentence;
    b.device.name = "NVIDIA L4";
    EXPECT_NE(compareRuns(a, b).sentence.find("NVIDIA L4"), std::string::npos);
}

TEST_F(EngineTest, AFirstLookThatLostBlocksStillHasASecond)
{
    Comparison comparison;
    comparison.ratio = Ratio{1.02, 0.98, 1.06};
    for (const int blocks : {8, 10}) {
        comparison.blocks = blocks;
        EXPECT_TRUE(wantsSecondLook(comparison, 1)) << blocks;
    }
    for (const int blocks : {18, 20}) {
        comparison.blocks = blocks;
        EXPECT_FALSE(wantsSecondLook(comparison, 1)) << blocks;
    }
}

TEST_F(EngineTest, AKeepIsDecidedByTheWholeInterval)
{
    Comparison comparison;
    EXPECT_EQ(keepDecision(comparison, 1.2), KeepDecision::inconclusive);
    comparison.blocks = 20;
    comparison.ratio = Ratio{1.25, 1.21, 1.29};
    EXPECT_EQ(keepDecision(comparison, 1.2), KeepDecision::keep);
    EXPECT_EQ(keepDecision(comparison, 1.22), KeepDecision::inconclusive);
    EXPECT_EQ(keepDecision(comparison, 1.3), KeepDecision::revert);
    comparison.noise.value = 0.13; // twice it is more than the effect
    EXPECT_EQ(keepDecision(comparison, 1.2), KeepDecision::inconclusive);
}

TEST_F(EngineTest, AWaiverComparesAcrossDevicesAndIsKept)
{
    RunRecord a = unwrap(bench.run(kBenchNaive, {}, false));
    RunRecord b = repeatRun(a);
    b.device.uuid = "GPU-2";
    b.timing->gpu = {50'000, 49'990, 50'010, 200};
    a.timing->gpu = {100'000, 99'990, 100'010, 200};
    const Comparison waived = compareRuns(a, b, {}, "the same board, swapped");
    EXPECT_EQ(waived.verdict, Verdict::faster);
    EXPECT_EQ(waived.waived, "other-device: the same board, swapped");
    b.problem["M"] = std::int64_t{1};
    EXPECT_EQ(compareRuns(a, b, {}, "why not").verdict, Verdict::notComparable); // other work cannot be waived
}

TEST_F(EngineTest, OtherConditionsAreNotComparable)
{
    const RunRecord a = unwrap(bench.run(kBenchNaive, {}, false));
    const auto reason = [&](auto change) {
        RunRecord b = repeatRun(a);
        change(b);
        const Comparison comparison = compareRuns(a, b);
        EXPECT_EQ(comparison.verdict, Verdict::notComparable);
        EXPECT_FALSE(comparison.sentence.empty());
        return comparison.reason;
    };
    EXPECT_EQ(reason([](RunRecord& b) { b.device.uuid = "GPU-2"; }), "other-device");
    EXPECT_EQ(reason([](RunRecord& b) { b.device.driverVersion = "590"; }), "other-driver");
    EXPECT_EQ(reason([](RunRecord& b) { b.problem["M"] = std::int64_t{1}; }), "other-problem");
    EXPECT_EQ(reason([](RunRecord& b) { b.source = Source::live; }), "other-source");
    EXPECT_EQ(reason([](RunRecord& b) { b.kernel.family = "copy"; }), "other-kernel");
    EXPECT_EQ(reason([](RunRecord& b) { b.timing->clockMhz = 1200; }), "other-clock");
    EXPECT_EQ(reason([](RunRecord& b) { b.warnings.push_back({"clock-unlocked", ""}); }), "other-clock");
    EXPECT_EQ(reason([](RunRecord& b) { b.timing.reset(); }), "no-valid-time");
}

TEST_F(EngineTest, ClocksThatNobodyReportsAreNotTakenForLocked)
{
    RunRecord report = unwrap(bench.run(kBenchNaive, {}, false));
    report.imported.emplace();
    report.warnings.push_back({"clock-unlocked", ""});
    RunRecord table = repeatRun(report);
    table.warnings.clear();
    EXPECT_NE(compareRuns(report, table).reason, "other-clock") << "the table does not say";
    table.warnings.push_back({"clock-base", ""});
    EXPECT_EQ(compareRuns(report, table).reason, "other-clock");
}

} // namespace
} // namespace kl::test
