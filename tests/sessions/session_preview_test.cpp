// SPDX-License-Identifier: MIT
#include "sessions/engine/action_table.h"
#include "sessions/engine/session_preview.h"

#include "sessions/session/session_template.h"
#include "sessions/session/template_library.h"
#include "tests/sessions/engine_support.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

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
    static const SessionChoice& findChoice(const std::vector<SessionChoice>& choices, const std::string& id)
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
    const SessionPreview preview = unwrap(previewSession(request, bench));
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
    EXPECT_TRUE(gpu.requested.empty());
    EXPECT_EQ(unwrap(engine.create(request)).budgetMinutes, 120) << "the session is what was shown";
    EXPECT_EQ(previewSession(on("nobody"), bench).error().code, ErrorCode::notFound);
    EXPECT_EQ(previewToJson(preview)["stages"].size(), 6U);
}

TEST_F(Preview, EveryKindCanBePreviewed)
{
    for (const KindRow& row : sessionKinds())
        if (!row.broken && !row.own) {
            const SessionPreview preview = unwrap(previewSession(on("transpose", row.kind), bench));
            EXPECT_EQ(preview.stages.size(), row.phases.size()) << row.kind;
            EXPECT_EQ(preview.budgetMinutes, row.budgetMinutes);
        }
}

TEST_F(Preview, WhatIsNotRecordedCannotBeChosen)
{
    forget("transpose/tiled");
    EXPECT_FALSE(unwrap(previewSession(on("transpose/tiled"), bench)).missing.empty());
    const SessionChoices choices = unwrap(sessionChoices(on("transpose/padded"), bench));
    EXPECT_FALSE(findChoice(choices.variants, "tiled").reason.empty());
    EXPECT_TRUE(findChoice(choices.variants, "padded").reason.empty());
    const SessionChoices none = unwrap(sessionChoices(on("transpose/tiled"), bench));
    for (const SessionChoice& problem : none.problems)
        EXPECT_FALSE(problem.reason.empty()) << problem.id;
    EXPECT_FALSE(findChoice(none.kinds, "baseline").reason.empty());
}

TEST_F(Preview, AnOptimizationNeedsARecordedChange)
{
    forget("transpose/tiled"); // the only fix of naive
    EXPECT_FALSE(unwrap(previewSession(on("transpose/naive"), bench)).missing.empty());
    EXPECT_TRUE(unwrap(previewSession(on("transpose/naive", "profile"), bench)).missing.empty()) << "it changes nothing";
}

TEST_F(Preview, AFixThatIsNotRecordedIsNotChosen)
{
    const SessionId id = open();
    stepUntil(id, SessionAction::chooseFix);
    forget("transpose/tiled");
    const Error error = refusedAct(id, SessionAction::chooseFix);
    EXPECT_EQ(error.code, ErrorCode::notRecorded);
    EXPECT_EQ(error.where, "transpose/tiled");
    EXPECT_FALSE(unwrap(engine.view(id)).candidate);
}

TEST_F(Preview, OnAGpuEverythingCanBeChosen)
{
    FakeCollector live(Source::live);
    TestBench own(catalog, tree, live, *store);
    forget("transpose/tiled");
    EXPECT_TRUE(unwrap(previewSession(on("transpose/tiled"), own)).missing.empty());
    for (const SessionChoice& variant : unwrap(sessionChoices(on("transpose"), own)).variants)
        EXPECT_TRUE(variant.reason.empty()) << variant.id;
}

TEST_F(Preview, ADebugSessionSaysWhetherAFaultIsRecorded)
{
    EXPECT_THAT(unwrap(previewSession(on("transpose/naive", "debug"), bench)).caveats, testing::SizeIs(1));
    gpu.kernels["transpose/naive"].wrongSize = toText(unwrap(catalog.family("transpose"))->suite.at(1));
    EXPECT_TRUE(unwrap(previewSession(on("transpose/naive", "debug"), bench)).caveats.empty()) << "there is something to find";
    EXPECT_TRUE(unwrap(previewSession(on("transpose/naive"), bench)).caveats.empty()) << "not a debugging session";
}

