// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/diagnosis/classes.h"
#include "core/diagnosis/decide.h"
#include "core/stats/ratio_text.h"
#include "sessions/learning/figure.h"
#include "sessions/learning/sample_builder.h"
#include "sessions/patterns/pattern_library.h"
#include "sessions/report/report.h"
#include "sessions/report/review.h"
#include "sessions/report/session_material.h"
#include "sessions/report/session_pair.h"
#include "sessions/session/rules.h"
#include "tests/sessions/engine_support.h"
#include "tests/support/value_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Ne;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

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
            const std::string text = render(unwrap(first), format);
            EXPECT_FALSE(text.empty());
            EXPECT_EQ(text, render(unwrap(again), format));
            EXPECT_EQ(text, render(unwrap(copied), format));
        }
    };
    same(sessionReport(*store, catalog, id), sessionReport(*store, catalog, id), sessionReport(*copy, catalog, id));
    same(historyReport(*store), historyReport(*store), historyReport(*copy));
    same(patternReport(*store), patternReport(*store), patternReport(*copy));
    same(quickReference(tree), quickReference(tree), quickReference(tree));
    EXPECT_EQ(unwrap(reviewPage(*store, catalog, id)), unwrap(reviewPage(*copy, catalog, id)));
}

TEST_F(EngineTest, TheSessionReportHoldsAllItsParts)
{
    NewSession request;
    request.objective = "make it fast";
    request.kernel = "transpose";
    request.claims.push_back({"README of flash-x", "1.5x", "kernel"});
    const SessionId id = unwrap(engine.create(request)).header.id;
    ASSERT_TRUE(engine.waive(id, "G1", "borrowed machine").ok());
    ASSERT_TRUE(engine.note(id, "watch the tail").ok());
    const SessionView view = stepTo(id, "done");
    ASSERT_TRUE(addReviewComment(*store, view, "finding", "Ada", "Which stall?").ok());
    const std::string text = unwrap(renderReport(*store, catalog, id, ReportFormat::markdown));
    EXPECT_THAT(unwrap(sessionReport(*store, catalog, id)).model.sections, SizeIs(14)) << "all but that of debugging";
    for (const std::string& part : {std::string("README of flash-x"), std::string("borrowed machine"), std::string("watch the tail"),
                                    std::string("Which stall?"), std::string("DRAM throughput"), intervalText(*view.evaluation->ratio)})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_THAT(unwrap(renderReport(*store, catalog, id, ReportFormat::csv)), HasSubstr("comparison,"));
    const Json json = unwrap(parseJson(unwrap(renderReport(*store, catalog, id, ReportFormat::json)), "report"));
    EXPECT_EQ(json["review"][0]["author"], "Ada");
    EXPECT_TRUE(json["history"].contains("grade"));
    EXPECT_TRUE(json["estimate"]["measured"].contains("low"));
}

TEST_F(EngineTest, TheSessionReportNamesTheVersionOfTheBaseline)
{
    gpu.kernels["transpose/naive"].baselineVersion = "torch 2.11.0";
    const SessionId id = open();
    stepTo(id, "profile");
    EXPECT_THAT(unwrap(renderReport(*store, catalog, id, ReportFormat::html)), HasSubstr("torch 2.11.0"));
}

