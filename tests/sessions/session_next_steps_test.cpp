// SPDX-License-Identifier: MIT
// What a session proposes next, from a view made by hand: steps, fixes and decisions, and how they are named.
#include "sessions/session/action_arguments.h"
#include "sessions/session/next_steps.h"
#include "sessions/session/session_model.h"
#include "sessions/session/suggestions.h"
#include "sessions/session/waiver.h"
#include "tests/sessions/modeled_session.h"
#include "tests/support/snapshot.h"
#include "tests/support/value_lines.h"

#include <gmock/gmock.h>
#include <string>
#include <vector>

namespace kl::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TEST_F(ModeledSession, TheMethodGoesOnFromWhatIsThere)
{
    using enum Evidence;
    EXPECT_EQ(next(), "evaluate: keep revert");
    EXPECT_FALSE(model.view.blocked);
    EXPECT_EQ(model.view.gate, "G5");
    forget({evaluation});
    EXPECT_EQ(next(), "evaluate: evaluate revert");
    forget({memory});
    EXPECT_EQ(next(), "fix: check-memory revert");
    forget({candidate});
    EXPECT_EQ(next(), "fix: verify-suite revert");
    EXPECT_EQ(model.view.gate, "G4");
    EXPECT_FALSE(model.view.blocked) << "nothing is known yet";
    dropCandidate();
    EXPECT_EQ(next(), "document: document");
    model.view.profileRun->diagnosis->finding.fixes = {{"f", "Tile", "", 0.5, "transpose/tiled"}, {"g", "By hand", "", 0.5, ""}};
    EXPECT_EQ(next(), "fix: choose-fix=f choose-fix=g! document");
    model.view.tried = {{"transpose", "tiled", {}}};
    EXPECT_EQ(next(), "document: document");
    forget({profile});
    EXPECT_EQ(next(), "profile: profile");
    EXPECT_EQ(model.view.rule, "profile-before-optimizing");
    model.view.baselineRun->speedup = 0.49;
    EXPECT_EQ(next(), "profile: profile");
    EXPECT_EQ(model.view.rule, "stop-below-half");
    forget({baseline});
    EXPECT_EQ(next(), "baseline: measure-baseline");
    forget({smallest});
    EXPECT_EQ(next(), "baseline: verify-smallest");
    forget({environment});
    EXPECT_EQ(next(), "environment: check-environment");
    EXPECT_EQ(model.view.gate, "G1");
}

TEST_F(ModeledSession, WhatFailsBlocksAndCanBeWaived)
{
    SessionView& view = model.view;
    view.candidateRun->correctness.suite.back().pass = false;
    EXPECT_EQ(next(), "fix: revert verify-suite waive=G4");
    EXPECT_TRUE(view.blocked);
    EXPECT_EQ(view.rule, "correctness-first");
    view.candidateRun->correctness.suite.back().pass = true;
    view.memoryCheck->found = 1;
    EXPECT_EQ(next(), "fix: revert waive=G4") << "the same code is not checked twice";
    view.memoryCheck->found = 0;
    view.evaluation->ratio = Ratio{1.1, 1.05, 1.15};
    EXPECT_EQ(next(), "evaluate: revert keep! evaluate waive=G5");
    EXPECT_TRUE(view.blocked);
    view.cumulative = true;
    EXPECT_EQ(next(), "evaluate: park revert keep! evaluate waive=G5");
    EXPECT_FALSE(view.blocked) << "a small step is not a dead end";
    view.cumulative = false;
    view.evaluation->ratio = Ratio{1.25, 1.1, 1.4};
    view.evaluation->blocks = 20;
    EXPECT_EQ(next(), "evaluate: revert keep! evaluate waive=G5");
    EXPECT_TRUE(view.blocked) << "an inconclusive one blocks, too";
    dropCandidate();
    view.profileRun->metrics.reset();
    EXPECT_EQ(next(), "profile: document profile waive=G3");
    view.baselineRun->baseline->gpu.reset();
    EXPECT_EQ(next(), "baseline: document measure-baseline waive=G2");
    view.environment->checks[0].result = CheckResult::fail;
    view.failedEnvironments = 1;
    EXPECT_EQ(next(), "environment: check-environment document waive=G1");
    view.failedEnvironments = 2;
    EXPECT_EQ(next(), "environment: document check-environment waive=G1") << "repeating did not fix it";
}

