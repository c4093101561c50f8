// SPDX-License-Identifier: MIT
// What can be done about each fix of a finding, as steps, and that they are stored with it.
#include "core/codec/model_fields.h"
#include "core/diagnosis/fix_steps.h"
#include "core/diagnosis/tree.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace kl {
namespace {

class StepsOfFixes : public testing::Test {
protected:
    StepsOfFixes()
    {
        run.kernel = {"k", "slow", {}};
        run.problem = {{"M", std::int64_t{64}}};
        finding.classId = "dram-bound";
    }
    NextStep only() const
    {
        const std::vector<NextStep> steps = fixSteps(run, finding, fix, ownSource);
        EXPECT_EQ(steps.size(), 1U);
        return steps.empty() ? NextStep{} : steps.front();
    }

    RunRecord run;
    Finding finding;
    Fix fix;
    bool ownSource = true;
};

TEST_F(StepsOfFixes, AVariantThatHasTheChangeIsMeasuredInTurn)
{
    fix.id = fix.variant = "k/fast";
    fix.kind = "pad";
    EXPECT_EQ(only().id, StepId::compareInTurn);
    EXPECT_EQ(only().at(StepArgument::kernel), "k/slow");
    EXPECT_EQ(only().at(StepArgument::other), "k/fast");
    EXPECT_EQ(only().at(StepArgument::problem), "M=64");
    EXPECT_EQ(only().at(StepArgument::source), "");
    run.source = Source::sample;
    EXPECT_EQ(only().at(StepArgument::source), "sample") << "where the run was measured";
    finding.classId = "invalid";
    EXPECT_EQ(only().id, StepId::run) << "no time of an incorrect kernel counts";
    EXPECT_EQ(only().at(StepArgument::kernel), "k/fast");
    EXPECT_EQ(only().at(StepArgument::suite), "on");
}

TEST_F(StepsOfFixes, AnotherChangeIsMadeInASession)
{
    fix.id = fix.kind = "pad";
    EXPECT_EQ(only().id, StepId::newSession);
    EXPECT_EQ(only().at(StepArgument::kernel), "k/slow");
    EXPECT_EQ(only().at(StepArgument::kind), "");
    EXPECT_EQ(only().at(StepArgument::problem), "M=64") << "another size may have another finding";
    EXPECT_EQ(only().inputs.size(), 2U);
    run.source = Source::sample;
    EXPECT_EQ(only().at(StepArgument::source), "sample");
    EXPECT_TRUE(fixSteps(run, finding, fix, false).empty()) << "a session has no fix that nobody can make";
}

TEST_F(StepsOfFixes, WhatLeavesTheKernelMeasuresAgain)
{
    fix.id = "measure-more";
    EXPECT_EQ(only().id, StepId::profile);
    EXPECT_EQ(only().at(StepArgument::kernel), "k/slow");
    EXPECT_EQ(only().at(StepArgument::problem), "M=64");
    fix.id = "document";
    EXPECT_EQ(only().id, StepId::run);
    EXPECT_EQ(only().at(StepArgument::problem), "");
    ASSERT_EQ(only().inputs.size(), 1U);
    EXPECT_EQ(only().inputs[0].argument, StepArgument::problem) << "larger ones";
    fix.id = "correct-the-result";
    EXPECT_EQ(only().id, StepId::newSession);
    EXPECT_EQ(only().at(StepArgument::kind), "debug");
}

TEST_F(StepsOfFixes, AKernelOfAProgramIsProfiledWithItsProgram)
{
    fix.id = fix.kind = "pad";
    run.imported.emplace();
    EXPECT_EQ(only().id, StepId::profileProgram);
    run.imported.reset();
    run.program.emplace();
    EXPECT_EQ(only().id, StepId::profileProgram);
    EXPECT_EQ(only().inputs.at(0).argument, StepArgument::program);
}

TEST_F(StepsOfFixes, OfADiagnosisAreThoseOfItsRun)
{
    const Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
    ASSERT_TRUE(tree) << tree.error().message;
    run.correctness.result = CorrectnessResult::incorrect;
    const Diagnosis diagnosis = tree->diagnose(run, {{"k/right", "Index it right", "invalid", ""}});
    ASSERT_EQ(diagnosis.finding.classId, "invalid");
    ASSERT_FALSE(diagnosis.finding.fixes.empty());
    for (const Fix& one : diagnosis.finding.fixes)
        EXPECT_EQ(one.next, fixSteps(run, diagnosis.finding, one, false)) << one.id;
    EXPECT_EQ(diagnosis.finding.fixes.front().next.at(0).at(StepArgument::kernel), "k/right");
}

TEST_F(StepsOfFixes, AreStoredWithTheFix)
{
    fix.id = fix.variant = "k/fast";
    EXPECT_FALSE(toJson(fix).contains("next")) << "a finding of an earlier version has none";
    fix.next = fixSteps(run, finding, fix, ownSource);
    Json json = toJson(fix);
    ASSERT_EQ(json["next"].size(), 1U);
    EXPECT_EQ(json["next"][0]["id"], "compare-in-turn");
    EXPECT_EQ(json["next"][0]["arguments"]["other"], "k/fast");
    const Result<Fix> again = fromJson<Fix>(json, "test");
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, fix);
    json.erase("next");
    const Result<Fix> older = fromJson<Fix>(json, "test");
    ASSERT_TRUE(older);
    EXPECT_TRUE(older->next.empty());
}

} // namespace
} // namespace kl
