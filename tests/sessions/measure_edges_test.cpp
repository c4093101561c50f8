// SPDX-License-Identifier: MIT
// Edges of measuring: what runs and blocks allow a verdict, what requests ask for, what a narrowed recording holds.
#include "core/base/write_file.h"
#include "core/device/metric_sections.h"
#include "core/model/kernel_code.h"
#include "sessions/measure/build_recipe.h"
#include "sessions/measure/code_listing.h"
#include "sessions/measure/compare.h"
#include "sessions/measure/differences.h"
#include "sessions/measure/failed_run.h"
#include "sessions/measure/hot_lines.h"
#include "sessions/measure/keep.h"
#include "sessions/measure/machine_check.h"
#include "sessions/measure/noise_floor.h"
#include "sessions/measure/problem_axes.h"
#include "sessions/measure/registered_kernels.h"
#include "sessions/measure/requests.h"
#include "sessions/measure/shell_settings.h"
#include "sessions/shipped/sample_store.h"
#include "sessions/store/spool.h"
#include "tests/sessions/engine_support.h"
#include "tests/support/set_variable.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace kl::test {
namespace {

using support::profiledRun;
using support::TempDir;
using support::timedRun;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Two runs of one kernel that may be compared.
struct PairOfRuns {
    RunRecord a = timedRun("a", "naive", "t1", 2000);
    RunRecord b = timedRun("b", "tiled", "t2", 1000);
    PairOfRuns()
    {
        for (RunRecord* run : {&a, &b}) {
            run->device.driverVersion = "580.1";
            run->timing->clockMhz = 1755;
            run->timing->gpu.n = 20;
        }
    }
    Comparison compared(const std::string& waive = {}) const { return compareRuns(a, b, {0.01, "calibrated"}, waive); }
};

TEST(CompareRuns, TellsWhatPreventsAVerdictAndWhatAReasonMayWaive)
{
    struct Case {
        const char* reason;
        bool waivable;
        std::function<void(PairOfRuns&)> spoil;
    };
    const std::vector<Case> cases{
        {"same-run", false, [](PairOfRuns& p) { p.b.id = p.a.id; }},
        {"other-kernel", false, [](PairOfRuns& p) { p.b.kernel.family = "copy"; }},
        {"other-problem", false,
         [](PairOfRuns& p) {
             p.b.problem = {{"M", std::int64_t{1}}};
         }},
        {"no-valid-time", false, [](PairOfRuns& p) { p.a.timing.reset(); }},
        {"no-valid-time", false, [](PairOfRuns& p) { p.b.timing.reset(); }},
        {"no-valid-time", false, [](PairOfRuns& p) { p.b.status = ResultStatus::computationFailed; }},
        {"no-valid-time", false, [](PairOfRuns& p) { p.a.correctness.result = CorrectnessResult::incorrect; }},
        {"other-source", true, [](PairOfRuns& p) { p.b.source = Source::sample; }},
        {"other-device", true, [](PairOfRuns& p) { p.b.device.uuid = "GPU-2"; }},
        {"other-device", true, [](PairOfRuns& p) { p.b.device.name = "A100"; }},
        {"other-driver", true, [](PairOfRuns& p) { p.b.device.driverVersion = "581"; }},
        {"other-clock", true, [](PairOfRuns& p) { p.b.timing->clockMhz = 1755 * 1.06; }},
        {"other-clock", true, [](PairOfRuns& p) { p.b.timing->clockMhz = 1755 * 0.94; }},
        {"other-clock", true,
         [](PairOfRuns& p) {
             p.b.warnings = {{"clock-unlocked", ""}};
         }},
    };
    for (const Case& one : cases) {
        PairOfRuns pair;
        one.spoil(pair);
        const Comparison plain = pair.compared();
        EXPECT_EQ(plain.verdict, Verdict::notComparable) << one.reason;
        EXPECT_EQ(plain.reason, one.reason);
        EXPECT_FALSE(plain.ratio);
        EXPECT_FALSE(plain.next.empty() && plain.nextSteps.empty()) << one.reason;
        EXPECT_EQ(plain.a, "run:a");
        const Comparison waived = pair.compared("it is the same");
        EXPECT_EQ(waived.verdict, one.waivable ? Verdict::faster : Verdict::notComparable) << one.reason;
        EXPECT_EQ(waived.waived, one.waivable ? std::string(one.reason) + ": it is the same" : "");
        EXPECT_EQ(std::ranges::count(waived.warnings, "waived", &Warning::code), one.waivable ? 1 : 0);
    }
    PairOfRuns fine;
    EXPECT_EQ(fine.compared("a reason without need").waived, "");
    fine.b.timing->clockMhz = 1755 * 1.04;
    EXPECT_EQ(fine.compared().verdict, Verdict::faster);
    fine.b.timing->clockMhz.reset();
    fine.b.device.driverVersion.clear();
    EXPECT_EQ(fine.compared().verdict, Verdict::faster) << "what is not known prevents nothing";
}

TEST(CompareRuns, ARefutedSideIsNamedAndOneLaunchHasNoVerdict)
{
    PairOfRuns pair;
    const Comparison faster = pair.compared();
    EXPECT_DOUBLE_EQ(faster.ratio->value, 2);
    EXPECT_EQ(faster.b, "run:b");
    EXPECT_EQ(faster.noise.from, "calibrated");
    EXPECT_THAT(faster.statistics, HasSubstr("8"));
    EXPECT_EQ(faster.nextSteps.at(0).id, StepId::compareInTurn);
    EXPECT_EQ(faster.nextSteps.at(0).at(StepArgument::kernel), "transpose/naive");
    EXPECT_EQ(faster.nextSteps.at(0).at(StepArgument::other), "transpose/tiled");
    EXPECT_EQ(faster.nextSteps.at(0).at(StepArgument::source), "");
    EXPECT_EQ(faster.id, pair.compared().id) << "comparing again is the same comparison";
    pair.a.source = pair.b.source = Source::sample;
    EXPECT_EQ(pair.compared().nextSteps.at(0).at(StepArgument::source), "sample");
    for (RunRecord* one : {&pair.a, &pair.b}) {
        one->timing->gpu.n = 1;
        const Comparison single = pair.compared();
        EXPECT_EQ(single.verdict, Verdict::inconclusive);
        EXPECT_EQ(single.reason, "one-launch");
        EXPECT_FALSE(single.ratio);
        one->timing->gpu.n = 20;
    }
    pair.b.imported.emplace();
    EXPECT_EQ(pair.compared("x").nextSteps.at(0).id, StepId::profileProgram) << "a kernel of a program";
    pair.b.imported.reset();
    pair.b.correctness.result = CorrectnessResult::replays;
    EXPECT_EQ(pair.compared().refuted->side, "b");
    pair.a.correctness.result = CorrectnessResult::incorrect;
    EXPECT_EQ(pair.compared().refuted->side, "a") << "of two, the first";
    EXPECT_EQ(pair.compared().refuted->result, CorrectnessResult::incorrect);
    EXPECT_EQ(pair.compared().nextSteps.at(0).id, StepId::run);
}

class JudgedBlocks : public testing::Test {
protected:
    JudgedBlocks()
    {
        for (AbAnswer* one : {&answer}) {
            one->correctnessA.result = one->correctnessB.result = CorrectnessResult::correct;
            one->correctnessA.proof.emplace();
            one->correctnessB.proof.emplace();
            for (int i = 0; i < 10; ++i)
                one->blocks.push_back({{2000.0 + i, 2000.0}, {1000.0, 1000.0 + i}});
        }
    }
    Comparison judged(double keepAt = 1) const { return judgeBlocks(answer, subject, {0.01, "calibrated"}, keepAt); }
    AbAnswer answer;
    AbSubject subject{{"transpose", "naive", {}}, {"transpose", "tiled", {}}, "M=64,N=64"};
};

TEST_F(JudgedBlocks, AreJudgedWithTheirEnergiesAndWhatToDoNext)
{
    answer.warnings = {{"samples-discarded", "two"}};
    answer.energy = AbEnergy{{{{2.0, 2.0}, {1.0, 1.0}}, {{2.2, 2.0}, {1.0, 1.2}}}, "partly"};
    const Comparison faster = judged();
    EXPECT_EQ(faster.verdict, Verdict::faster);
    EXPECT_EQ(faster.blocks, 10);
    EXPECT_EQ(faster.data, answer.blocks);
    EXPECT_NEAR(faster.ratio->value, 2, 0.01);
    EXPECT_EQ(faster.warnings.at(0).code, "samples-discarded");
    EXPECT_EQ(faster.warnings.size(), 1U) << "calibrated and checked";
    EXPECT_EQ(faster.energy->blocks, 2);
    EXPECT_EQ(faster.energy->aJ, 2);
    EXPECT_EQ(faster.energy->bJ, 1);
    EXPECT_EQ(faster.energy->reason, "partly");
    EXPECT_TRUE(faster.energy->ratio);
    EXPECT_EQ(faster.nextSteps.at(0).id, StepId::run);
    EXPECT_EQ(faster.nextSteps.at(0).at(StepArgument::kernel), "transpose/tiled");
    EXPECT_EQ(faster.nextSteps.at(0).at(StepArgument::suite), "on");
    EXPECT_THAT(judged(2.5).nextSteps, IsEmpty()) << "faster, but not by enough";
    EXPECT_EQ(judged(2.5).verdict, Verdict::faster);
    EXPECT_FALSE(judged(1.5).nextSteps.empty());
    answer.energy->blocks.pop_back();
    EXPECT_EQ(judged().energy->blocks, 1);
    EXPECT_FALSE(judged().energy->ratio) << "one pair has no spread";
    for (AbBlock& block : answer.blocks)
        std::swap(block.a, block.b);
    EXPECT_EQ(judged().verdict, Verdict::slower);
    EXPECT_EQ(judged(1.5).next, judged().next) << "what is slower does not come near being kept";
    EXPECT_THAT(judged().sentence, HasSubstr("2.0"));
    EXPECT_THAT(judged().nextSteps, IsEmpty());
}

TEST_F(JudgedBlocks, WhatWasNotCheckedWhileTimedIsNoted)
{
    const auto unchecked = [&] { return std::ranges::count(judged().warnings, kPassesUnchecked, &Warning::code); };
    EXPECT_EQ(unchecked(), 0);
    answer.correctnessB.proof.reset();
    EXPECT_EQ(unchecked(), 1);
    answer.correctnessA.proof.reset();
    EXPECT_EQ(unchecked(), 1) << "once for both";
    answer.correctnessA = answer.correctnessB = {};
    EXPECT_EQ(unchecked(), 0) << "what was not checked at all claims nothing";
    const Comparison uncalibrated = judgeBlocks(answer, subject, {{}, "not calibrated"}, 1);
    EXPECT_EQ(uncalibrated.warnings.back().code, "noise-not-calibrated");
    EXPECT_EQ(uncalibrated.warnings.back().next.at(0).at(StepArgument::source), "");
    answer.recordedAt = "2026";
    EXPECT_EQ(judgeBlocks(answer, subject, {}, 1).warnings.back().next.at(0).at(StepArgument::source), "sample");
}

TEST_F(JudgedBlocks, OneBlockOrAFailedRunHasNoVerdict)
{
    answer.blocks.resize(2);
    EXPECT_NE(judged().verdict, Verdict::notComparable);
    answer.blocks.resize(1);
    EXPECT_EQ(judged().reason, "too-few-blocks");
    EXPECT_EQ(judged().verdict, Verdict::notComparable);
    answer.status = ResultStatus::computationFailed;
    answer.reason = "a trap";
    EXPECT_EQ(judged().reason, "run-failed");
    EXPECT_THAT(judged().sentence, HasSubstr("a trap"));
    EXPECT_EQ(judged().nextSteps.at(0).at(StepArgument::problem), "M=64,N=64");
    answer.correctnessA.result = CorrectnessResult::incorrect;
    EXPECT_EQ(judged().reason, "wrong-result");
    EXPECT_EQ(judged().nextSteps.at(0).at(StepArgument::kernel), "transpose/naive") << "the side to correct";
    answer.correctnessA.result = CorrectnessResult::correct;
    answer.correctnessB.result = CorrectnessResult::replays;
    EXPECT_EQ(judged().reason, "replays");
    EXPECT_EQ(judged().refuted->side, "b");
    EXPECT_EQ(judged().nextSteps.at(0).at(StepArgument::kernel), "transpose/tiled");
}

TEST(ClockState, IsWhatTheRunsWarningsSay)
{
    RunRecord run;
    EXPECT_EQ(clockState(run), "locked");
    run.warnings = {{"clock-unlocked", ""}};
    EXPECT_EQ(clockState(run), "free");
    run.warnings = {{"other", ""}, {"clock-base", ""}};
    EXPECT_EQ(clockState(run), "locked");
    run.imported.emplace();
    EXPECT_EQ(clockState(run), "locked") << "the report says so";
    run.warnings.clear();
    EXPECT_EQ(clockState(run), "");
    run.imported.reset();
    run.program.emplace();
    EXPECT_EQ(clockState(run), "");
}

TEST(FailedRuns, AKernelThatEndsItsWorkerIsARun)
{
    Hello hello;
    hello.devices.resize(1);
    hello.devices[0].name = "H200";
    Error error{.code = ErrorCode::kernelFailed, .message = "It ended.", .hint = "Run it alone.", .detail = "signal 11"};
    const Result<RunAnswer> failed = orFailedRun(error, hello);
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->status, ResultStatus::computationFailed);
    EXPECT_EQ(failed->reason, "It ended. Run it alone.");
    EXPECT_EQ(failed->device.name, "H200");
    EXPECT_EQ(failed->warnings.at(0).code, "worker-ended");
    EXPECT_THAT(failed->warnings.at(0).text, HasSubstr("signal 11"));
    error.hint.clear();
    EXPECT_EQ(orFailedRun(error, hello)->reason, "It ended.");
    error.code = ErrorCode::environment;
    EXPECT_FALSE(orFailedRun(error, hello));
}