TEST_F(ModeledSession, ADecidedSessionIsDocumentedThenFinished)
{
    SessionView& view = model.view;
    view.kept = true;
    view.decision = LastDecision{10, true, "", "", ""};
    EXPECT_EQ(next(), "document: document undo");
    view.documented = true;
    EXPECT_EQ(next(), "document: finish undo");
    view.decision.reset();
    view.finished = true;
    view.outcome = "kept";
    EXPECT_EQ(next(), "done:");
    EXPECT_EQ(view.gate, "");
    for (const PhaseView& phase : view.phases)
        EXPECT_EQ(phase.state, PhaseState::done) << phase.id;
    EXPECT_EQ(openNext(view.header).at(StepArgument::kernel), "transpose");
    EXPECT_EQ(openNext(view.header).at(StepArgument::source), "");
    view.header.source = Source::sample;
    EXPECT_EQ(openNext(view.header).at(StepArgument::source), "sample");
}

TEST_F(ModeledSession, PhasesBehindAreDoneOrWereSkipped)
{
    using enum Evidence;
    forget({environment, evaluation});
    model.view.environment.reset();
    model.view.waivers["G1"] = {"no driver", 1};
    evaluate();
    std::vector<PhaseState> states;
    for (const PhaseView& phase : model.view.phases)
        states.push_back(phase.state);
    EXPECT_THAT(states, ElementsAre(PhaseState::skipped, PhaseState::done, PhaseState::done, PhaseState::done, PhaseState::current,
                                    PhaseState::upcoming));
}

TEST_F(ModeledSession, ParkedStepsCountWithTheCandidateAndAreDecidedWithoutOne)
{
    SessionView& view = model.view;
    ParkedStep step{view.start, {"transpose", "tiled", {}}, "Tile", {"c0"}, Ratio{1.15, 1.1, 1.2}, {}};
    view.parked = {step};
    view.current = step.to;
    view.parkedRatio = step.ratio;
    view.candidate = Address{"transpose", "padded", {}};
    view.candidateRun->kernel = *view.candidate;
    view.candidateRun->sourceHash = findSourceHash(*view.candidate);
    view.profileRun->kernel = view.current;
    view.evaluation->ratio = Ratio{1.12, 1.1, 1.15};
    EXPECT_EQ(next(), "evaluate: keep revert") << "1.1 by 1.1 is above 1.2";
    view.evaluation->ratio = Ratio{1.06, 1.05, 1.07};
    EXPECT_EQ(next(), "evaluate: revert keep! evaluate waive=G5");
    dropCandidate();
    view.profileRun->diagnosis->finding.fixes.clear();
    EXPECT_EQ(next(), "evaluate: revert keep! waive=G5");
    EXPECT_TRUE(checkWaivable(model, *model.gate("G5"))) << "they were measured, each by itself";
    view.waivers["G5"] = {"simpler code", 20};
    EXPECT_EQ(next(), "evaluate: keep revert");
    view.documented = true;
    EXPECT_EQ(next(), "document: finish");
}

/// Makes the evaluated candidate an edit of the source, whose hash this is and which is in git.
void makeEdit(SessionView& view, const std::string& hash)
{
    view.candidate = view.current;
    view.candidateRun->kernel = view.current;
    view.sourceChange = SourceChange{"k.cu", hash, hash, "+1", "", "", "", true, ""};
    view.candidateRun->sourceHash = hash;
    view.memoryCheck->sourceHash = hash;
}

