// SPDX-License-Identifier: MIT
// What the workbench asks of a worker, and what becomes of each field of its answers.
#include "kernels/baseline_choice.h"
#include "kernels/code_builder.h"
#include "profiler/expected_request.h"
#include "sessions/measure/compare.h"
#include "tests/sessions/engine_support.h"
#include "tests/support/set_variable.h"

#include <deque>
#include <gmock/gmock.h>

namespace kl::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const Address kAnsweredNaive{"transpose", "naive", {}};
const Address kAnsweredTiled{"transpose", "tiled", {}};
const Address kAnsweredFused{"attention", "fused", {}};

/// Answers what a test gives it, where there is something, and keeps what it was asked.
class AnsweringGpu final : public FakeCollector {
public:
    explicit AnsweringGpu(Source source = Source::live) : FakeCollector(source) {}
    int width() const override { return workers; }
    void expect(const std::vector<ExpectedRequest>& requests) override
    {
        ++expectations;
        expected.clear();
        for (const ExpectedRequest& request : requests)
            expected.push_back(request.body);
    }
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override
    {
        bodies.push_back(body);
        if (run && (verb == Verb::run || verb == Verb::profile))
            return toJsonMessage(*run);
        if (timeline && verb == Verb::timeline)
            return toJsonMessage(*timeline);
        if (verb == Verb::compare && !looks.empty()) {
            const Result<AbAnswer> look = looks.front();
            looks.pop_front();
            return look ? Result<Json>(toJsonMessage(*look)) : Result<Json>(look.error());
        }
        return FakeCollector::ask(verb, body, job);
    }
    AbRequest asAb(std::size_t i) const { return *fromJsonMessage<AbRequest>(bodies.at(i)); }

    int workers = 1;
    int expectations = 0;
    std::vector<Json> expected;
    std::vector<Json> bodies;
    std::optional<RunAnswer> run;
    std::optional<TimelineAnswer> timeline;
    std::deque<Result<AbAnswer>> looks;
};

/// Ten blocks of A over B at `ratio`, moved by `spread` up and down in turns.
AbAnswer lookAt(double ratio, double spread)
{
    AbAnswer answer;
    answer.device.uuid = "GPU-look";
    answer.device.name = "Looked H200";
    answer.device.driverVersion = "9.9";
    answer.correctnessA.result = answer.correctnessB.result = CorrectnessResult::correct;
    for (int i = 0; i < 10; ++i)
        answer.blocks.push_back(
            {std::vector<double>(4, 1000 * ratio * (1 + (i % 2 == 0 ? spread : -spread))), std::vector<double>(4, 1000)});
    return answer;
}

class WorkbenchAnswers : public EngineTest {
protected:
    WorkbenchAnswers() { live.kernels = gpu.kernels; }
    AnsweringGpu live;
    TestBench here{catalog, tree, live, *store};
};

RunAnswer fullAnswer()
{
    RunAnswer answer;
    answer.device.uuid = "GPU-other";
    answer.device.name = "Other H200";
    answer.correctness.result = CorrectnessResult::correct;
    answer.correctness.maxAbs = 0.25;
    answer.timing.emplace();
    answer.timing->gpu = {200, 190, 210, 50};
    answer.timing->clockMhz = 1500;
    answer.memoryBytes = 77;
    answer.baseline = Baseline{"copy", Summary{100, 99, 101, 9}, {}, "v1", {}};
    answer.baselines = {*answer.baseline, Baseline{"other", {}, {}, {}, "not there"}};
    answer.launches = {{"entry", 12, 34, 56, 78, 90, 11}};
    answer.workerSeconds = 2.5;
    answer.warnings = {{"w", "a warning"}};
    answer.sourceHash = "measured";
    answer.recordedAt = "2020-01-02T03:04:05.000Z";
    return answer;
}

