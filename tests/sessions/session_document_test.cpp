// SPDX-License-Identifier: MIT
#include "sessions/session/session_document.h"

#include "sessions/report/report.h"
#include "sessions/session/session_json.h"
#include "tests/sessions/engine_support.h"

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
    const std::vector<DocumentAnswer> draft = documentOf(view);
    ASSERT_EQ(draft.size(), std::size(kDocumentQuestions));
    EXPECT_TRUE(answerTo(draft, "root-cause").drafted);
    EXPECT_EQ(answerTo(draft, "root-cause").text, view.profileRun->diagnosis->finding.title);
    EXPECT_THAT(answerTo(draft, "worked").text, HasSubstr("transpose/tiled"));
    EXPECT_THAT(answerTo(draft, "failed").text, HasSubstr("G2"));
    EXPECT_FALSE(answerTo(draft, "next").text.empty());
    valueOf(engine.write(id, "root-cause", "one thread per row"));
    const SessionView written = valueOf(engine.write(id, "root-cause", "one row per thread"));
    EXPECT_EQ(answerTo(documentOf(written), "root-cause").text, "one row per thread") << "the newest, after the end, too";
    EXPECT_FALSE(answerTo(documentOf(written), "root-cause").drafted);
    EXPECT_EQ(sessionToJson(written)["document"][0]["drafted"], false);
    EXPECT_THAT(valueOf(renderReport(*store, catalog, id, ReportFormat::markdown)), HasSubstr("one row per thread"));
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

TEST_F(EngineTest, APlanNamesPhasesGatesAndQuestions)
{
    const Report plan = valueOf(sessionPlan(*store, catalog, open()));
    EXPECT_EQ(plan.model.sections.size(), 1U + 6U);
    const std::string text = render(plan, ReportFormat::markdown);
    for (const char* part : {"make it fast", "G1", "G5", "Edit the code", "What was the root cause?"})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_FALSE(sessionPlan(*store, catalog, {"nobody"}));
}

} // namespace
} // namespace kl::test
