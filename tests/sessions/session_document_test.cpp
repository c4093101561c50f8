// SPDX-License-Identifier: MIT
#include "sessions/session/session_document.h"

#include "core/base/format.h"
#include "sessions/learning/next_session_step.h"
#include "sessions/patterns/add_pattern.h"
#include "sessions/patterns/session_lesson.h"
#include "sessions/report/report.h"
#include "sessions/session/session_json.h"
#include "tests/sessions/engine_support.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace kl::test {
namespace {

using testing::HasSubstr;

const DocumentAnswer& answerTo(const std::vector<DocumentAnswer>& answers, std::string_view question)
{
    return *std::ranges::find_if(answers, [&](const DocumentAnswer& row) { return row.question->id == question; });
}

TEST_F(EngineTest, TheDocumentIsDraftedAndWritten)
{
    const SessionId id = open();
    const SessionView view = stepTo(id, "done");
    const std::vector<DocumentAnswer> draft = composeDocument(view);
    ASSERT_EQ(draft.size(), std::size(kDocumentQuestions));
    EXPECT_TRUE(answerTo(draft, "root-cause").drafted);
    EXPECT_EQ(answerTo(draft, "root-cause").text, view.profileRun->diagnosis->finding.title);
    EXPECT_THAT(answerTo(draft, "worked").text, HasSubstr("transpose/tiled"));
    EXPECT_THAT(answerTo(draft, "failed").text, HasSubstr("G2"));
    EXPECT_FALSE(answerTo(draft, "next").text.empty());
    unwrap(engine.write(id, "root-cause", "one thread per row"));
    const SessionView written = unwrap(engine.write(id, "root-cause", "one row per thread"));
    EXPECT_EQ(answerTo(composeDocument(written), "root-cause").text, "one row per thread") << "the newest, after the end, too";
    EXPECT_FALSE(answerTo(composeDocument(written), "root-cause").drafted);
    EXPECT_EQ(sessionToJson(written)["document"][0]["drafted"], false);
    EXPECT_THAT(unwrap(renderReport(*store, catalog, id, ReportFormat::markdown)), HasSubstr("one row per thread"));
    EXPECT_EQ(engine.write(id, "mood", "good").error().code, ErrorCode::usage);
    EXPECT_EQ(engine.write(id, "next", "").error().code, ErrorCode::usage);
}

TEST_F(EngineTest, TheFixIsTimedInParts)
{
    const SessionId id = open();
    EXPECT_TRUE(fixParts(stepTo(id, "fix")).empty()) << "none was chosen yet";
    const std::vector<FixPart> parts = fixParts(stepTo(id, "done"));
    ASSERT_EQ(parts.size(), 5U);
    EXPECT_EQ(parts[0].planned + parts[1].planned + parts[2].planned + parts[3].planned + parts[4].planned, 90);
    EXPECT_TRUE(parts[0].minutes && parts[2].minutes && parts[3].minutes && parts[4].minutes);
    EXPECT_FALSE(parts[1].minutes);
}

TEST_F(EngineTest, TheRebuildIsAPartOfItsOwn)
{
    gpu.build = CompileAnswer{};
    gpu.build->seconds = 3;
    gpu.build->log = "ptxas info";
    const SessionView view = stepTo(open(), "done");
    EXPECT_EQ(fixParts(view)[1].minutes, 0.05);
    const std::string rebuild = "rebuild " + formatMinutes(0.05);
    EXPECT_THAT(fixPartsText(view), HasSubstr(rebuild));
    EXPECT_EQ(sessionToJson(view)["fix_parts"][1]["minutes"], 0.05);
    EXPECT_THAT(unwrap(renderReport(*store, catalog, view.header.id, ReportFormat::markdown)), HasSubstr(rebuild));
    gpu.build->status = ResultStatus::compilationFailed;
    EXPECT_FALSE(fixParts(stepTo(open("transpose/tiled"), "done"))[1].minutes) << "its run says why it failed";
}

TEST_F(EngineTest, TheLessonBecomesAPattern)
{
    const SessionId id = open();
    const SessionView view = stepTo(id, "done");
    const Pattern drafted = unwrap(saveLesson(*store, view));
    EXPECT_EQ(drafted.learnedIn, id.text);
    EXPECT_EQ(drafted.problem, view.profileRun->diagnosis->finding.title);
    unwrap(engine.write(id, "root-cause", "one row per thread"));
    const Pattern written = unwrap(saveLesson(*store, unwrap(engine.write(id, "expert", "Looked at the sectors first."))));
    EXPECT_EQ(written.slug, drafted.slug) << "the same lesson, in better words";
    EXPECT_EQ(written.problem, "one row per thread");
    EXPECT_THAT(written.advice, HasSubstr("sectors"));
    const SessionId other = open();
    EXPECT_NE(unwrap(saveLesson(*store, stepUntil(other, SessionAction::document))).slug, drafted.slug) << "another session's";
    EXPECT_EQ(unwrap(store->patterns()).size(), 2U);
}

TEST_F(EngineTest, TheNextStepGoesToTheRoadmapOnce)
{
    const SessionId id = open();
    stepTo(id, "done");
    const SessionView view = unwrap(engine.write(id, "next", "Profile the padded variant"));
    const std::size_t before = unwrap(loadRoadmap(*store)).steps.size();
    EXPECT_EQ(unwrap(planNextSession(*store, view)).title, "Profile the padded variant");
    EXPECT_EQ(unwrap(planNextSession(*store, view)).title, "Profile the padded variant");
    const Roadmap roadmap = unwrap(loadRoadmap(*store));
    EXPECT_EQ(roadmap.steps.size(), before + 1);
    EXPECT_TRUE(nextStepIn(roadmap, view));
}

TEST_F(EngineTest, TheStoredReportHasWhatWasWrittenAfterwards)
{
    const SessionId id = open();
    stepTo(id, "done");
    const SessionView view = unwrap(engine.write(id, "worked", "Reading the sectors first"));
    EXPECT_THAT(unwrap(store->artifact(view.artifact)), HasSubstr("Reading the sectors first"));
}

TEST_F(EngineTest, AFinishedSessionEndsWithANextStepAndItsOwnGain)
{
    const SessionId id = open();
    EXPECT_TRUE(unwrap(engine.view(id)).afterwards.empty());
    EXPECT_FALSE(computeGain(unwrap(engine.view(id))));
    const SessionView view = stepTo(id, "done");
    ASSERT_FALSE(view.afterwards.empty());
    EXPECT_EQ(view.afterwards.front().id, StepId::newSession);
    EXPECT_EQ(view.afterwards.front().at(StepArgument::kernel), "transpose");
    EXPECT_EQ(computeGain(view), view.evaluation->ratio->value);
    EXPECT_EQ(sessionToJson(view)["gain"], *computeGain(view));
    EXPECT_EQ(unwrap(loadHistory(*store)).rows.back().gain, computeGain(view));
}

TEST_F(EngineTest, APlanNamesPhasesGatesAndQuestions)
{
    const Report plan = unwrap(sessionPlan(*store, catalog, open()));
    EXPECT_EQ(plan.model.sections.size(), 1U + 6U);
    const std::string text = render(plan, ReportFormat::markdown);
    for (const std::string& part : {std::string("make it fast"), std::string("G1"), std::string("G5"), formatMinutes(45)})
        EXPECT_THAT(text, HasSubstr(part));
    for (const DocumentQuestion& question : kDocumentQuestions)
        EXPECT_THAT(text, HasSubstr(std::string(question.text)));
    EXPECT_FALSE(sessionPlan(*store, catalog, {"nobody"}));
}

TEST_F(EngineTest, TheNextSessionIsPlannedInTheFirstWeekThatIsNotDone)
{
    SessionView view;
    EXPECT_EQ(planNextSession(*store, view).error().code, ErrorCode::badInput);
    view.written = {{"next", "Pad the tile"}};
    Roadmap roadmap;
    roadmap.weeks = {{1, "One"}, {2, "Two"}, {3, "Three"}};
    roadmap.steps = {{"a", 1, "A", {}, true, {}}, {"b", 2, "B", {}, false, {}}, {"c", 3, "C", {}, false, {}}};
    ASSERT_TRUE(saveRoadmap(*store, roadmap));
    const RoadmapStep step = unwrap(planNextSession(*store, view));
    EXPECT_EQ(step.week, 2);
    EXPECT_EQ(step.title, "Pad the tile");
    EXPECT_EQ(nextStepIn(unwrap(loadRoadmap(*store)), view), step) << "it was saved";
    EXPECT_EQ(unwrap(planNextSession(*store, view)), step) << "once";
    EXPECT_EQ(unwrap(loadRoadmap(*store)).steps.size(), 4U);
    view.written = {{"next", "Vectorize"}};
    EXPECT_EQ(nextStepIn(unwrap(loadRoadmap(*store)), view), std::nullopt);
    for (RoadmapStep& each : roadmap.steps)
        each.done = true;
    ASSERT_TRUE(saveRoadmap(*store, roadmap));
    EXPECT_EQ(unwrap(planNextSession(*store, view)).week, 3) << "all is done: the last one";
    ASSERT_TRUE(saveRoadmap(*store, Roadmap()));
    EXPECT_EQ(unwrap(planNextSession(*store, view)).week, 1);
}

TEST_F(EngineTest, AnEditedLessonKeepsItsTitleWhenItIsSavedAgain)
{
    const SessionId id = open();
    stepTo(id, "done");
    Pattern lesson = unwrap(saveLesson(*store, unwrap(engine.view(id))));
    lesson.title = "Named by hand";
    unwrap(addPattern(*store, lesson, true));
    const Pattern again = unwrap(saveLesson(*store, unwrap(engine.write(id, "root-cause", "one row per thread"))));
    EXPECT_EQ(again.title, "Named by hand");
    EXPECT_EQ(again.slug, lesson.slug);
    EXPECT_EQ(again.problem, "one row per thread");
    EXPECT_EQ(unwrap(store->patterns()).size(), 1U);
}

TEST_F(EngineTest, LessonsOfOneTitleAreNumbered)
{
    std::vector<std::string> slugs;
    for (int i = 0; i < 3; ++i)
        slugs.push_back(unwrap(saveLesson(*store, stepUntil(open("transpose/naive"), SessionAction::document))).slug);
    EXPECT_EQ(slugs[1], slugs[0] + "-2");
    EXPECT_EQ(slugs[2], slugs[0] + "-3");
}

TEST_F(EngineTest, AReportIsStoredAsAPageAndAsMarkdown)
{
    const SessionId id = open();
    const SessionView view = stepUntil(id, SessionAction::finish);
    const std::string page = fmt::format("session/{}/report.html", id.text), text = fmt::format("session/{}/report.md", id.text);
    EXPECT_EQ(view.artifact, page);
    EXPECT_TRUE(unwrap(store->artifact(text)).starts_with("# "));
    EXPECT_TRUE(unwrap(store->artifact(page)).starts_with("<!"));
    step(id);
    EXPECT_EQ(unwrap(store->artifact(page)), unwrap(renderReport(*store, catalog, id, ReportFormat::html))) << "with its end";
    EXPECT_EQ(unwrap(store->artifact(text)), unwrap(renderReport(*store, catalog, id, ReportFormat::markdown)));
}

} // namespace
} // namespace kl::test