TEST_F(EngineTest, RequestsAskForWhatTheScopeSays)
{
    const Address naive{"transpose", "naive", {}};
    ProfileScope scope(1);
    scope.metrics = {"m"};
    scope.maxPasses = 3;
    scope.source = false;
    scope.cacheControl = "none";
    scope.counters = false;
    scope.experiments = true;
    scope.energy = true;
    scope.pmSampling = true;
    const ProfileRequest asked = *profileRequest(catalog, naive, {}, scope);
    EXPECT_EQ(asked.tier, 1);
    EXPECT_THAT(asked.metrics, ElementsAre("m"));
    EXPECT_EQ(asked.maxPasses, 3);
    EXPECT_EQ(asked.source, false);
    EXPECT_EQ(asked.cacheControl, "none");
    EXPECT_EQ(asked.counters, false);
    EXPECT_EQ(asked.experiments, true);
    EXPECT_EQ(asked.run.energy, true);
    EXPECT_EQ(asked.pmSampling, true);
    EXPECT_THAT(asked.run.suite, IsEmpty());
    const ProfileRequest plain = *profileRequest(catalog, naive, {}, 2);
    EXPECT_FALSE(plain.run.energy || plain.pmSampling || plain.counters || plain.source || plain.experiments);
    TimelineScope timeline{true, 3, 99, false};
    const TimelineRequest marks = *timelineRequest(catalog, naive, {}, timeline);
    EXPECT_EQ(marks.automatic, true);
    EXPECT_EQ(marks.blocks, 3);
    EXPECT_EQ(marks.marks, 99);
    EXPECT_EQ(marks.overhead, false);
    const AbRequest ab = *abRequest(catalog, naive, {"transpose", "tiled", {}}, {}, 10);
    EXPECT_EQ(ab.a.kernel, "transpose/naive");
    EXPECT_EQ(ab.b.kernel, "transpose/tiled");
    EXPECT_EQ(ab.firstBlock, 10);
    EXPECT_EQ(ab.blocks, 10);
    RunRequest suite = *runRequest(catalog, naive, {}, true);
    EXPECT_EQ(suite.suite.size(), (*catalog.family("transpose"))->suite.size());
    seedInputs(suite, 7);
    EXPECT_EQ(suite.work.seed, 7U);
    EXPECT_EQ(suite.suite.back().seed, 7U);
    const KernelFamily& copy = **catalog.family("copy");
    EXPECT_EQ(envRequest(catalog)->smoke->kernel, toText(Address{"copy", copy.variants.back().id, {}}));
    EXPECT_FALSE(envRequest(Catalog(std::vector<KernelFamily>{}))->smoke);
    EXPECT_EQ(envRequest(Catalog({**catalog.family("transpose")}))->smoke->kernel,
              toText(Address{"transpose", (*catalog.family("transpose"))->variants.back().id, {}}));
}

