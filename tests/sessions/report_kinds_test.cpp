// SPDX-License-Identifier: MIT
#include "core/diagnosis/classes.h"
#include "core/diagnosis/decide.h"
#include "sessions/report/report.h"
#include "sessions/report/review.h"
#include "tests/sessions/engine_support.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr ReportFormat kFormats[] = {ReportFormat::html, ReportFormat::print, ReportFormat::markdown, ReportFormat::json,
                                     ReportFormat::csv};

TEST_F(EngineTest, EveryReportIsTheSameTwiceAndOnACopy)
{
    const SessionId id = open();
    const SessionView view = stepTo(id, "done");
    ASSERT_TRUE(addReviewComment(*store, view, "G5", "Ada", "Is the interval wide enough?").ok());
    ASSERT_TRUE(store->backup(folder / "copy.db").ok());
    const std::unique_ptr<Store> copy = support::openStore((folder / "copy.db").string());
    const auto same = [&](const Result<Report>& first, const Result<Report>& again, const Result<Report>& copied) {
        for (const ReportFormat format : kFormats) {
            const std::string text = render(valueOf(first), format);
            EXPECT_FALSE(text.empty());
            EXPECT_EQ(text, render(valueOf(again), format));
            EXPECT_EQ(text, render(valueOf(copied), format));
        }
    };
    same(sessionReport(*store, catalog, id), sessionReport(*store, catalog, id), sessionReport(*copy, catalog, id));
    same(historyReport(*store), historyReport(*store), historyReport(*copy));
    same(patternReport(*store), patternReport(*store), patternReport(*copy));
    same(quickReference(tree), quickReference(tree), quickReference(tree));
    EXPECT_EQ(valueOf(reviewPage(*store, catalog, id)), valueOf(reviewPage(*copy, catalog, id)));
}

TEST_F(EngineTest, TheSessionReportHoldsAllItsParts)
{
    NewSession request;
    request.objective = "make it fast";
    request.kernel = "transpose";
    request.claims.push_back({"README of flash-x", "1.5x", "kernel"});
    const SessionId id = valueOf(engine.create(request)).header.id;
    ASSERT_TRUE(engine.waive(id, "G1", "borrowed machine").ok());
    ASSERT_TRUE(engine.note(id, "watch the tail").ok());
    const SessionView view = stepTo(id, "done");
    ASSERT_TRUE(addReviewComment(*store, view, "finding", "Ada", "Which stall?").ok());
    const std::string text = valueOf(renderReport(*store, catalog, id, ReportFormat::markdown));
    for (const char* part : {"opening questions and claims", "README of flash-x", "Waived: borrowed machine", "DRAM throughput",
                             "Estimate of the finding", "Hot lines", "Grade", "Cost and value", "Mistakes and dead ends",
                             "Note: watch the tail", "Which stall?", "Environment and versions", "95 % interval"})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_THAT(valueOf(renderReport(*store, catalog, id, ReportFormat::csv)), HasSubstr("comparison,"));
    const Json json = valueOf(parseJson(valueOf(renderReport(*store, catalog, id, ReportFormat::json)), "report"));
    EXPECT_EQ(json["review"][0]["author"], "Ada");
    EXPECT_TRUE(json["history"].contains("grade"));
    EXPECT_TRUE(json["estimate"]["measured"].contains("low"));
}

TEST_F(EngineTest, TheSessionReportNamesTheVersionOfTheBaseline)
{
    gpu.kernels["transpose/naive"].baselineVersion = "torch 2.11.0";
    const SessionId id = open();
    stepTo(id, "profile");
    EXPECT_THAT(valueOf(renderReport(*store, catalog, id, ReportFormat::html)), HasSubstr("device copy, torch 2.11.0"));
}

TEST_F(EngineTest, HistoryAndPatternsKeepQuotedAndMeasuredApart)
{
    const Report history = valueOf(historyReport(*store));
    const std::string text = render(history, ReportFormat::markdown);
    EXPECT_THAT(text, HasSubstr("Saved, measured"));
    EXPECT_THAT(text, HasSubstr("Saved, quoted"));
    const Json json = valueOf(parseJson(history.json, "history"));
    EXPECT_EQ(json["schema"], "kernelloop.report-history/1");
    EXPECT_EQ(history.csv.rows.size(), json["learning"]["sessions"].size());
    EXPECT_EQ(valueOf(parseJson(valueOf(patternReport(*store)).json, "patterns"))["schema"], "kernelloop.report-patterns/1");
}