TEST_F(EngineTest, HistoryAndPatternsKeepQuotedAndMeasuredApart)
{
    const Report history = unwrap(historyReport(*store));
    const Json json = unwrap(parseJson(history.json, "history"));
    for (const char* kind : {"measured", "quoted"})
        EXPECT_TRUE(json["learning"]["own"]["saved_minutes"].contains(kind)) << kind;
    EXPECT_EQ(json["schema"], "kernelloop.report-history/1");
    EXPECT_EQ(history.csv.rows.size(), json["learning"]["sessions"].size());
    EXPECT_EQ(unwrap(parseJson(unwrap(patternReport(*store)).json, "patterns"))["schema"], "kernelloop.report-patterns/1");
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
    for (const char* part : {"transpose/naive", "transpose/tiled", "B is faster.", "TILE", "<svg"})
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
    const SessionView view = stepTo(id, "done");
    std::vector<NextStep> steps;
    const auto write = [&steps](const NextStep& step) {
        steps.push_back(step);
        return "<" + std::string(findKind(step.id).word) + ">";
    };
    const Report report = unwrap(expertPrompt(*store, catalog, id, write));
    const std::string text = render(report, ReportFormat::markdown);
    ASSERT_FALSE(steps.empty());
    EXPECT_EQ(steps.front().id, StepId::newSession);
    EXPECT_EQ(steps.front().at(StepArgument::name), "N+1");
    EXPECT_EQ(steps.front().at(StepArgument::kernel), "transpose");
    EXPECT_EQ(steps[1].id, StepId::stepSession);
    EXPECT_EQ(steps[1].at(StepArgument::session), "N+1");
    for (const char* part : {"<step-session>", "speedup\\_min", "G5", "```sh"})
        EXPECT_THAT(text, HasSubstr(part));
    for (const Rule& rule : rules())
        EXPECT_THAT(text, HasSubstr(rule.name)) << rule.id;
    EXPECT_THAT(report.model.sections.at(0).paragraphs,
                Contains(AllOf(HasSubstr("transpose/tiled"), HasSubstr(formatRatio(view.speedup)))));
}

TEST_F(EngineTest, TheQuickReferenceHasDecisionsRulesAndQuestions)
{
    const std::string text = render(unwrap(quickReference(tree)), ReportFormat::markdown);
    for (const char* part : {"0.5", "uncoalesced", "G1", "130", "227"})
        EXPECT_THAT(text, HasSubstr(part));
    for (const Rule& rule : rules())
        EXPECT_THAT(text, HasSubstr(rule.name)) << rule.id;
}

TEST(QuickReference, AgreesWithDecide)
{
    const Report report = *quickReference(*DiagnosisTree::loadEmbedded());
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
    EXPECT_THAT(svg, Not(HasSubstr("y=\"126.0\""))); // a plain comparison keeps nothing: it has the label of 1 alone
}

const ReportModel::Section& titled(const Report& report, const std::string& title)
{
    return *std::ranges::find(report.model.sections, title, &ReportModel::Section::title);
}

/// The cells of the row that begins so.
std::vector<std::string> reportRow(const ReportModel::Table& table, const std::string& first)
{
    for (const std::vector<std::string>& row : table.rows)
        if (row.front() == first)
            return row;
    return {};
}

