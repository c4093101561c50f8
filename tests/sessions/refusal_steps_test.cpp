// SPDX-License-Identifier: MIT
// Where a refused action leads, which actions each kind of session has, and what each needs before it.
#include "sessions/engine/action_table.h"
#include "sessions/engine/guards.h"
#include "sessions/engine/recorded_plan.h"
#include "sessions/session/action_arguments.h"
#include "sessions/session/rules.h"
#include "tests/sessions/engine_support.h"
#include "tests/sessions/modeled_session.h"

#include <gmock/gmock.h>

namespace kl::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> listWords(const std::string& kind)
{
    std::vector<std::string> words;
    for (const SessionAction action : listActions(shipped(kind)))
        words.emplace_back(toString(action));
    return words;
}

TEST(ActionsOfKinds, AreThoseThatTheirEvidenceAsksFor)
{
    EXPECT_THAT(listWords("baseline"), ElementsAre("check-environment", "verify-smallest", "measure-baseline", "document", "finish"));
    EXPECT_THAT(listWords("profile"),
                ElementsAre("check-environment", "verify-smallest", "measure-baseline", "profile", "document", "finish"));
    EXPECT_THAT(listWords("optimize"),
                ElementsAre("check-environment", "verify-smallest", "measure-baseline", "profile", "choose-fix", "take-edit",
                            "verify-suite", "check-memory", "evaluate", "park", "keep", "revert", "undo", "bisect", "document", "finish"));
    EXPECT_THAT(listWords("expert"), ElementsAre("check-environment", "validate-build", "verify-smallest", "verify-start",
                                                 "measure-baseline", "profile", "choose-fix", "take-edit", "verify-suite", "check-memory",
                                                 "evaluate", "park", "keep", "revert", "undo", "bisect", "document", "finish"));
    EXPECT_THAT(listWords("debug"), ElementsAre("hypothesis", "instrument", "find-failing", "analyse", "choose-fix", "take-edit",
                                                "verify-minimal", "verify-suite", "check-memory", "sanitize", "repeat", "keep", "revert",
                                                "undo", "bisect", "document", "finish"));
}

TEST(ActionsOfKinds, SevenHaveAVerbOfTheirOwn)
{
    std::string verbs;
    for (const ActionRow& row : actionTable())
        if (row.verb != nullptr) {
            EXPECT_TRUE(row.verb == std::string(toString(row.action)) || row.action == SessionAction::verifySuite) << row.verb;
            verbs += std::string(row.verb) + ' ';
        }
    EXPECT_EQ(verbs, "profile verify evaluate park keep revert undo ");
}

class RefusalSteps : public ModeledSession {
protected:
    /// "rule: step step", a step of the session's action with its word.
    std::string refusal(SessionAction action)
    {
        evaluate();
        const Status status = checkActionAllowed(model, action);
        if (status)
            return "allowed";
        std::string text = status.error().where + ':';
        for (const NextStep& step : status.error().next) {
            const std::string word = step.at(StepArgument::action);
            text += ' ' + (step.id == StepId::actInSession ? word : std::string(findKind(step.id).word));
            if (const std::string argument = step.at(StepArgument::argument); !argument.empty())
                text += '=' + argument;
        }
        return text;
    }
    /// Every kind of evidence is a step of a phase named after its action; no gate judges any.
    void gatherAll()
    {
        model.plan.phases.clear();
        model.plan.gates.clear();
        for (const EvidenceKind& row : evidenceTable())
            model.plan.phases.push_back({toString(row.action), "", "", 1, {}, {toString(row.action)}, {}});
        model.plan.phases.push_back({"document", "", "", 1, {}, {}, {}});
        model.view.evidence.clear();
    }
};

