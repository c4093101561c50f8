// SPDX-License-Identifier: MIT
// What each action of a session needs, and which rule refuses it.
#include "sessions/engine/guards.h"

#include "sessions/engine/action_log.h"
#include "sessions/engine/recorded_plan.h"
#include "sessions/session/rules.h"
#include "tests/sessions/engine_support.h"
#include "tests/sessions/modeled_session.h"
#include "tests/support/snapshot.h"

#include <functional>
#include <gmock/gmock.h>
#include <set>
#include <string>

namespace kl::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A session whose candidate is measured and worth keeping.
class Guards : public ModeledSession {
protected:
    /// The rule or gate that refuses an action; empty where it is allowed.
    std::string refusedBy(SessionAction action)
    {
        evaluate();
        const Status status = checkActionAllowed(model, action);
        if (status)
            return {};
        EXPECT_FALSE(status.error().message.empty());
        return status.error().where.empty() ? "refused" : status.error().where;
    }
};

TEST_F(Guards, ACandidateThatIsProvenAndFasterMayBeKept)
{
    using enum SessionAction;
    for (const SessionAction fine :
         {checkEnvironment, verifySmallest, measureBaseline, profile, verifySuite, checkMemory, SessionAction::evaluate, keep, revert})
        EXPECT_EQ(refusedBy(fine), "") << toString(fine);
    EXPECT_EQ(refusedBy(park), "G5") << "the option is off";
    EXPECT_EQ(refusedBy(chooseFix), rule::kOneVariable) << "one is being tried";
    EXPECT_EQ(refusedBy(takeEdit), rule::kOneVariable);
    EXPECT_EQ(refusedBy(document), rule::kOneVariable) << "neither kept nor reverted";
    EXPECT_EQ(refusedBy(finish), rule::kOneVariable);
    EXPECT_EQ(refusedBy(undo), "refused");
    EXPECT_EQ(refusedBy(bisect), "refused") << "a built-in kernel has no history here";
    EXPECT_EQ(refusedBy(waive), "waive");
    EXPECT_EQ(refusedBy(verifyStart), "verify-start") << "not of this kind";
    EXPECT_EQ(refusedBy(hypothesis), "hypothesis");
    model.view.cumulative = true;
    EXPECT_EQ(refusedBy(park), "");
    model.view.decision.emplace();
    EXPECT_EQ(refusedBy(undo), "");
}

TEST_F(Guards, WhatIsNotProvenIsNeitherTimedNorKept)
{
    using enum SessionAction;
    SessionView& view = model.view;
    view.evaluation->ratio = Ratio{1.1, 1.05, 1.15};
    EXPECT_EQ(refusedBy(keep), "G5");
    view.cumulative = true;
    EXPECT_EQ(refusedBy(park), "") << "surely faster";
    view.evaluation->verdict = Verdict::inconclusive;
    EXPECT_EQ(refusedBy(park), "G5");
    view.memoryCheck->found = 1;
    for (const SessionAction locked : {keep, park})
        EXPECT_EQ(refusedBy(locked), rule::kCorrectnessFirst);
    EXPECT_EQ(refusedBy(SessionAction::evaluate), "") << "its time may still be measured";
    forget({Evidence::memory});
    EXPECT_EQ(refusedBy(keep), rule::kCorrectnessFirst);
    EXPECT_EQ(refusedBy(checkMemory), "");
    view.candidateRun->correctness.suite.front().pass = false;
    for (const SessionAction locked : {keep, park, checkMemory, SessionAction::evaluate})
        EXPECT_EQ(refusedBy(locked), rule::kCorrectnessFirst) << toString(locked);
    for (const SessionAction open : {revert, verifySuite})
        EXPECT_EQ(refusedBy(open), "") << toString(open);
}

