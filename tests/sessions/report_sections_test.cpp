// SPDX-License-Identifier: MIT
// The sections of a session's report, from material that is written down here.
#include "core/base/format.h"
#include "core/stats/ratio_text.h"
#include "core/stats/timing_text.h"
#include "sessions/report/session_material.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"

#include <gmock/gmock.h>

namespace kl {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

using CellRows = std::vector<std::vector<std::string>>;

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

std::string pieceOf(const ReportModel::Section& section)
{
    std::string all;
    for (const std::string& paragraph : section.paragraphs)
        all += paragraph + '\n';
    return all;
}

TEST(ReportSections, MarksSayWhatAGateIs)
{
    EXPECT_EQ(markFor(GateResult::pass), "✓ pass");
    EXPECT_EQ(markFor(GateResult::fail), "✕ fail");
    EXPECT_EQ(markFor(GateResult::unknown), "– not evaluated");
    EXPECT_EQ(markFor(GateResult::fail, GateProgress::waived), "⊘ waived");
    EXPECT_EQ(markFor(GateResult::pass, GateProgress::stale), "↻ stale");
    EXPECT_EQ(markFor(GateResult::pass, GateProgress::running), "✓ pass");
    EXPECT_EQ(formatMinute("2026-01-02T03:04:05.000Z"), "2026-01-02 03:04 UTC");
    EXPECT_EQ(formatMinute("2026-01-02T03:04"), "2026-01-02 03:04 UTC");
    EXPECT_EQ(formatMinute("2026-01-02"), "2026-01-02");
    EXPECT_EQ(orDash(""), kNoValue);
    EXPECT_EQ(orDash("x"), "x");
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
    EXPECT_EQ(gates.tables.at(0).rows, (CellRows{{"G1 Environment", "⊘ waived", std::string(kNoValue) + " Waived: borrowed machine"},
                                                 {"G2 Speedup", "↻ stale", "fast Stale: another driver"}}));
    ASSERT_THAT(gates.targets, SizeIs(2));
    EXPECT_EQ(gates.targets[1].id, "G2");
    EXPECT_EQ(gates.targets[1].title, "G2 Speedup");
    EXPECT_EQ(checksSection(material).tables.at(0).rows,
              (CellRows{{"G1", "A GPU", "✕ fail", "none", "one"}, {"G1", "Room (optional)", "✓ pass", kNoValue, kNoValue}}));
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
    EXPECT_THAT(times.charts[0].sentence, HasSubstr("cold L2"));
    material.view.candidateRun->kernel = start.kernel;
    EXPECT_EQ(timesSection(material).tables.at(0).rows.at(2).at(0), "transpose/naive (edited)");
    material.view.baselineRun->program.emplace();
    EXPECT_THAT(timesSection(material).charts.at(0).sentence, Not(HasSubstr("cold L2")));
    material.view.baselineRun->baseline->gpu.reset();
    material.view.baselineRun->baseline->unavailable = "no torch";
    const ReportModel::Section without = timesSection(material);
    EXPECT_THAT(without.tables.at(0).rows, SizeIs(2));
    EXPECT_THAT(pieceOf(without), HasSubstr("no torch"));
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
    EXPECT_EQ(logSection(material).tables.at(0).rows, (CellRows{{"1", "2026-01-02 03:04 UTC", "Session opened on transpose/naive"},
                                                                {"2", "2026-01-02 03:05 UTC", "Note: look"},
                                                                {"3", "2026-01-02 03:06 UTC", "History searched: abc"},
                                                                {"4", "2026-01-02 03:07 UTC", "Checklist, tail: done"},
                                                                {"5", "2026-01-02 03:08 UTC", "Fix chosen: Tile"},
                                                                {"6", "2026-01-02 03:09 UTC", "damaged"}}));
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
    EXPECT_THAT(section.paragraphs.at(1), Not(HasSubstr("inferred")));
    ASSERT_THAT(section.tables, SizeIs(3));
    EXPECT_EQ(section.tables[0].rows, (CellRows{{"coalescing", "excess sectors", formatPercent(77.8), "≥ " + formatPercent(20), "✓ yes"},
                                                {"banks", "unknown", "not measured", "< 5", "no"}}));
    EXPECT_EQ(section.tables[1].rows, (CellRows{{"Coalesce", formatPercent(60) + " chance of ≥1.20×", "because"},
                                                {"Pad", formatPercent(25) + " chance", kNoValue}}));
    EXPECT_EQ(section.tables[2].rows, (CellRows{{"occupancy-limited", "P2", ""}}));
    EXPECT_THAT(section.charts, SizeIs(1));
    EXPECT_EQ(section.targets.at(0).id, "finding");
    finding.inferred = true;
    finding.path.clear();
    finding.fixes.clear();
    material.view.profileRun->diagnosis->secondary.clear();
    const ReportModel::Section bare = findingSection(material);
    EXPECT_THAT(bare.paragraphs.at(1), HasSubstr("inferred"));
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
    EXPECT_THAT(pieceOf(hotLinesSection(material)), HasSubstr("no samples"));
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
    EXPECT_THAT(pieceOf(changeSection(changedMaterial())), Not(HasSubstr("Edited source")));
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
    const std::string text = pieceOf(section);
    for (const std::string& part :
         {std::string("Stage it: transpose/tiled versus transpose/naive"), "Pad (transpose/naive → transpose/padded), " + formatRatio(1.05),
          std::string("reverted: transpose/vector"), std::string("B is faster."), std::string("by blocks"),
          formatPercent(0.4) + " (5 repeats)", energyRatioText(*ab.energy)})
        EXPECT_THAT(text, HasSubstr(part));
    ASSERT_THAT(section.tables, SizeIs(2));
    EXPECT_EQ(section.tables[0].rows,
              (CellRows{{"M=1", "✓ correct", "0.001", "0.0005", "0.002"}, {"M=2", "✕ too far", "0.5", kNoValue, "0.25"}}));
    EXPECT_EQ(section.tables[1].rows, (CellRows{{"Improvement (old / new)", formatRatio(2.0), ratioText(*ab.ratio)},
                                                {"Time saved", formatPercent(50), formatPercent(50)}}));
    ASSERT_THAT(section.charts, SizeIs(1));
    EXPECT_THAT(section.charts[0].sentence, HasSubstr("10 blocks"));
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
    EXPECT_THAT(pieceOf(section), HasSubstr("k.cu, +3 −2 lines"));
    EXPECT_EQ(section.tables.at(0).rows,
              (CellRows{{"Improvement (old / new)", "not estimated", "not measured"}, {"Time saved", "not estimated", "not measured"}}));
    EXPECT_THAT(section.charts, IsEmpty());
    view.evaluation.emplace();
    view.evaluation->noise.from = "not calibrated";
    EXPECT_THAT(pieceOf(changeSection(material)), HasSubstr(std::string(kNoValue) + " (not calibrated)"));
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
                ElementsAre(formatMoney(3.5) + " (entered, invoice); " + formatMoney(2) + " (derived)", "not entered",
                            formatMoney(1) + " (entered)", formatMoney(15), "not entered"));
    ASSERT_THAT(section.paragraphs, SizeIs(4));
    EXPECT_EQ(section.paragraphs[0], "Grade B: slow.");
    EXPECT_THAT(section.paragraphs[1], HasSubstr(formatMinutes(7)));
    EXPECT_THAT(section.paragraphs[1], HasSubstr(formatMinutes(kBuildTarget)));
    EXPECT_THAT(section.paragraphs[2], HasSubstr(formatMinutes(21)));
    EXPECT_THAT(section.paragraphs[2], HasSubstr(formatMinutes(kBottleneckTarget)));
    material.row = HistoryRow();
    material.row->grade.reason = "open";
    const ReportModel::Section bare = timeSection(material);
    EXPECT_THAT(bare.paragraphs, ElementsAre("Grade: open."));
    EXPECT_EQ(bare.tables.at(1).rows.at(0).at(1), kNoValue);
    EXPECT_EQ(bare.tables.at(1).rows.at(3).at(1), "not known");
    material.row->money.why = "no price";
    EXPECT_EQ(timeSection(material).tables.at(1).rows.at(0).at(1), "not known: no price");
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
    EXPECT_EQ(makeLearnedSection(material).tables.at(0).rows,
              (CellRows{{"Pattern A", formatMinutes(20) + ", " + formatMoney(3), formatMinutes(12) + " (by phases)"},
                        {"Pattern B", formatMoney(4), "not measured: too few"},
                        {"c", kNoValue, "not measured"}}));
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
    EXPECT_EQ(section.tables.at(1).rows,
              (CellRows{{"gpu", "✓ pass", "H200"}, {"ncu (optional)", "✕ fail", kNoValue}, {"disk", "– skipped", "later"}}));
    EXPECT_THAT(section.paragraphs, IsEmpty());
    material.view.build->unavailable = "not recorded";
    EXPECT_THAT(environmentSection(material).tables.at(0).rows, SizeIs(8)) << "all but the build";
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
