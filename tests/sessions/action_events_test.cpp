// SPDX-License-Identifier: MIT
// What the actions of a session write down: each field of their events, and what is kept beside them.
#include "core/base/format.h"
#include "sessions/session/events.h"
#include "sessions/session/rules.h"
#include "tests/sessions/engine_support.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl::test {
namespace {

class ActionEvents : public EngineTest {
protected:
    /// The data of the newest event of a type.
    Json newest(const SessionId& id, const std::string& type)
    {
        const std::vector<SessionEvent> events = unwrap(store->events(id));
        for (auto event = events.rbegin(); event != events.rend(); ++event)
            if (event->type == type)
                return unwrap(parseJson(event->dataJson, type));
        ADD_FAILURE() << "no event " << type;
        return Json::object();
    }
    NewSession requested(const std::string& kernel, const std::string& kind = "optimize")
    {
        NewSession request;
        request.kernel = kernel;
        request.kind = kind;
        request.objective = "objective of " + kind;
        return request;
    }
};

TEST_F(ActionEvents, OpeningKeepsWhatWasAskedForAndWhere)
{
    NewSession request = requested("transpose/tiled", "expert");
    request.problem = unwrap(catalog.family("transpose"))->suite.at(1);
    request.claims = {{"a blog", "2x", "kernel"}, {"the paper", "3 us", "baseline"}};
    request.cumulative = true;
    request.git = false;
    const SessionView view = unwrap(engine.create(request));
    EXPECT_EQ(view.header.kind, "expert");
    EXPECT_EQ(view.header.objective, "objective of expert");
    EXPECT_EQ(view.header.kernel, "transpose");
    EXPECT_EQ(view.header.source, Source::sample);
    EXPECT_EQ(view.header.createdAt, view.events.at(0).at);
    const Json opened = newest(view.header.id, event::kOpened);
    EXPECT_EQ(opened["start"], "transpose/tiled");
    EXPECT_EQ(opened["problem"], toText(request.problem));
    EXPECT_EQ(opened["device"], "Fake H200");
    EXPECT_EQ(opened["device_uuid"], "GPU-fake");
    EXPECT_EQ(opened["driver"], "580.1");
    EXPECT_FALSE(opened.contains("host")) << "it is measured here";
    EXPECT_EQ(opened["claims"], Json::parse(R"([{"source": "a blog", "figure": "2x", "about": "kernel"},
                                                 {"source": "the paper", "figure": "3 us", "about": "baseline"}])"));
    EXPECT_EQ(opened["options"], Json::parse(R"({"cumulative": true, "git": false})"));
    const SessionView plain = unwrap(engine.create(requested("transpose")));
    EXPECT_EQ(newest(plain.header.id, event::kOpened)["options"], Json::parse(R"({"cumulative": false})")) << "nobody has said";
    EXPECT_NE(plain.header.id, view.header.id);
}

TEST_F(ActionEvents, DefaultAnswersAreOfTheDeviceTheKernelAndThePlan)
{
    const auto answers = [&](Collector& collector) {
        TestBench there(catalog, tree, collector, *store);
        NewSession request = requested("transpose");
        request.answers = {{"tools", ""}};
        return unwrap(TestEngine(there).create(request)).answers;
    };
    const auto recorded = answers(gpu);
    FakeCollector live(Source::live);
    const auto measured = answers(live);
    for (const char* part : {"Fake H200", "9.0"})
        EXPECT_NE(measured.at("target-gpu").find(part), std::string::npos) << measured.at("target-gpu");
    EXPECT_EQ(recorded.at("target-gpu").substr(0, measured.at("target-gpu").size()), measured.at("target-gpu"));
    EXPECT_NE(recorded.at("target-gpu"), measured.at("target-gpu"));
    EXPECT_NE(recorded.at("tools"), measured.at("tools"));
    EXPECT_FALSE(measured.at("tools").empty()) << "an empty answer is none";
    const KernelFamily& family = *unwrap(catalog.family("transpose"));
    EXPECT_EQ(measured.at("baseline"), family.baseline.name);
    EXPECT_EQ(measured.at("smallest-size"), toText(family.smallest));
    const std::string criteria = measured.at("success-criteria");
    for (const std::string& figure : {std::to_string(family.suite.size()) + " sizes", formatRatio(1.2), formatRatio(2.0)})
        EXPECT_NE(criteria.find(figure), std::string::npos) << criteria;
    FakeCollector none(Source::live);
    none.hello().devices.clear();
    none.hello().unavailable = "no driver";
    EXPECT_EQ(answers(none).at("target-gpu"), "no driver");
}

TEST_F(ActionEvents, ADebugSessionBeginsWithTheFaultyVariantAndNoOtherKindDoes)
{
    int faulty = 0;
    for (const KernelFamily& family : catalog.families()) {
        const auto fault = std::ranges::find_if(family.variants, [](const Variant& variant) { return !variant.fault.empty(); });
        if (fault == family.variants.end())
            continue;
        ++faulty;
        EXPECT_EQ(unwrap(engine.create(requested(family.id, "debug"))).start.variant, fault->id);
        const Address other = unwrap(engine.create(requested(family.id))).start;
        EXPECT_TRUE(unwrap(catalog.variant(other))->fault.empty()) << toText(other);
        const std::string sound = other.variant;
        EXPECT_EQ(unwrap(engine.create(requested(family.id + '/' + sound, "debug"))).start.variant, sound) << "the one that is named";
    }
    EXPECT_GT(faulty, 0);
}

TEST_F(ActionEvents, AChoiceAndItsEndKeepWhatWasChosenAndWhy)
{
    const SessionId id = open();
    stepUntil(id, SessionAction::chooseFix);
    unwrap(engine.act(id, SessionAction::chooseFix, "transpose/tiled"));
    Json data = newest(id, event::kFixChosen);
    EXPECT_EQ(data["candidate"], "transpose/tiled");
    EXPECT_EQ(data["changes"], Json({"naive → tiled"}));
    EXPECT_EQ(data["title"], unwrap(engine.view(id)).fixTitle);
    EXPECT_FALSE(data["fix"].get<std::string>().empty());
    const SessionView before = unwrap(engine.view(id));
    unwrap(engine.act(id, SessionAction::revert));
    data = newest(id, event::kReverted);
    EXPECT_EQ(data["variant"], "transpose/naive") << "what is current now";
    EXPECT_EQ(data["candidate"], "transpose/tiled");
    EXPECT_EQ(data["reason"], before.why);
    EXPECT_FALSE(data.contains("copy")) << "no file was edited";
    const int decided = unwrap(engine.view(id)).lastSeq;
    unwrap(engine.act(id, SessionAction::undo));
    EXPECT_EQ(newest(id, event::kUndone)["of"], decided);
}

TEST_F(ActionEvents, AParkedStepHasBothVariantsAndItsInterval)
{
    gpu.kernels["transpose/naive"].gpuNs = 112'000;
    gpu.kernels["transpose/tiled"].gpuNs = 100'000;
    NewSession request = requested("transpose/naive");
    request.cumulative = true;
    const SessionId id = unwrap(engine.create(request)).header.id;
    const SessionView before = stepUntil(id, SessionAction::park);
    step(id);
    Json data = newest(id, event::kParked);
    EXPECT_EQ(data["from"], "transpose/naive");
    EXPECT_EQ(data["to"], "transpose/tiled");
    EXPECT_EQ(data["fix"], before.fix);
    EXPECT_EQ(data["title"], before.fixTitle);
    EXPECT_EQ(data["comparison"], before.evaluation->id.text);
    EXPECT_EQ(data["ratio"], before.evaluation->ratio->value);
    EXPECT_EQ(data["low"], before.evaluation->ratio->low);
    EXPECT_EQ(data["high"], before.evaluation->ratio->high);
    EXPECT_LT(data["low"], data["high"]);
    stepUntil(id, SessionAction::chooseFix);
    unwrap(engine.act(id, SessionAction::revert));
    data = newest(id, event::kReverted);
    EXPECT_EQ(data["variant"], "transpose/naive") << "where the session began";
    EXPECT_EQ(data["candidate"], "transpose/tiled") << "what was parked";
}

TEST_F(ActionEvents, AKeptChangeHasItsRatioWhereItWasMeasured)
{
    const SessionId id = open();
    const SessionView before = stepUntil(id, SessionAction::keep);
    step(id);
    Json data = newest(id, event::kKept);
    EXPECT_EQ(data["variant"], "transpose/tiled");
    EXPECT_EQ(data["steps"], Json({"transpose/tiled"}));
    EXPECT_EQ(data["ratio"], before.evaluation->ratio->value);
    EXPECT_FALSE(data.contains("commit"));
    gpu.kernels["transpose/naive"].wrongSize = toText(unwrap(catalog.family("transpose"))->suite.at(1));
    const SessionId debug = unwrap(engine.create(requested("transpose/naive", "debug"))).header.id;
    stepUntil(debug, SessionAction::keep);
    EXPECT_EQ(newest(debug, event::kHypothesis)["proposed"], true);
    const Json found = newest(debug, event::kFailingCaseFound);
    EXPECT_EQ(found["problem"], toText(unwrap(engine.view(debug)).failingProblem.value_or(Params{})));
    EXPECT_EQ(found["run"], unwrap(engine.view(debug)).failingRun->id.text);
    step(debug);
    data = newest(debug, event::kKept);
    EXPECT_EQ(data["ratio"], nullptr) << "a fix is not timed";
    EXPECT_EQ(data["variant"], "transpose/tiled");
}

TEST_F(ActionEvents, AnIterationKeepsWhatItCameToAndItsCandidate)
{
    gpu.kernels["transpose/naive"].wrongSize = toText(unwrap(catalog.family("transpose"))->suite.at(1));
    gpu.kernels["transpose/tiled"].right = false;
    const SessionId id = unwrap(engine.create(requested("transpose/naive", "debug"))).header.id;
    EXPECT_EQ(newest(unwrap(engine.act(id, SessionAction::hypothesis, "a bound")).header.id, event::kHypothesis)["proposed"], false);
    EXPECT_EQ(refusedAct(id, SessionAction::instrument, " \n").where, "instrument");
    stepUntil(id, SessionAction::repeat);
    const SessionView before = unwrap(engine.view(id));
    step(id);
    const Json data = newest(id, event::kIterationClosed);
    EXPECT_EQ(data["candidate"], "transpose/tiled");
    EXPECT_EQ(data["result"], before.iterations.back().result);
    EXPECT_NE(data["learned"].get<std::string>().find("transpose/tiled"), std::string::npos) << "proposed where a session lacks one";
}

TEST_F(ActionEvents, RefusalsAndWaiversAreKeptWithTheirReason)
{
    const SessionId id = open();
    const Error refused = refusedAct(id, SessionAction::keep);
    Json data = newest(id, event::kRefusedAttempt);
    EXPECT_EQ(data["action"], "keep");
    EXPECT_EQ(data["rule"], rule::kProfileFirst);
    EXPECT_EQ(data["message"], refused.message);
    EXPECT_FALSE(engine.waive(id, "G3", "no time"));
    data = newest(id, event::kRefusedAttempt);
    EXPECT_EQ(data["action"], "waive G3");
    unwrap(engine.waive(id, "G1", "known"));
    EXPECT_EQ(newest(id, event::kWaived), Json::parse(R"({"gate": "G1", "reason": "known"})"));
    unwrap(engine.claim(id, {"s", "2x", "baseline"}));
    EXPECT_EQ(newest(id, event::kClaimAdded), Json::parse(R"({"source": "s", "figure": "2x", "about": "baseline"})"));
    unwrap(engine.option(id, "git", true));
    EXPECT_EQ(newest(id, event::kOptionSet), Json::parse(R"({"name": "git", "value": true})"));
    const int events = unwrap(engine.view(id)).lastSeq;
    EXPECT_FALSE(engine.act(id, SessionAction::undo)) << "there is nothing to undo";
    EXPECT_EQ(unwrap(engine.view(id)).lastSeq, events) << "which breaks no rule";
}

TEST_F(ActionEvents, APatternIsAppliedInTheCurrentPhaseAndTheGateOfTheEndIsTheLast)
{
    Pattern pattern;
    pattern.slug = "p";
    pattern.title = "P";
    pattern.kind = "own";
    ASSERT_TRUE(store->savePattern(pattern));
    const SessionId id = open();
    stepTo(id, "profile");
    unwrap(engine.applyPattern(id, "p"));
    EXPECT_EQ(newest(id, event::kPatternApplied), Json::parse(R"({"slug": "p", "phase": "profile"})"));
    EXPECT_EQ(unwrap(engine.gate(id, "")).id, "G3");
    const SessionView view = stepTo(id, "done");
    EXPECT_EQ(unwrap(engine.gate(id, "")).id, "G5");
    const Json data = newest(id, event::kFinished);
    EXPECT_EQ(data["patterns"], Json({"p"}));
    EXPECT_EQ(data["budget_minutes"], view.budgetMinutes);
    EXPECT_EQ(data["refusals"], 0);
    EXPECT_EQ(data["speedup"], *view.speedup);
    EXPECT_EQ(newest(id, event::kDocumented)["retrospective"], view.retrospective);
    EXPECT_EQ(unwrap(engine.resume(id)).events.size(), view.events.size()) << "it is over";
}

TEST_F(ActionEvents, FinishingWritesTheReportFirst)
{
    const SessionId id = open();
    step(id);
    const SessionView view = unwrap(engine.act(id, SessionAction::finish));
    EXPECT_EQ(view.phase, "done");
    EXPECT_EQ(view.outcome, "abandoned");
    ASSERT_GE(view.events.size(), 2U);
    EXPECT_EQ(view.events[view.events.size() - 2].type, event::kDocumented);
    EXPECT_EQ(view.events.back().type, event::kFinished);
    EXPECT_FALSE(unwrap(store->artifact(view.artifact)).empty());
}

} // namespace
} // namespace kl::test