TEST_F(Guards, AChangeNeedsAProfileOfTheCurrentVariant)
{
    using enum SessionAction;
    SessionView& view = model.view;
    dropCandidate();
    EXPECT_EQ(refusedBy(chooseFix), "refused") << "no fix is ready";
    view.profileRun->diagnosis->finding.fixes = {{"f", "Tile", {}, 0.5, "transpose/tiled", ""}};
    EXPECT_EQ(refusedBy(chooseFix), "");
    view.tried = {{"transpose", "tiled", {}}};
    EXPECT_EQ(refusedBy(chooseFix), "refused") << "all were tried";
    EXPECT_TRUE(checkActionAllowed(model, chooseFix, "transpose/padded")) << "any variant can be named";
    view.tried.clear();
    EXPECT_EQ(refusedBy(document), "");
    for (const SessionAction none : {keep, revert, verifySuite, checkMemory, SessionAction::evaluate, park})
        EXPECT_EQ(refusedBy(none), rule::kOneVariable) << toString(none);
    view.profileRun->diagnosis.reset();
    EXPECT_EQ(refusedBy(chooseFix), "G3") << "a profile without a finding";
    view.profileRun->kernel.variant = "padded";
    EXPECT_EQ(refusedBy(chooseFix), rule::kProfileFirst) << "stale";
    forget({Evidence::profile});
    EXPECT_EQ(refusedBy(chooseFix), rule::kProfileFirst);
    view.baselineRun->speedup = 0.5;
    EXPECT_EQ(refusedBy(chooseFix), rule::kProfileFirst);
    view.baselineRun->speedup = 0.49;
    EXPECT_EQ(refusedBy(chooseFix), rule::kStopBelowHalf);
    EXPECT_EQ(refusedBy(keep), rule::kProfileFirst);
    EXPECT_EQ(refusedBy(profile), "") << "the way on";
    forget({Evidence::baseline});
    EXPECT_EQ(refusedBy(profile), rule::kBaselineFirst);
    EXPECT_EQ(refusedBy(measureBaseline), "");
    forget({Evidence::smallest});
    EXPECT_EQ(refusedBy(measureBaseline), rule::kSmallestFirst);
    EXPECT_EQ(refusedBy(verifySmallest), "");
    view.environment->checks[0].result = CheckResult::fail;
    EXPECT_EQ(refusedBy(verifySmallest), "G1");
    EXPECT_EQ(refusedBy(checkEnvironment), "");
    view.waivers["G1"] = {"known", 9};
    EXPECT_EQ(refusedBy(verifySmallest), "");
}

TEST_F(Guards, ADecisionOrAnEditIsFinishedFirst)
{
    using enum SessionAction;
    SessionView& view = model.view;
    view.kept = true;
    EXPECT_EQ(refusedBy(keep), rule::kOneVariable);
    EXPECT_EQ(refusedBy(chooseFix), rule::kOneVariable) << "one change per session";
    EXPECT_EQ(refusedBy(document), "");
    view.kept = false;
    dropCandidate();
    view.profileRun->diagnosis->finding.fixes = {{"f", "Tile", {}, 0.5, "transpose/tiled", ""}};
    view.editing = BegunEdit{"k.cu", findSourceHash(view.current), "", false, "own-edit", ""};
    EXPECT_EQ(refusedBy(chooseFix), rule::kOneVariable);
    EXPECT_EQ(refusedBy(document), rule::kOneVariable);
    EXPECT_EQ(refusedBy(takeEdit), "");
    EXPECT_EQ(refusedBy(revert), "") << "gives it up";
    EXPECT_EQ(refusedBy(keep), rule::kOneVariable);
    view.editing.reset();
    view.parked = {{view.start, view.current, "", {}, Ratio{1.05, 1.04, 1.06}, {}}};
    EXPECT_EQ(refusedBy(document), rule::kOneVariable) << "parked steps are neither kept nor dropped";
    EXPECT_EQ(refusedBy(revert), "");
    EXPECT_EQ(refusedBy(keep), "G5");
    EXPECT_EQ(refusedBy(chooseFix), "");
    view.parked[0].source = SourceChange{"k.cu", "before", "other", "", "", "", "", false, ""};
    EXPECT_EQ(refusedBy(takeEdit), "") << "it was edited further";
    view.parked[0].to = {"transpose", "padded", {}};
    ModeledSession::evaluate();
    ASSERT_TRUE(model.editMoved());
    EXPECT_EQ(refusedBy(profile), rule::kProfileFirst) << "the profile would be of the further edit";
    view.parked.clear();
    view.finished = true;
    for (const SessionAction over : {checkEnvironment, profile, chooseFix, document, finish, undo})
        EXPECT_EQ(refusedBy(over), "refused") << toString(over);
}