TEST_F(EngineTest, ANarrowedProfileTakesItsPartOfTheRecordedOne)
{
    const Address naive{"transpose", "naive", {}};
    const std::map<std::string, std::optional<double>> all = valueOf(bench.profile(naive, {}, 2)).metrics->values;
    ASSERT_FALSE(all.empty());
    const std::string name = all.begin()->first;
    ProfileScope scope(2);
    scope.metrics = {name};
    RunRecord run = valueOf(bench.profile(naive, {}, scope));
    EXPECT_EQ(run.metrics->values, (std::map<std::string, std::optional<double>>{{name, all.at(name)}}));
    EXPECT_FALSE(run.sourceProfile);
    scope.metrics = {"regex:^" + name.substr(0, 8)};
    EXPECT_TRUE(valueOf(bench.profile(naive, {}, scope)).metrics->values.contains(name));
    for (const char* wrong : {"regex:(", "regex:^nothing$", "no_such.metric"}) {
        scope.metrics = {wrong};
        const Error error = bench.profile(naive, {}, scope).error();
        EXPECT_EQ(error.code, ErrorCode::badInput) << wrong;
        EXPECT_EQ(error.where, "--metrics") << wrong;
    }
    for (const MetricSection& section : metricSections())
        for (const std::string_view known : section.metrics)
            if (!all.contains(std::string(known))) {
                scope.metrics = {std::string(known)};
                EXPECT_TRUE(valueOf(bench.profile(naive, {}, scope)).metrics->missing.contains(std::string(known)));
                break;
            }
    scope = ProfileScope(2);
    scope.cacheControl = "none";
    EXPECT_EQ(bench.profile(naive, {}, scope).error().code, ErrorCode::notRecorded);
    scope.cacheControl = "flush";
    EXPECT_EQ(valueOf(bench.profile(naive, {}, scope)).metrics->values, all);
    scope = ProfileScope(2);
    scope.counters = false;
    run = valueOf(bench.profile(naive, {}, scope));
    EXPECT_FALSE(run.metrics);
    EXPECT_TRUE(run.timing);
    scope = ProfileScope(2);
    scope.countersOnly = true;
    run = valueOf(bench.profile(naive, {}, scope));
    EXPECT_TRUE(run.metrics);
    EXPECT_FALSE(run.timing || run.baseline || run.sourceProfile);
    EXPECT_EQ(run.correctness.result, CorrectnessResult::notChecked);
    EXPECT_FALSE(run.correctness.reason.empty());
}