TEST_F(WorkbenchAnswers, EveryFieldOfARunIsKept)
{
    live.run = fullAnswer();
    const RunRecord run = unwrap(here.run(kAnsweredNaive, {}, false));
    EXPECT_EQ(run.device, live.run->device);
    EXPECT_EQ(run.correctness.maxAbs, 0.25);
    EXPECT_EQ(run.timing, live.run->timing);
    EXPECT_EQ(run.memoryBytes, 77);
    EXPECT_EQ(run.baseline, live.run->baseline);
    EXPECT_EQ(run.baselines, live.run->baselines);
    EXPECT_EQ(run.launches, live.run->launches);
    EXPECT_EQ(run.workerSeconds, 2.5);
    EXPECT_EQ(run.warnings, live.run->warnings);
    EXPECT_EQ(run.sourceHash, "measured");
    EXPECT_EQ(run.speedup, 0.5);
    EXPECT_EQ(run.source, Source::live);
    const WorkSpec work = unwrap(catalog.work(kAnsweredNaive, {}));
    EXPECT_GT(work.idealBytes, 0);
    EXPECT_EQ(run.idealBytes, work.idealBytes);
    EXPECT_EQ(run.flops, work.flops);
    EXPECT_NE(run.startedAt, live.run->recordedAt) << "a live run begins now";
    live.run->sourceHash.clear();
    EXPECT_EQ(unwrap(here.run(kAnsweredNaive, {}, false)).sourceHash, work.sourceHash) << "of an earlier worker: what was sent";
    live.run->status = ResultStatus::computationFailed;
    live.run->reason = "it faulted";
    live.run->correctness.result = CorrectnessResult::notChecked;
    const RunRecord failed = unwrap(here.run(kAnsweredNaive, {}, false));
    EXPECT_EQ(failed.status, ResultStatus::computationFailed);
    EXPECT_EQ(failed.reason, "it faulted");
    EXPECT_FALSE(failed.speedup);
    EXPECT_FALSE(failed.correctness.seed) << "no inputs were checked";
}

TEST_F(WorkbenchAnswers, ASpeedupNeedsBothTimesAndARightResult)
{
    const auto speedup = [&](const std::function<void(RunAnswer&)>& spoil) {
        live.run = fullAnswer();
        spoil(*live.run);
        return unwrap(here.run(kAnsweredNaive, {}, false)).speedup;
    };
    EXPECT_EQ(speedup([](RunAnswer&) {}), 0.5);
    EXPECT_FALSE(speedup([](RunAnswer& answer) { answer.timing->gpu.median = 0; }));
    EXPECT_FALSE(speedup([](RunAnswer& answer) { answer.timing.reset(); }));
    EXPECT_FALSE(speedup([](RunAnswer& answer) { answer.baseline->gpu.reset(); }));
    EXPECT_FALSE(speedup([](RunAnswer& answer) { answer.baseline.reset(); }));
    EXPECT_FALSE(speedup([](RunAnswer& answer) { answer.correctness.result = CorrectnessResult::replays; }));
    EXPECT_TRUE(speedup([](RunAnswer& answer) { answer.correctness.result = CorrectnessResult::notChecked; }));
}

TEST_F(WorkbenchAnswers, TheSuiteIsAskedForOnRequestAlone)
{
    ASSERT_TRUE(here.run(kAnsweredNaive, {}, true));
    ASSERT_TRUE(here.run(kAnsweredNaive, {}, false));
    EXPECT_THAT(live.bodies[0]["suite"], SizeIs(unwrap(catalog.suite(kAnsweredNaive)).size()));
    EXPECT_THAT(live.bodies[1]["suite"], IsEmpty());
    EXPECT_EQ(live.bodies[0]["work"]["kernel"], "transpose/naive");
}