TEST_F(Guards, ACandidateIsOneChangeThatFitsAndWasNotTried)
{
    const auto refused = [&](const Address& candidate, bool searched = false) {
        const Status status = candidateAllowed(model, catalog, candidate, searched);
        return status ? std::string() : status.error().where;
    };
    const Address tiled{"transpose", "tiled", {}}, padded{"transpose", "padded", {}};
    EXPECT_EQ(refused(tiled), "");
    EXPECT_EQ(refused(model.view.current), rule::kOneVariable);
    EXPECT_EQ(refused(model.view.current, true), rule::kOneVariable);
    EXPECT_EQ(refused(padded), rule::kOneVariable) << "two steps at once";
    EXPECT_EQ(refused(padded, true), "");
    EXPECT_FALSE(candidateAllowed(model, catalog, {"transpose", "nowhere", {}}));
    model.view.tried = {tiled};
    EXPECT_EQ(refused(tiled), rule::kOneVariable);
    for (const KernelFamily& family : catalog.families())
        for (const Address& address : catalog.addresses())
            if (address.family == family.id)
                if (const Result<WorkSpec> work = catalog.work(address, {}); work && sharedMemoryOverflow(*work, 1)) {
                    const Status status = fitsSharedMemory(catalog, address, {}, 1);
                    EXPECT_EQ(status.error().where, rule::kSharedMemoryFirst) << toText(address);
                    EXPECT_TRUE(fitsSharedMemory(catalog, address, {}, 0)) << "a limit that is not known";
                    EXPECT_TRUE(fitsSharedMemory(catalog, address, {}, 1 << 30));
                    return;
                }
    FAIL() << "no kernel has dynamic shared memory";
}

TEST_F(Guards, AnActionIsOfTheSessionsOwnDevice)
{
    FakeCollector live(Source::live), sample;
    SessionView& view = model.view;
    view.deviceUuid = "GPU-fake";
    view.device = "Fake H200";
    view.driver = "580.1";
    view.lastSeq = 9;
    const auto refused = [&](const Collector& collector, SessionAction action = SessionAction::profile) {
        const Status status = sameDevice(model, action, collector);
        return status ? std::string() : status.error().where;
    };
    EXPECT_EQ(refused(live), "");
    EXPECT_EQ(refused(sample), rule::kBaselineFirst) << "a recording";
    const auto hint = [&](const Collector& collector) { return sameDevice(model, SessionAction::profile, collector).error().hint; };
    EXPECT_EQ(hint(sample).find("sample"), std::string::npos) << "it goes on where it was opened";
    view.header.source = Source::sample;
    EXPECT_EQ(refused(live), rule::kBaselineFirst);
    EXPECT_NE(hint(live).find("sample"), std::string::npos);
    EXPECT_EQ(refused(sample), "");
    view.header.source = Source::live;
    EXPECT_FALSE(findChangedConditions(model, live));
    live.hello().devices[0].uuid = "GPU-other";
    EXPECT_EQ(refused(live), rule::kBaselineFirst);
    EXPECT_EQ(refused(live, SessionAction::checkEnvironment), "") << "which moves the session there";
    std::optional<SessionEvent> changed = findChangedConditions(model, live);
    EXPECT_EQ(changed->seq, 10);
    EXPECT_EQ(changed->type, "conditions-changed");
    EXPECT_THAT(changed->dataJson, HasSubstr("\"device_uuid\":\"GPU-other\""));
    live.hello().devices[0].uuid = "GPU-fake";
    live.hello().devices[0].driverVersion = "581";
    changed = findChangedConditions(model, live);
    EXPECT_THAT(changed->dataJson, HasSubstr("\"driver\":\"581\""));
    view.driver.clear();
    EXPECT_FALSE(findChangedConditions(model, live)) << "the old one is not known";
    view.deviceUuid.clear();
    live.hello().devices[0].uuid = "GPU-other";
    EXPECT_EQ(refused(live), "") << "of an older version";
    EXPECT_FALSE(findChangedConditions(model, live));
    view.header.source = Source::sample;
    EXPECT_EQ(refused(sample), "");
    EXPECT_EQ(refused(live), rule::kBaselineFirst);
    EXPECT_FALSE(findChangedConditions(model, sample));
}