TEST_F(EngineTest, RegisteredKernelsAreKeptByTheirDescriptor)
{
    EXPECT_THAT(registeredKernels(*store), IsEmpty());
    EXPECT_THAT(unregisterKernel(*store, "mine").error().next, testing::SizeIs(1)) << "how to add one";
    ASSERT_TRUE(store->setSetting("user-kernels", R"(["/gone/kernel.json", 7, "/gone/other.json"])"));
    EXPECT_THAT(registeredKernels(*store), ElementsAre("/gone/kernel.json", "/gone/other.json"));
    const OpenCatalog open = *openCatalog(*store);
    ASSERT_EQ(open.broken.size(), 2U);
    EXPECT_EQ(open.broken[1].path, "/gone/other.json");
    EXPECT_EQ(open.catalog.families().size(), catalog.families().size());
    const Error none = unregisterKernel(*store, "mine").error();
    EXPECT_EQ(none.code, ErrorCode::notFound);
    EXPECT_EQ(none.where, "mine");
    EXPECT_THAT(none.hint, HasSubstr("/gone/other.json"));
    EXPECT_THAT(none.next, IsEmpty());
    EXPECT_EQ(*unregisterKernel(*store, "/gone/kernel.json"), "/gone/kernel.json");
    EXPECT_THAT(registeredKernels(*store), ElementsAre("/gone/other.json"));
    EXPECT_FALSE(registerKernel(*store, "/gone"));
    for (const char* odd : {"{}", "no json", "\"x\""}) {
        ASSERT_TRUE(store->setSetting("user-kernels", odd));
        EXPECT_THAT(registeredKernels(*store), IsEmpty());
    }
}

