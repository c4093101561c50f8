// SPDX-License-Identifier: MIT
// The sections of a session's report, from material that is written down here.
#include "core/base/format.h"
#include "core/diagnosis/estimate_text.h"
#include "core/diagnosis/quantities.h"
#include "core/stats/ratio_text.h"
#include "core/stats/timing_text.h"
#include "sessions/learning/fix_case.h"
#include "sessions/report/session_material.h"
#include "sessions/session/event_words.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace kl {
namespace {

using ::testing::_;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Ne;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

using CellRows = std::vector<std::vector<std::string>>;

/// Words without a figure: why there is none.
testing::Matcher<std::string> saysThatThereIsNone()
{
    return AllOf(Not(IsEmpty()), Not(testing::ContainsRegex("[0-9]")));
}

/// A session on transpose/naive that has measured it.
SessionMaterial measuredMaterial()
{
    SessionMaterial material;
    SessionView& view = material.view;
    view.header.id = {"s"};
    view.start = view.current = {"transpose", "naive", {}};
    view.problem = {{"M", std::int64_t{64}}, {"N", std::int64_t{65}}};
    view.baselineRun = support::profiledRun("b", "naive", "2026-01-02T03:04:05.000Z", 400'000);
    view.baselineRun->baseline = Baseline{"device copy", Summary{50'000, 49'000, 51'000, 7}, {}, "torch 2", {}};
    view.baselineRun->speedup = 0.125;
    return material;
}

/// The same with transpose/tiled as its candidate.
SessionMaterial changedMaterial()
{
    SessionMaterial material = measuredMaterial();
    material.view.candidate = Address{"transpose", "tiled", {}};
    material.view.candidateRun = support::timedRun("c", "tiled", "2026-01-02T04:04:05.000Z", 200'000);
    material.view.candidateRun->speedup = 0.25;
    return material;
}

/// The second cell of each row, behind its name; the names are in the snapshot.
std::vector<std::string> completeValues(const ReportModel::Table& table)
{
    std::vector<std::string> values;
    for (const std::vector<std::string>& row : table.rows)
        values.push_back(row.at(1));
    return values;
}

std::string joinParagraphs(const ReportModel::Section& section)
{
    std::string all;
    for (const std::string& paragraph : section.paragraphs)
        all += paragraph + '\n';
    return all;
}

TEST(ReportSections, MarksSayWhatAGateIs)
{
    EXPECT_THAT(markFor(GateResult::pass), StartsWith("✓ "));
    EXPECT_THAT(markFor(GateResult::fail), StartsWith("✕ "));
    EXPECT_THAT(markFor(GateResult::unknown), StartsWith("– "));
    EXPECT_THAT(markFor(GateResult::fail, GateProgress::waived), StartsWith("⊘ "));
    EXPECT_THAT(markFor(GateResult::pass, GateProgress::stale), StartsWith("↻ "));
    EXPECT_EQ(markFor(GateResult::pass, GateProgress::running), markFor(GateResult::pass));
    EXPECT_EQ(formatMinute("2026-01-02T03:04:05.000Z"), "2026-01-02 03:04 UTC");
    EXPECT_EQ(formatMinute("2026-01-02T03:04"), "2026-01-02 03:04 UTC");
    EXPECT_EQ(formatMinute("2026-01-02"), "2026-01-02");
    EXPECT_EQ(orDash(""), kNoValue);
    EXPECT_EQ(orDash("x"), "x");
}

TEST(ReportSections, SnapshotOfTheMarks)
{
    std::string text;
    for (const GateResult result : {GateResult::pass, GateResult::fail, GateResult::unknown})
        text += markFor(result) + '\n';
    for (const GateProgress progress : {GateProgress::waived, GateProgress::stale})
        text += markFor(GateResult::pass, progress) + '\n';
    test::expectSnapshot("texts/gate-marks.txt", text);
}

TEST(ReportSections, TheObjectiveHasItsAnsweredQuestionsAndClaims)
{
    SessionMaterial material;
    material.view.questions = {{"a", "Question A"}, {"b", "Question B"}, {"c", "Question C"}};
    material.view.answers = {{"c", "answer C"}, {"a", "answer A"}, {"z", "of no question"}};
    const ReportModel::Section bare = aboutSection(material);
    EXPECT_EQ(bare.tables.at(0).rows, (CellRows{{"Question A", "answer A"}, {"Question C", "answer C"}}));
    EXPECT_THAT(bare.tables, SizeIs(1));
    EXPECT_THAT(bare.paragraphs, SizeIs(1)) << "that there was no claim";
    material.view.header.objective = "make it fast";
    material.view.claims = {{{"README", "1.5x", "kernel"}, "1.2×", 0.8, "missed", {}},
                            {{"talk", "9 us", "baseline"}, "", {}, "not measured yet", {}}};
    const ReportModel::Section full = aboutSection(material);
    EXPECT_THAT(full.paragraphs, ElementsAre("make it fast"));
    EXPECT_EQ(full.tables.at(1).rows,
              (CellRows{{"README", "1.5x", "1.2×", "missed"}, {"talk", "9 us (baseline)", kNoValue, "not measured yet"}}));
}

TEST(ReportSections, GatesAndChecksShowWhatWasFound)
{
    SessionMaterial material;
    GateView waived;
    waived.id = "G1";
    waived.title = "Environment";
    waived.result = GateResult::fail;
    waived.progress = GateProgress::waived;
    waived.waivedReason = "borrowed machine";
    waived.checks.push_back({"gpu", Requirement::required, GateResult::fail, "A GPU", "none", "one", {}, {}, {}});
    waived.checks.push_back({"disk", Requirement::optional, GateResult::pass, "Room", "", "", {}, {}, {}});
    GateView stale;
    stale.id = "G2";
    stale.title = "Speedup";
    stale.result = GateResult::pass;
    stale.progress = GateProgress::stale;
    stale.verdict = "fast";
    stale.staleReason = "another driver";
    material.view.gates = {waived, stale};
    const ReportModel::Section gates = gatesSection(material);
    EXPECT_THAT(gates.tables.at(0).rows, ElementsAre(ElementsAre("G1 Environment", markFor(GateResult::fail, GateProgress::waived),
                                                                 AllOf(StartsWith(kNoValue), EndsWith(" borrowed machine"))),
                                                     ElementsAre("G2 Speedup", markFor(GateResult::pass, GateProgress::stale),
                                                                 AllOf(StartsWith("fast "), EndsWith(" another driver")))));
    ASSERT_THAT(gates.targets, SizeIs(2));
    EXPECT_EQ(gates.targets[1].id, "G2");
    EXPECT_EQ(gates.targets[1].title, "G2 Speedup");
    EXPECT_THAT(checksSection(material).tables.at(0).rows,
                ElementsAre(ElementsAre("G1", "A GPU", markFor(GateResult::fail), "none", "one"),
                            ElementsAre("G1", AllOf(StartsWith("Room"), Ne("Room")), markFor(GateResult::pass), kNoValue, kNoValue)))
        << "one is optional, which it says";
}

TEST(ReportSections, TimesAreThoseOfBaselineStartAndCandidate)
{
    EXPECT_EQ(timesSection(SessionMaterial()).title, "");
    SessionMaterial material = changedMaterial();
    const RunRecord start = *material.view.baselineRun;
    const RunRecord candidate = *material.view.candidateRun;
    const auto row = [](const std::string& name, const Summary& time, double speedup) {
        return std::vector<std::string>{name, formatTime(time.median), timeInterval(time), std::to_string(time.n), formatRatio(speedup)};
    };
    const ReportModel::Section times = timesSection(material);
    EXPECT_EQ(times.tables.at(0).rows,
              (CellRows{row("device copy", *start.baseline->gpu, 1), row("transpose/naive", start.timing->gpu, 0.125),
                        row("transpose/tiled", candidate.timing->gpu, 0.25)}));
    ASSERT_THAT(times.charts, SizeIs(1));
    for (const std::string& figure : {formatTime(400'000.0), formatTime(200'000.0)})
        EXPECT_THAT(times.charts[0].sentence, HasSubstr(figure));
    material.view.candidateRun->kernel = start.kernel;
    EXPECT_THAT(timesSection(material).tables.at(0).rows.at(2).at(0), AllOf(StartsWith("transpose/naive"), Ne("transpose/naive")))
        << "it is edited";
    const std::string alone = timesSection(material).charts.at(0).sentence;
    material.view.baselineRun->program.emplace();
    EXPECT_NE(timesSection(material).charts.at(0).sentence, alone) << "its L2 cache is not cold";
    material.view.baselineRun->baseline->gpu.reset();
    material.view.baselineRun->baseline->unavailable = "no torch";
    const ReportModel::Section without = timesSection(material);
    EXPECT_THAT(without.tables.at(0).rows, SizeIs(2));
    EXPECT_THAT(joinParagraphs(without), HasSubstr("no torch"));
    material.view.candidateRun->timing.reset();
    EXPECT_THAT(timesSection(material).tables.at(0).rows, SizeIs(1)) << "the candidate was not timed";
    material.view.baselineRun->timing.reset();
    material.view.candidateRun.reset();
    EXPECT_THAT(timesSection(material).charts, IsEmpty()) << "nothing was timed";
}

TEST(ReportSections, IterationsOfADebuggingStandInTheirOrder)
{
    SessionMaterial material;
    EXPECT_EQ(debugSection(material).title, "");
    material.view.failingProblem = Params{{"N", std::int64_t{3}}};
    material.view.iterations = {{1, "believed", "instrument", "seen", "memcheck: none", "analysis", "fix", "result", "learned", {}},
                                {2, "again", "", "", "", "", "", "", "", {}}};
    const ReportModel::Section section = debugSection(material);
    const std::string none = kNoValue;
    EXPECT_EQ(section.tables.at(0).rows, (CellRows{{"1", "believed", "instrument", "seen", "analysis", "fix", "result", "learned"},
                                                   {"2", "again", none, none, none, none, none, none}}));
    ASSERT_THAT(section.paragraphs, SizeIs(2));
    EXPECT_THAT(section.paragraphs[0], HasSubstr("N=3"));
    EXPECT_THAT(section.paragraphs[1], HasSubstr("memcheck: none"));
}

TEST(ReportSections, TheLogHasEachEventWithItsWords)
{
    SessionMaterial material;
    material.view.events = {{1, "2026-01-02T03:04:05.000Z", "opened", R"({"start": "transpose/naive"})"},
                            {2, "2026-01-02T03:05:05.000Z", "note", R"({"text": "look", "note": "not this"})"},
                            {3, "2026-01-02T03:06:05.000Z", "history-looked", R"({"found": "abc"})"},
                            {4, "2026-01-02T03:07:05.000Z", "ticked", R"({"item": "tail", "note": "done"})"},
                            {5, "2026-01-02T03:08:05.000Z", "fix-chosen", R"({"title": "Tile", "text": "not this"})"},
                            {6, "2026-01-02T03:09:05.000Z", "damaged", "{"}};
    const CellRows rows = logSection(material).tables.at(0).rows;
    EXPECT_THAT(rows, ElementsAre(ElementsAre("1", "2026-01-02 03:04 UTC", EndsWith("transpose/naive")),
                                  ElementsAre("2", "2026-01-02 03:05 UTC", EndsWith("look")),
                                  ElementsAre("3", "2026-01-02 03:06 UTC", EndsWith("abc")),
                                  ElementsAre("4", "2026-01-02 03:07 UTC", AllOf(HasSubstr("tail"), EndsWith("done"))),
                                  ElementsAre("5", "2026-01-02 03:08 UTC", EndsWith("Tile")),
                                  ElementsAre("6", "2026-01-02 03:09 UTC", "damaged")));
    for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(rows[i].at(2), describeEvent(material.view.events[i]));
    EXPECT_THAT(logSection(material).paragraphs, IsEmpty()) << "no fix was begun";
}

TEST(ReportSections, TheFindingHasItsEvidenceFixesAndRanks)
{
    SessionMaterial material = measuredMaterial();
    EXPECT_EQ(findingSection(material).title, "");
    material.view.profileRun = material.view.baselineRun;
    Finding& finding = material.view.profileRun->diagnosis->finding;
    finding.confidence = 0.9;
    finding.path = {{"coalescing", "excess_sectors_percent", 77.8, 20.0, ">=", true}, {"banks", "unknown", std::nullopt, 5.0, "<", false}};
    finding.fixes = {{"f", "Coalesce", {}, 0.6, "", "because", "f", 0, {}}, {"g", "Pad", {}, 0.25, "", "", {}, 0, {}}};
    const ReportModel::Section section = findingSection(material);
    EXPECT_EQ(section.paragraphs.at(0), "P0 uncoalesced: " + finding.title);
    EXPECT_THAT(section.paragraphs.at(1), HasSubstr(formatPercent(90)));
    ASSERT_THAT(section.tables, SizeIs(3));
    EXPECT_THAT(section.tables[0].rows, ElementsAre(ElementsAre("coalescing", std::string(findQuantity("excess_sectors_percent")->title),
                                                                formatPercent(77.8), "≥ " + formatPercent(20), StartsWith("✓")),
                                                    ElementsAre("banks", "unknown", saysThatThereIsNone(), "< 5", Not(StartsWith("✓")))));
    EXPECT_EQ(section.tables[1].rows,
              (CellRows{{"Coalesce", fixChanceText(0.6, true), "because"}, {"Pad", fixChanceText(0.25, false), kNoValue}}));
    EXPECT_EQ(section.tables[2].rows, (CellRows{{"occupancy-limited", "P2", ""}}));
    EXPECT_THAT(section.charts, SizeIs(1));
    EXPECT_EQ(section.targets.at(0).id, "finding");
    finding.inferred = true;
    finding.path.clear();
    finding.fixes.clear();
    material.view.profileRun->diagnosis->secondary.clear();
    const ReportModel::Section bare = findingSection(material);
    EXPECT_THAT(bare.paragraphs.at(1), AllOf(HasSubstr(formatPercent(90)), Ne(section.paragraphs.at(1)))) << "it is inferred";
    EXPECT_THAT(bare.tables, SizeIs(1));
    EXPECT_THAT(bare.charts, IsEmpty());
}

TEST(ReportSections, HotLinesNameTheirCauseAndShare)
{
    SessionMaterial material = measuredMaterial();
    EXPECT_EQ(hotLinesSection(material).title, "") << "nothing was profiled";
    material.view.profileRun = material.view.baselineRun;
    material.hot.unavailable = "no samples";
    EXPECT_THAT(hotLinesSection(material).tables, IsEmpty());
    EXPECT_THAT(joinParagraphs(hotLinesSection(material)), HasSubstr("no samples"));
    material.hot.unavailable.clear();
    HotLine hot;
    hot.line.file = "kernel.cu";
    hot.line.line = 14;
    hot.line.share = 0.25;
    hot.cause = {"kernel.cu", 12};
    hot.text = "x = y;";
    material.hot.lines = {hot};
    material.hot.note = "a note";
    const ReportModel::Section section = hotLinesSection(material);
    EXPECT_EQ(section.tables.at(0).rows, (CellRows{{"kernel.cu:14", "x = y;", kNoValue, "kernel.cu:12", formatPercent(25)}}));
    EXPECT_THAT(section.paragraphs, ElementsAre("a note"));
}

TEST(ReportSections, TheChangeHasItsSuiteItsRatioAndWhatWasPromised)
{
    EXPECT_EQ(changeSection(measuredMaterial()).title, "");
    EXPECT_THAT(changeSection(changedMaterial()).tables, IsEmpty()) << "nothing was promised";
    EXPECT_THAT(changeSection(changedMaterial()).paragraphs, SizeIs(1)) << "no source was edited";
    SessionMaterial material = changedMaterial();
    SessionView& view = material.view;
    view.fixTitle = "Stage it";
    view.parked = {{{"transpose", "naive", {}}, {"transpose", "padded", {}}, "Pad", {"x"}, {1.05, 1.01, 1.09}, {}}};
    view.tried = {{"transpose", "vector", {}}};
    view.candidateRun->correctness.suite = {{"M=1", true, 0.001, 0.002, 0, 0, "", {}, {}, 0.0005},
                                            {"M=2", false, 0.5, 0.25, 0, 0, "too far", {}, {}, {}}};
    view.profileRun = view.baselineRun;
    Comparison ab;
    ab.sentence = "B is faster.";
    ab.statistics = "by blocks";
    ab.noise = {0.004, "5 repeats"};
    ab.ratio = Ratio{2.0, 1.9, 2.1};
    ab.data = {{{200}, {100}}};
    ab.blocks = 10;
    ab.energy = EnergyComparison{Ratio{1.5, 1.4, 1.6}, 3.0, 2.0, 4, {}};
    view.evaluation = ab;
    const ReportModel::Section section = changeSection(material);
    const std::string text = joinParagraphs(section);
    EXPECT_THAT(section.paragraphs.at(0),
                AllOf(StartsWith("Stage it: transpose/tiled "), HasSubstr(" transpose/naive"), Not(HasSubstr("transpose/vector"))));
    for (const std::string& part :
         {"Pad (transpose/naive → transpose/padded), " + formatRatio(1.05), std::string("transpose/vector"), std::string("B is faster."),
          std::string("by blocks"), formatPercent(0.4) + " (5 repeats)", energyRatioText(*ab.energy)})
        EXPECT_THAT(text, HasSubstr(part));
    ASSERT_THAT(section.tables, SizeIs(2));
    EXPECT_THAT(section.tables[0].rows, ElementsAre(ElementsAre("M=1", StartsWith("✓ "), "0.001", "0.0005", "0.002"),
                                                    ElementsAre("M=2", "✕ too far", "0.5", kNoValue, "0.25")));
    EXPECT_THAT(section.tables[1].rows,
                ElementsAre(ElementsAre(_, formatRatio(2.0), ratioText(*ab.ratio)), ElementsAre(_, formatPercent(50), formatPercent(50))));
    ASSERT_THAT(section.charts, SizeIs(1));
    EXPECT_THAT(section.charts[0].sentence, HasSubstr("(10 "));
    EXPECT_THAT(section.charts[0].svg, HasSubstr(formatRatio(1.2))) << "the ratio from which a change is kept";
    EXPECT_EQ(section.targets.at(0).id, "outcome");
}

/// An edit of the kernel's source that was not measured, on a finding without an estimate.
SessionMaterial unmeasuredEdit()
{
    SessionMaterial material = measuredMaterial();
    SessionView& view = material.view;
    view.candidate = view.current;
    view.sourceChange.emplace();
    view.sourceChange->file = "k.cu";
    view.sourceChange->summary = "+3 −2 lines";
    view.profileRun = view.baselineRun;
    view.profileRun->diagnosis->finding.estimate.reset();
    return material;
}

TEST(ReportSections, AChangeThatWasNotMeasuredSaysSo)
{
    SessionMaterial material = unmeasuredEdit();
    SessionView& view = material.view;
    const ReportModel::Section section = changeSection(material);
    const std::string& sides = section.paragraphs.at(0);
    EXPECT_NE(sides.find("transpose/naive"), std::string::npos);
    EXPECT_EQ(sides.find("transpose/naive"), sides.rfind("transpose/naive")) << "it is not compared with itself";
    EXPECT_THAT(joinParagraphs(section), HasSubstr("k.cu, +3 −2 lines"));
    const auto none = ElementsAre(_, shortEstimate({}), saysThatThereIsNone());
    EXPECT_THAT(section.tables.at(0).rows, ElementsAre(none, none));
    EXPECT_NE(section.tables.at(0).rows[0][1], section.tables.at(0).rows[0][2]) << "one is not estimated, the other not measured";
    EXPECT_THAT(section.charts, IsEmpty());
    view.evaluation.emplace();
    view.evaluation->noise.from = "not calibrated";
    EXPECT_THAT(joinParagraphs(changeSection(material)), HasSubstr(std::string(kNoValue) + " (not calibrated)"));
}

/// Thirteen minutes of 60, without a row of the history.
SessionMaterial timedMaterial()
{
    SessionMaterial material;
    PhaseView phase;
    phase.title = "Baseline";
    phase.elapsedMinutes = 12;
    phase.budgetMinutes = 30;
    material.view.phases = {phase};
    material.view.minutes = 13;
    material.view.budgetMinutes = 60;
    return material;
}

HistoryRow paidRow()
{
    HistoryRow row;
    row.money.gpu = {{3.5, FigureKind::entered, "invoice"}, {2, FigureKind::derived, {}}};
    row.money.other = {{1, FigureKind::entered, {}}};
    row.money.engineer = 15;
    row.grade = {"B", "slow", FigureKind::measured};
    row.minutesToBuild = 7;
    row.minutesToBottleneck = 21;
    row.replayed = true;
    return row;
}

TEST(ReportSections, TimeAndMoneyHaveARowEach)
{
    SessionMaterial material = timedMaterial();
    const CellRows spent{{"Baseline", formatMinutes(12), formatMinutes(30)}, {"Total", formatMinutes(13), formatMinutes(60)}};
    EXPECT_EQ(timeSection(material).tables.at(0).rows, spent);
    EXPECT_THAT(timeSection(material).tables, SizeIs(1)) << "it is not in the history";
    material.row = paidRow();
    const ReportModel::Section section = timeSection(material);
    EXPECT_THAT(completeValues(section.tables.at(1)),
                ElementsAre(fmt::format("{} ({}, invoice); {} ({})", formatMoney(3.5), toString(FigureKind::entered), formatMoney(2),
                                        toString(FigureKind::derived)),
                            saysThatThereIsNone(), fmt::format("{} ({})", formatMoney(1), toString(FigureKind::entered)), formatMoney(15),
                            saysThatThereIsNone()));
    ASSERT_THAT(section.paragraphs, SizeIs(4));
    EXPECT_THAT(section.paragraphs[0], HasSubstr(" B: slow"));
    EXPECT_THAT(section.paragraphs[1], HasSubstr(formatMinutes(7)));
    EXPECT_THAT(section.paragraphs[1], HasSubstr(formatMinutes(kBuildTarget)));
    EXPECT_THAT(section.paragraphs[2], HasSubstr(formatMinutes(21)));
    EXPECT_THAT(section.paragraphs[2], HasSubstr(formatMinutes(kBottleneckTarget)));
    material.row = HistoryRow();
    material.row->grade.reason = "open";
    const ReportModel::Section bare = timeSection(material);
    EXPECT_THAT(bare.paragraphs, ElementsAre(HasSubstr(": open")));
    EXPECT_EQ(bare.tables.at(1).rows.at(0).at(1), kNoValue);
    EXPECT_THAT(bare.tables.at(1).rows.at(3).at(1), AllOf(saysThatThereIsNone(), Ne(kNoValue)));
    material.row->money.why = "no price";
    EXPECT_THAT(timeSection(material).tables.at(1).rows.at(0).at(1), EndsWith(": no price"));
}

TEST(ReportSections, MistakesAreNamedByTheListAndDeadEndsTimed)
{
    SessionMaterial material;
    EXPECT_THAT(mistakesSection(material).tables, IsEmpty());
    material.row = HistoryRow();
    EXPECT_THAT(mistakesSection(material).tables, IsEmpty());
    material.history.mistakes = {{"a", "Mistake A", "", {}}, {"b", "Mistake B", "", {}}};
    material.row->mistakes = {{"b", 3, 2, 1, "seen"}, {"c", 1, 0, 0, ""}};
    const ReportModel::Section section = mistakesSection(material);
    ASSERT_THAT(section.tables, SizeIs(1));
    EXPECT_EQ(section.tables[0].rows, (CellRows{{"Mistake B", "3", "2", "1", "seen"}, {"c", "1", "0", "0", kNoValue}}));
    material.row->wrongPaths = {{"tried", 12}};
    EXPECT_EQ(mistakesSection(material).tables.at(1).rows, (CellRows{{"tried", formatMinutes(12)}}));
    material.row->mistakes.clear();
    EXPECT_THAT(mistakesSection(material).tables, SizeIs(1)) << "dead ends alone";
    EXPECT_THAT(mistakesSection(material).paragraphs, IsEmpty());
}

TEST(ReportSections, WhatWasLearnedHasPatternsWithTheirSavingsHere)
{
    SessionMaterial material;
    material.view.header.id = {"s"};
    material.view.retrospective = "first line\n\nlast line";
    material.view.notes = {"tail"};
    material.view.stalls = {"profile, 2 min"};
    EXPECT_THAT(makeLearnedSection(material).paragraphs,
                ElementsAre("first line", "last line", HasSubstr("tail"), HasSubstr("profile, 2 min")));
    EXPECT_THAT(makeLearnedSection(material).tables, IsEmpty());
    material.view.patternsApplied = {"a", "b", "c"};
    material.patterns = {{"a", "", "Pattern A", "operational"}, {"b", "", "Pattern B", "operational"}};
    material.history.applications = {{"1", "a", "other", "t", {}, 99.0, {}, false, ""},
                                     {"2", "a", "s", "t", {}, 20.0, 3.0, false, ""},
                                     {"3", "b", "s", "t", {}, {}, 4.0, false, ""}};
    material.history.savings = {
        {"other", "a", "p", 99.0, 0, 0, "elsewhere"}, {"s", "a", "p", 12.0, 0, 0, "by phases"}, {"s", "b", "p", {}, 0, 0, "too few"}};
    EXPECT_THAT(makeLearnedSection(material).tables.at(0).rows,
                ElementsAre(ElementsAre("Pattern A", formatMinutes(20) + ", " + formatMoney(3), formatMinutes(12) + " (by phases)"),
                            ElementsAre("Pattern B", formatMoney(4), AllOf(saysThatThereIsNone(), EndsWith(": too few"))),
                            ElementsAre("c", kNoValue, saysThatThereIsNone())));
}

TEST(ReportSections, TheDocumentSaysWhatWasWrittenAndWhatWasDrafted)
{
    SessionMaterial material;
    material.view.why = "measure first";
    material.view.written = {{"worked", "padding"}};
    const CellRows rows = documentSection(material).tables.at(0).rows;
    ASSERT_THAT(rows, SizeIs(5));
    EXPECT_EQ(rows[0][1], kNoValue);
    EXPECT_EQ(rows[1][1], "padding");
    EXPECT_EQ(rows[4][1], "measure first");
    EXPECT_NE(rows[1][2], rows[4][2]);
    EXPECT_EQ(rows[0][2], rows[4][2]);
}

TEST(ReportSections, CommentsStandWithTheirPartAndTime)
{
    SessionMaterial material;
    EXPECT_THAT(reviewSection(material).tables, IsEmpty());
    EXPECT_THAT(reviewSection(material).paragraphs, SizeIs(1));
    material.comments = {{"c", "G3", "Ada", "2026-01-02T03:04:05.000Z", "Why?"}};
    EXPECT_EQ(reviewSection(material).tables.at(0).rows, (CellRows{{"G3", "Ada", "2026-01-02 03:04 UTC", "Why?"}}));
    EXPECT_THAT(reviewSection(material).paragraphs, IsEmpty());
    EXPECT_EQ(reviewSection(material).targets.at(0).id, "session");
}

/// With all that is known of the machine, its versions and its checks.
SessionMaterial knownMachine()
{
    SessionMaterial material = measuredMaterial();
    RunRecord& run = *material.view.baselineRun;
    run.device.smCount = 132;
    run.device.ccMinor = 1;
    run.device.memoryBytes = std::int64_t{80} << 30;
    run.device.driverVersion = "580.1";
    run.device.cudaDriverVersion = 13020;
    run.host = "gpu7";
    run.timing->clockMhz = 1755;
    run.warnings = {{"throttled", "It was hot."}};
    material.view.build = BuildFacts{"ok", "", "", "sm_90", 1, 3, ""};
    material.view.environment = EnvReport{{{"gpu", Requirement::required, CheckResult::pass, "H200", {}, {}},
                                           {"ncu", Requirement::optional, CheckResult::fail, "", {}, {}},
                                           {"disk", Requirement::required, CheckResult::skipped, "later", {}, {}}},
                                          {},
                                          {}};
    return material;
}

TEST(ReportSections, TheEnvironmentNamesMachineVersionsAndChecks)
{
    const ReportModel::Section bare = environmentSection({});
    EXPECT_THAT(bare.tables, IsEmpty());
    EXPECT_THAT(bare.paragraphs, SizeIs(1));
    SessionMaterial material = knownMachine();
    const ReportModel::Section section = environmentSection(material);
    EXPECT_THAT(completeValues(section.tables.at(0)),
                ElementsAre(AllOf(StartsWith("NVIDIA H200 (GPU-1), "), HasSubstr(" 9.1, 132 "),
                                  HasSubstr(formatBytes(double(std::int64_t{80} << 30)))),
                            "gpu7", "580.1, CUDA 13.2", "hash", "2026-01-02 03:04 UTC", "device copy, torch 2", formatClock(1755),
                            "It was hot.", AllOf(StartsWith("ok "), HasSubstr(" sm_90, 3 "))));
    EXPECT_THAT(section.tables.at(1).rows, ElementsAre(ElementsAre("gpu", StartsWith("✓ "), "H200"),
                                                       ElementsAre(AllOf(StartsWith("ncu"), Ne("ncu")), StartsWith("✕ "), kNoValue),
                                                       ElementsAre("disk", StartsWith("– "), "later")))
        << "the second is optional, which it says";
    EXPECT_THAT(section.paragraphs, IsEmpty());
    material.view.build->unavailable = "not recorded";
    EXPECT_THAT(environmentSection(material).tables.at(0).rows, SizeIs(8)) << "all but the build";
}

TEST(ReportSectionTexts, SnapshotOfTimesAndWhatIsOptional)
{
    SessionMaterial edited = changedMaterial();
    edited.view.candidateRun->kernel = edited.view.baselineRun->kernel;
    GateView gate;
    gate.id = "G1";
    gate.title = "Environment";
    gate.result = GateResult::pass;
    gate.waivedReason = "borrowed machine";
    gate.staleReason = "another driver";
    gate.checks.push_back({"disk", Requirement::optional, GateResult::pass, "Room", "", "", {}, {}, {}});
    edited.view.gates = {gate};
    SessionMaterial program = changedMaterial();
    program.view.baselineRun->program.emplace();
    SessionMaterial inferred = measuredMaterial();
    inferred.view.profileRun = inferred.view.baselineRun;
    inferred.view.profileRun->diagnosis->finding.inferred = true;
    inferred.view.profileRun->diagnosis->finding.path = {{"banks", "unknown", std::nullopt, 5.0, "<", false}};
    inferred.view.header.id = {"s"};
    inferred.view.patternsApplied = {"a", "b"};
    inferred.history.savings = {{"s", "a", "p", {}, 0, 0, "too few"}};
    ReportModel report;
    report.title = "Sections";
    report.sections = {gatesSection(edited),  checksSection(edited),    timesSection(edited),
                       timesSection(program), findingSection(inferred), makeLearnedSection(inferred)};
    test::expectSnapshot("texts/report-states.txt", toMarkdown(report));
}

TEST(ReportSectionTexts, SnapshotOfRowsAndParagraphs)
{
    SessionMaterial finding = measuredMaterial();
    finding.view.profileRun = finding.view.baselineRun;
    SessionMaterial paid = timedMaterial();
    paid.row = paidRow();
    SessionMaterial unpaid = timedMaterial();
    unpaid.row.emplace().grade.reason = "open";
    unpaid.row->money.why = "no price";
    ReportModel report;
    report.title = "Sections";
    report.sections = {findingSection(finding), changeSection(unmeasuredEdit()),    timeSection(paid),
                       timeSection(unpaid),     environmentSection(knownMachine()), environmentSection({})};
    test::expectSnapshot("texts/report-sections.txt", toMarkdown(report));
}

} // namespace
} // namespace kl