TEST_F(WorkbenchAnswers, ASampleHasTheInputsOfItsOwnSeedAlone)
{
    EXPECT_TRUE(bench.run(kAnsweredNaive, {}, false, {}, 1));
    const std::size_t requested = gpu.requested.size();
    const Result<RunRecord> other = bench.run(kAnsweredNaive, {}, false, {}, 2);
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, ErrorCode::notRecorded);
    EXPECT_EQ(other.error().where, "--seed");
    EXPECT_EQ(gpu.requested.size(), requested);
}

TEST_F(WorkbenchAnswers, ChosenBaselinesAreAskedForByNameAndOfASampleTakenOutOfAll)
{
    const std::vector<std::string> names = baselineNames(*unwrap(catalog.family("attention")));
    ASSERT_GE(names.size(), 2U);
    ASSERT_TRUE(here.run(kAnsweredFused, {}, false, {}, {}, {names[1]}));
    ASSERT_EQ(live.bodies.back()["baselines"].size(), 1U);
    EXPECT_EQ(fromJsonMessage<RunRequest>(live.bodies.back())->baselines->front().id, names[1]);
    ASSERT_TRUE(here.run(kAnsweredFused, {}, false));
    EXPECT_FALSE(fromJsonMessage<RunRequest>(live.bodies.back())->baselines);
    EXPECT_EQ(here.run(kAnsweredFused, {}, false, {}, {}, {"none such"}).error().where, "--baseline");

    AnsweringGpu recorded(Source::sample);
    recorded.run = fullAnswer();
    recorded.run->baselines = {Baseline{"a", Summary{50, 49, 51, 9}, {}, {}, {}, names[0]},
                               Baseline{"b", Summary{80, 79, 81, 9}, {}, {}, {}, names[1]}};
    TestBench sample(catalog, tree, recorded, *store);
    const RunRecord second = unwrap(sample.run(kAnsweredFused, {}, false, {}, {}, {names[1]}));
    EXPECT_EQ(fromJsonMessage<RunRequest>(recorded.bodies.back())->baselines->size(), names.size()) << "it was recorded with all";
    ASSERT_THAT(second.baselines, SizeIs(1));
    EXPECT_EQ(second.baseline->id, names[1]);
    EXPECT_DOUBLE_EQ(*second.speedup, 0.4);
    const RunRecord first = unwrap(sample.run(kAnsweredFused, {}, false, {}, {}, {names[0]}));
    EXPECT_NE(first.id, second.id) << "other choices of one recording are other runs";
    EXPECT_EQ(unwrap(sample.run(kAnsweredFused, {}, false, {}, {}, {names[0]})).id, first.id);
}

TEST_F(WorkbenchAnswers, EnergyIsAskedOfAWorkerAndNotOfASample)
{
    ProfileScope scope;
    scope.energy = true;
    ASSERT_TRUE(here.run(kAnsweredNaive, {}, false, {}, {}, {}, true));
    EXPECT_EQ(fromJsonMessage<RunRequest>(live.bodies.back())->energy, true);
    ASSERT_TRUE(here.profile(kAnsweredNaive, {}, scope));
    EXPECT_EQ(fromJsonMessage<ProfileRequest>(live.bodies.back())->run.energy, true);
    AnsweringGpu recorded(Source::sample);
    recorded.run = fullAnswer();
    TestBench sample(catalog, tree, recorded, *store);
    const RunRecord run = unwrap(sample.run(kAnsweredNaive, {}, false, {}, {}, {}, true));
    EXPECT_FALSE(fromJsonMessage<RunRequest>(recorded.bodies.back())->energy) << "its key is without";
    EXPECT_FALSE(run.timing->energy->perLaunchJ);
    EXPECT_TRUE(unwrap(sample.profile(kAnsweredNaive, {}, scope)).timing->energy);
    EXPECT_FALSE(fromJsonMessage<ProfileRequest>(recorded.bodies.back())->run.energy);
    EXPECT_EQ(run.startedAt, "2020-01-02T03:04:05.000Z") << "when it was recorded";
    recorded.run->recordedAt.clear();
    recorded.run->timing.reset();
    const RunRecord untimed = unwrap(sample.run(kAnsweredNaive, {}, false, {}, {}, {}, true));
    EXPECT_FALSE(untimed.timing);
    EXPECT_FALSE(untimed.startedAt.empty());
}