TEST_F(EngineTest, NoiseIsTheUsersOwnElseTheKernelsElseTheDevicesWorst)
{
    const DeviceInfo device = gpu.hello().devices[0];
    const auto floor = [&](const std::string& kernel = "transpose/naive") { return noiseFloor(*store, device, Source::sample, {kernel}); };
    EXPECT_FALSE(floor().value);
    int number = 0;
    const auto add = [&](const std::string& kernel, const std::string& problem, double noise) {
        const std::string id = std::to_string(++number);
        ASSERT_TRUE(store->saveNoise(
            {id, device.uuid, device.name, device.driverVersion, Source::sample, kernel, problem, noise, {1, 1}, 2, 0, "2026-0" + id}));
    };
    add("transpose/naive", "M=1", 0.9);
    add("transpose/naive", "M=1", 0.02);
    add("transpose/naive", "M=2", 0.03);
    add("copy/coalesced", "M=1", 0.05);
    add("copy/coalesced", "M=2", 0.01);
    EXPECT_EQ(floor().value, 0.03) << "the newest of each problem, of these the worst";
    EXPECT_EQ(floor("softmax/x").value, 0.05);
    ASSERT_TRUE(store->setSetting("accepted-noise", "0.2"));
    EXPECT_EQ(floor().value, 0.2);
    ASSERT_TRUE(store->setSetting("accepted-noise:" + device.name, "0.1"));
    EXPECT_EQ(floor().value, 0.1);
    for (const char* none : {"0", "-1", "x"}) {
        ASSERT_TRUE(store->setSetting("accepted-noise:" + device.name, none));
        EXPECT_EQ(floor().value, 0.2) << none;
    }
}

TEST(CodeListing, HasEachCounterOrNull)
{
    KernelCode code;
    code.language = CodeLanguage::sass;
    code.functions = {"k", "f"};
    code.files = {"a.cu"};
    code.stalls = {"wait", "barrier"};
    code.instructions.resize(2);
    CodeInstruction& one = code.instructions[0];
    one.function = 1;
    one.offset = 16;
    one.file = 0;
    one.line = 3;
    one.text = "LDG";
    one.samples = 5;
    one.stalls = {0, 5};
    one.executed = 6;
    one.threads = 7;
    one.sectors = 8;
    one.idealSectors = 2;
    one.wavefronts = 9;
    one.idealWavefronts = 4;
    one.liveRegisters = 10;
    RunRecord run;
    run.launches = {{"k", 16, 256, 32, 0, 0, 0}};
    Json json = codeListingToJson(code, run);
    EXPECT_EQ(json["language"], "sass");
    EXPECT_EQ(json["not_disassembled"], nullptr);
    EXPECT_EQ(json["functions"], Json({"k", "f"}));
    EXPECT_EQ(json["samples"], 5);
    EXPECT_EQ(json["registers"], 32);
    const Json expected = Json::parse(R"({"file":"a.cu","line":3,"samples":5,"stall":"barrier","stalls":{"barrier":5},"executed":6,
        "threads":7,"sectors":8,"ideal_sectors":2,"wavefronts":9,"ideal_wavefronts":4,"bank_conflicts":5,"live_registers":10,"function":"f",
        "offset":16,"text":"LDG"})");
    EXPECT_EQ(json["instructions"][0], expected);
    for (const char* unknown : {"file", "line", "executed", "threads", "sectors", "wavefronts", "bank_conflicts", "live_registers"})
        EXPECT_EQ(json["instructions"][1][unknown], nullptr) << unknown;
    EXPECT_EQ(json["lines"][0]["instructions"], 1);
    code.language = CodeLanguage::none;
    code.notDisassembled = "no tool";
    run.launches[0].registers = 0;
    json = codeListingToJson(code, run);
    EXPECT_EQ(json["language"], "none");
    EXPECT_EQ(json["not_disassembled"], "no tool");
    EXPECT_EQ(json["registers"], nullptr);
    EXPECT_FALSE(codeOf(run));
    run.sourceProfile.emplace();
    EXPECT_FALSE(codeOf(run)) << "neither code nor samples";
    run.sourceProfile->code = SharedCode(code);
    EXPECT_EQ(codeOf(run)->notDisassembled, "no tool");
}

