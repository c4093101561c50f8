// SPDX-License-Identifier: MIT
#include "sessions/session/session_json.h"
#include "tests/sessions/engine_support.h"

#include "core/stats/ab.h"

#include <nlohmann/json.hpp>

namespace kl::test {
namespace {

TEST_F(EngineTest, FollowingTheFirstSuggestionCompletesASession)
{
    const SessionId id = open();
    std::vector<std::string> actions;
    SessionView view = unwrap(engine.view(id));
    while (view.phase != "done" && actions.size() < 20) {
        actions.push_back(toString(view.next.front().action));
        view = step(id);
    }
    EXPECT_EQ(actions, (std::vector<std::string>{"check-environment", "verify-smallest", "measure-baseline", "profile", "choose-fix",
                                                 "verify-suite", "evaluate", "keep", "document", "finish"}));
    EXPECT_EQ(view.outcome, "kept");
    EXPECT_EQ(toText(view.start), "transpose/naive");
    EXPECT_EQ(toText(*view.candidate), "transpose/tiled");
    EXPECT_NEAR(*view.speedup, 0.25, 1e-9);
    for (const GateView& gate : view.gates)
        EXPECT_EQ(gate.result, gate.id == "G2" ? GateResult::fail : GateResult::pass) << gate.id << ' ' << gate.verdict;
    EXPECT_TRUE(view.next.empty());
    EXPECT_TRUE(view.gate.empty());
}

TEST_F(EngineTest, TheNextSessionStartsFromTheKeptVariantUntilNothingIsLeftToFix)
{
    EXPECT_EQ(toText(stepTo(open(), "done").start), "transpose/naive");
    const SessionView second = stepTo(open(), "done");
    EXPECT_EQ(toText(second.start), "transpose/tiled");
    EXPECT_EQ(second.outcome, "kept");
    const SessionView third = stepTo(open(), "done"); // vector gains 2 %: not worth it
    EXPECT_EQ(toText(third.start), "transpose/padded");
    EXPECT_EQ(third.outcome, "reverted");
    EXPECT_NEAR(*third.speedup, 50.0 / 60.0, 1e-9);
    const SessionView top = stepTo(open("transpose/vector"), "done");
    EXPECT_EQ(top.outcome, "nothing to fix");
    EXPECT_FALSE(top.candidate);
}

TEST_F(EngineTest, NamesGoOnFromN)
{
    EXPECT_EQ(unwrap(engine.nextName()), "N");
    EXPECT_EQ(unwrap(engine.view(open())).header.name, "N");
    EXPECT_EQ(unwrap(engine.view(open())).header.name, "N+1");
}

TEST_F(EngineTest, ANameIsTakenOnce)
{
    NewSession request;
    request.name = "N+9";
    request.kernel = "transpose";
    unwrap(engine.create(request));
    const Result<SessionView> again = engine.create(request);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ErrorCode::badInput);
    EXPECT_NE(again.error().hint.find("N+10"), std::string::npos);
}

TEST_F(EngineTest, TheFiveQuestionsAreKeptWithDefaults)
{
    NewSession request;
    request.kernel = "transpose";
    request.answers["baseline"] = "the claim of 90 % of a copy";
    const SessionView view = unwrap(engine.create(request));
    EXPECT_EQ(view.answers.size(), 5U);
    EXPECT_EQ(view.answers.at("baseline"), "the claim of 90 % of a copy");
    EXPECT_NE(view.answers.at("target-gpu").find("Fake H200"), std::string::npos);
    EXPECT_EQ(view.answers.at("smallest-size"), "M=32,N=32");
    request.answers["favorite-color"] = "blue";
    EXPECT_EQ(engine.create(request).error().code, ErrorCode::badInput);
}

TEST_F(EngineTest, UnknownKernelKindAndProblemAreBadInput)
{
    NewSession request;
    request.kernel = "transpoze";
    EXPECT_EQ(engine.create(request).error().code, ErrorCode::notFound);
    request.kernel = "transpose";
    request.kind = "wishful";
    EXPECT_EQ(engine.create(request).error().code, ErrorCode::badInput);
    request.kind = "optimize";
    request.problem["Q"] = std::int64_t{3};
    EXPECT_FALSE(engine.create(request).ok());
}

TEST_F(EngineTest, EverySuggestionNamesItsSessionAndDevice)
{
    const SessionId id = open();
    const SessionView view = stepTo(id, "fix");
    for (const NextAction& next : view.next) {
        EXPECT_EQ(next.step.at(StepArgument::session), id.text);
        EXPECT_EQ(next.step.at(StepArgument::source), "sample");
    }
    EXPECT_EQ(view.next.front().step.id, StepId::stepSession);
    EXPECT_EQ(view.next.back().step.id, StepId::actInSession);
    EXPECT_EQ(view.next.back().step.at(StepArgument::action), "document");
}

TEST_F(EngineTest, AFreshEngineResumesWhereTheOldOneStopped)
{
    const SessionId id = open();
    stepUntil(id, SessionAction::verifySuite);
    const std::unique_ptr<Store> other = support::openStore((folder / "kl.db").string());
    TestBench bench2(catalog, tree, gpu, *other);
    TestEngine engine2(bench2);
    const SessionView resumed = unwrap(engine2.view(id));
    EXPECT_EQ(resumed.phase, "fix");
    EXPECT_EQ(resumed.next.front().action, SessionAction::verifySuite);
    EXPECT_EQ(unwrap(engine2.latestOpen()), id);
    EXPECT_EQ(encode(sessionToJson(resumed)), encode(sessionToJson(unwrap(engine.view(id)))));
}

TEST_F(EngineTest, TheLoserOfARaceHearsChangedElsewhere)
{
    const SessionId id = open();
    class Intruder : public FakeCollector {
    public:
        std::function<void()> during;
        Result<Json> ask(Verb verb, const Json& body, const Job& job) override
        {
            if (during)
                std::exchange(during, {})();
            return FakeCollector::ask(verb, body, job);
        }
    } slow;
    TestBench bench2(catalog, tree, slow, *store);
    TestEngine engine2(bench2);
    slow.during = [&] { unwrap(engine.note(id, "meanwhile")); };
    const Result<SessionView> lost = engine2.step(id);
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().code, ErrorCode::changedElsewhere);
    EXPECT_EQ(unwrap(engine.view(id)).phase, "environment");
}