TEST_F(EngineTest, TheHistoryReportMarksFiguresByTheirKind)
{
    ASSERT_TRUE(storeSampleSessions(*store));
    const Report report = unwrap(historyReport(*store));
    const ReportModel::Table& sessions = titled(report, "Sessions").tables.at(0);
    const std::string quoted = fmt::format(" ({})", toString(FigureKind::quoted));
    EXPECT_EQ(reportRow(sessions, "N")[2], formatMinutes(180) + quoted);
    EXPECT_EQ(reportRow(sessions, "N+1")[3], fmt::format("{} ({})", formatRatio(0.12), toString(FigureKind::doubtful)));
    EXPECT_EQ(reportRow(sessions, "N+3")[3], kNoValue);
    EXPECT_EQ(reportRow(sessions, "N+1")[7], "2");
    EXPECT_EQ(reportRow(sessions, "N+1")[8], "B+");
    EXPECT_EQ(reportRow(sessions, "N")[8], kNoValue);
    EXPECT_EQ(reportRow(sessions, "N")[6], "7");
    const auto planned = std::ranges::find_if(sessions.rows, [](const auto& row) { return row.front().starts_with("N+6"); });
    ASSERT_NE(planned, sessions.rows.end());
    EXPECT_NE(planned->front(), "N+6") << "it says that it is planned";
    EXPECT_EQ(planned->size(), 10U);
    EXPECT_EQ(titled(report, "Dashboard").tables.at(0).columns.size(), 3U);
    EXPECT_EQ(titled(report, "Dashboard").paragraphs.size(), 2U) << "trend and goal";
    const ReportModel::Table& totals = titled(report, "Totals").tables.at(0);
    EXPECT_EQ(reportRow(totals, "Working time")[2], formatMinutes(997) + " to " + formatMinutes(1327));
    EXPECT_EQ(reportRow(totals, "Working time")[1], kNoValue);
    EXPECT_EQ(reportRow(totals, "Saved, claimed")[2], formatMinutes(190));
    EXPECT_EQ(reportRow(totals, "Saved, derived")[2], formatMinutes(64));
    EXPECT_EQ(reportRow(totals, "Saved, measured")[2], kNoValue);
    EXPECT_EQ(reportRow(totals, "Unprofiled changes")[2], "2");
    EXPECT_EQ(valueText(reportRow(totals, "Mistakes")[2]), "\"7 0\"") << "none was repeated";
    EXPECT_EQ(reportRow(totals, "Success rate")[2], formatPercent(500.0 / 7));
    EXPECT_EQ(titled(report, "Learning").tables.at(0).rows.size(), 6U);
    EXPECT_EQ(titled(report, "Learning").tables[0].rows[0][1], formatMinutes(510));
    EXPECT_EQ(titled(report, "Mistakes").tables.at(0).rows.size(), 7U);
    EXPECT_EQ(titled(report, "Mistakes").tables[0].rows[0][3], "1");
    ASSERT_EQ(report.csv.rows.size(), 7U);
    const std::vector<std::string> first = report.csv.rows[0];
    EXPECT_EQ(first[0], "N");
    EXPECT_EQ(first[3], "attention");
    EXPECT_EQ(first[4], "NVIDIA L4");
    EXPECT_EQ(first[6], "180");
    EXPECT_EQ(first[7], "quoted");
    EXPECT_EQ(first[8], "0.09");
    EXPECT_EQ(first[10], "0.6");
    EXPECT_EQ(first[11], "7");
    EXPECT_EQ(first[12], "2");
    EXPECT_EQ(first[13], "120");
    EXPECT_EQ(first[14], "");
    EXPECT_EQ(first[15], "0");
    EXPECT_EQ(first[19], "no");
}

TEST_F(EngineTest, TheHistoryReportOfOnesOwnHasNoColumnForTheDocuments)
{
    const SessionId id = open();
    stepTo(id, "done");
    const Report report = unwrap(historyReport(*store));
    EXPECT_EQ(titled(report, "Dashboard").tables.at(0).columns.size(), 2U);
    EXPECT_EQ(titled(report, "Totals").tables.at(0).columns.size(), 2U);
    for (const auto& row : titled(report, "Totals").tables[0].rows)
        EXPECT_EQ(row.size(), 2U);
    EXPECT_TRUE(titled(report, "Dashboard").paragraphs.empty());
    const std::string origin = report.csv.rows.at(0)[18];
    ASSERT_NE(origin, "");
    EXPECT_THAT(titled(report, "Sessions").tables.at(0).rows.at(0).back(), AllOf(StartsWith(origin), Ne(origin))) << "it is a replay";
    EXPECT_TRUE(titled(report, "Sessions").charts.empty()) << "a replay's time is not drawn";
    EXPECT_TRUE(titled(report, "Learning").tables.empty());
    EXPECT_EQ(report.csv.rows.at(0)[19], "yes");
    EXPECT_EQ(report.csv.rows[0][17], "kept");
    ASSERT_TRUE(engine.write(id, "worked", "padding").ok());
    const Report reported = unwrap(historyReport(*store));
    const std::vector<std::vector<std::string>> written{{"N", "worked", "padding"}};
    const auto& sections = reported.model.sections;
    const auto lists =
        std::ranges::find_if(sections, [&](const auto& one) { return one.tables.size() == 1 && one.tables[0].rows == written; });
    ASSERT_NE(lists, sections.end());
    const ReportModel::Section& before = report.model.sections.at(static_cast<std::size_t>(lists - sections.begin()));
    EXPECT_EQ(before.title, lists->title);
    EXPECT_TRUE(before.tables.empty()) << "nothing was written yet";
    EXPECT_THAT(report.model.verdict, AllOf(StartsWith("1 "), HasSubstr(", 1 ")));
}