TEST(HotLinesOfPrograms, ShowInstructionsTextOrThePlaceAlone)
{
    const Catalog catalog = *Catalog::embedded();
    RunRecord run;
    run.kernel = {"program", "k-1", {}};
    EXPECT_FALSE(hotLines(run, catalog).unavailable.empty());
    run.program.emplace();
    run.sourceProfile.emplace();
    SourceProfile& profile = *run.sourceProfile;
    profile.samples = 10;
    profile.lines = {{"a.cu", 2, 6, 0.6, {{"wait", 6}}, 5, {}, {}}, {"a.cu", 9, 4, 0.4, {}, {}, {}, {}}, {"a.cu", 1, 0, 0, {}, {}, {}, {}}};
    HotLines hot = hotLines(run, catalog);
    ASSERT_EQ(hot.lines.size(), 2U) << "none without samples";
    EXPECT_EQ(hot.lines[0].text, "");
    EXPECT_EQ(hot.lines[0].stall, "wait");
    EXPECT_FALSE(hot.note.empty());
    EXPECT_EQ(hotLines(run, catalog, 1).lines.size(), 1U);
    EXPECT_FALSE(shownSource(run, catalog));
    profile.texts = {{"a.cu", "first\n  second  \nthird"}, {"b.cu", "other"}};
    hot = hotLines(run, catalog);
    EXPECT_EQ(hot.lines[0].text, "second");
    EXPECT_EQ(hot.lines[1].text, "") << "beyond its end";
    EXPECT_EQ(hot.note, "");
    EXPECT_EQ(shownSource(run, catalog)->file, "a.cu");
    profile.countsUnavailable = "no permission";
    EXPECT_THAT(hotLines(run, catalog).note, HasSubstr("no permission"));
    profile.lines = {{"", 0, 10, 1, {}, {}, {}, {}}};
    for (const auto& [function, offset, samples] : {std::tuple{"f", 32, 6}, std::tuple{"g", 16, 4}, std::tuple{"g", 48, 0}}) {
        SampledInstruction& one = profile.instructions.emplace_back();
        one.function = function;
        one.offset = offset;
        one.samples = samples;
    }
    hot = hotLines(run, catalog);
    EXPECT_TRUE(hot.instructions);
    ASSERT_EQ(hot.lines.size(), 2U);
    EXPECT_EQ(hot.lines[0].offset, 32);
    EXPECT_EQ(hot.lines[0].text, "f");
    EXPECT_DOUBLE_EQ(hot.lines[0].line.share, 0.6);
    EXPECT_EQ(hotLines(run, catalog, 1).lines.size(), 1U);
    const Json json = runToJsonWithLines(run, catalog);
    EXPECT_EQ(json["hot_instructions"].size(), 2U);
    EXPECT_EQ(json["hot_instructions"][0]["offset"], 32);
    EXPECT_EQ(json["hot_lines"], Json::array());
    run.program.reset();
    EXPECT_FALSE(hotLines(run, catalog).instructions) << "a kernel of the catalog has its lines";
}

TEST(Kept, WhatCannotBeStoredIsNamedWithItsPlace)
{
    const TempDir dir;
    const auto store = support::openStore((dir / "kl.db").string());
    std::vector<std::string> notices;
    Job job;
    job.notice = [&](const std::string& text) { notices.push_back(text); };
    Unstored what;
    what.runs = {timedRun("r1", "naive", "t", 1)};
    EXPECT_FALSE(keep(*store, what, job));
    EXPECT_TRUE(store->run({"r1"}));
    const auto frozen = openSampleStore();
    const std::optional<Warning> sample = keep(**frozen, what, job);
    EXPECT_EQ(sample->code, "not-stored");
    EXPECT_THAT(notices, ElementsAre(sample->text)) << "no file is left that nothing would read";
    what.runs[0].id = {};
    EXPECT_EQ(keep(*store, what, job)->code, "not-stored");
    RunRecord run = timedRun("r2", "naive", "t", 1);
    keep(**frozen, run, job);
    EXPECT_EQ(run.warnings.at(0).code, "not-stored");
    Comparison comparison;
    comparison.id = {"c1"};
    keep(*store, comparison, job);
    EXPECT_THAT(comparison.warnings, IsEmpty());
    EXPECT_TRUE(store->comparison({"c1"}));
}