TEST_F(EngineTest, SessionsAreFoundByNameIdAndPrefix)
{
    const SessionId id = open();
    EXPECT_EQ(unwrap(engine.find("N")), id);
    EXPECT_EQ(unwrap(engine.find(id.text)), id);
    EXPECT_EQ(unwrap(engine.find(id.text.substr(0, 30))), id);
    EXPECT_EQ(engine.find("zebra").error().code, ErrorCode::notFound);
}

TEST_F(EngineTest, LatestOpenLeavesFinishedSessionsOut)
{
    EXPECT_EQ(engine.latestOpen().error().code, ErrorCode::notFound);
    const SessionId first = open();
    EXPECT_EQ(unwrap(engine.latestOpen()), first);
    stepTo(first, "done");
    EXPECT_EQ(engine.latestOpen().error().code, ErrorCode::notFound);
}

TEST_F(EngineTest, TheFinishedEventCarriesTheFigures)
{
    const SessionView view = stepTo(open(), "done");
    const Json data = unwrap(parseJson(view.events.back().dataJson, "finished"));
    EXPECT_EQ(view.events.back().type, "finished");
    EXPECT_EQ(data["outcome"], "kept");
    EXPECT_EQ(data["start"], "transpose/naive");
    EXPECT_EQ(data["candidate"], "transpose/tiled");
    EXPECT_NEAR(data["ratio"].get<double>(), 2.0, 0.05);
    EXPECT_EQ(data["gates"]["G5"], "pass");
    EXPECT_TRUE(data["measured_minutes"].contains("profile"));
}