TEST_F(EngineTest, WhatARecordingLacksIsSaidBeforeASessionBegins)
{
    RecordedPlan everything(bench);
    const Address naive{"transpose", "naive", {}}, tiled{"transpose", "tiled", {}};
    for (const char* kind : {"baseline", "profile", "optimize", "expert", "debug"})
        EXPECT_EQ(everything.explainMissing(shipped(kind), naive, {}), "") << kind;
    EXPECT_NE(everything.explainMissing(shipped("optimize"), {"nowhere", "x", {}}, {}), "");
    EXPECT_NE(everything.explainMissing(shipped("optimize"), {"transpose", "x", {}}, {}), "");
    const auto missing = [&](const char* kind, std::function<bool(Verb, const Json&)> recorded) {
        gpu.recorded = std::move(recorded);
        return RecordedPlan(bench).explainMissing(shipped(kind), naive, {});
    };
    const auto suite = [](const Json& body) { return body.contains("suite") && !body["suite"].empty(); };
    EXPECT_EQ(missing("baseline", [&](Verb verb, const Json& body) { return verb == Verb::run && !suite(body); }), "");
    const KernelFamily& family = *unwrap(catalog.family("transpose"));
    const std::string size = toText(family.problems.front());
    const std::string profile = missing("profile", [](Verb verb, const Json&) { return verb == Verb::run; });
    const std::string change = missing("optimize", [](Verb verb, const Json&) { return verb != Verb::compare; });
    const std::string debugged = missing("debug", [&](Verb, const Json& body) { return !suite(body); });
    const std::string overSuite = missing("expert", [&](Verb, const Json& body) { return !suite(body); });
    const std::string nothing = missing("baseline", [](Verb, const Json&) { return false; });
    const std::string smallest = toText(family.smallest);
    const std::string timed = missing("baseline", [&](Verb, const Json& body) { return body["work"]["problem"] == smallest; });
    EXPECT_THAT(nothing, HasSubstr(smallest));
    for (const std::string& text : {profile, change, overSuite, timed})
        EXPECT_THAT(text, HasSubstr(size));
    const std::set<std::string> different{profile, change, debugged, overSuite, nothing, timed};
    EXPECT_EQ(different.size(), 6U) << "each says what is missing";
    EXPECT_THAT(different, Each(HasSubstr("transpose/naive")));
    const SessionTemplate optimize = shipped("optimize");
    gpu.recorded = [](Verb verb, const Json&) { return verb == Verb::run; };
    EXPECT_THAT(RecordedPlan(bench).explainMissingChange(optimize, naive, tiled, {}),
                AllOf(HasSubstr("transpose/tiled"), HasSubstr("transpose/naive")))
        << "their comparison";
    EXPECT_EQ(RecordedPlan(bench).explainMissingChange(shipped("debug"), naive, tiled, {}), "") << "it is not compared";
    gpu.recorded = [](Verb verb, const Json&) { return verb == Verb::compare; };
    EXPECT_THAT(RecordedPlan(bench).explainMissingChange(optimize, naive, tiled, {}),
                AllOf(HasSubstr("transpose/tiled"), Not(HasSubstr("transpose/naive"))))
        << "its run";
    gpu.recorded = {};
    EXPECT_EQ(RecordedPlan(bench).faultCaveat(optimize, naive, {}), "") << "nothing is debugged";
    const std::string correct = RecordedPlan(bench).faultCaveat(shipped("debug"), naive, {});
    EXPECT_THAT(correct, AllOf(HasSubstr("transpose/naive"), HasSubstr(' ' + std::to_string(family.suite.size()) + ' ')));
    gpu.kernels["transpose/naive"].right = false;
    EXPECT_EQ(RecordedPlan(bench).faultCaveat(shipped("debug"), naive, {}), "") << "there is a fault, and a variant that fixes it";
    gpu.recorded = [](Verb, const Json& body) { return body["work"]["kernel"] == "transpose/naive"; };
    const std::string unfixed = RecordedPlan(bench).faultCaveat(shipped("debug"), naive, {});
    EXPECT_THAT(unfixed, HasSubstr("transpose/naive"));
    EXPECT_NE(unfixed, correct);
    EXPECT_THAT(unfixed, Not(HasSubstr(' ' + std::to_string(family.suite.size()) + ' ')));
    FakeCollector live(Source::live);
    live.recorded = [](Verb, const Json&) { return false; };
    TestBench there(catalog, tree, live, *store);
    EXPECT_EQ(RecordedPlan(there).explainMissing(optimize, naive, {}), "") << "a GPU measures everything";
    EXPECT_EQ(RecordedPlan(there).explainMissingChange(optimize, naive, tiled, {}), "");
    EXPECT_EQ(RecordedPlan(there).faultCaveat(shipped("debug"), naive, {}), "");
}

class RecordedPlanTexts : public EngineTest {};