TEST(Kept, ALaterMeasurementStoresWhatWasKeptInAFile)
{
    const TempDir dir;
    const auto store = support::openStore((dir / "kl.db").string());
    Unstored earlier, later;
    earlier.runs = {timedRun("r1", "naive", "t", 1)};
    later.runs = {timedRun("r2", "naive", "t", 1)};
    ASSERT_TRUE(Spool((dir / "kl.db").string()).keep(earlier));
    EXPECT_FALSE(keep(*store, later, {}));
    EXPECT_TRUE(store->run({"r1"}));
    EXPECT_THAT(Spool((dir / "kl.db").string()).files(), IsEmpty());
    EXPECT_TRUE(addKept(*store, {"s1"})) << "nothing is kept";
    Unstored step;
    step.events.emplace_back(SessionId{"s1"}, SessionEvent{9, "t", "note", "{}"});
    SessionHeader header{{"s1"}, "N", "optimize", "", "copy", Source::live, "t", "{}"};
    ASSERT_TRUE(store->createSession(header, {1, "t", "opened", "{}"}));
    ASSERT_TRUE(Spool((dir / "kl.db").string()).keep(step)); // leaves a gap: it cannot be stored
    const Status waits = addKept(*store, {"s1"});
    ASSERT_FALSE(waits);
    EXPECT_EQ(waits.error().code, ErrorCode::environment);
    EXPECT_EQ(waits.error().where, "session:s1");
    EXPECT_TRUE(addKept(*store, {"s2"})) << "another session's step";
}

TEST(ShellSettings, ScriptAndRepairsSayWhatIsKnown)
{
    EXPECT_EQ(shellScript({{"A", "1", "why", true}, {"B", "", "missing", false}}), "export A=1 # why\n# B: missing\n");
    EnvReport report;
    report.checks = {{"torch", Requirement::optional, CheckResult::fail, "", "", "python3 -m pip install torch"},
                     {"gpu", Requirement::required, CheckResult::fail, "", "", "Plug one in."},
                     {"cupti", Requirement::required, CheckResult::pass, "", "", "x"},
                     {"numpy", Requirement::required, CheckResult::skipped, "", "", "x"}};
    const TempDir bin;
    const support::SetVariable path("PATH", (std::string(":/none:") + bin.path().string()).c_str());
    std::vector<Repair> repairs = repairsOf(report);
    ASSERT_EQ(repairs.size(), 3U);
    EXPECT_EQ(repairs[0].command, "") << "required ones first; this one is not a command";
    EXPECT_EQ(repairs[1].command, "python3 -m pip install torch");
    EXPECT_THAT(repairs[2].command, HasSubstr("ninja"));
    EXPECT_FALSE(runRepair(repairs[0], {}));
    support::writeBytes(bin / "ninja", "#!/bin/sh\n");
    EXPECT_EQ(repairsOf(report).size(), 3U) << "it cannot be run";
    std::filesystem::permissions(bin / "ninja", std::filesystem::perms::owner_all);
    EXPECT_EQ(repairsOf(report).size(), 2U) << "it is installed";
    EXPECT_TRUE(runRepair({"x", "exit 0", ""}, {}));
    EXPECT_FALSE(runRepair({"x", "exit 3", ""}, {}));
}

TEST(ShellSettings, TakeTheToolkitAndTheTorchThatAreThere)
{
    const TempDir cuda, bin;
    std::filesystem::create_directories(cuda / "lib64");
    std::filesystem::create_directories(cuda / "torch");
    support::writeBytes(bin / "python3", "#!/bin/sh\necho " + (cuda / "torch").string() + "\n");
    std::filesystem::permissions(bin / "python3", std::filesystem::perms::owner_all);
    const support::SetVariable path("PATH", bin.path().c_str());
    const support::SetVariable home("CUDA_HOME", cuda.path().c_str());
    const support::SetVariable user("HOME", "/home/me");
    const std::vector<ShellSetting> all = shellSettings(nullptr, "8.6");
    const auto value = [&](const std::string& name) {
        const ShellSetting& row = *std::ranges::find(all, name, &ShellSetting::name);
        return (row.known ? "" : "unknown ") + row.value;
    };
    EXPECT_EQ(value("TORCH_CUDA_ARCH_LIST"), "8.6");
    EXPECT_EQ(value("CUDA_HOME"), cuda.path().string());
    EXPECT_EQ(value("LD_LIBRARY_PATH"),
              (cuda / "torch").string() + ":" + (cuda / "lib64").string() + "${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}")
        << "the folder of CUPTI is not there";
    EXPECT_EQ(value("TORCH_EXTENSIONS_DIR"), "/home/me/.cache/torch_extensions");
    EXPECT_EQ(value("USE_NINJA"), "unknown 1");
    EXPECT_EQ(value("MAX_JOBS"), std::to_string(std::max(1U, std::thread::hardware_concurrency())));
}

