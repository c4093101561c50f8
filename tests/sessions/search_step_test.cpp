// SPDX-License-Identifier: MIT
// A search as the one change of a session.
#include "sessions/session/action_arguments.h"
#include "sessions/store/search_records.h"
#include "tests/sessions/engine_support.h"
#include "tests/sessions/tuned_gpu.h"

#include <cstdlib>

namespace kl::test {
namespace {

/// A live GPU that also builds spaces, with times that follow from the tunables, in ns × 100.
class SearchedGpu final : public FakeCollector {
public:
    SearchedGpu() : FakeCollector(Source::live) {}
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override
    {
        if (verb == Verb::buildMany)
            return builder_.ask(verb, body, job);
        for (const char* side : {"work", "a", "b"})
            if (body.contains(side))
                set(body[side]["kernel"]);
        if (body.contains("run"))
            set(body["run"]["work"]["kernel"]);
        return FakeCollector::ask(verb, body, job);
    }

private:
    void set(const std::string& kernel)
    {
        FakeKernel& figures = kernels[kernel];
        figures.gpuNs = 100 * TunedGpu::computeNs(parseAddress(kernel)->tunables);
        figures.baselineNs = 100'000;
    }
    TunedGpu builder_;
};

class SearchStep : public testing::Test {
protected:
    SearchStep()
        : catalog_(*Catalog::loadEmbedded()), tree_(*DiagnosisTree::parse(kTinyTree, "tiny tree")), store_(support::openStore(":memory:")),
          bench_(catalog_, tree_, gpu_, *store_), engine_(bench_)
    {
        ::setenv("KERNELLOOP_SANITIZER", (folder_ / "no-such-tool").c_str(), 1); // the fake GPU's kernels cannot run under a real one
        ::setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
    }
    ~SearchStep() override { ::unsetenv("XDG_CACHE_HOME"); }

    /// A session that may choose its fix.
    SessionId openAtFix()
    {
        NewSession request;
        request.objective = "find the best tiles";
        request.kernel = "attention/fused";
        request.problem = *parseParams("B=1,H=1,S=64,D=64");
        const Result<SessionView> opened = engine_.create(request);
        EXPECT_TRUE(opened) << opened.error().message;
        const SessionId id = opened->header.id;
        for (int i = 0; i < 20 && engine_.view(id)->phase != "fix"; ++i)
            EXPECT_TRUE(engine_.step(id));
        EXPECT_EQ(engine_.view(id)->phase, "fix");
        return id;
    }

    support::TempDir folder_;
    Catalog catalog_;
    DiagnosisTree tree_;
    std::unique_ptr<Store> store_;
    SearchedGpu gpu_;
    TestBench bench_;
    TestEngine engine_;
};

TEST_F(SearchStep, TheWinnerIsTheCandidateAndTheSessionsGatesJudgeIt)
{
    const SessionId id = openAtFix();
    const SessionView before = *engine_.view(id);
    EXPECT_TRUE(std::ranges::any_of(before.next, [](const NextAction& next) { return next.argument == kSearchFix; }));
    EXPECT_EQ(engine_.act(id, SessionAction::chooseFix, "search:x").error().code, ErrorCode::badInput);
    EXPECT_EQ(engine_.act(id, SessionAction::chooseFix, "search:-1").error().code, ErrorCode::badInput);
    const Result<SessionView> chosen = engine_.act(id, SessionAction::chooseFix, "search:1000");
    ASSERT_TRUE(chosen) << chosen.error().message;
    ASSERT_TRUE(chosen->candidate);
    EXPECT_EQ(chosen->fix, kSearchFix);
    const auto records = searchRecords(*store_, "attention/fused");
    ASSERT_EQ(records->size(), 1U);
    EXPECT_EQ(records->front().best->kernel, toText(*chosen->candidate));
    EXPECT_EQ(records->front().protocol, "session");
    EXPECT_TRUE(std::ranges::any_of(
        chosen->events, [&](const SessionEvent& event) { return event.dataJson.find(records->front().id) != std::string::npos; }));

    Result<SessionView> view = engine_.act(id, SessionAction::verifySuite);
    ASSERT_TRUE(view) << view.error().message;
    for (const GateView& gate : view->gates)
        for (const CheckRow& row : gate.checks)
            if (row.id == "one-variable") {
                EXPECT_EQ(row.result, GateResult::pass) << row.found;
            }
    view = engine_.act(id, SessionAction::evaluate);
    ASSERT_TRUE(view) << view.error().message;
    ASSERT_TRUE(view->evaluation);
    EXPECT_EQ(view->evaluation->b, toText(*chosen->candidate));
}

} // namespace
} // namespace kl::test