TEST_F(EngineTest, ThePatternReportHasEachPatternsFigures)
{
    ASSERT_TRUE(seedPatterns(*store, unwrap(PatternLibrary::loadEmbedded())));
    const SessionId id = open();
    ASSERT_TRUE(engine.applyPattern(id, "baseline-first").ok());
    ASSERT_TRUE(store->saveApplication({"u", "environment-validation", "", "2026-01-02T03:04:05.000Z", 12.0, 60.0, 3.0, false, "note"}));
    const Report report = unwrap(patternReport(*store));
    const auto row = std::ranges::find(report.csv.rows, "environment-validation", [](const auto& cells) { return cells.front(); });
    ASSERT_NE(row, report.csv.rows.end());
    EXPECT_EQ((*row)[4], "1");
    EXPECT_EQ((*row)[5], "12");
    EXPECT_EQ((*row)[6], "60");
    EXPECT_EQ((*row)[7], "");
    EXPECT_EQ((*row)[8], "3");
    const ReportModel::Table& returns = report.model.sections.at(0).tables.at(0);
    EXPECT_EQ(returns.rows.back().at(0), "All");
    EXPECT_EQ(returns.rows.back().at(1), "2");
    EXPECT_EQ(returns.rows.back().at(2), formatMinutes(12));
    EXPECT_EQ(returns.rows.back().at(3), formatMoney(6));
    EXPECT_EQ(returns.rows.back().at(5), formatMinutes(60));
    EXPECT_EQ(returns.rows.back().at(6), formatMoney(33));
    const ReportModel::Table& uses = report.model.sections.at(1).tables.at(0);
    EXPECT_EQ(reportRow(uses, "environment-validation"),
              (std::vector<std::string>{"environment-validation", kNoValue, "2026-01-02", formatMinutes(12), formatMinutes(60), "note"}));
    EXPECT_EQ(reportRow(uses, "baseline-first")[1], "N");
    EXPECT_EQ(reportRow(uses, "baseline-first")[5], kNoValue);
    EXPECT_EQ(Json::parse(report.json)["applications"].size(), 2U);
    EXPECT_EQ(report.model.figures.at(0).value, formatMinutes(12));
    EXPECT_EQ(report.model.figures.at(1).value, formatMinutes(60));
}

TEST_F(EngineTest, ThePromptOfAnOpenSessionContinuesIt)
{
    const SessionId id = open();
    stepTo(id, "profile");
    std::vector<NextStep> steps;
    const Report report =
        unwrap(expertPrompt(*store, catalog, id, [&](const NextStep& step) { return steps.push_back(step), std::string("do"); }));
    EXPECT_THAT(report.model.title, AllOf(HasSubstr(" N"), HasSubstr("transpose")));
    EXPECT_EQ(Json::parse(report.json)["session"], "N");
    EXPECT_EQ(Json::parse(report.json)["from"], id.text);
    ASSERT_FALSE(steps.empty());
    EXPECT_EQ(steps.front().id, StepId::stepSession);
    for (const NextStep& step : steps) {
        EXPECT_EQ(step.at(StepArgument::session), id.text);
        EXPECT_EQ(step.at(StepArgument::database), store->location());
    }
    EXPECT_EQ(report.model.sections.back().code, "do\ndo\ndo\ndo\ndo");
    const Report unwritten = unwrap(expertPrompt(*store, catalog, id, {}));
    EXPECT_EQ(unwritten.model.sections.size() + 1, report.model.sections.size()) << "without commands";
}