TEST(MachineLogs, LieInTheUsersStateFolderAndOldOnesGo)
{
    const TempDir state;
    const support::SetVariable home("HOME", "/home/me");
    for (const char* relative : {"relative", ""}) {
        const support::SetVariable variable("XDG_STATE_HOME", relative);
        EXPECT_EQ(logFolder(), "/home/me/.local/state/kernelloop");
    }
    const support::SetVariable variable("XDG_STATE_HOME", state.path().c_str());
    EXPECT_EQ(logFolder(), state / "kernelloop");
    const std::filesystem::path file = newLogFile();
    EXPECT_EQ(file.parent_path(), state / "kernelloop");
    EXPECT_TRUE(file.filename().string().starts_with("env-20"));
    EXPECT_EQ(std::ranges::count(file.filename().string(), '-'), 2);
    EXPECT_EQ(std::ranges::count(file.filename().string(), ':'), 0);
    for (int i = 10; i < 32; ++i)
        support::writeBytes(state / ("kernelloop/env-10" + std::to_string(i) + ".log"), "old");
    support::writeBytes(state / "kernelloop/mine.log", "not a check's");
    EnvReport report;
    report.checks = {{"gpu", Requirement::required, CheckResult::fail, "none", "the why", "the fix"}};
    keepLog(report, file.string());
    EXPECT_EQ(report.logFile, file.string());
    EXPECT_EQ(report.checks.size(), 1U);
    const std::string text = support::readBytes(file);
    for (const char* part : {"gpu", "none", "the why", "the fix", "verdict: fail"})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_FALSE(std::filesystem::exists(state / "kernelloop/env-1012.log")) << "three over twenty";
    EXPECT_TRUE(std::filesystem::exists(state / "kernelloop/env-1013.log"));
    EXPECT_TRUE(std::filesystem::exists(state / "kernelloop/mine.log"));
    keepLog(report, "");
    EXPECT_EQ(report.checks.back().id, "log-file");
    EXPECT_EQ(report.checks.back().requirement, Requirement::optional);
}

TEST(MachineLogs, AMachineWithoutItsWorkerHasAReportAllTheSame)
{
    const TempDir state;
    const support::SetVariable variable("XDG_STATE_HOME", state.path().c_str());
    const Error failure{.code = ErrorCode::environment, .message = "It does not start.", .hint = "Install it."};
    const EnvReport here = reportWithoutWorker(failure, false);
    ASSERT_EQ(here.checks.size(), 2U);
    EXPECT_EQ(here.checks[0].id, "gpu");
    const bool driver = std::filesystem::exists("/dev/nvidiactl");
    EXPECT_EQ(here.checks[0].result, driver ? CheckResult::skipped : CheckResult::fail);
    EXPECT_EQ(here.checks[1].id, "worker");
    EXPECT_EQ(here.checks[1].found, "It does not start.");
    EXPECT_EQ(here.checks[1].fix, "Install it.");
    EXPECT_TRUE(std::filesystem::exists(here.logFile));
    const EnvReport there = reportWithoutWorker(failure, true);
    ASSERT_EQ(there.checks.size(), 1U);
    EXPECT_EQ(there.checks[0].id, "host");
    EXPECT_EQ(there.checks[0].result, CheckResult::fail);
    EXPECT_TRUE(std::filesystem::exists(there.logFile));
}

TEST(ProblemAxesEdges, RangesIncludeTheirEndAndNamesAreTexts)
{
    const auto text = [](const char* axes) {
        std::string all;
        const auto problems = parseAxes(axes);
        EXPECT_TRUE(problems) << axes;
        for (const Params& problem : *problems)
            all += toText(problem) + ' ';
        return all;
    };
    EXPECT_EQ(text("M=1..8"), "M=1 M=2 M=4 M=8 ");
    EXPECT_EQ(text("M=1..9 x3"), "M=1 M=3 M=9 ");
    EXPECT_EQ(text("M=4..4"), "M=4 ");
    EXPECT_EQ(text("M=1..3 +1"), "M=1 M=2 M=3 ");
    EXPECT_EQ(text("M=[1]"), "M=1 ");
    EXPECT_EQ(text("T=f16,M=[a,2]"), "M=a,T=f16 M=2,T=f16 ");
    EXPECT_EQ(text("M=8x"), "M=8x ");
    EXPECT_EQ(parseAxes("M=N,N=M").error().code, ErrorCode::usage);
    EXPECT_EQ(parseAxes("M=1..9 x").error().where, "--problem");
}

TEST(BuildRecipeJson, HasEachStepWithWhatIsKnown)
{
    const Json json = recipeToJson({{"Title", "found", "command", true}, {"Other", "", "", {}}});
    EXPECT_EQ(json, Json::parse(R"([{"title":"Title","found":"found","command":"command","done":true},
        {"title":"Other","found":"","command":"","done":null}])"));
    EnvReport report;
    report.checks = {{"gpu", Requirement::required, CheckResult::pass, "H200", "", ""},
                     {"driver", Requirement::required, CheckResult::fail, "old", "", ""}};
    const RecipeStep step = buildRecipe(report, {}).front();
    EXPECT_EQ(step.found, "H200; old");
    EXPECT_EQ(step.done, false) << "all have to pass";
    const std::string text = recipeMarkdown({{"A", "f", "c", false}, {"B", "g", "", true}});
    EXPECT_THAT(text, HasSubstr("1. [ ] **A**\n   To fix: f\n\n```\nc\n```\n"));
    EXPECT_THAT(text, HasSubstr("2. [x] **B**\n   g\n"));
}

} // namespace
} // namespace kl::test