class KeepTexts : public ModeledSession {};

TEST_F(KeepTexts, SnapshotOfEachWayToKeepAnEdit)
{
    makeEdit(model.view, findSourceHash(model.view.current));
    std::string text;
    const auto add = [&](const std::string& which) {
        text += next() + '\n';
        for (const NextAction& action : model.view.next)
            text += which + ": " + action.title + (action.reason.empty() ? "" : " | " + action.reason) + '\n';
    };
    add("git, nobody has said");
    model.view.git = true;
    add("with git");
    model.view.git = false;
    add("without git");
    model.view.sourceChange->git = false;
    add("no repository");
    expectSnapshot("texts/keep-steps.txt", text);
}

TEST_F(ModeledSession, KeepingOffersACommitWhereTheEditIsInGit)
{
    SessionView& view = model.view;
    makeEdit(view, findSourceHash(view.current));
    EXPECT_EQ(next(), std::string("evaluate: keep keep=") + kKeepWithGit + " revert");
    view.git = true;
    EXPECT_EQ(next(), std::string("evaluate: keep keep=") + kKeepWithoutGit + " revert");
    view.sourceChange->git = false;
    EXPECT_EQ(next(), "evaluate: keep revert");
}

TEST_F(ModeledSession, TunablesAreSearchedOnAGpuAlone)
{
    SessionView& view = model.view;
    dropCandidate();
    model.family = *catalog.family("attention");
    view.header.kernel = "attention";
    view.start = view.current = {"attention", "fused", {}};
    view.problem = model.family->problems.front();
    for (std::optional<RunRecord>* run : {&view.smallestRun, &view.baselineRun, &view.profileRun}) {
        (*run)->kernel = view.current;
        (*run)->problem = view.problem;
        (*run)->sourceHash = findSourceHash(view.current);
        (*run)->correctness.suite.clear();
    }
    view.profileRun->diagnosis->finding.fixes = {{"f", "Pad", "", 0.5, "attention/fused@SWIZZLE=pad"}};
    EXPECT_EQ(next(), std::string("fix: choose-fix=f choose-fix=") + kSearchFix + " document");
    view.header.source = Source::sample;
    EXPECT_EQ(next(), "fix: choose-fix=f document") << "a recording has no times of a space";
}

TEST_F(ModeledSession, EachDebuggingStepIsProposedInItsIteration)
{
    using enum Evidence;
    SessionView& view = model.view;
    dropCandidate();
    model.plan = shipped("debug");
    view.evidence[hypothesis] = view.evidence[instrument] = view.evidence[failingCase] = view.evidence[analysis] = 5;
    view.failingProblem = model.family->smallest;
    view.failingRun = view.smallestRun;
    view.iterations = {{.number = 1, .learned = "It is not an index."}, {.number = 2, .believed = "a bound"}};
    view.iterationOpen = true;
    const auto actions = [&] {
        evaluate();
        std::string text;
        for (const NextAction& action : view.next)
            text += std::string(toString(action.action)) + ' ';
        return text;
    };
    const std::string write = std::string(toString(SessionAction::analyze)) + ' ';
    EXPECT_EQ(next().substr(0, 4), "fix:");
    view.evidence.erase(analysis);
    EXPECT_EQ(actions(), "sanitize " + write + write + "document ");
    EXPECT_THAT(valueText(view.why), StartsWith("\"2")) << "the second iteration";
    view.iterations.back().sanitizer = "nothing";
    EXPECT_EQ(actions(), write + "sanitize " + write + "document ") << "what was run comes later";
    view.header.source = Source::sample;
    EXPECT_EQ(actions(), write + write + "document ") << "a recording runs no kernel";
    view.evidence.erase(failingCase);
    EXPECT_EQ(actions(), "find-failing document ");
    view.evidence.erase(instrument);
    EXPECT_EQ(actions(), "instrument instrument document ");
    view.evidence.erase(hypothesis);
    view.iterationOpen = false;
    EXPECT_EQ(actions(), "hypothesis hypothesis document ");
    EXPECT_THAT(valueText(view.why), StartsWith("\"3")) << "the third";
    EXPECT_THAT(proposeWords(model, SessionAction::hypothesis), HasSubstr("It is not an index.")) << "what was learned last";
    view.failingRun->correctness.suite = {{"M=1", false, 2, 0, 1, 3}, {"M=2", true}};
    const std::string seen = proposeWords(model, SessionAction::analyze);
    EXPECT_THAT(seen, HasSubstr("(M=1)"));
    EXPECT_THAT(valueText(seen), StartsWith("\"1 2 1 2 3 1")) << "1 of 2 sizes, M=1: largest error 2, 3 unwritten, 1 not finite";
    view.failingRun->correctness.suite[1].pass = false;
    EXPECT_NE(proposeWords(model, SessionAction::analyze), seen);
    EXPECT_EQ(proposeWords(model, SessionAction::keep), "");
}

