// SPDX-License-Identifier: MIT
#include "core/base/resource.h"
#include "kernels/catalog.h"
#include "sessions/session/check_functions.h"
#include "tests/sessions/store_support.h"

#include <gtest/gtest.h>

namespace kl::test {
namespace {

using support::profiledRun;

/// Each check of the gates by itself, at the edge of what it lets through. The view begins with everything in order.
class Checks : public ::testing::Test {
protected:
    Checks()
        : plan(parseTemplate(*resource("sessions/templates/optimize.json"), "optimize.json").value()), catalog(Catalog::embedded().value()),
          family(**catalog.family("transpose"))
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
            (*run)->speedup = 1.0;
            for (const Params& size : family.suite)
                (*run)->correctness.suite.push_back({toText(size), true});
        }
        view.evaluation.emplace();
        view.evaluation->verdict = Verdict::faster;
        view.evaluation->ratio = Ratio{1.3, 1.2, 1.4};
        view.evaluation->blocks = 10;
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
    for (const std::string& check : knownChecks())
        passes(check);
    view = {};
    for (const std::string& check : knownChecks())
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
    for (const char* check : {"smallest-right", "smallest-difference", "kernel-right", "start-right", "suite-right", "failing-case-fixed"})
        fails(check);
    for (std::optional<RunRecord>* run : {&view.smallestRun, &view.startRun, &view.baselineRun, &view.candidateRun}) {
        (*run)->correctness.result = CorrectnessResult::correct;
        (*run)->status = ResultStatus::computationFailed;
    }
    view.minimalRun = view.candidateRun;
    for (const char* check : {"smallest-right", "kernel-right", "start-right", "suite-right", "failing-case-fixed", "module-loads"})
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
         {"smallest-right", "smallest-difference", "kernel-right", "start-right", "suite-right", "failing-case-fixed"}) {
        fails(check);
        const std::string found = evaluateCheck(check, {plan, view, &family}).front().found;
        EXPECT_NE(found.find("replays: It was not computed."), std::string::npos) << check << ' ' << found;
    }
}

TEST_F(Checks, EverySizeOfTheSuiteHasToBeThereAndRight)
{
    view.candidateRun->correctness.suite.back().pass = false;
    fails("suite-right");
    view.candidateRun->correctness.suite.pop_back();
    fails("suite-right"); // one size short
    view.startRun->correctness.suite.clear();
    fails("start-right");
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
    for (const char* check : {"smoke", "smallest-right", "smallest-difference", "suite-right", "finite", "written"})
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
    fails("both-right");
    view.evaluation->reason = "run-failed";
    fails("both-right");
    view.evaluation->reason = "replays";
    view.evaluation->refuted = RefutedSide{"b", CorrectnessResult::replays, {}};
    fails("both-right");
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

} // namespace
} // namespace kl::test
