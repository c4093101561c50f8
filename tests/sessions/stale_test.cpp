// SPDX-License-Identifier: MIT
#include "sessions/session/session_json.h"
#include "tests/sessions/engine_support.h"

namespace kl::test {
namespace {

/// Sessions on a live GPU, whose device, driver and kernel source can change under them.
class StaleTest : public EngineTest {
protected:
    StaleTest() : live(Source::live), liveBench(catalog, tree, live, *store), liveEngine(liveBench)
    {
        live.kernels = gpu.kernels;
        NewSession request;
        request.kernel = "transpose";
        id = unwrap(liveEngine.create(request)).header.id;
    }
    SessionView stepTo(SessionAction action)
    {
        SessionView view = unwrap(liveEngine.view(id));
        for (int i = 0; i < 20 && !view.next.empty() && view.next.front().action != action; ++i)
            view = unwrap(liveEngine.step(id));
        EXPECT_EQ(view.next.front().action, action);
        return view;
    }
    Catalog edited() const
    {
        std::vector<KernelFamily> families = catalog.families();
        for (KernelFamily& family : families)
            if (family.id == "transpose")
                family.source += "\n// edited\n";
        return Catalog(std::move(families));
    }

    FakeCollector live;
    TestBench liveBench;
    TestEngine liveEngine;
    SessionId id;
};

TEST_F(StaleTest, AnotherDriverMakesAllEvidenceStaleAndTheGatesSayWhy)
{
    stepTo(SessionAction::evaluate);
    live.hello().devices.front().driverVersion = "581.7";
    const Result<SessionView> refused = liveEngine.act(id, SessionAction::evaluate);
    ASSERT_FALSE(refused);
    const SessionView view = unwrap(liveEngine.view(id));
    for (const char* gate : {"G1", "G2", "G3", "G4"}) {
        EXPECT_EQ(findGate(view, gate).progress, GateProgress::stale) << gate;
        EXPECT_EQ(findGate(view, gate).result, gate == std::string("G2") ? GateResult::fail : GateResult::pass)
            << "the result is still what it was";
        EXPECT_NE(findGate(view, gate).staleReason.find("581.7"), std::string::npos);
    }
    EXPECT_EQ(view.phase, "environment");
    EXPECT_EQ(view.next.front().action, SessionAction::checkEnvironment);
    EXPECT_FALSE(view.blocked);
    EXPECT_EQ(encode(sessionToJson(view)).find("\"progress\":\"stale\"") == std::string::npos, false);
    const SessionView again = stepTo(SessionAction::evaluate);
    EXPECT_EQ(findGate(again, "G3").progress, GateProgress::done);
    EXPECT_EQ(toText(*again.candidate), "transpose/tiled") << "the choice is unchanged, only its evidence was measured again";
}

TEST_F(StaleTest, AStepHearsOfTheDriverBeforeItActs)
{
    stepTo(SessionAction::profile);
    live.hello().devices.front().driverVersion = "581.7";
    const SessionView view = unwrap(liveEngine.step(id)); // not the profile: the environment comes first again
    EXPECT_EQ(view.phase, "baseline");
    EXPECT_EQ(live.requested.back(), "env");
}

TEST_F(StaleTest, AnEditOfTheSourceMakesItsMeasurementsStale)
{
    stepTo(SessionAction::chooseFix);
    const Catalog after = edited();
    TestBench bench2(after, tree, live, *store);
    TestEngine engine2(bench2);
    SessionView view = unwrap(engine2.view(id));
    EXPECT_EQ(findGate(view, "G1").progress, GateProgress::done) << "the environment does not rest on the source";
    EXPECT_EQ(findGate(view, "G2").progress, GateProgress::stale);
    EXPECT_EQ(findGate(view, "G3").progress, GateProgress::stale);
    EXPECT_NE(findGate(view, "G2").staleReason.find("transpose/naive"), std::string::npos);
    EXPECT_EQ(view.next.front().action, SessionAction::verifySmallest);
    EXPECT_EQ(engine2.act(id, SessionAction::chooseFix).error().where, "profile-before-optimizing");
    for (int i = 0; i < 3; ++i)
        view = unwrap(engine2.step(id));
    EXPECT_EQ(view.phase, "fix");
    EXPECT_EQ(findGate(view, "G2").progress, GateProgress::done);
}

TEST_F(StaleTest, AnEvaluationIsStaleWithItsCandidate)
{
    stepTo(SessionAction::keep);
    EXPECT_EQ(findGate(unwrap(liveEngine.view(id)), "G5").progress, GateProgress::done);
    const Catalog after = edited();
    TestBench bench2(after, tree, live, *store);
    const SessionView view = unwrap(TestEngine(bench2).view(id));
    EXPECT_TRUE(view.stale.contains(Evidence::evaluation));
    EXPECT_EQ(findGate(view, "G5").progress, GateProgress::stale);
}

TEST_F(StaleTest, AWaiverGivenForStaleEvidenceLeadsOn)
{
    stepTo(SessionAction::chooseFix);
    live.hello().devices.front().driverVersion = "581.7";
    unwrap(liveEngine.step(id));
    SessionView view = unwrap(liveEngine.waive(id, "G2", "a patch release of the driver"));
    EXPECT_EQ(findGate(view, "G2").progress, GateProgress::waived);
    EXPECT_EQ(findGate(view, "G2").waivedReason, "a patch release of the driver");
    EXPECT_EQ(view.phase, "profile");
    live.hello().devices.front().driverVersion = "582.0"; // and does not cover the next one
    view = unwrap(liveEngine.step(id));
    EXPECT_EQ(findGate(view, "G2").progress, GateProgress::stale);
}

TEST_F(StaleTest, AFinishedSessionKeepsWhatItEndedWith)
{
    stepTo(SessionAction::finish);
    unwrap(liveEngine.step(id));
    const Catalog after = edited();
    TestBench bench2(after, tree, live, *store);
    const SessionView view = unwrap(TestEngine(bench2).view(id));
    EXPECT_EQ(view.phase, "done");
    EXPECT_TRUE(view.stale.empty());
    EXPECT_EQ(findGate(view, "G5").progress, GateProgress::done);
}

TEST_F(EngineTest, ARecordingDoesNotGoStaleWithTheSource)
{
    const SessionId id = open();
    stepTo(id, "fix");
    std::vector<KernelFamily> families = catalog.families();
    for (KernelFamily& family : families)
        family.source += "\n";
    const Catalog after(std::move(families));
    TestBench bench2(after, tree, gpu, *store);
    EXPECT_EQ(unwrap(TestEngine(bench2).view(id)).phase, "fix");
}

TEST_F(EngineTest, APauseBeforeResumingIsNoWork)
{
    const SessionId id = open();
    step(id);
    const std::vector<SessionEvent> events = unwrap(store->events(id));
    const SessionView view = unwrap(engine.resume(id));
    EXPECT_EQ(view.events.size(), events.size() + 1);
    EXPECT_EQ(view.events.back().type, "resumed");
    EXPECT_EQ(view.phase, "baseline");
    // 100 minutes between two events are work, unless the second says that it resumes.
    SessionEvent late{static_cast<int>(view.events.size()) + 1, "2199-01-01T00:00:00.000Z", "note", R"({"text": "a"})"};
    ASSERT_TRUE(store->appendEvent(id, late).ok());
    const double before = unwrap(engine.view(id)).minutes;
    ASSERT_TRUE(store->appendEvent(id, {late.seq + 1, "2199-01-01T01:40:00.000Z", "resumed", "{}"}).ok());
    EXPECT_DOUBLE_EQ(unwrap(engine.view(id)).minutes, before);
    ASSERT_TRUE(store->appendEvent(id, {late.seq + 2, "2199-01-01T02:00:00.000Z", "note", R"({"text": "b"})"}).ok());
    EXPECT_NEAR(unwrap(engine.view(id)).minutes, before + 20, 1e-6);
}

} // namespace
} // namespace kl::test