TEST_F(RefusalSteps, OfACandidateSayHowItGoesOn)
{
    using enum SessionAction;
    SessionView& view = model.view;
    EXPECT_EQ(refusal(chooseFix), "one-variable: keep revert");
    EXPECT_EQ(refusal(document), "one-variable: keep revert");
    EXPECT_EQ(refusal(takeEdit), std::string("one-variable: choose-fix=") + kOwnEdit);
    EXPECT_EQ(refusal(park), "G5: set-option");
    const Error off = checkActionAllowed(model, park).error();
    EXPECT_EQ(off.next.at(0).at(StepArgument::option), "cumulative");
    EXPECT_EQ(off.next.at(0).at(StepArgument::value), "on");
    EXPECT_EQ(refusal(undo), ": show-session");
    EXPECT_EQ(refusal(bisect), ": show-session");
    view.cumulative = true;
    view.evaluation->verdict = Verdict::inconclusive;
    view.evaluation->ratio = Ratio{1.1, 0.9, 1.2};
    EXPECT_EQ(refusal(park), "G5: check-gate");
    EXPECT_EQ(refusal(keep), "G5: check-gate");
    view.memoryCheck->found = 1;
    EXPECT_EQ(refusal(keep), "correctness-first: revert waive-gate");
    EXPECT_EQ(checkActionAllowed(model, keep).error().next.at(1).at(StepArgument::gate), "G4");
    ASSERT_EQ(checkActionAllowed(model, keep).error().next.at(1).inputs.size(), 1U);
    EXPECT_EQ(checkActionAllowed(model, keep).error().next.at(1).inputs[0].argument, StepArgument::reason);
    forget({Evidence::memory});
    EXPECT_EQ(refusal(keep), "correctness-first: step-session");
    forget({Evidence::candidate});
    EXPECT_EQ(refusal(SessionAction::evaluate), "correctness-first: verify-suite");
    EXPECT_EQ(refusal(keep), "correctness-first: verify-suite");
    dropCandidate();
    EXPECT_EQ(refusal(chooseFix), ": step-session") << "no fix is left";
    EXPECT_EQ(refusal(verifySuite), "one-variable: show-session");
    view.kept = true;
    EXPECT_EQ(refusal(verifySuite), "one-variable:") << "the next session is for the next change";
    EXPECT_EQ(refusal(chooseFix), "one-variable:");
    view.kept = false;
    view.editing = BegunEdit{"k.cu", findSourceHash(view.current), "", false, "own-edit", ""};
    EXPECT_EQ(refusal(chooseFix), "one-variable: step-session revert");
    EXPECT_EQ(refusal(document), "one-variable: step-session revert");
}

TEST_F(RefusalSteps, OfAnEditThatMovedLeadToTakingIt)
{
    using enum SessionAction;
    SessionView& view = model.view;
    view.candidate = view.current;
    view.candidateRun->kernel = view.current;
    view.sourceChange = SourceChange{"k.cu", findSourceHash(view.current), "other", "", "", "", "", false, ""};
    view.candidateRun->sourceHash = "other";
    for (const SessionAction locked : {verifySuite, SessionAction::evaluate, keep, park, checkMemory})
        EXPECT_EQ(refusal(locked), "one-variable: take-edit") << toString(locked);
    EXPECT_EQ(refusal(revert), "allowed");
    EXPECT_EQ(refusal(takeEdit), "allowed");
    ParkedStep step{view.start, view.start, "", {}, Ratio{1.3, 1.25, 1.35}, view.sourceChange};
    dropCandidate();
    view.sourceChange.reset();
    view.parked = {step};
    EXPECT_EQ(refusal(keep), "profile-before-optimizing: step-session") << "the parked edit is to be profiled first";
    view.profileRun->sourceHash = "other";
    EXPECT_EQ(refusal(keep), "one-variable: take-edit");
    EXPECT_EQ(refusal(chooseFix), "one-variable: take-edit");
    EXPECT_EQ(refusal(SessionAction::profile), "profile-before-optimizing: revert");
    EXPECT_EQ(refusal(document), "one-variable: keep revert");
}

TEST_F(RefusalSteps, OfAMeasurementLeadToWhatComesBefore)
{
    using enum SessionAction;
    SessionView& view = model.view;
    dropCandidate();
    view.baselineRun->speedup = 0.3;
    forget({Evidence::profile});
    EXPECT_EQ(refusal(chooseFix), "stop-below-half: step-session");
    EXPECT_EQ(refusal(keep), "profile-before-optimizing: step-session");
    forget({Evidence::baseline});
    EXPECT_EQ(refusal(SessionAction::profile), "baseline-first: check-gate");
    forget({Evidence::smallest});
    EXPECT_EQ(refusal(measureBaseline), "smallest-first: check-gate");
    forget({Evidence::environment});
    EXPECT_EQ(refusal(measureBaseline), "G1: check-gate");
    view.finished = true;
    EXPECT_EQ(refusal(measureBaseline), ": new-session");
}

TEST_F(RefusalSteps, OfTheDebuggingLoopLeadToItsNextStep)
{
    using enum SessionAction;
    gatherAll();
    dropCandidate();
    EXPECT_EQ(refusal(repeat), "find-failing: step-session");
    model.view.iterationOpen = true;
    EXPECT_EQ(refusal(repeat), "find-failing: check-gate");
    model.view.evidence[Evidence::failingCase] = 2;
    EXPECT_EQ(refusal(repeat), std::string("analyse") + ": check-gate");
    model.view.evidence[Evidence::analysis] = 3;
    EXPECT_EQ(refusal(repeat), "allowed");
}