TEST_F(WorkbenchAnswers, ManyWorkersAreToldWhatProfilesCome)
{
    const std::vector<std::pair<Address, Params>> kernels{{kAnsweredNaive, {}}, {{"transpose", "nosuch", {}}, {}}, {kAnsweredTiled, {}}};
    here.expectProfiles(kernels, 1);
    EXPECT_EQ(live.expectations, 0) << "one worker takes them as they come";
    live.workers = 2;
    here.expectProfiles(kernels, 1);
    ASSERT_THAT(live.expected, SizeIs(2));
    ASSERT_TRUE(here.profile(kAnsweredNaive, {}, 1));
    EXPECT_EQ(live.bodies.back(), live.expected[0]);
    ASSERT_TRUE(here.profile(kAnsweredTiled, {}, 1));
    EXPECT_EQ(live.bodies.back(), live.expected[1]);
}

TEST_F(WorkbenchAnswers, ASampleIsCountedKernelByKernel)
{
    const std::vector<RunRecord> runs = unwrap(bench.count({{kAnsweredNaive, {}}, {kAnsweredTiled, {}}}, 1));
    ASSERT_THAT(runs, SizeIs(2));
    EXPECT_THAT(gpu.requested, ElementsAre("profile", "profile"));
    EXPECT_EQ(runs[1].kernel, kAnsweredTiled);
    EXPECT_EQ(runs[1].metrics->tier, 1);
    EXPECT_THAT(unwrap(bench.count({}, 1)), IsEmpty());
    EXPECT_EQ(gpu.requested.size(), 2U);
}

TEST_F(WorkbenchAnswers, ATimelineIsKeptWithWhatItsRunSays)
{
    live.timeline.emplace();
    live.timeline->device.name = "Traced H200";
    live.timeline->correctness.result = CorrectnessResult::correct;
    live.timeline->launches = {{"entry", 12, 34, 56, 78, 90, 11}};
    live.timeline->warnings = {{"w", "a warning"}};
    live.timeline->sourceHash = "measured";
    const RunRecord run = unwrap(here.recordTimeline(kAnsweredTiled, {}, {}));
    EXPECT_EQ(run.kernel, kAnsweredTiled);
    EXPECT_EQ(toText(run.problem), "M=4096,N=4096");
    EXPECT_EQ(run.device.name, "Traced H200");
    EXPECT_EQ(run.correctness.result, CorrectnessResult::correct);
    EXPECT_EQ(run.launches, live.timeline->launches);
    EXPECT_EQ(run.warnings, live.timeline->warnings);
    EXPECT_EQ(run.sourceHash, "measured");
    EXPECT_FALSE(run.timeline);
    live.timeline->status = ResultStatus::compilationFailed;
    live.timeline->reason = "line 3";
    const RunRecord failed = unwrap(here.recordTimeline(kAnsweredTiled, {}, {}));
    EXPECT_EQ(failed.status, ResultStatus::compilationFailed);
    EXPECT_EQ(failed.reason, "line 3");
    EXPECT_EQ(unwrap(store->run(failed.id)), failed);
}

