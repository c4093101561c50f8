// SPDX-License-Identifier: MIT
#include "sessions/session/checklist.h"

#include "sessions/session/kernel_figures.h"
#include "sessions/session/session_json.h"
#include "sessions/session/session_model.h"
#include "sessions/session/template_budget.h"
#include "sessions/session/template_library.h"
#include "tests/sessions/engine_support.h"

#include <gmock/gmock.h>

namespace kl::test {
namespace {

class Checklist : public EngineTest {
protected:
    static const ChecklistItem& findItem(const SessionView& view, std::string_view id)
    {
        return *std::ranges::find_if(view.checklist, [&](const ChecklistItem& item) { return item.id == id; });
    }
    SessionId openKind(const std::string& kind)
    {
        NewSession request;
        request.kernel = "transpose";
        request.kind = kind;
        return unwrap(engine.create(request)).header.id;
    }
};

TEST_F(Checklist, IsTickedByEvidence)
{
    gpu.build = CompileAnswer{};
    gpu.build->arch = "sm_90";
    gpu.build->seconds = 0.4;
    gpu.build->log = "ptxas info";
    const SessionId id = openKind("expert");
    const SessionView fresh = unwrap(engine.view(id));
    EXPECT_EQ(findItem(fresh, "clean-build").state, TickState::open);
    EXPECT_EQ(findItem(fresh, "clean-build").next->at(StepArgument::action), "validate-build");
    EXPECT_EQ(findItem(fresh, "clean-build").next->at(StepArgument::session), id.text);
    const SessionView view = stepUntil(id, SessionAction::profile);
    for (const char* done : {"clean-build", "dependencies", "verbose-build", "warnings", "loads", "smoke", "compared", "occupancy",
                             "shared-memory", "launch-overhead", "G1"})
        EXPECT_EQ(findItem(view, done).state, TickState::done) << done;
    EXPECT_EQ(findItem(view, "smoke").evidence, "run:" + view.smallestRun->id.text);
    EXPECT_TRUE(findItem(view, "verbose-build").evidence.starts_with("artifact:"));
    EXPECT_FALSE(findItem(view, "smoke").next) << "it is done";
    EXPECT_EQ(findItem(view, kHistoryItem).state, TickState::open);
    EXPECT_EQ(sessionToJson(view)["checklist"].size(), view.checklist.size());
}

TEST_F(Checklist, FailsWhereTheEvidenceDoes)
{
    gpu.kernels["transpose/naive"].right = false;
    gpu.kernels["transpose/naive"].gpuNs = 5'000;
    const SessionId id = open();
    const SessionView view = stepUntil(id, SessionAction::document);
    EXPECT_EQ(findItem(view, "compared").state, TickState::failed);
    const SessionView noted = unwrap(engine.tick(id, "compared", "it looks fine to me"));
    EXPECT_EQ(findItem(noted, "compared").state, TickState::failed) << "a note does not overrule evidence";
    EXPECT_EQ(findItem(noted, "compared").note, "it looks fine to me");
}

TEST_F(Checklist, ANoteTicksWhatHasNoEvidence)
{
    const SessionId id = open();
    const SessionView noted = unwrap(engine.tick(id, "verbose-build", "built with -v by hand"));
    EXPECT_EQ(findItem(noted, "verbose-build").state, TickState::done);
    EXPECT_TRUE(findItem(noted, "verbose-build").byNote);
    EXPECT_EQ(findItem(unwrap(engine.tick(id, "verbose-build", "")), "verbose-build").state, TickState::open) << "taken back";
    EXPECT_EQ(engine.tick(id, "coffee", "drunk").error().code, ErrorCode::notFound);
    EXPECT_EQ(engine.tick(id, "G1", "fine").error().code, ErrorCode::usage) << "a gate is waived";
}

TEST_F(Checklist, TheCalculatorsKnowTheKernelAndTheGpu)
{
    const SessionId id = open("transpose/tiled");
    const std::optional<KernelFigures> planned = gatherFigures(unwrap(loadSession(*store, catalog, id)));
    ASSERT_TRUE(planned);
    EXPECT_FALSE(planned->compiled);
    EXPECT_FALSE(planned->registers);
    EXPECT_EQ(planned->kernel, "transpose/tiled");
    stepUntil(id, SessionAction::profile);
    const std::optional<KernelFigures> measured = gatherFigures(unwrap(loadSession(*store, catalog, id)));
    ASSERT_TRUE(measured && measured->occupancy && measured->fit && measured->gain);
    EXPECT_TRUE(measured->compiled);
    EXPECT_EQ(measured->smem, 4096) << "as the run's launch has it";
    EXPECT_EQ(*measured->registers, 32);
    EXPECT_EQ(measured->occupancy->percent, 100);
    EXPECT_TRUE(measured->fit->fits);
    EXPECT_EQ(measured->cost->kernelUs, 200);
    EXPECT_FALSE(measured->launchMeasured);
}

TEST(TemplateBudget, StagesKeepTheirShares)
{
    const std::string text = *templateText("optimize");
    const Result<std::string> half = withBudget(text, 120);
    ASSERT_TRUE(half);
    const Result<SessionTemplate> plan = parseTemplate(*half, "test");
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->budgetMinutes, 120);
    EXPECT_EQ(plan->phases[3].budgetMinutes, 45) << "half of 90";
    EXPECT_EQ(withBudget(text, 5).error().code, ErrorCode::badInput) << "a stage needs a minute";
    EXPECT_EQ(withBudget(text, 1e9).error().code, ErrorCode::badInput);
}

} // namespace
} // namespace kl::test