TEST_F(EngineTest, ThePlanHasAPartPerPhaseWithItsGatesAndFixes)
{
    NewSession request;
    request.objective = "make it fast";
    request.kernel = "transpose";
    request.answers = {{"target-gpu", "H200"}};
    const SessionId id = unwrap(engine.create(request)).header.id;
    const Report report = unwrap(sessionPlan(*store, catalog, id));
    EXPECT_THAT(report.model.verdict, HasSubstr("make it fast"));
    const SessionView view = unwrap(engine.view(id));
    ASSERT_EQ(report.model.sections.size(), view.phases.size() + 1);
    ASSERT_EQ(report.csv.rows.size(), view.phases.size());
    EXPECT_EQ(report.csv.rows[1], (std::vector<std::string>{"baseline", rawNumber(view.phases[1].budgetMinutes)}));
    std::string answers;
    for (const auto& row : report.model.sections[0].tables.at(0).rows)
        answers += row[1] + ' ';
    EXPECT_THAT(answers, HasSubstr("H200"));
    EXPECT_THAT(report.model.sections[1].title, HasSubstr(formatMinutes(view.phases[0].budgetMinutes)));
    EXPECT_THAT(report.model.sections[1].paragraphs.at(1), AllOf(HasSubstr("G1"), HasSubstr(findGate(view, "G1").title)));
    const ReportModel::Section& fix = report.model.sections[4];
    ASSERT_FALSE(fix.tables.empty());
    EXPECT_EQ(fix.tables[0].rows.size(), 5U);
    EXPECT_EQ(fix.tables[0].rows[0][1], formatMinutes(45));
    EXPECT_EQ(report.model.sections.back().paragraphs.size(), 6U) << "its purpose and five questions";
    EXPECT_EQ(Json::parse(report.json)["session"], id.text);
}

TEST_F(EngineTest, AShippedSessionStandsBesideOnesOwn)
{
    ASSERT_TRUE(storeSampleSessions(*store));
    const SessionId own = open();
    stepTo(own, "done");
    const std::vector<SessionHeader> headers = unwrap(store->sessions());
    const auto shipped = std::ranges::find(headers, "N+1", &SessionHeader::name);
    const SessionPair pair = unwrap(compareSessions(*store, catalog, shipped->id, own));
    const auto row = [&](const std::string& id) { return *std::ranges::find(pair.rows, id, &PairRow::id); };
    EXPECT_FALSE(pair.a.view);
    EXPECT_EQ(row("kernel").a, "attention");
    EXPECT_EQ(row("kernel").b, "transpose/naive");
    EXPECT_EQ(row("problem").a, kNoValue);
    EXPECT_EQ(row("minutes").a, formatMinutes(60));
    EXPECT_EQ(row("device").a, "NVIDIA L4");
    EXPECT_THAT(row("device").b, AllOf(StartsWith("Fake H200"), Ne("Fake H200"))) << "it says that it is a recording";
    EXPECT_EQ(row("patterns").a, "preemptible-detection, bisect-over-archaeology");
    EXPECT_EQ(row("lessons").a, "preemptible-detection, bisect-over-archaeology");
    EXPECT_EQ(row("grade").a, "B+");
    for (const auto& [question, reported] : {std::pair{"worked", &pair.a.row.worked}, std::pair{"failed", &pair.a.row.failed},
                                             std::pair{"root-cause", &pair.a.row.insights}, std::pair{"next", &pair.a.row.nextTime}})
        EXPECT_EQ(row("document:" + std::string(question)).a, reported->empty() ? kNoValue : fmt::format("{}", fmt::join(*reported, "; ")))
            << question;
    EXPECT_EQ(row("cost").a, formatMoney(0.2));
    EXPECT_EQ(row("refusals").b, "0");
    EXPECT_EQ(row("outcome").b, "kept");
    EXPECT_EQ(row("finding").b, "Uncoalesced access.");
    EXPECT_THAT(row("fix").b, HasSubstr("(transpose/tiled)"));
    const Json json = Json::parse(pairReport(pair).json);
    EXPECT_EQ(json["a"]["session"], "sample:N+1");
    EXPECT_EQ(json["a"]["minutes"], 60);
    EXPECT_EQ(json["a"]["dollars"], 0.2);
    EXPECT_EQ(json["a"]["gain"], nullptr);
    EXPECT_EQ(json["b"]["name"], "N+6");
    EXPECT_EQ(json["rows"].size(), pair.rows.size());
}