TEST_F(RecordedPlanTexts, SnapshotOfWhatARecordingLacks)
{
    const Address naive{"transpose", "naive", {}}, tiled{"transpose", "tiled", {}};
    const Params problem = unwrap(catalog.family("transpose"))->problems.front();
    const std::string smallest = toText(unwrap(catalog.family("transpose"))->smallest);
    const auto suite = [](const Json& body) { return body.contains("suite") && !body["suite"].empty(); };
    std::string text;
    const auto add = [&](const std::string& kind, std::function<bool(Verb, const Json&)> recorded) {
        gpu.recorded = std::move(recorded);
        text += kind + ": " + RecordedPlan(bench).explainMissing(shipped(kind), naive, {}) + '\n';
    };
    add("baseline", [](Verb, const Json&) { return false; });
    add("baseline", [&](Verb, const Json& body) { return body["work"]["problem"] == smallest; });
    add("profile", [](Verb verb, const Json&) { return verb == Verb::run; });
    add("optimize", [](Verb verb, const Json&) { return verb != Verb::compare; });
    add("expert", [&](Verb, const Json& body) { return !suite(body); });
    add("debug", [&](Verb, const Json& body) { return !suite(body); });
    for (const Verb only : {Verb::run, Verb::compare}) {
        gpu.recorded = [only](Verb verb, const Json&) { return verb == only; };
        text += "a change: " + RecordedPlan(bench).explainMissingChange(shipped("optimize"), naive, tiled, problem) + '\n';
    }
    gpu.kernels["transpose/naive"].right = false;
    gpu.recorded = [](Verb, const Json& body) { return body["work"]["kernel"] == "transpose/naive"; };
    text += "a fault: " + RecordedPlan(bench).faultCaveat(shipped("debug"), naive, {}) + '\n';
    test::expectSnapshot("texts/recorded-plan.txt", text);
}

TEST_F(EngineTest, NoticesOfAnActionAreKeptInOrderAfterIt)
{
    const SessionId id = open();
    SessionModel model = unwrap(loadSession(*store, catalog, id));
    std::vector<std::string> passed;
    Job outer;
    outer.notice = [&](const std::string& text) { passed.push_back(text); };
    ActionLog log(outer, *store, model, SessionAction::profile);
    EXPECT_EQ(log.job().silence, std::chrono::seconds(60)) << "the template's";
    log.job().notice("first");
    log.job().notice("second");
    EXPECT_EQ(unwrap(store->events(id)).size(), 1U) << "not before the action's own event";
    EXPECT_EQ(passed.size(), 2U);
    log.keepNotices();
    const std::vector<SessionEvent> events = unwrap(store->events(id));
    ASSERT_EQ(events.size(), 3U);
    EXPECT_EQ(events[1].type, "stalled");
    EXPECT_THAT(events[1].dataJson, HasSubstr("first"));
    EXPECT_EQ(events[2].seq, 3);
    EXPECT_THAT(events[2].dataJson, HasSubstr("\"action\":\"profile\""));
    EXPECT_THAT(unwrap(engine.view(id)).stalls, testing::ElementsAre("first", "second"));
}