TEST_F(Preview, TheJsonHasEachStageWithItsStepsInOrder)
{
    NewSession request = on("transpose/tiled");
    request.answers["tools"] = "ncu";
    const SessionPreview preview = unwrap(previewSession(request, bench));
    const SessionTemplate plan = unwrap(parseTemplate(unwrap(templateText("optimize")), "optimize"));
    Json json = previewToJson(preview);
    EXPECT_EQ(json["schema"], "kernelloop.session-preview/1");
    EXPECT_EQ(json["kind"], "optimize");
    EXPECT_EQ(json["title"], plan.title);
    EXPECT_EQ(json["start"], "transpose/tiled");
    EXPECT_EQ(json["problem"], toText(unwrap(catalog.family("transpose"))->problems.front()));
    EXPECT_EQ(json["device"].get<std::string>().substr(0, 9), "Fake H200");
    EXPECT_EQ(json["budget_minutes"], 240);
    EXPECT_EQ(json["missing"], nullptr);
    const auto title = [](SessionAction action) { return std::string(lookUpRow(action).title); };
    const std::vector<std::vector<std::string>> steps{
        {title(SessionAction::checkEnvironment)},
        {title(SessionAction::verifySmallest), title(SessionAction::measureBaseline)},
        {title(SessionAction::profile)},
        {title(SessionAction::chooseFix), title(SessionAction::verifySuite), title(SessionAction::checkMemory)}};
    for (std::size_t i = 0; i < plan.phases.size(); ++i) {
        const Json& stage = json["stages"][i];
        EXPECT_EQ(stage["id"], plan.phases[i].id);
        EXPECT_EQ(stage["title"], plan.phases[i].title);
        EXPECT_EQ(stage["purpose"], plan.phases[i].purpose);
        EXPECT_EQ(stage["budget_minutes"], plan.phases[i].budgetMinutes);
        EXPECT_EQ(stage["gates"].size(), plan.phases[i].gates.size());
        if (i < steps.size()) {
            EXPECT_EQ(stage["steps"], Json(steps[i])) << i;
        }
    }
    EXPECT_EQ(json["stages"][4]["steps"][0], title(SessionAction::evaluate));
    EXPECT_EQ(json["stages"][4]["steps"][1].get<std::string>().substr(0, title(SessionAction::keep).size()), title(SessionAction::keep));
    EXPECT_EQ(json["stages"][4]["steps"].size(), 2U);
    EXPECT_EQ(json["stages"][2]["gates"][0], (Json{{"id", "G3"}, {"title", plan.gate("G3")->title}, {"rule", plan.gate("G3")->rule}}));
    EXPECT_EQ(json["answers"].size(), plan.questions.size());
    EXPECT_EQ(json["answers"][2], (Json{{"id", "tools"}, {"question", plan.questions[2].text}, {"answer", "ncu"}}));
    const SessionPreview debug = unwrap(previewSession(on("transpose/naive", "debug"), bench));
    EXPECT_THAT(debug.stages[4].steps, testing::ElementsAre(title(SessionAction::chooseFix), title(SessionAction::verifyMinimal)));
    EXPECT_EQ(debug.stages[5].steps.front(), title(SessionAction::chooseFix)) << "each stage is read by itself";
    EXPECT_EQ(previewToJson(debug)["caveats"].size(), 1U);
    forget("transpose/tiled");
    EXPECT_EQ(previewToJson(unwrap(previewSession(request, bench)))["missing"], unwrap(previewSession(request, bench)).missing);
}

TEST_F(Preview, AProblemOfOnesOwnIsWhatTheSessionMeasures)
{
    NewSession request = on("transpose/tiled");
    request.problem = unwrap(catalog.family("transpose"))->suite.at(1);
    EXPECT_EQ(unwrap(previewSession(request, bench)).problem, request.problem);
    gpu.recorded = [&](Verb, const Json& body) {
        const Json& run = body.contains("run") ? body["run"] : body;
        return !run.contains("work") || run["work"]["problem"] != toText(request.problem);
    };
    EXPECT_NE(unwrap(previewSession(request, bench)).missing, "");
    EXPECT_EQ(unwrap(previewSession(on("transpose/tiled"), bench)).missing, "");
    const SessionChoices choices = unwrap(sessionChoices(on("transpose"), bench));
    EXPECT_EQ(findChoice(choices.variants, "tiled").title, unwrap(catalog.variant({"transpose", "tiled", {}}))->title);
    for (const SessionChoice& kind : choices.kinds)
        EXPECT_FALSE(kind.title.empty()) << kind.id;
}