TEST_F(EngineTest, TheCsvOfASessionHasItsMeasurementsWithUnits)
{
    const SessionId id = open();
    const SessionView view = stepTo(id, "done");
    const Report report = unwrap(sessionReport(*store, catalog, id));
    EXPECT_EQ(report.model.tone, "good");
    const auto row = [&](const std::string& group, const std::string& item) {
        for (const auto& cells : report.csv.rows)
            if (cells[0] == group && cells[2] == item)
                return cells;
        return std::vector<std::string>(9, "no row");
    };
    EXPECT_EQ(row("baseline", "gpu_time"),
              (std::vector<std::string>{"baseline", "transpose/naive", "gpu_time", "400000", "396000", "404000", "100", "ns", ""}));
    EXPECT_EQ(row("candidate", "gpu_time")[3], "200000");
    EXPECT_EQ(row("baseline", "baseline: device copy")[3], "50000");
    EXPECT_EQ(row("candidate", "speedup")[3], "0.25");
    EXPECT_EQ(row("profile", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed")[3], "10");
    EXPECT_EQ(row("gate", "Environment")[1], "G1");
    EXPECT_THAT(row("gate", "Environment")[8], StartsWith(markFor(GateResult::pass)));
    EXPECT_EQ(row("comparison", "old / new")[1], "transpose/tiled");
    EXPECT_EQ(row("comparison", "old / new")[6], std::to_string(view.evaluation->blocks));
    EXPECT_EQ(row("session", "minutes")[8], "kept");
    EXPECT_EQ(row("session", "minutes")[7], "min");
    const Json json = Json::parse(report.json);
    EXPECT_EQ(json["runs"].size(), 4U);
    EXPECT_EQ(json["runs"]["baseline"]["id"], view.baselineRun->id.text);
    EXPECT_EQ(json["runs"]["candidate"]["id"], view.candidateRun->id.text);
    EXPECT_EQ(json["estimate"]["measured"]["value"], view.evaluation->ratio->value);
    ASSERT_GE(report.model.figures.size(), 4U);
    EXPECT_EQ(report.model.figures[0].value, formatRatio(view.speedup));
    EXPECT_EQ(report.model.figures[1].value, formatRatio(view.evaluation->ratio->value));
}

TEST_F(EngineTest, ThePromptTellsOfTheLastThreeSessionsOnTheKernelNewestFirst)
{
    std::vector<SessionId> ids;
    for (int i = 0; i < 4; ++i)
        ids.push_back(open());
    for (const SessionId& id : ids)
        stepTo(id, "done");
    gpu.kernels["copy/strided"] = {400'000, 50'000, true, "", 80};
    stepTo(open("copy"), "done");
    const SessionId last = open();
    const Report report = unwrap(expertPrompt(*store, catalog, last, {}));
    const auto lessons = std::ranges::find_if(
        report.model.sections, [](const auto& one) { return !one.paragraphs.empty() && one.paragraphs[0].starts_with("N+3: "); });
    ASSERT_NE(lessons, report.model.sections.end());
    ASSERT_EQ(lessons->paragraphs.size(), 3U);
    EXPECT_TRUE(lessons->paragraphs[1].starts_with("N+2: "));
    EXPECT_TRUE(lessons->paragraphs[2].starts_with("N+1: "));
    EXPECT_EQ(report.csv.columns, (std::vector<std::string>{"section", "text"}));
    EXPECT_EQ(std::ranges::count(report.csv.rows, lessons->title, [](const auto& row) { return row[0]; }), 3);
}

TEST_F(EngineTest, ThePromptHasThePatternsOfEachPhase)
{
    const SessionId id = open();
    const Report without = unwrap(expertPrompt(*store, catalog, id, {}));
    ASSERT_TRUE(seedPatterns(*store, unwrap(PatternLibrary::loadEmbedded())));
    const Report report = unwrap(expertPrompt(*store, catalog, id, {}));
    EXPECT_EQ(without.model.sections.size(), report.model.sections.size());
    EXPECT_TRUE(without.model.sections.back().tables.empty());
    const ReportModel::Table& table = report.model.sections.back().tables.at(0);
    std::size_t listed = 0;
    const SessionView view = unwrap(engine.view(id));
    for (const PhaseView& phase : view.phases)
        for (const std::string& slug : phase.patterns) {
            const auto row = table.rows.at(listed++);
            EXPECT_EQ(row[0], phase.title);
            EXPECT_THAT(row[1], HasSubstr("(" + slug + ")"));
            EXPECT_FALSE(row[2].empty());
        }
    EXPECT_EQ(listed, table.rows.size());
    EXPECT_GT(listed, 3U);
}

TEST_F(EngineTest, TheQuickReferenceHasTheLimitsOfTheMethodAndOfItsGpus)
{
    const Report report = unwrap(quickReference(tree));
    std::vector<std::string> h100;
    for (const ReportModel::Section& section : report.model.sections)
        for (const ReportModel::Table& table : section.tables)
            if (h100.empty())
                h100 = reportRow(table, "NVIDIA H100 80GB HBM3");
    ASSERT_EQ(h100.size(), 4U) << "among the GPUs that are listed";
    EXPECT_EQ(h100[1], formatBytes(232448));
    EXPECT_EQ(h100[2], formatBytes(233472));
    std::size_t rows = 0;
    for (const ReportModel::Section& section : report.model.sections)
        for (const ReportModel::Table& table : section.tables)
            for (const auto& row : table.rows) {
                EXPECT_EQ(report.csv.rows.at(rows), (std::vector<std::string>{section.title, row.front(), row.back()}));
                ++rows;
            }
    EXPECT_EQ(report.csv.rows.size(), rows);
    const Json json = Json::parse(report.json);
    EXPECT_EQ(json["markdown"], toMarkdown(report.model));
}

TEST_F(EngineTest, AReportHasTheUsesAndCommentsOfItsOwnSession)
{
    ASSERT_TRUE(seedPatterns(*store, unwrap(PatternLibrary::loadEmbedded())));
    const SessionId other = open();
    const SessionId id = open();
    ASSERT_TRUE(engine.applyPattern(other, "environment-validation").ok());
    ASSERT_TRUE(engine.applyPattern(id, "baseline-first").ok());
    ASSERT_TRUE(addReviewComment(*store, unwrap(engine.view(other)), "session", "Ada", "elsewhere").ok());
    ASSERT_TRUE(addReviewComment(*store, unwrap(engine.view(id)), "session", "Ada", "here").ok());
    const Json json = Json::parse(unwrap(sessionReport(*store, catalog, id)).json);
    ASSERT_EQ(json["applications"].size(), 1U);
    EXPECT_EQ(json["applications"][0]["pattern"], "baseline-first");
    EXPECT_EQ(json["applications"][0]["session"], id.text);
    ASSERT_EQ(json["review"].size(), 1U);
    EXPECT_EQ(json["review"][0]["text"], "here");
    EXPECT_EQ(json["history"]["id"], id.text);
    EXPECT_EQ(json["session"]["session"], id.text);
    for (const char* none : {"comparison", "environment", "estimate"})
        EXPECT_TRUE(json[none].is_null()) << none;
    EXPECT_EQ(json["runs"], Json::object());
}

TEST_F(EngineTest, EachFigureOfTheHistoryIsBesideItsOwnKind)
{
    ASSERT_TRUE(storeSampleSessions(*store));
    const SessionId id = open();
    stepTo(id, "done");
    const Report report = unwrap(historyReport(*store));
    std::string kinds;
    for (const auto& row : report.csv.rows)
        kinds += row.at(0) + ':' + row.at(7) + '/' + row.at(9) + ' ';
    EXPECT_EQ(kinds, "N:quoted/quoted N+1:quoted/ N+2:quoted/quoted N+3:quoted/ N+4:quoted/quoted N+5:quoted/ Loop 1:quoted/ "
                     "N+6:measured/measured ");
    const std::vector<std::string>& own = report.csv.rows.back();
    EXPECT_EQ(own[1], "optimize");
    EXPECT_EQ(own[3], "transpose");
    EXPECT_EQ(own[5], "make it fast");
    EXPECT_EQ(own[8], "0.25");
    EXPECT_EQ(own[11], "0");
    EXPECT_EQ(own[15], "0");
    EXPECT_EQ(own[19], "yes");
}

} // namespace
} // namespace kl::test