TEST_F(EngineTest, AnAppliedPatternIsKeptOnce)
{
    Pattern pattern;
    pattern.slug = "baseline-first";
    pattern.title = "Baseline first";
    pattern.kind = "operational";
    pattern.quotedMinutes = 60;
    ASSERT_TRUE(store->savePattern(pattern).ok());
    const SessionId id = open();
    unwrap(engine.applyPattern(id, "baseline-first"));
    const SessionView view = unwrap(engine.applyPattern(id, "baseline-first"));
    EXPECT_EQ(view.patternsApplied, std::vector<std::string>{"baseline-first"});
    EXPECT_EQ(unwrap(store->applications()).size(), 1U);
    EXPECT_EQ(engine.applyPattern(id, "no-such").error().code, ErrorCode::notFound);
}

TEST_F(EngineTest, TheSessionJsonHasTheAgreedFields)
{
    const SessionId id = open();
    const Json json = sessionToJson(stepTo(id, "profile"));
    EXPECT_EQ(json["schema"], "kernelloop.session/1");
    for (const char* key : {"session", "kind", "phase", "gate", "blocked", "rule", "why", "next"})
        EXPECT_TRUE(json.contains(key)) << key;
    EXPECT_EQ(json["gate"]["id"], "G3");
    EXPECT_EQ(json["gate"]["progress"], "not-started");
    EXPECT_EQ(json["rule"], "stop-below-half");
    EXPECT_FALSE(json["blocked"].get<bool>());
    EXPECT_EQ(sessionToJson(stepTo(id, "done"))["gate"]["id"], "G5");
}

TEST_F(EngineTest, ReplayingMeasurementsAddsNoRows)
{
    stepTo(open("transpose/naive"), "done");
    const std::size_t before = unwrap(store->runs({})).size();
    stepTo(open("transpose/naive"), "done");
    EXPECT_EQ(unwrap(store->runs({})).size(), before);
}

TEST_F(EngineTest, AnOpeningSaysWhereItIsAndWithWhichOptions)
{
    FakeCollector live(Source::live);
    DeviceInfo& device = live.hello().devices.front();
    device.uuid = "GPU-here";
    device.driverVersion = "580.1";
    TestBench liveBench(catalog, tree, live, *store);
    TestEngine liveEngine(liveBench);
    NewSession request;
    request.kernel = "transpose/tiled";
    request.claims = {{"a paper", "2x", "baseline"}};
    request.answers["baseline"] = "";
    const auto opened = [&](SessionEngine& here) {
        const SessionView view = unwrap(here.create(request));
        EXPECT_EQ(toText(view.start), "transpose/tiled");
        return Json::parse(view.events.front().dataJson);
    };
    const Json plain = opened(liveEngine);
    EXPECT_EQ(plain["device"], device.name);
    EXPECT_EQ(plain["device_uuid"], "GPU-here");
    EXPECT_EQ(plain["driver"], "580.1");
    EXPECT_EQ(plain["claims"], (Json{{{"source", "a paper"}, {"figure", "2x"}, {"about", "baseline"}}}));
    EXPECT_EQ(plain["options"], (Json{{"cumulative", false}})) << "whether edits are committed is asked later";
    EXPECT_EQ(plain["problem"], toText(unwrap(catalog.family("transpose"))->problems.front()));
    request.cumulative = true;
    request.git = false;
    const Json recorded = opened(engine);
    EXPECT_EQ(recorded["options"], (Json{{"cumulative", true}, {"git", false}}));
    for (const char* question : {"baseline", "success-criteria"}) {
        EXPECT_FALSE(plain["answers"][question].get<std::string>().empty()) << "an empty answer is none";
        EXPECT_FALSE(recorded["answers"][question].get<std::string>().empty());
    }
    for (const char* question : {"target-gpu", "tools"})
        EXPECT_NE(plain["answers"][question], recorded["answers"][question]) << question << ": a GPU or a recording";
    request.kind = "baseline";
    EXPECT_EQ(engine.create(request).error().where, "--cumulative");
    request.cumulative = false;
    EXPECT_EQ(engine.create(request).error().where, "--git") << "though it says no";
}

} // namespace
} // namespace kl::test