TEST_F(Preview, EachKindIsAskedForWhatItsOwnPlanNeeds)
{
    forget("transpose/tiled"); // the only fix of naive
    const SessionChoices choices = unwrap(sessionChoices(on("transpose/naive"), bench));
    EXPECT_NE(findChoice(choices.kinds, "optimize").reason, "");
    EXPECT_EQ(findChoice(choices.kinds, "profile").reason, "") << "it changes nothing";
    EXPECT_EQ(findChoice(choices.kinds, "baseline").reason, "");
    const SessionChoices profiling = unwrap(sessionChoices(on("transpose/naive", "profile"), bench));
    EXPECT_NE(findChoice(profiling.kinds, "optimize").reason, "") << "whatever is chosen now";
    EXPECT_EQ(findChoice(profiling.kinds, "profile").reason, "");
    EXPECT_EQ(findChoice(profiling.variants, "naive").reason, "") << "variants and problems are of the chosen one";
    EXPECT_NE(findChoice(choices.variants, "naive").reason, "");
}

TEST_F(Preview, WhatIsMissingDependsOnTheEvidenceThatAPlanGathers)
{
    const auto missing = [&](const std::string& kind, std::function<bool(Verb, const Json&)> recorded) {
        gpu.recorded = std::move(recorded);
        return !unwrap(previewSession(on("transpose/naive", kind), bench)).missing.empty();
    };
    const auto hasSuite = [](const Json& body) { return body.contains("suite") && !body["suite"].empty(); };
    const std::string smallest = toText(unwrap(catalog.family("transpose"))->smallest);
    const auto noProfiles = [](Verb verb, const Json&) { return verb != Verb::profile; };
    EXPECT_TRUE(missing("optimize", noProfiles));
    EXPECT_TRUE(missing("profile", noProfiles));
    EXPECT_FALSE(missing("baseline", noProfiles));
    EXPECT_FALSE(missing("debug", noProfiles));
    const auto noComparisons = [](Verb verb, const Json&) { return verb != Verb::compare; };
    EXPECT_TRUE(missing("optimize", noComparisons));
    EXPECT_FALSE(missing("profile", noComparisons));
    EXPECT_FALSE(missing("debug", noComparisons));
    const auto noSuites = [&](Verb verb, const Json& body) { return verb != Verb::run || !hasSuite(body); };
    EXPECT_TRUE(missing("debug", noSuites)) << "a run of the same problem without it is another one";
    EXPECT_TRUE(missing("expert", noSuites));
    EXPECT_TRUE(missing("optimize", noSuites)) << "its change cannot be proven";
    EXPECT_FALSE(missing("baseline", noSuites));
    const auto noSmallest = [&](Verb verb, const Json& body) {
        return verb != Verb::run || hasSuite(body) || body["work"]["problem"] != smallest;
    };
    EXPECT_TRUE(missing("baseline", noSmallest));
    EXPECT_TRUE(missing("optimize", noSmallest));
    const auto onlySmallest = [&](Verb verb, const Json& body) {
        return verb != Verb::run || hasSuite(body) || body["work"]["problem"] == smallest;
    };
    EXPECT_TRUE(missing("baseline", onlySmallest)) << "nothing to compare with the baseline";
    EXPECT_TRUE(missing("expert", onlySmallest)) << "its run over the suite is another one";
    EXPECT_FALSE(missing("debug", onlySmallest));
}

TEST_F(Preview, OneProblemThatIsNotRecordedLeavesTheOthers)
{
    const KernelFamily* family = unwrap(catalog.family("transpose"));
    const std::string gone = toText(family->problems.front());
    gpu.recorded = [&](Verb, const Json& body) {
        const Json& run = body.contains("run") ? body["run"] : body;
        return !run.contains("work") || run["work"]["problem"] != gone;
    };
    const SessionChoices choices = unwrap(sessionChoices(on("transpose/naive", "baseline"), bench));
    ASSERT_EQ(choices.problems.size(), family->problems.size());
    for (const SessionChoice& problem : choices.problems)
        EXPECT_EQ(problem.reason.empty(), problem.id != gone) << problem.id;
    const bool others = family->problems.size() > 1;
    EXPECT_EQ(findChoice(choices.kinds, "baseline").reason.empty(), others) << "another one will do";
    EXPECT_EQ(findChoice(choices.variants, "padded").reason.empty(), others);
    EXPECT_EQ(sessionChoices(on("nobody"), bench).error().code, ErrorCode::notFound);
    EXPECT_FALSE(sessionChoices(on("transpose", "nokind"), bench));
}

} // namespace
} // namespace kl::test
