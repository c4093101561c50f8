// SPDX-License-Identifier: MIT
#include "core/base/resource.h"
#include "core/diagnosis/targets.h"
#include "core/model/model_words.h"
#include "kernels/catalog.h"
#include "sessions/session/check_functions.h"
#include "sessions/session/gate.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"

#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace kl::test {
namespace {

using support::profiledRun;

/// Each check of the gates by itself, at the edge of what it lets through. The view begins with everything in order.
class Checks : public ::testing::Test {
protected:
    Checks()
        : plan(parseTemplate(*resource("sessions/templates/optimize.json"), "optimize.json").value()),
          catalog(Catalog::loadEmbedded().value()), family(**catalog.family("transpose"))
    {
        const RunRecord right = profiledRun("r1", "naive", "2026-03-01T09:00:00.000Z", 1000);
        view.current = view.start = right.kernel;
        view.candidate = Address{"transpose", "tiled", {}};
        view.problem = right.problem;
        view.environment = EnvReport{{{"gpu", Requirement::required, CheckResult::pass, "H200", "w", "f"}}, ""};
        view.build = BuildFacts{"ok", "", "", "sm_90", 0.1, 0, ""};
        for (std::optional<RunRecord>* run : {&view.smallestRun, &view.startRun, &view.baselineRun, &view.profileRun, &view.candidateRun}) {
            *run = right;
            (*run)->launches = {{"kernel", 16, 256, 32, 0, 1024, 0}};
            (*run)->device.smemPerBlockOptin = 232448;
            (*run)->memoryBytes = 1000;
            (*run)->baseline = (*run)->baseline.value_or(Baseline{});
            (*run)->baseline->memoryBytes = 1000;
            (*run)->speedup = 1.3;
            (*run)->timing->gpu.median = 20'000;
            (*run)->metrics->values["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = 80;
            (*run)->metrics->values["sm__warps_active.avg.pct_of_peak_sustained_active"] = 60;
            (*run)->metrics->values["smsp__thread_inst_executed_per_inst_executed.ratio"] = 32;
            (*run)->metrics->values["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = 0;
            for (const Params& size : family.suite)
                (*run)->correctness.suite.push_back({toText(size), true});
        }
        view.evaluation.emplace();
        view.evaluation->verdict = Verdict::faster;
        view.evaluation->ratio = Ratio{1.3, 1.2, 1.4};
        view.evaluation->blocks = 10;
    }

    /// The result of a check under a template with one threshold changed.
    GateResult under(const std::string& threshold, double value, const std::string& check) const
    {
        SessionTemplate changed = plan;
        changed.thresholds[threshold] = value;
        return evaluateCheck(check, {changed, view, &family}).front().result;
    }
    GateResult of(const std::string& check) const
    {
        const std::vector<CheckRow> rows = evaluateCheck(check, {plan, view, &family});
        EXPECT_EQ(rows.size(), 1U) << check;
        return rows.front().result;
    }
    void passes(const std::string& check) const { EXPECT_EQ(of(check), GateResult::pass) << check; }
    void fails(const std::string& check) const { EXPECT_EQ(of(check), GateResult::fail) << check; }
    void isUnknown(const std::string& check) const { EXPECT_EQ(of(check), GateResult::unknown) << check; }

    SessionTemplate plan;
    Catalog catalog;
    const KernelFamily& family;
    SessionView view;
};

TEST_F(Checks, AllPassWhereAllIsInOrderAndNoneIsKnownBefore)
{
    view.minimalRun = view.candidateRun;
    view.header.source = Source::live; // recorded data runs no kernel that could be checked for memory errors
    view.memoryCheck.emplace();
    view.memoryCheck->complete = true;
    for (const std::string& check : listKnownChecks())
        passes(check);
    view = {};
    for (const std::string& check : listKnownChecks())
        isUnknown(check);
}

TEST_F(Checks, TheEnvironmentPassesByWhatIsRequired)
{
    view.environment->checks[0].result = CheckResult::skipped;
    const CheckRow skipped = evaluateCheck("environment", {plan, view, &family}).front();
    EXPECT_EQ(skipped.result, GateResult::unknown);
    EXPECT_EQ(skipped.requirement, Requirement::optional) << "what could not be asked does not block";
    view.environment->checks[0].result = CheckResult::fail;
    fails("environment");
    view.environment->checks.clear();
    fails("environment");
}

TEST_F(Checks, AWrongOrFailedRunIsNotRight)
{
    for (std::optional<RunRecord>* run : {&view.smallestRun, &view.startRun, &view.baselineRun, &view.candidateRun})
        (*run)->correctness.result = CorrectnessResult::incorrect;
    view.minimalRun = view.candidateRun;
    for (const char* check :
         {"smallest-correct", "smallest-difference", "kernel-correct", "start-correct", "suite-correct", "failing-case-fixed"})
        fails(check);
    for (std::optional<RunRecord>* run : {&view.smallestRun, &view.startRun, &view.baselineRun, &view.candidateRun}) {
        (*run)->correctness.result = CorrectnessResult::correct;
        (*run)->status = ResultStatus::computationFailed;
    }
    view.minimalRun = view.candidateRun;
    for (const char* check : {"smallest-correct", "kernel-correct", "start-correct", "suite-correct", "failing-case-fixed", "module-loads"})
        fails(check);
}

TEST_F(Checks, ARefutedRunFailsWithItsWordAndItsWitness)
{
    for (std::optional<RunRecord>* run : {&view.smallestRun, &view.startRun, &view.baselineRun, &view.candidateRun}) {
        (*run)->status = ResultStatus::validationFailed;
        (*run)->correctness.result = CorrectnessResult::replays;
        (*run)->correctness.witness = Witness{"It was not computed."};
    }
    view.minimalRun = view.candidateRun;
    for (const char* check :
         {"smallest-correct", "smallest-difference", "kernel-correct", "start-correct", "suite-correct", "failing-case-fixed"}) {
        fails(check);
        const std::string found = evaluateCheck(check, {plan, view, &family}).front().found;
        for (const char* part : {toWord(CorrectnessResult::replays), "It was not computed."})
            EXPECT_NE(found.find(part), std::string::npos) << check << ' ' << found;
    }
}

TEST_F(Checks, EverySizeOfTheSuiteHasToBeThereAndRight)
{
    view.candidateRun->correctness.suite.back().pass = false;
    fails("suite-correct");
    view.candidateRun->correctness.suite.pop_back();
    fails("suite-correct"); // one size short
    view.startRun->correctness.suite.clear();
    fails("start-correct");
}

TEST_F(Checks, OneValueThatIsNotFiniteOrNotWrittenOnAnySizeFails)
{
    view.candidateRun->correctness.suite.back().nonfinite = 1;
    view.candidateRun->correctness.suite.front().unwritten = 1;
    fails("finite");
    fails("written");
    view.startRun->correctness.nonfinite = 1;
    view.startRun->correctness.unwritten = 1;
    fails("start-finite");
    fails("start-written");
    view.smallestRun->correctness.nonfinite = 1;
    fails("smoke");
}

TEST_F(Checks, WhatWasNotCheckedIsNotRight)
{
    for (std::optional<RunRecord>* run : {&view.smallestRun, &view.candidateRun})
        (*run)->correctness = {};
    for (const char* check : {"smoke", "smallest-correct", "smallest-difference", "suite-correct", "finite", "written"})
        fails(check);
}

TEST_F(Checks, TheBaselineNeedsATimeOnBothSides)
{
    view.baselineRun->baseline->gpu.reset();
    fails("baseline-measured");
    view.baselineRun->baseline.reset();
    fails("baseline-measured");
    view.baselineRun = view.candidateRun;
    view.baselineRun->timing.reset();
    fails("baseline-measured");
}

TEST_F(Checks, TheSpeedupLevelBeginsAtItsThreshold)
{
    view.baselineRun->speedup = plan.threshold("speedup_min");
    passes("speedup-level");
    view.baselineRun->speedup = plan.threshold("speedup_min") - 0.001;
    fails("speedup-level");
}

TEST_F(Checks, EveryThresholdOfATemplateCountsInItsCheck)
{
    for (std::optional<RunRecord>* run : {&view.smallestRun, &view.baselineRun, &view.startRun, &view.candidateRun})
        (*run)->correctness.maxAbs = 1e-6; // correct, but not exact
    struct Absurd {
        const char* threshold;
        double value;
        const char* check;
    };
    for (const Absurd& row :
         {Absurd{"speedup_min", 100, "speedup-level"}, Absurd{"speedup_target", 50, "speedup-target"},
          Absurd{"memory_bandwidth_min", 99.9, "memory-bandwidth"}, Absurd{"occupancy_min", 100, "occupancy"},
          Absurd{"kernel_duration_min_us", 1e9, "kernel-duration"}, Absurd{"warp_efficiency_min", 101, "warp-efficiency"},
          Absurd{"max_abs_diff", 1e-12, "max-difference"}, Absurd{"max_abs_diff", 1e-12, "start-max-difference"},
          Absurd{"max_abs_diff", 1e-12, "kernel-max-difference"}, Absurd{"gross_error", 1e-12, "gross-error"},
          Absurd{"gross_error", 1e-12, "start-gross-error"}, Absurd{"gross_error", 1e-12, "kernel-gross-error"},
          Absurd{"keep_improvement_min", 9, "improvement"}, Absurd{"peak_memory_max", 0.1, "peak-memory"},
          Absurd{"peak_memory_max", 0.1, "peak-memory-baseline"}, Absurd{"gross_error", 1e-12, "smallest-gross-error"}}) {
        passes(row.check);
        EXPECT_EQ(under(row.threshold, row.value, row.check), GateResult::fail) << row.threshold;
    }
    view.profileRun->metrics->values["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = 100;
    view.profileRun->metrics->values["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"] = 5;
    passes("bank-conflicts");
    EXPECT_EQ(under("bank_conflicts_max", 1, "bank-conflicts"), GateResult::fail);
    for (const auto& [name, value] : {std::pair{"speedup_high", 9.0}, std::pair{"speedup_success", 1.1}}) {
        SessionTemplate changed = plan;
        changed.thresholds[name] = value;
        EXPECT_NE(chooseLevel(1.3, changed), chooseLevel(1.3, plan)) << name;
    }
    SessionTemplate next = plan;
    next.thresholds["speedup_next_bottleneck"] = 1.6;
    EXPECT_NE(composeAdvice("success", 1.7, next), composeAdvice("success", 1.7, plan));
}

TEST_F(Checks, ATemplateSetsOnlyKnownThresholdsAndTheRestHasDefaults)
{
    std::set<std::string> set;
    for (const char* kind : {"baseline", "profile", "optimize", "expert", "debug"}) {
        const SessionTemplate shipped = parseTemplate(*resource(std::string("sessions/templates/") + kind + ".json"), kind).value();
        EXPECT_EQ(unknownThreshold(shipped), "") << kind;
        for (const auto& [name, value] : shipped.thresholds)
            set.insert(name);
    }
    EXPECT_EQ(set.size(), std::size(kThresholds));
    for (const Threshold& row : kThresholds) {
        EXPECT_TRUE(set.contains(std::string(row.name))) << row.name;
        EXPECT_EQ(SessionTemplate{}.threshold(row.name), row.otherwise);
    }
}

TEST_F(Checks, ALargeDifferenceIsWrongAndASmallOneInaccurate)
{
    view.candidateRun->correctness.suite.back().maxAbs = 0.05;
    view.candidateRun->correctness.suite.back().pass = false;
    fails("max-difference");
    passes("gross-error");
    view.candidateRun->correctness.suite.back().maxAbs = 4.72;
    fails("gross-error");
    const KernelFamily& sums = **catalog.family("reduction"); // whose own tolerance is larger than the plain limit
    view.candidateRun->correctness.suite.clear();
    view.candidateRun->correctness.maxAbs = 0.2;
    const CheckRow own = evaluateCheck("max-difference", {plan, view, &sums}).front();
    EXPECT_EQ(own.requirement, Requirement::optional);
    EXPECT_EQ(own.result, GateResult::pass);
}

TEST_F(Checks, TheFiveMetricsAreHeldAgainstBothTargets)
{
    view.profileRun->metrics->values["smsp__thread_inst_executed_per_inst_executed.ratio"] = 20; // 62.5 %
    view.profileRun->metrics->values["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = 42;
    const std::vector<TargetRow> rows = compareWithTargets(*view.profileRun);
    ASSERT_EQ(rows.size(), 5U);
    EXPECT_EQ(rows[0].document.result, TargetResult::misses);
    EXPECT_EQ(rows[0].method.result, TargetResult::misses);
    EXPECT_DOUBLE_EQ(*rows[3].value, 62.5);
    EXPECT_EQ(rows[3].document.result, TargetResult::meets) << "half a warp, as the document has it";
    EXPECT_EQ(rows[3].method.result, TargetResult::misses) << "24 of 32 threads";
    EXPECT_EQ(rows[4].document.result, TargetResult::meets) << "no conflicts at all";
    fails("memory-bandwidth");
    fails("warp-efficiency");
    const auto found = [&](const char* id) { return evaluateCheck(id, {plan, view, &family}).front().found; };
    EXPECT_EQ(found("memory-bandwidth"), valueText(rows[0])) << "both targets are the same";
    EXPECT_NE(found("warp-efficiency").find(limitText(rows[3], rows[3].document)), std::string::npos);
    for (const char* id : {"memory-bandwidth", "warp-efficiency", "bank-conflicts"})
        for (const TargetResult verdict : {TargetResult::meets, TargetResult::misses})
            EXPECT_EQ(found(id).find(toString(verdict)), std::string::npos) << id << ": the row has a verdict already";
    const Json json = targetsToJson(compareWithTargets(RunRecord{}));
    EXPECT_EQ(json[0]["result"], "not-measured");
    EXPECT_EQ(json[0]["value"], nullptr);
    EXPECT_EQ(json[4]["document"]["target"], 0);
}

TEST_F(Checks, TheProfileIsOfTheCurrentVariantOnTheProblem)
{
    view.profileRun->kernel.variant = "padded";
    fails("profile-taken");
    view.stale[Evidence::profile] = "the variant";
    passes("profile-taken"); // the gate calls it stale
    view.profileRun->problem = {{"M", std::int64_t{1}}};
    fails("profile-taken");
}

TEST_F(Checks, AProfileNeedsMeasuredValuesItsPassesAndAFinding)
{
    view.profileRun->metrics->plan.ran = 18;
    fails("passes-complete");
    view.profileRun->metrics->values = {{"dram__bytes.sum", std::nullopt}};
    fails("metrics-measured");
    view.profileRun->metrics.reset();
    fails("metrics-measured");
    view.profileRun->diagnosis->finding.inferred = true;
    fails("finding-classified");
    view.profileRun->diagnosis->finding.inferred = false;
    view.profileRun->diagnosis->finding.classId = "invalid";
    fails("finding-classified");
    view.profileRun->diagnosis.reset();
    fails("finding-classified");
}

TEST_F(Checks, ExactlyOneVariableChanges)
{
    view.candidate = view.current;
    fails("one-variable");
    view.candidate = Address{"transpose", "padded", {}}; // two steps of the series
    fails("one-variable");
}

TEST_F(Checks, SharedMemoryIsThatOfTheLargestLaunchAgainstTheDevice)
{
    view.candidateRun->launches.push_back({"second", 1, 32, 16, 0, 32448, 200000});
    passes("shared-memory");
    view.candidateRun->launches.back().dynamicSmem += 1;
    fails("shared-memory");
}

TEST_F(Checks, PeakMemoryIsAtMostTwice)
{
    view.candidateRun->memoryBytes = 2000;
    passes("peak-memory");
    view.candidateRun->memoryBytes = 2001;
    fails("peak-memory");
}

TEST_F(Checks, PeakMemoryIsAtMostTwiceTheBaselinesIfThatIsRecorded)
{
    view.candidateRun->memoryBytes = 2000;
    view.candidateRun->baseline = Baseline{.name = "PyTorch SDPA"};
    const auto row = [&] { return evaluateCheck("peak-memory-baseline", {plan, view, &family}).at(0); };
    EXPECT_EQ(row().result, GateResult::unknown);
    view.candidateRun->baseline->memoryBytes = 1000;
    EXPECT_EQ(row().result, GateResult::pass);
    view.candidateRun->baseline->memoryBytes = 999;
    EXPECT_EQ(row().result, GateResult::fail);
    EXPECT_EQ(row().requirement, Requirement::optional);
}

TEST_F(Checks, ASmallestSizeThatIsFarOffWarns)
{
    const auto row = [&] { return evaluateCheck("smallest-gross-error", {plan, view, &family}).at(0); };
    view.smallestRun->correctness.maxAbs = 0.1;
    EXPECT_EQ(row().result, GateResult::pass);
    view.smallestRun->correctness.maxAbs = 0.11;
    EXPECT_EQ(row().result, GateResult::fail);
    EXPECT_EQ(row().requirement, Requirement::optional) << "a warning";
}

TEST_F(Checks, TheBuildIsCleanWithoutWarningsAndLocalMemory)
{
    view.smallestRun->launches.push_back({"second", 1, 32, 255, 8});
    fails("build-resources");
    view.build->warnings = 1;
    fails("build-warnings");
    view.build->status = "compilation_failed";
    fails("build-clean");
    view.build->unavailable = "not recorded";
    isUnknown("build-clean");
    isUnknown("build-warnings");
}

TEST_F(Checks, AnEvaluationCountsWhereBothSidesAreRightAndComparable)
{
    view.evaluation->reason = "wrong-result";
    fails("both-correct");
    view.evaluation->reason = "run-failed";
    fails("both-correct");
    view.evaluation->reason = "replays";
    view.evaluation->refuted = RefutedSide{"b", CorrectnessResult::replays, {}};
    fails("both-correct");
    view.evaluation->verdict = Verdict::notComparable;
    fails("comparable");
    view.evaluation->verdict = Verdict::faster;
    view.evaluation->ratio.reset();
    fails("comparable");
    isUnknown("improvement");
}

TEST_F(Checks, AnImprovementIsKeptRevertedOrOpen)
{
    view.evaluation->ratio = Ratio{1.1, 1.05, 1.19};
    fails("improvement");
    view.evaluation->ratio = Ratio{1.25, 1.19, 1.3};
    isUnknown("improvement");
    view.evaluation->blocks = 20;
    isUnknown("improvement");
    view.evaluation->ratio = Ratio{1.25, 1.2, 1.3};
    passes("improvement");
    view.evaluation->noise.value = 0.2; // the effect is within twice the noise
    isUnknown("improvement");
}

TEST_F(Checks, EachRowNamesItsEvidenceOnceThereIsSome)
{
    int number = 0;
    for (std::optional<RunRecord>* run :
         {&view.smallestRun, &view.startRun, &view.baselineRun, &view.profileRun, &view.candidateRun, &view.minimalRun}) {
        *run = view.candidateRun;
        (*run)->id.text = "r" + std::to_string(++number);
    }
    view.evaluation->id.text = "c1";
    view.build->log = "log";
    const std::map<Evidence, std::string> expected{
        {Evidence::smallest, "run:r1"}, {Evidence::startSuite, "run:r2"},        {Evidence::baseline, "run:r3"},
        {Evidence::profile, "run:r4"},  {Evidence::candidate, "run:r5"},         {Evidence::minimalCase, "run:r6"},
        {Evidence::environment, ""},    {Evidence::evaluation, "comparison:c1"}, {Evidence::memory, ""}};
    for (const std::string& check : listKnownChecks()) {
        if (check == "one-variable" || check.starts_with("build-"))
            continue;
        const CheckRow row = evaluateCheck(check, {plan, view, &family}).front();
        EXPECT_EQ(row.evidence, expected.at(findCheckEvidence(check))) << check;
        EXPECT_EQ(row.id, check == "environment" ? "gpu" : check);
        EXPECT_EQ(evaluateCheck(check, {plan, SessionView{}, &family}).front().evidence, "") << check;
    }
    EXPECT_EQ(evaluateCheck("build-clean", {plan, view, &family}).front().evidence, "artifact:log");
    EXPECT_EQ(evaluateCheck("build-resources", {plan, view, &family}).front().evidence, "run:r1");
    EXPECT_EQ(evaluateCheck("one-variable", {plan, view, &family}).front().evidence, "") << "no run decides it";
}

TEST_F(Checks, PeakMemoryIsUnknownWithoutBothFigures)
{
    const auto spoilt = [&](auto change) {
        const SessionView before = view;
        change();
        isUnknown("peak-memory");
        view = before;
    };
    spoilt([&] { view.candidateRun->memoryBytes.reset(); });
    spoilt([&] { view.baselineRun->memoryBytes.reset(); });
    spoilt([&] { view.baselineRun->memoryBytes = 0; });
    spoilt([&] { view.baselineRun.reset(); });
    spoilt([&] { view.candidateRun.reset(); });
    view.candidateRun->memoryBytes = 3000;
    view.candidateRun->baseline->memoryBytes = 0;
    isUnknown("peak-memory-baseline");
    view.candidateRun->baseline->memoryBytes = 1500;
    passes("peak-memory-baseline");
    view.candidateRun->baseline.reset();
    isUnknown("peak-memory-baseline");
}

TEST_F(Checks, MemoryIsCleanWhereEachToolLookedAndFoundNothing)
{
    const auto row = [&] { return evaluateCheck("memory-clean", {plan, view, &family}).front(); };
    view.memoryCheck = MemoryCheck{"h", "seen", "", 0, true};
    EXPECT_EQ(row().result, GateResult::pass);
    EXPECT_EQ(row().requirement, Requirement::required);
    view.memoryCheck->found = 1;
    EXPECT_EQ(row().result, GateResult::fail);
    EXPECT_EQ(row().found, "seen");
    view.memoryCheck = MemoryCheck{"h", "seen", "no tool", 0, false};
    EXPECT_EQ(row().result, GateResult::unknown);
    EXPECT_EQ(row().requirement, Requirement::optional) << "a tool that cannot look says nothing";
    EXPECT_NE(row().found.find("no tool"), std::string::npos);
    const std::string usual = row().threshold;
    view.foundBy = {"memcheck"};
    EXPECT_EQ(row().threshold, usual) << "it is among them";
    view.foundBy = {"racecheck"};
    EXPECT_NE(row().threshold.find("racecheck"), std::string::npos);
    view.header.source = Source::sample;
    EXPECT_EQ(row().requirement, Requirement::optional);
    EXPECT_EQ(row().result, GateResult::unknown);
    EXPECT_FALSE(row().found.empty());
    EXPECT_EQ(row().found.find("no tool"), std::string::npos) << "a recording needs none";
    view.header.source = Source::live;
    view.memoryCheck.reset();
    EXPECT_EQ(row().requirement, Requirement::required);
    EXPECT_EQ(row().found, "");
}

TEST_F(Checks, AStepThatGetsSlowerWarnsBesideTheImprovement)
{
    const auto wall = [&](Ratio ratio) {
        view.evaluation->wall = WallComparison{ratio, 2000, 1000};
        const std::vector<CheckRow> rows = evaluateCheck("improvement", {plan, view, &family});
        EXPECT_EQ(rows.size(), 2U);
        EXPECT_EQ(rows[0].result, GateResult::pass);
        EXPECT_EQ(rows[1].id, "step-time");
        EXPECT_EQ(rows[1].requirement, Requirement::optional);
        EXPECT_EQ(rows[1].evidence, rows[0].evidence);
        EXPECT_FALSE(rows[1].why.empty());
        return rows[1].result;
    };
    EXPECT_EQ(wall({1.1, 1, 1.2}), GateResult::pass);
    EXPECT_EQ(wall({1.1, 0.99, 1.2}), GateResult::unknown);
    EXPECT_EQ(wall({0.95, 0.9, 1}), GateResult::unknown);
    EXPECT_EQ(wall({0.9, 0.85, 0.99}), GateResult::fail);
}

TEST_F(Checks, AnImprovementCountsTogetherWithWhatIsParked)
{
    view.evaluation->ratio = Ratio{1.1, 1.09, 1.12};
    view.parked.resize(1);
    view.parked[0].ratio = {1.15, 1.12, 1.2};
    passes("improvement"); // 1.09 by 1.12
    view.parked[0].ratio = {1.05, 1.04, 1.06};
    fails("improvement");
    view.evaluation.reset();
    view.parkedRatio = Ratio{1.05, 1.04, 1.06};
    isUnknown("improvement");
    EXPECT_NE(evaluateCheck("improvement", {plan, view, &family}).front().found.find("1.05"), std::string::npos);
}

TEST_F(Checks, SharedMemoryOfAnUnknownDeviceDoesNotBlock)
{
    const auto row = [&] { return evaluateCheck("shared-memory", {plan, view, &family}).front(); };
    EXPECT_EQ(row().requirement, Requirement::required);
    view.candidateRun->device.smemPerBlockOptin = 0;
    EXPECT_EQ(row().requirement, Requirement::optional);
    EXPECT_EQ(row().result, GateResult::unknown);
    view.candidateRun->device.smemPerBlockOptin = 1024;
    EXPECT_EQ(row().result, GateResult::pass);
    view.candidateRun->launches.clear();
    EXPECT_EQ(row().requirement, Requirement::optional) << "nothing was launched";
    EXPECT_EQ(row().result, GateResult::unknown);
}

TEST_F(Checks, ASearchMayChangeSeveralTunablesAndNothingElseMay)
{
    const KernelFamily& attention = **catalog.family("attention");
    view.current = {"attention", "fused", {}};
    view.candidate = Address{"attention", "fused", {{"WARPS", std::int64_t{2}}, {"BLOCK_M", std::int64_t{32}}}};
    const auto row = [&] { return evaluateCheck("one-variable", {plan, view, &attention}).front(); };
    EXPECT_EQ(row().result, GateResult::fail);
    for (const char* name : {"WARPS", "BLOCK_M"})
        EXPECT_NE(row().found.find(name), std::string::npos) << row().found;
    view.fix = "search";
    EXPECT_EQ(row().result, GateResult::pass);
    view.candidate = view.current;
    EXPECT_EQ(row().result, GateResult::fail);
    EXPECT_FALSE(row().found.empty());
    for (const char* name : {"WARPS", "BLOCK_M"})
        EXPECT_EQ(row().found.find(name), std::string::npos) << row().found;
    view.sourceChange = SourceChange{"k.cu", "a", "b", "+1", "", "", "", false, ""};
    EXPECT_EQ(row().result, GateResult::pass);
    EXPECT_EQ(row().found, "k.cu +1");
}

TEST_F(Checks, ACorrectSizeBeyondTheTolerancesOwnLimitIsNoDifference)
{
    view.candidateRun->correctness.suite.back().maxAbs = 5; // passes by a scaled tolerance: its results are larger
    passes("max-difference");
    view.candidateRun->correctness.suite.back().pass = false;
    fails("max-difference");
    view.candidateRun->correctness.suite.back() = {};
    view.candidateRun->correctness.maxAbs = plan.threshold("max_abs_diff");
    passes("max-difference");
    view.candidateRun->correctness = {};
    const CheckRow row = evaluateCheck("max-difference", {plan, view, &family}).front();
    EXPECT_EQ(row.result, GateResult::fail);
    EXPECT_FALSE(row.found.empty());
    EXPECT_EQ(row.found.find_first_of("0123456789"), std::string::npos) << "no figure of what was not compared: " << row.found;
    const KernelFamily& sums = **catalog.family("reduction");
    EXPECT_EQ(evaluateCheck("max-difference", {plan, view, &sums}).front().requirement, Requirement::required) << "unknown is unknown";
}

TEST_F(Checks, WhatWentWrongIsInTheRow)
{
    const auto found = [&](const char* check) { return evaluateCheck(check, {plan, view, &family}).front().found; };
    const std::string correct = found("kernel-correct");
    view.baselineRun->correctness = {};
    const std::string unchecked = found("kernel-correct");
    EXPECT_NE(unchecked, correct);
    EXPECT_TRUE(unchecked.starts_with(toText(view.baselineRun->problem) + ": ")) << unchecked;
    fails("kernel-correct");
    view.baselineRun->correctness.reason = "no reference";
    EXPECT_EQ(found("kernel-correct").find(unchecked), std::string::npos) << "the run's own reason comes first";
    EXPECT_NE(found("kernel-correct").find("no reference"), std::string::npos);
    view.baselineRun->status = ResultStatus::computationFailed;
    view.baselineRun->reason = "illegal address";
    EXPECT_NE(found("kernel-correct").find("illegal address"), std::string::npos);
    view.baselineRun->baseline->gpu.reset();
    view.baselineRun->baseline->unavailable = "no torch";
    EXPECT_NE(found("baseline-measured").find("no torch"), std::string::npos);
    view.baselineRun->timing->gpu.median = 0;
    EXPECT_EQ(found("baseline-measured").find("no torch"), std::string::npos) << "its own time comes first";
    view.candidateRun->correctness.suite.front().pass = false;
    view.candidateRun->correctness.suite.front().reason = "at 3";
    EXPECT_NE(found("suite-correct").find(toText(family.suite.front()) + ": at 3"), std::string::npos);
    view.candidateRun->correctness.suite.front().pass = true;
    view.candidateRun->status = ResultStatus::computationFailed;
    view.candidateRun->correctness.reason = "the worker ended";
    EXPECT_NE(found("suite-correct").find("the worker ended"), std::string::npos);
    view.candidateRun->reason = "a trap";
    EXPECT_NE(found("suite-correct").find("a trap"), std::string::npos);
}

class CheckTexts : public Checks {};

TEST_F(CheckTexts, SnapshotOfWhatEachCheckFound)
{
    std::string text;
    const auto add = [&](const std::string& state, const std::vector<std::string>& checks) {
        for (const std::string& check : checks)
            for (const CheckRow& row : evaluateCheck(check, {plan, view, &family}))
                text += state + ", " + row.id + " | " + row.found + " | " + row.threshold + '\n';
    };
    view.minimalRun = view.candidateRun;
    view.header.source = Source::live;
    view.memoryCheck = MemoryCheck{"h", "seen", "", 0, true};
    add("in order", listKnownChecks());
    for (std::optional<RunRecord>* run : {&view.smallestRun, &view.startRun, &view.baselineRun, &view.candidateRun, &view.minimalRun})
        (*run)->correctness = {};
    view.candidate = view.current;
    view.memoryCheck = MemoryCheck{"h", "seen", "no tool", 0, false};
    add("not checked", listKnownChecks());
    view.header.source = Source::sample;
    add("recorded", {"memory-clean"});
    test::expectSnapshot("texts/check-rows.txt", text);
}

} // namespace
} // namespace kl::test
