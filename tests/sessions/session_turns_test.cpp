// SPDX-License-Identifier: MIT
// What one fact turns in a session's gates, checklist and claims.
#include "core/base/format.h"
#include "sessions/session/checklist.h"
#include "sessions/session/checks.h"
#include "sessions/session/rules.h"
#include "sessions/session/session_outcome.h"
#include "sessions/session/waiver.h"
#include "tests/sessions/engine_support.h"
#include "tests/sessions/modeled_session.h"

#include <gmock/gmock.h>

namespace kl::test {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

ChecklistItem turnedItem(const SessionModel& model, std::string_view id)
{
    const std::vector<ChecklistItem> items = makeChecklist(model);
    const auto found = std::ranges::find(items, id, &ChecklistItem::id);
    return found == items.end() ? ChecklistItem{} : *found;
}

TEST_F(ModeledSession, AGateOfTheChecklistFailsWhileItsEvidenceIsFresh)
{
    evaluate();
    GateView& gate = *std::ranges::find(model.view.gates, std::string("G4"), &GateView::id);
    gate.result = GateResult::fail;
    gate.progress = GateProgress::done;
    gate.blocks = true;
    gate.verdict = "incorrect";
    gate.checks.insert(gate.checks.begin(), CheckRow{"first", Requirement::required, GateResult::pass, "no evidence"});
    EXPECT_EQ(turnedItem(model, "G4").state, TickState::failed);
    EXPECT_EQ(turnedItem(model, "G4").found, "incorrect");
    EXPECT_EQ(turnedItem(model, "G4").evidence, "run:r4") << "of the first row that has some";
    EXPECT_FALSE(turnedItem(model, "G4").byNote);
    gate.progress = GateProgress::stale;
    EXPECT_EQ(turnedItem(model, "G4").state, TickState::open) << "of before a change, it is asked again";
    gate.progress = GateProgress::waived;
    gate.waivedReason = "known";
    EXPECT_EQ(turnedItem(model, "G4").state, TickState::done);
    EXPECT_TRUE(turnedItem(model, "G4").byNote);
    EXPECT_EQ(turnedItem(model, "G4").note, "known");
}

TEST_F(ModeledSession, TheChecklistFollowsOneFactAtATime)
{
    SessionView& view = model.view;
    evaluate();
    view.smallestRun->correctness.unwritten = 3;
    EXPECT_EQ(turnedItem(model, "smoke").state, TickState::failed);
    EXPECT_EQ(turnedItem(model, "compared").state, TickState::done);
    view.smallestRun->correctness.unwritten = 0;
    view.smallestRun->correctness.result = CorrectnessResult::notChecked;
    EXPECT_EQ(turnedItem(model, "smoke").state, TickState::open);
    EXPECT_EQ(turnedItem(model, "compared").state, TickState::open);
    EXPECT_EQ(turnedItem(model, "loads").state, TickState::done);
    view.smallestRun->status = ResultStatus::deviceLimitsExceeded;
    view.smallestRun->reason = "too much shared memory";
    EXPECT_EQ(turnedItem(model, "loads").state, TickState::failed);
    EXPECT_EQ(turnedItem(model, "loads").found, "too much shared memory");
    EXPECT_EQ(turnedItem(model, "clean-build").state, TickState::done) << "it compiled";
    view.build = BuildFacts{"ok", "", "", "sm_90", 1, 0, ""};
    view.evidence[Evidence::build] = 3;
    EXPECT_EQ(turnedItem(model, "verbose-build").evidence, "event:3") << "without a log the event";
    EXPECT_EQ(turnedItem(model, "warnings").evidence, "event:3");
    view.evidence.erase(Evidence::build);
    EXPECT_EQ(turnedItem(model, "warnings").evidence, "");
}

TEST_F(ModeledSession, WhatIsDoneOrOverHasNoNextStep)
{
    evaluate();
    dropCandidate();
    forget({Evidence::smallest, Evidence::baseline});
    EXPECT_TRUE(turnedItem(model, "loads").next);
    EXPECT_TRUE(turnedItem(model, "launch-overhead").next);
    EXPECT_FALSE(turnedItem(model, "verbose-build").next) << "this kind validates no build";
    EXPECT_EQ(turnedItem(model, "clean-build").next->at(StepArgument::action), toString(SessionAction::verifySmallest));
    model.plan = shipped("expert");
    EXPECT_EQ(turnedItem(model, "clean-build").next->at(StepArgument::action), toString(SessionAction::validateBuild));
    EXPECT_TRUE(turnedItem(model, "verbose-build").next);
    model.view.finished = true;
    for (const char* id : {"loads", "launch-overhead", "clean-build", "verbose-build", "occupancy"})
        EXPECT_FALSE(turnedItem(model, id).next) << id;
}

TEST_F(ModeledSession, ARecordedKernelHasASanitizerWhereItsOwnVariantHasAFault)
{
    KernelFamily family = *model.family;
    family.variants.at(0).fault = "it reads past the end";
    SessionView& view = model.view;
    view.start = {family.id, family.variants.at(0).id, {}};
    view.header.source = Source::sample;
    EXPECT_TRUE(hasSanitizer(view, &family));
    view.start.variant = family.variants.at(1).id;
    EXPECT_FALSE(hasSanitizer(view, &family)) << "another variant's fault";
    EXPECT_FALSE(hasSanitizer(view, nullptr));
    view.header.source = Source::live;
    EXPECT_TRUE(hasSanitizer(view, &family));
    EXPECT_TRUE(hasSanitizer(view, nullptr));
}

TEST_F(ModeledSession, TheBuildsRowsNameWhatEachLaunchTakes)
{
    SessionView& view = model.view;
    view.smallestRun->launches = {{"first", 16, 256, 32, 0, 1024, 2048}, {"second", 16, 64, 40, 16, 0, 512}};
    const auto row = [&](const char* id) { return evaluateCheck(id, {model.plan, view, model.family}).at(0); };
    EXPECT_THAT(row("build-resources").found, HasSubstr("first: 32 "));
    EXPECT_THAT(row("build-resources").found, HasSubstr(formatBytes(3072))) << "static and dynamic";
    EXPECT_THAT(row("build-resources").found, ::testing::ContainsRegex("second: 40 .*" + formatBytes(16) + ".*" + formatBytes(512)));
    EXPECT_EQ(row("build-resources").result, GateResult::fail) << "the second uses local memory";
    EXPECT_EQ(row("build-resources").requirement, Requirement::optional);
    view.smallestRun->launches.pop_back();
    EXPECT_EQ(row("build-resources").result, GateResult::pass);
    view.smallestRun->launches.clear();
    EXPECT_EQ(row("build-resources").result, GateResult::unknown);
    for (const auto& [status, loaded] :
         {std::pair{ResultStatus::ok, true}, std::pair{ResultStatus::validationFailed, true},
          std::pair{ResultStatus::computationFailed, false}, std::pair{ResultStatus::compilationFailed, false},
          std::pair{ResultStatus::deviceLimitsExceeded, false}}) {
        view.smallestRun->status = status;
        view.smallestRun->reason = "the reason";
        EXPECT_EQ(row("module-loads").result, loaded ? GateResult::pass : GateResult::fail);
        EXPECT_EQ(row("module-loads").found == "the reason", !loaded);
    }
    view.smallestRun->correctness.nonfinite = 2;
    EXPECT_EQ(row("smoke").result, GateResult::fail);
    EXPECT_THAT(row("smoke").found, HasSubstr("2"));
    view.smallestRun->correctness = {};
    EXPECT_EQ(row("smoke").result, GateResult::fail) << "not checked is not finite";
    EXPECT_EQ(row("smallest-difference").result, GateResult::fail);
}

TEST_F(ModeledSession, TheBuildsOwnRowsFollowTheBuild)
{
    SessionView& view = model.view;
    const auto row = [&](const char* id) { return evaluateCheck(id, {model.plan, view, model.family}).at(0); };
    view.build.reset();
    EXPECT_EQ(row("build-clean").result, GateResult::unknown);
    EXPECT_EQ(row("build-clean").requirement, Requirement::required);
    view.build = BuildFacts{"ok", "", "log", "sm_90", 2, 0, ""};
    EXPECT_EQ(row("build-clean").result, GateResult::pass);
    EXPECT_THAT(row("build-clean").found, HasSubstr(formatTime(2e9)));
    EXPECT_EQ(row("build-clean").evidence, "artifact:log");
    EXPECT_EQ(row("build-warnings").result, GateResult::pass);
    view.build->log.clear();
    EXPECT_EQ(row("build-clean").evidence, "");
    view.build->status = "compilation_failed";
    view.build->reason = "an error";
    EXPECT_EQ(row("build-clean").found, "an error");
    view.build->unavailable = "not recorded";
    EXPECT_EQ(row("build-clean").requirement, Requirement::optional);
    EXPECT_EQ(row("build-clean").found, "not recorded");
}

TEST_F(ModeledSession, AWaiverOfTheProfileNamesItsOwnRule)
{
    const auto ruleFor = [&](const char* id) {
        evaluate();
        const Status status = checkWaivable(model, *model.gate(id));
        return status ? std::string() : status.error().where;
    };
    dropCandidate();
    forget({Evidence::profile});
    EXPECT_EQ(ruleFor("G3"), rule::kProfileFirst);
    EXPECT_EQ(ruleFor("G2"), "G2") << "it has passed";
    model.view.baselineRun->speedup = 0.1;
    EXPECT_EQ(ruleFor("G2"), "G2") << "a slow kernel blocks nothing";
    model.view.baselineRun->correctness.result = CorrectnessResult::incorrect;
    EXPECT_EQ(ruleFor("G2"), "") << "an incorrect one does";
    forget({Evidence::smallest});
    EXPECT_EQ(ruleFor("G2"), "") << "one of its two was measured";
    forget({Evidence::baseline});
    EXPECT_EQ(ruleFor("G2"), rule::kBaselineFirst);
}

TEST_F(ModeledSession, NothingIsToFixOnlyOnceTheProfilesGateIsOpen)
{
    evaluate();
    dropCandidate();
    model.view.profileRun->diagnosis->finding.fixes.clear();
    evaluate();
    EXPECT_EQ(nameOutcome(model), "nothing to fix");
    GateView& gate = *std::ranges::find(model.view.gates, std::string("G3"), &GateView::id);
    gate.progress = GateProgress::done;
    gate.result = GateResult::fail;
    gate.blocks = true;
    EXPECT_EQ(nameOutcome(model), "abandoned") << "the profile says nothing";
    gate.progress = GateProgress::waived;
    EXPECT_EQ(nameOutcome(model), "nothing to fix");
    model.view.profileRun.reset();
    EXPECT_EQ(nameOutcome(model), "abandoned");
}

TEST_F(EngineTest, AClaimAboutTheBaselineStaysWithItsRun)
{
    NewSession request;
    request.objective = "make it fast";
    request.kernel = "transpose";
    request.claims = {{"README", "0.1x", "kernel"}, {"vendor", "0.1x", "baseline"}};
    const SessionId id = unwrap(engine.create(request)).header.id;
    const SessionView measured = stepTo(id, "profile");
    ASSERT_THAT(measured.claims, SizeIs(2));
    for (const ClaimView& claim : measured.claims)
        EXPECT_EQ(claim.evidence, "run:" + measured.baselineRun->id.text) << claim.claim.source;
    const SessionView view = stepTo(id, "done");
    ASSERT_EQ(view.outcome, "kept");
    EXPECT_EQ(view.claims[0].evidence, "run:" + view.candidateRun->id.text) << "about the kernel: what was kept";
    EXPECT_EQ(view.claims[1].evidence, "run:" + view.baselineRun->id.text);
}

TEST_F(EngineTest, AFinishedSessionCountsTheTimeUntilItsEndAndHasNoGateRunning)
{
    const SessionId id = open();
    const SessionView before = stepTo(id, "done");
    for (const GateView& gate : before.gates)
        EXPECT_NE(gate.progress, GateProgress::running) << gate.id;
    ASSERT_TRUE(store->appendEvent(id, {before.events.back().seq + 1, "2199-01-01T00:00:00.000Z", "note", R"({"text": "later"})"}).ok());
    EXPECT_EQ(unwrap(engine.view(id)).minutes, before.minutes) << "what comes after its end costs no time";
    for (const GateView& gate : before.gates)
        EXPECT_FALSE(gate.canBeWaived) << gate.id;
}

} // namespace
} // namespace kl::test