TEST_F(EngineTest, WordsOfTheUserAreCheckedBeforeTheyAreKept)
{
    NewSession request;
    request.kernel = "transpose";
    request.kind = "baseline";
    const SessionId baseline = unwrap(engine.create(request)).header.id;
    const SessionId id = open();
    for (const char* reason : {"", " \t\n", "REASON"})
        EXPECT_EQ(engine.waive(id, "G1", reason).error().code, ErrorCode::usage) << reason;
    EXPECT_EQ(engine.waive(id, "G9", "why").error().where, "G9");
    EXPECT_EQ(engine.option(id, "mood", true).error().where, "mood");
    EXPECT_EQ(engine.option(baseline, "cumulative", true).error().code, ErrorCode::usage) << "nothing is kept";
    EXPECT_EQ(engine.option(baseline, "git", true).error().code, ErrorCode::usage);
    request.kind = "debug";
    const SessionId debug = unwrap(engine.create(request)).header.id;
    EXPECT_EQ(engine.option(debug, "cumulative", true).error().code, ErrorCode::usage) << "nothing is evaluated";
    EXPECT_EQ(unwrap(engine.option(debug, "git", true)).git, true);
    EXPECT_TRUE(unwrap(engine.option(id, "cumulative", true)).cumulative);
    EXPECT_FALSE(unwrap(engine.option(id, "cumulative", false)).cumulative);
    const int last = unwrap(engine.view(id)).lastSeq;
    ASSERT_TRUE(store->appendEvent(id, {last + 1, "t", "parked", R"({"from":"transpose/naive","to":"transpose/tiled"})"}));
    EXPECT_EQ(engine.option(id, "cumulative", false).error().code, ErrorCode::badInput) << "a step is parked";
    EXPECT_TRUE(unwrap(engine.option(id, "cumulative", true)).cumulative);
    EXPECT_EQ(unwrap(engine.option(id, "git", false)).git, false);
    EXPECT_EQ(engine.note(id, "").error().code, ErrorCode::usage);
    EXPECT_EQ(engine.edit(id).error().where, "edit");
    EXPECT_EQ(engine.tick(id, "G1", "x").error().code, ErrorCode::usage);
    EXPECT_EQ(engine.tick(id, "nowhere", "x").error().where, "nowhere");
    EXPECT_EQ(unwrap(engine.tick(id, "smoke", "seen")).ticks.at("smoke"), "seen");
    EXPECT_EQ(unwrap(engine.action(id, "choose-fix")), SessionAction::chooseFix);
    EXPECT_EQ(engine.action(id, "dance").error().where, "dance");
    EXPECT_EQ(engine.applyPattern(id, "nowhere").error().code, ErrorCode::notFound);
    ASSERT_TRUE(store->savePattern({"p", "", "P", "own", "", "", "", 10.0, {}, 2.0}));
    EXPECT_EQ(engine.applyPattern(id, "p", {.phase = "nowhere"}).error().where, "nowhere");
    EXPECT_EQ(engine.applyPattern(id, "p", {.quotedMinutes = -1}).error().code, ErrorCode::badInput);
    unwrap(engine.applyPattern(id, "p", {.phase = "profile", .quotedMinutes = 7.0, .note = "n"}));
    const PatternApplication use = unwrap(store->applications()).at(0);
    EXPECT_EQ(use.quotedMinutes, 7);
    EXPECT_EQ(use.quotedDollars, 2) << "the pattern's own";
    EXPECT_EQ(use.note, "n");
    EXPECT_EQ(use.session, id.text);
    const std::vector<SessionEvent> events = unwrap(store->events(id));
    EXPECT_THAT(events.back().dataJson, HasSubstr("\"phase\":\"profile\""));
}

TEST_F(EngineTest, AFixIsChosenByItsIdItsVariantOrAnyVariantOneStepAway)
{
    const SessionId id = open();
    stepUntil(id, SessionAction::chooseFix);
    EXPECT_EQ(refusedAct(id, SessionAction::chooseFix, "nonsense").where, "nonsense");
    EXPECT_EQ(refusedAct(id, SessionAction::chooseFix, "transpose").code, ErrorCode::notFound) << "a family is not a variant";
    EXPECT_EQ(refusedAct(id, SessionAction::chooseFix, "coalesce").code, ErrorCode::badInput) << "needs an edit of the source";
    for (const char* budget : {"search:", "search:0", "search:-1", "search:5x"})
        EXPECT_EQ(refusedAct(id, SessionAction::chooseFix, budget).code, ErrorCode::badInput) << budget;
    EXPECT_EQ(refusedAct(id, SessionAction::chooseFix, "transpose/padded").where, rule::kOneVariable);
    gpu.recorded = [](Verb, const Json& body) { return body.dump().find("transpose/tiled") == std::string::npos; };
    const Error lacking = refusedAct(id, SessionAction::chooseFix, "transpose/tiled");
    EXPECT_EQ(lacking.code, ErrorCode::notRecorded);
    EXPECT_EQ(lacking.where, "transpose/tiled");
    gpu.recorded = {};
    SessionView view = unwrap(engine.act(id, SessionAction::chooseFix, "transpose/tiled"));
    EXPECT_EQ(toText(*view.candidate), "transpose/tiled");
    EXPECT_FALSE(view.fixTitle.empty());
    EXPECT_EQ(refusedAct(id, SessionAction::sanitize, "memcheck").code, ErrorCode::usage) << "not of this kind";
    view = unwrap(engine.act(id, SessionAction::revert));
    EXPECT_EQ(refusedAct(id, SessionAction::chooseFix).code, ErrorCode::refused) << "none is left";
    EXPECT_EQ(refusedAct(id, SessionAction::keep, "x").code, ErrorCode::refused);
    const SessionId other = open();
    stepUntil(other, SessionAction::keep);
    EXPECT_EQ(refusedAct(other, SessionAction::keep, "maybe").where, "maybe");
    EXPECT_EQ(unwrap(engine.act(other, SessionAction::keep, "no-git")).kept, true);
}

} // namespace
} // namespace kl::test