TEST(ComparisonReport, ShowsBothSidesAndWhatDiffers)
{
    Comparison comparison;
    comparison.id = {"x"};
    comparison.a = "run:a";
    comparison.b = "run:b";
    comparison.verdict = Verdict::faster;
    comparison.sentence = "B is faster.";
    comparison.ratio = Ratio{2, 1.9, 2.1};
    comparison.tunables = {{"TILE", "16", "32", 1.0}};
    const Report report = comparisonReport(comparison, support::timedRun("a", "naive", "2026-01-01T00:00:00.000Z", 200),
                                           support::timedRun("b", "tiled", "2026-01-01T00:00:00.000Z", 100));
    for (const char* part : {"transpose/naive against transpose/tiled", "B is faster.", "TILE", "<svg"})
        EXPECT_THAT(render(report, ReportFormat::html), HasSubstr(part));
    EXPECT_THAT(render(report, ReportFormat::csv), HasSubstr("tunable,TILE,16,32,1\r\n"));
    EXPECT_THAT(report.json, Not(HasSubstr("\"id\": \"x\"")));
}

TEST(Csv, QuotesAndDisarmsFormulas)
{
    EXPECT_EQ(toCsv({{"a", "b"}, {{"x,\"y\"", "=1+1"}, {"-1.5", "@me"}}, 99}), "a,b\r\n\"x,\"\"y\"\"\",'=1+1\r\n-1.5,'@me\r\n");
    EXPECT_EQ(toCsv({{"a", "b"}, {{"two\nlines", "c"}}, 99}), "a,b\r\n\"two\nlines\",c\r\n");
}

TEST_F(EngineTest, ThePromptNamesTheNextSessionItsGatesAndCommands)
{
    const SessionId id = open();
    stepTo(id, "done");
    std::vector<NextStep> steps;
    const auto write = [&steps](const NextStep& step) {
        steps.push_back(step);
        return "<" + std::string(kindOf(step.id).word) + ">";
    };
    const std::string text = render(valueOf(expertPrompt(*store, catalog, id, write)), ReportFormat::markdown);
    ASSERT_FALSE(steps.empty());
    EXPECT_EQ(steps.front().id, StepId::newSession);
    EXPECT_EQ(steps.front().at(StepArgument::name), "N+1");
    EXPECT_EQ(steps.front().at(StepArgument::kernel), "transpose");
    EXPECT_EQ(steps[1].id, StepId::stepSession);
    EXPECT_EQ(steps[1].at(StepArgument::session), "N+1");
    for (const char* part : {"<step-session>", "speedup\\_min", "G5 Keep", "One variable at a time", "```sh"})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_THAT(text, HasSubstr("transpose/tiled runs at"));
}

TEST_F(EngineTest, TheQuickReferenceHasDecisionsRulesAndQuestions)
{
    const std::string text = render(valueOf(quickReference(tree)), ReportFormat::markdown);
    for (const char* part : {"below 0.5", "uncoalesced", "Profile before optimizing", "G1 Environment", "Exit codes", "227"})
        EXPECT_THAT(text, HasSubstr(part));
}

TEST(QuickReference, AgreesWithDecide)
{
    const Report report = *quickReference(*DiagnosisTree::embedded());
    const ReportModel::Table& rows = report.model.sections.front().tables.front();
    ASSERT_EQ(rows.rows.size(), 5U);
    const double edges[] = {0, 0.5, 1.0, 1.5, 2.0, 3.0};
    for (std::size_t i = 0; i < rows.rows.size(); ++i)
        for (const double share : {0.01, 0.5, 0.99}) {
            const double speedup = edges[i] + share * (edges[i + 1] - edges[i]);
            EXPECT_EQ(rows.rows[i][1], decide(speedup, 1).level) << speedup;
        }
    const ReportModel::Table& classes = report.model.sections[3].tables.front();
    std::string listed;
    for (const auto& row : classes.rows)
        listed += row[1] + ", ";
    for (const std::string_view classId : kClasses)
        EXPECT_THAT(listed, HasSubstr(std::string(classId)));
}

TEST(Charts, LabelsOfTheRatioPlotStandOnLinesOfTheirOwn)
{
    Comparison comparison;
    comparison.ratio = Ratio{1.1, 1.05, 1.15};
    comparison.data = {{{110}, {100}}};
    const std::string svg = render(comparisonReport(comparison, {}, {}), ReportFormat::html);
    EXPECT_THAT(svg, HasSubstr("y=\"108.0\""));
    EXPECT_THAT(svg, Not(HasSubstr("kept from here"))); // a plain comparison keeps nothing
}

} // namespace
} // namespace kl::test