TEST_F(WorkbenchAnswers, ASecondLookAddsTenBlocksAndAsksNoEnergyAgain)
{
    live.looks = {lookAt(1.01, 0.04), lookAt(1.01, 0.001)};
    live.looks.front()->energy = AbEnergy{{{{2.0}, {1.0}}, {{2.2}, {1.0}}}, ""};
    const Comparison comparison = unwrap(here.ab(kAnsweredNaive, kAnsweredTiled, {}, 1.0, {}, true));
    ASSERT_THAT(live.bodies, SizeIs(2));
    EXPECT_EQ(live.asAb(0).firstBlock, 0);
    EXPECT_EQ(live.asAb(0).energy, true);
    EXPECT_FALSE(live.asAb(0).check) << "both sides are checked";
    EXPECT_EQ(live.asAb(1).firstBlock, 10);
    EXPECT_FALSE(live.asAb(1).energy);
    EXPECT_EQ(comparison.blocks, 20);
    EXPECT_EQ(comparison.data.front().a.front(), 1000 * 1.01 * 1.04);
    EXPECT_EQ(comparison.data.back().a.front(), 1000 * 1.01 * 0.999);
    ASSERT_TRUE(comparison.energy);
    EXPECT_EQ(comparison.energy->blocks, 2);
    EXPECT_EQ(unwrap(store->comparison(comparison.id)), comparison);
}

TEST_F(WorkbenchAnswers, ASecondLookThatFailsIsReportedUnlessItIsNotRecorded)
{
    live.looks = {lookAt(1.01, 0.04), Error{.code = ErrorCode::notRecorded, .message = "not recorded"}};
    const Comparison first = unwrap(here.ab(kAnsweredNaive, kAnsweredTiled, {}));
    EXPECT_EQ(first.blocks, 10);
    EXPECT_EQ(first.verdict, Verdict::inconclusive);
    live.looks = {lookAt(1.01, 0.04), Error{.code = ErrorCode::environment, .message = "gone"}};
    EXPECT_EQ(here.ab(kAnsweredNaive, kAnsweredTiled, {}).error().code, ErrorCode::environment);
    AbAnswer broken;
    broken.status = ResultStatus::computationFailed;
    broken.reason = "it faulted then";
    live.looks = {lookAt(1.01, 0.04), broken};
    const Comparison failed = unwrap(here.ab(kAnsweredNaive, kAnsweredTiled, {}));
    EXPECT_EQ(failed.verdict, Verdict::notComparable);
    EXPECT_EQ(failed.reason, "run-failed");
    EXPECT_FALSE(failed.ratio);
}

TEST_F(WorkbenchAnswers, ADecidedFirstLookIsTheOnlyOne)
{
    live.looks = {lookAt(2, 0.001)};
    EXPECT_EQ(unwrap(here.ab(kAnsweredNaive, kAnsweredTiled, {})).verdict, Verdict::faster);
    EXPECT_THAT(live.bodies, SizeIs(1));
    live.looks = {lookAt(1.21, 0.03), lookAt(1.21, 0.03)}; // faster at once, but near what is kept
    const Comparison kept = unwrap(here.ab(kAnsweredNaive, kAnsweredTiled, {}, 1.2));
    EXPECT_THAT(live.bodies, SizeIs(3));
    EXPECT_EQ(kept.blocks, 20);
}

TEST_F(WorkbenchAnswers, OfAnEditTheOldSourceIsSideA)
{
    KernelFamily older = *unwrap(catalog.family("transpose"));
    older.source += "\n// before\n";
    const Catalog before({older});
    const std::string oldHash = chooseCodeText(older, *unwrap(before.variant(kAnsweredNaive))).hash();
    const std::string newHash = unwrap(catalog.work(kAnsweredNaive, {})).sourceHash;
    ASSERT_NE(oldHash, newHash);
    live.kernels["transpose/naive#" + oldHash].gpuNs = 800'000;
    const Comparison comparison = unwrap(here.runEditAb(before, kAnsweredNaive, {}, 1.0));
    EXPECT_EQ(live.asAb(0).a.sourceHash, oldHash);
    EXPECT_EQ(live.asAb(0).b.sourceHash, newHash);
    EXPECT_EQ(comparison.a, "transpose/naive");
    EXPECT_EQ(comparison.b, "transpose/naive");
    EXPECT_EQ(comparison.verdict, Verdict::faster);
    EXPECT_NEAR(comparison.ratio->value, 2, 0.02);
    ASSERT_THAT(comparison.tunables, SizeIs(1));
    EXPECT_EQ(comparison.tunables[0].name, "source");
    EXPECT_EQ(comparison.tunables[0].a, oldHash.substr(0, 12));
    EXPECT_EQ(comparison.tunables[0].b, newHash.substr(0, 12));
}

