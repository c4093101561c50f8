// SPDX-License-Identifier: MIT
#include "sessions/engine/session_preview.h"

#include "sessions/session/template_library.h"
#include "tests/sessions/engine_support.h"

#include <gmock/gmock.h>

namespace kl::test {
namespace {

class Preview : public EngineTest {
protected:
    static NewSession on(const std::string& kernel, const std::string& kind = "optimize")
    {
        NewSession request;
        request.kernel = kernel;
        request.kind = kind;
        return request;
    }
    static const SessionChoice& choiceOf(const std::vector<SessionChoice>& choices, const std::string& id)
    {
        return *std::ranges::find(choices, id, &SessionChoice::id);
    }
    /// Nothing is recorded of a variant.
    void forget(const std::string& variant)
    {
        gpu.recorded = [variant](Verb, const Json& body) {
            const Json& request = body.contains("run") ? body["run"] : body;
            return !request.contains("work") || request["work"]["kernel"] != variant;
        };
    }
};

TEST_F(Preview, SaysWhatWillHappenAndOpensNothing)
{
    NewSession request = on("transpose/tiled");
    request.budgetMinutes = 120;
    request.answers["target-gpu"] = "an L4";
    const SessionPreview preview = valueOf(previewSession(request, bench));
    EXPECT_EQ(toText(preview.start), "transpose/tiled");
    EXPECT_EQ(preview.budgetMinutes, 120);
    ASSERT_EQ(preview.stages.size(), 6U);
    EXPECT_EQ(preview.stages[1].gates.front().id, "G2");
    EXPECT_THAT(preview.stages[1].steps, testing::SizeIs(2));
    EXPECT_THAT(preview.stages.back().steps, testing::SizeIs(5)) << "the questions of the document";
    EXPECT_EQ(preview.answers.front().answer, "an L4");
    EXPECT_FALSE(preview.answers[1].answer.empty()) << "a default";
    EXPECT_TRUE(preview.missing.empty());
    EXPECT_TRUE(store->sessions()->empty());
    EXPECT_TRUE(gpu.asked.empty());
    EXPECT_EQ(valueOf(engine.create(request)).budgetMinutes, 120) << "the session is what was shown";
    EXPECT_EQ(previewSession(on("nobody"), bench).error().code, ErrorCode::notFound);
    EXPECT_EQ(previewToJson(preview)["stages"].size(), 6U);
}

TEST_F(Preview, EveryKindCanBePreviewed)
{
    for (const KindRow& row : sessionKinds())
        if (!row.broken && !row.own) {
            const SessionPreview preview = valueOf(previewSession(on("transpose", row.kind), bench));
            EXPECT_EQ(preview.stages.size(), row.phases.size()) << row.kind;
            EXPECT_EQ(preview.budgetMinutes, row.budgetMinutes);
        }
}

TEST_F(Preview, WhatIsNotRecordedCannotBeChosen)
{
    forget("transpose/tiled");
    EXPECT_FALSE(valueOf(previewSession(on("transpose/tiled"), bench)).missing.empty());
    const SessionChoices choices = valueOf(sessionChoices(on("transpose/padded"), bench));
    EXPECT_FALSE(choiceOf(choices.variants, "tiled").reason.empty());
    EXPECT_TRUE(choiceOf(choices.variants, "padded").reason.empty());
    const SessionChoices none = valueOf(sessionChoices(on("transpose/tiled"), bench));
    for (const SessionChoice& problem : none.problems)
        EXPECT_FALSE(problem.reason.empty()) << problem.id;
    EXPECT_FALSE(choiceOf(none.kinds, "baseline").reason.empty());
}

TEST_F(Preview, AnOptimizationNeedsARecordedChange)
{
    forget("transpose/tiled"); // the only fix of naive
    EXPECT_FALSE(valueOf(previewSession(on("transpose/naive"), bench)).missing.empty());
    EXPECT_TRUE(valueOf(previewSession(on("transpose/naive", "profile"), bench)).missing.empty()) << "it changes nothing";
}

TEST_F(Preview, AFixThatIsNotRecordedIsNotChosen)
{
    const SessionId id = open();
    stepUntil(id, SessionAction::chooseFix);
    forget("transpose/tiled");
    const Error error = refusedAct(id, SessionAction::chooseFix);
    EXPECT_EQ(error.code, ErrorCode::notRecorded);
    EXPECT_EQ(error.where, "transpose/tiled");
    EXPECT_FALSE(valueOf(engine.view(id)).candidate);
}

TEST_F(Preview, OnAGpuEverythingCanBeChosen)
{
    FakeCollector live(Source::live);
    TestBench own(catalog, tree, live, *store);
    forget("transpose/tiled");
    EXPECT_TRUE(valueOf(previewSession(on("transpose/tiled"), own)).missing.empty());
    for (const SessionChoice& variant : valueOf(sessionChoices(on("transpose"), own)).variants)
        EXPECT_TRUE(variant.reason.empty()) << variant.id;
}

TEST_F(Preview, ADebugSessionSaysWhetherAFaultIsRecorded)
{
    EXPECT_THAT(valueOf(previewSession(on("transpose/naive", "debug"), bench)).caveats, testing::SizeIs(1));
    gpu.kernels["transpose/naive"].wrongSize = toText(valueOf(catalog.family("transpose"))->suite.at(1));
    EXPECT_TRUE(valueOf(previewSession(on("transpose/naive", "debug"), bench)).caveats.empty()) << "there is something to find";
    EXPECT_TRUE(valueOf(previewSession(on("transpose/naive"), bench)).caveats.empty()) << "not a debugging session";
}

} // namespace
} // namespace kl::test