TEST_F(ModeledSession, FixesAreReadyThatChangeOneThingAndWereNotTried)
{
    SessionView& view = model.view;
    const auto ready = [&] {
        std::string ids;
        for (const Fix& fix : model.readyFixes())
            ids += fix.id + ' ';
        return ids;
    };
    view.profileRun->diagnosis->finding.fixes = {{"tile", "", "", 0, "transpose/tiled"},
                                                 {"none", "", "", 0, ""},
                                                 {"two", "", "", 0, "transpose/padded"},
                                                 {"same", "", "", 0, "transpose/naive"},
                                                 {"odd", "", "", 0, "no//address"}};
    EXPECT_EQ(ready(), "tile ");
    view.tried = {{"transpose", "tiled", {}}};
    EXPECT_EQ(ready(), "");
    view.tried.clear();
    model.family = nullptr;
    EXPECT_EQ(ready(), "");
    model.family = *catalog.family("transpose");
    view.profileRun->diagnosis.reset();
    EXPECT_EQ(ready(), "");
    model.plan = shipped("debug");
    EXPECT_EQ(ready(), "transpose/tiled ") << "the variants that follow the start";
    EXPECT_FALSE(model.editable()) << "a kernel of the catalog is not the user's";
    EXPECT_EQ(model.sourceNow(), findSourceHash(view.current));
    model.catalog = nullptr;
    EXPECT_EQ(model.sourceNow(), "");
    EXPECT_EQ(ready(), "");
}

TEST_F(ModeledSession, StepsNameTheSessionAndWhereItIsKept)
{
    const auto named = [&](const std::string& location) {
        std::vector<NextStep> steps{{StepId::stepSession}, {StepId::checkEnvironment}};
        nameSession(steps, model.view.header, location);
        EXPECT_EQ(steps[1].at(StepArgument::session), "") << "it is of no session";
        return steps[0];
    };
    EXPECT_EQ(named(Store::defaultLocation()).at(StepArgument::session), "s1");
    EXPECT_EQ(named(Store::defaultLocation()).at(StepArgument::database), "");
    EXPECT_EQ(named("/elsewhere/kl.db").at(StepArgument::database), "/elsewhere/kl.db");
    EXPECT_EQ(named("/elsewhere/kl.db").at(StepArgument::source), "");
    model.view.header.source = Source::sample;
    EXPECT_EQ(named("/elsewhere/kl.db").at(StepArgument::source), "sample");
    EXPECT_EQ(makeFinishedError(model.view.header).code, ErrorCode::refused);
    next();
    EXPECT_EQ(model.view.next.at(0).step.id, StepId::stepSession) << "the recommended one";
    EXPECT_EQ(model.view.next.at(1).step.id, StepId::actInSession);
    EXPECT_EQ(model.view.next.at(1).step.at(StepArgument::action), "revert");
}

} // namespace
} // namespace kl::test