TEST_F(RefusalSteps, EachActionNeedsTheEvidenceBeforeItInTheMethodsOrder)
{
    using enum SessionAction;
    using E = Evidence;
    gatherAll();
    dropCandidate();
    using Needed = std::vector<std::pair<E, std::string>>; // and what refuses without it
    const std::pair<E, std::string> environment{E::environment, "check-environment"}, build{E::build, "validate-build"},
        smallest{E::smallest, "smallest-first"}, believed{E::hypothesis, "hypothesis"}, looked{E::instrument, "instrument"};
    const std::vector<std::pair<SessionAction, Needed>> all{
        {checkEnvironment, {}},
        {validateBuild, {environment}},
        {verifySmallest, {environment, build}},
        {verifyStart, {environment, build, smallest}},
        {measureBaseline, {environment, build, smallest, {E::startSuite, "correctness-first"}}},
        {SessionAction::profile, {environment, {E::baseline, "baseline-first"}}},
        {hypothesis, {environment}},
        {instrument, {environment, believed}},
        {findFailing, {environment, believed, looked}},
        {analyze, {environment, believed, looked, {E::failingCase, "find-failing"}}},
        {sanitize, {environment, believed, looked, {E::failingCase, "find-failing"}}},
        {document, {}},
        {finish, {}}};
    for (const auto& [action, needed] : all) {
        model.view.evidence.clear();
        for (const auto& [missing, where] : needed) {
            EXPECT_EQ(refusal(action), where + ": check-gate") << toString(action);
            model.view.evidence[missing] = 1;
        }
        EXPECT_EQ(refusal(action), "allowed") << toString(action);
    }
    model.family = *catalog.family("transpose");
    model.view.evidence.clear();
    EXPECT_EQ(refusal(bisect), "check-environment: check-gate");
}

TEST_F(EngineTest, ARecordingOfOtherSizesOrWithoutTheProblemAloneLacksIt)
{
    const Address naive{"transpose", "naive", {}};
    const KernelFamily& family = *unwrap(catalog.family("transpose"));
    const std::string smallest = toText(family.smallest);
    const auto missing = [&](const char* kind, std::function<bool(Verb, const Json&)> recorded) {
        gpu.recorded = std::move(recorded);
        return RecordedPlan(bench).explainMissing(shipped(kind), naive, {});
    };
    const auto suite = [](const Json& body) { return body.contains("suite") && !body["suite"].empty(); };
    const auto readProblem = [](const Json& body) { return body["work"]["problem"].get<std::string>(); };
    EXPECT_NE(missing("baseline", [&](Verb, const Json& body) { return readProblem(body) == smallest; }), "");
    EXPECT_NE(missing("baseline", [&](Verb, const Json& body) { return readProblem(body) != smallest; }), "");
    EXPECT_NE(
        missing("expert", [&](Verb verb, const Json& body) { return verb != Verb::run || suite(body) || readProblem(body) == smallest; }),
        "")
        << "the suite was run, the problem by itself was not";
    EXPECT_NE(missing("optimize",
                      [&](Verb verb, const Json& body) {
                          return verb != Verb::run || body["work"]["kernel"] == "transpose/naive" || !suite(body);
                      }),
              "")
        << "the changes were not run over the suite";
}

TEST_F(EngineTest, WhatABuiltInKernelCannotTakeIsRefusedByItself)
{
    const SessionId id = open("transpose/naive");
    stepUntil(id, SessionAction::profile);
    const Error report = refusedAct(id, SessionAction::profile, "/tmp/some.ncu-rep");
    EXPECT_EQ(report.code, ErrorCode::usage);
    EXPECT_EQ(report.where, "/tmp/some.ncu-rep");
    EXPECT_EQ(unwrap(engine.view(id)).next.front().action, SessionAction::profile) << "nothing was stored";
    stepUntil(id, SessionAction::chooseFix);
    const Error edit = refusedAct(id, SessionAction::chooseFix, "own-edit");
    EXPECT_EQ(edit.code, ErrorCode::badInput);
    EXPECT_EQ(edit.where, "own-edit");
    ASSERT_EQ(edit.next.size(), 2U);
    EXPECT_EQ(edit.next[0].id, StepId::newKernel);
    EXPECT_EQ(edit.next[1].id, StepId::addKernel);
    EXPECT_NE(edit.message.find("transpose/naive"), std::string::npos);
    EXPECT_FALSE(unwrap(engine.view(id)).editing);
}

} // namespace
} // namespace kl::test