TEST_F(WorkbenchAnswers, ReplayedComparisonsOfAnotherNoiseAreOthers)
{
    const ComparisonId first = unwrap(bench.ab(kAnsweredNaive, kAnsweredTiled, {})).id;
    EXPECT_EQ(unwrap(bench.ab(kAnsweredNaive, kAnsweredTiled, {})).id, first);
    EXPECT_NE(unwrap(bench.ab(kAnsweredTiled, kAnsweredNaive, {})).id, first);
    ASSERT_TRUE(store->setSetting("accepted-noise", "0.01"));
    EXPECT_NE(unwrap(bench.ab(kAnsweredNaive, kAnsweredTiled, {})).id, first);
    EXPECT_NE(unwrap(here.ab(kAnsweredNaive, kAnsweredTiled, {})).id, unwrap(here.ab(kAnsweredNaive, kAnsweredTiled, {})).id)
        << "a live one is of its own";
}

TEST_F(WorkbenchAnswers, ACalibrationCountsEachVerdictWithoutTheNoiseThatItMeasures)
{
    ASSERT_TRUE(store->setSetting("accepted-noise", "0.9"));
    live.looks = {lookAt(2, 0.001), lookAt(0.5, 0.001), lookAt(1, 0.0001), lookAt(1.01, 0.04), lookAt(1.01, 0.04)};
    live.looks[1]->device.name = "another answer";
    const NoiseRecord record = unwrap(here.calibrate(kAnsweredNaive, {}, 4));
    EXPECT_EQ(record.different, 2);
    EXPECT_EQ(record.equivalent, 1);
    ASSERT_THAT(record.ratios, SizeIs(4));
    EXPECT_NEAR(record.ratios[0], 2, 0.01);
    EXPECT_NEAR(record.ratios[1], 0.5, 0.01);
    EXPECT_EQ(record.deviceUuid, "GPU-look");
    EXPECT_EQ(record.deviceName, "Looked H200") << "of the first answer";
    EXPECT_EQ(record.driver, "9.9");
    EXPECT_EQ(record.source, Source::live);
    EXPECT_FALSE(record.at.empty());
    EXPECT_THAT(unwrap(store->noise()), ElementsAre(record));
    EXPECT_EQ(live.asAb(1).firstBlock, 20);
    EXPECT_EQ(live.asAb(4).firstBlock, 70) << "the second look of the fourth";
}

TEST_F(WorkbenchAnswers, ACalibrationStopsBetweenRepeatsAndKeepsNothing)
{
    std::stop_source stop;
    Job job;
    job.stop = stop.get_token();
    int reports = 0;
    job.progress = [&](const Progress& progress) {
        EXPECT_EQ(progress.expected.has_value(), reports > 0) << "an estimate needs a repeat";
        if (++reports == 2)
            stop.request_stop();
    };
    const Result<NoiseRecord> stopped = here.calibrate(kAnsweredNaive, {}, 5, job);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
    EXPECT_EQ(reports, 2);
    EXPECT_THAT(unwrap(store->noise()), IsEmpty());
}

TEST_F(WorkbenchAnswers, StoredRunsAreHeldAgainstTheNoiseOfTheirKernels)
{
    RunRecord a = support::timedRun("a", "naive", "2026-01-01", 1000), b = support::timedRun("b", "tiled", "2026-01-02", 500);
    for (RunRecord* run : {&a, &b}) {
        run->device.driverVersion = "580.1";
        run->timing->gpu.n = 50;
        ASSERT_TRUE(store->saveRun(*run));
    }
    const auto noise = [&](const std::string& id, const std::string& kernel, double value) {
        ASSERT_TRUE(store->saveNoise({id, "GPU-1", "NVIDIA H200", "580.1", Source::live, kernel, "M=1", value, {1, 1}, 2, 0, "2026"}));
    };
    noise("1", "copy/coalesced", 0.3);
    noise("2", "transpose/tiled", 0.02);
    const Comparison comparison = unwrap(bench.compare(a.id, b.id));
    EXPECT_EQ(comparison.noise.value, 0.02);
    EXPECT_EQ(comparison.verdict, Verdict::faster);
    noise("3", "transpose/naive", 0.05);
    EXPECT_EQ(unwrap(bench.compare(a.id, b.id)).noise.value, 0.05);
    EXPECT_EQ(bench.compare(a.id, {"none"}).error().code, ErrorCode::notFound);
    EXPECT_EQ(bench.compare({"none"}, b.id).error().where, "run:none");
    b.id = {"c"};
    b.device.driverVersion = "581";
    ASSERT_TRUE(store->saveRun(b));
    EXPECT_EQ(unwrap(bench.compare(a.id, b.id)).reason, "other-driver");
    EXPECT_EQ(unwrap(bench.compare(a.id, b.id, "it is the same")).verdict, Verdict::faster);
}

TEST_F(WorkbenchAnswers, TheEnvironmentIsCheckedWhereTheDatabaseLies)
{
    const support::TempDir state;
    const support::SetVariable variable("XDG_STATE_HOME", state.path().c_str());
    ASSERT_TRUE(here.environment());
    EXPECT_EQ(live.bodies.back()["disk_path"], folder.path().string());
    const auto memory = support::openStore(":memory:");
    ASSERT_TRUE(TestBench(catalog, tree, live, *memory).environment());
    EXPECT_EQ(live.bodies.back()["disk_path"], "");
}

TEST_F(WorkbenchAnswers, FixesOfARunAreTheCatalogsForItsGpu)
{
    RunRecord run = support::timedRun("a", "naive", "2026-01-01", 1000);
    const std::vector<CatalogFix> fixes = catalogFixesFor(catalog, run);
    ASSERT_THAT(fixes, SizeIs(1));
    const Variant& tiled = *unwrap(catalog.variant(kAnsweredTiled));
    EXPECT_EQ(fixes[0].address, "transpose/tiled");
    EXPECT_EQ(fixes[0].title, tiled.fixTitle);
    EXPECT_EQ(fixes[0].fixes, "uncoalesced") << "expected in the kernel that was profiled";
    EXPECT_EQ(fixes[0].kind, tiled.changes.at("naive"));
    run.kernel = {"nosuch", "kernel", {}};
    EXPECT_THAT(catalogFixesFor(catalog, run), IsEmpty());
}

TEST_F(WorkbenchAnswers, FixesSuitTheProblemAndTheGpuOfTheRun)
{
    const auto offered = [&](const char* problem, int ccMajor) {
        RunRecord run;
        run.kernel = kAnsweredFused;
        run.problem = unwrap(parseParams(unwrap(catalog.work(kAnsweredFused, unwrap(parseParams(problem)))).problem));
        run.device.ccMajor = ccMajor;
        run.device.smCount = 132;
        std::vector<std::string> names;
        for (const CatalogFix& fix : catalogFixesFor(catalog, run))
            names.push_back(fix.address);
        return names;
    };
    EXPECT_THAT(offered("B=1,H=1,S=4096,D=64", 9), ElementsAre("attention/hopper"));
    EXPECT_THAT(offered("B=1,H=1,S=512,D=64", 9), ElementsAre("attention/hopper-short"));
    EXPECT_THAT(offered("B=1,H=1,S=4096,D=64", 8), IsEmpty());
}

} // namespace
} // namespace kl::test
