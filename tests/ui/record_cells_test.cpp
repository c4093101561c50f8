// SPDX-License-Identifier: MIT
// What each cell of a table of runs, sessions, patterns, checks or differences says of its row: the right field, with its unit, color and
// tooltip; and which rows are found by words.
#include "core/base/format.h"
#include "sessions/patterns/pattern_library.h"
#include "tests/support/snapshot.h"
#include "tests/ui/support/cell_texts.h"
#include "ui/models/env_check_model.h"
#include "ui/models/pattern_table_model.h"
#include "ui/models/run_table_model.h"
#include "ui/models/session_table_model.h"
#include "ui/models/word_filter.h"
#include "ui/pages/compare/difference_model.h"
#include "ui/style/theme.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QRegularExpression>
#include <QStandardItemModel>

namespace kl::ui {
namespace {

QStringList readNumbers(const QString& text)
{
    QStringList numbers;
    for (auto found = QRegularExpression("[0-9]+").globalMatch(text); found.hasNext();)
        numbers << found.next().captured();
    return numbers;
}

TEST(RunCells, AreThoseOfTheirRun)
{
    RunSummary run;
    run.kernel = "transpose/naive";
    run.problem = "M=64,N=32";
    run.device = "NVIDIA H200";
    run.source = Source::import;
    run.startedAt = "2025-11-21T01:45:04.123Z";
    run.correctness = CorrectnessResult::correct;
    run.gpuNs = 8130;
    run.speedup = 1.27;
    run.classId = "dram-bound";
    run.priority = "P1";
    RunSummary bare;
    bare.kernel = "copy/strided";
    bare.source = Source::live;
    bare.device = "NVIDIA L4";
    RunSummary failed = bare;
    failed.status = ResultStatus::compilationFailed;
    RunTableModel model;
    model.setRows({run, bare, failed});
    EXPECT_EQ(sayAll(model, 0).mid(0, 5), (QStringList{"transpose/naive", "M=64,N=32", q(formatTime(8130)), q("1.27×"), "P1 dram-bound"}));
    EXPECT_TRUE(say(model, 0, RunTableModel::Correct).startsWith(q("✓ ")));
    EXPECT_TRUE(say(model, 0, RunTableModel::Device).startsWith("NVIDIA H200 (")) << "an imported one";
    EXPECT_EQ(say(model, 0, RunTableModel::Started, Qt::ToolTipRole), absoluteTime(run.startedAt));
    EXPECT_EQ(say(model, 0, RunTableModel::Kernel, Qt::ToolTipRole), "transpose/naive");
    EXPECT_EQ(say(model, 1, RunTableModel::Device), "NVIDIA L4") << "a live one";
    EXPECT_FALSE(say(model, 1, RunTableModel::Finding).isEmpty()) << "it says that there is none";
    EXPECT_EQ(say(model, 1, RunTableModel::Finding), say(model, 2, RunTableModel::Finding));
    EXPECT_TRUE(say(model, 1, RunTableModel::Correct).startsWith(q("– ")));
    EXPECT_TRUE(say(model, 2, RunTableModel::Correct).startsWith(q("✕ ")));
    run.source = Source::sample;
    RunTableModel recorded;
    recorded.setRows({run});
    EXPECT_NE(say(recorded, 0, RunTableModel::Device), say(model, 0, RunTableModel::Device));
    EXPECT_EQ(readColor(model, 0, RunTableModel::Correct), color(Token::better));
    EXPECT_EQ(readColor(model, 2, RunTableModel::Correct), color(Token::worse));
    EXPECT_FALSE(readColor(model, 0, RunTableModel::Kernel));
    EXPECT_EQ(model.at(3), nullptr);
    EXPECT_EQ(model.at(-1), nullptr);
    EXPECT_EQ(model.at(2)->status, ResultStatus::compilationFailed);
    EXPECT_FALSE(model.headerData(RunTableModel::ColumnCount, Qt::Horizontal, Qt::DisplayRole).isValid());
    EXPECT_FALSE(model.headerData(-1, Qt::Horizontal, Qt::DisplayRole).isValid());
    EXPECT_FALSE(model.headerData(0, Qt::Vertical, Qt::DisplayRole).isValid());
    EXPECT_TRUE(model.headerData(RunTableModel::GpuTime, Qt::Horizontal, Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignRight);
    EXPECT_TRUE(model.headerData(RunTableModel::Kernel, Qt::Horizontal, Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignLeft);
}

TEST(RunCells, SnapshotOfTheirWords)
{
    RunSummary live;
    live.kernel = "copy/strided";
    live.device = "NVIDIA L4";
    live.source = Source::live;
    RunSummary recorded = live, imported = live, failed = live, refuted = live, correct = live;
    recorded.source = Source::sample;
    imported.source = Source::import;
    failed.status = ResultStatus::compilationFailed;
    refuted.status = ResultStatus::validationFailed;
    refuted.correctness = CorrectnessResult::replays;
    correct.correctness = CorrectnessResult::correct;
    RunTableModel model;
    model.setRows({live, recorded, imported, failed, refuted, correct});
    QString text;
    for (int row = 0; row < model.rowCount(); ++row)
        text += say(model, row, RunTableModel::Device) + " | " + say(model, row, RunTableModel::Finding) + " | " +
                say(model, row, RunTableModel::Correct) + u'\n';
    test::expectSnapshot("ui/run-cells.txt", utf8(text));
}

TEST(SessionCells, AreThoseOfTheirSession)
{
    using Model = SessionTableModel;
    HistoryRow row;
    row.name = "N+3";
    row.date = "2026-01-02";
    row.origin = "this database";
    row.objective = "Coalesce";
    row.minutes = {{90, FigureKind::measured, ""}};
    row.budgetMinutes = 240;
    row.gain = 0.9;
    row.speedup = {{1.5, FigureKind::measured, ""}};
    row.patternsApplied = 3;
    row.patternsKnown = 10;
    row.patternsPlanned = true;
    row.status = SessionStatus::complete;
    row.statusText = "reverted";
    row.grade = {"B", "because", FigureKind::measured};
    row.mistakes = {{"blind", 2, 1, 4, "seen so"}, {"large", 3, 0, 0, "and so"}};
    row.money.gpu = {{0.25, FigureKind::entered, "bill"}};
    row.money.assistant = {{1, FigureKind::entered, ""}};
    Model model;
    model.setRows({row});
    EXPECT_EQ(say(model, 0, Model::Name), "N+3");
    EXPECT_EQ(say(model, 0, Model::Objective), "Coalesce");
    EXPECT_EQ(say(model, 0, Model::Minutes), q(formatMinutes(90) + " / " + formatMinutes(240)));
    EXPECT_EQ(say(model, 0, Model::Gain), q(formatRatio(0.9)));
    EXPECT_EQ(say(model, 0, Model::Speedup), q(formatRatio(1.5)));
    EXPECT_EQ(say(model, 0, Model::Patterns), "~3 of 10");
    EXPECT_EQ(say(model, 0, Model::Patterns, Qt::ToolTipRole), "3 of 10, planned");
    EXPECT_EQ(say(model, 0, Model::Grade), "B");
    EXPECT_EQ(say(model, 0, Model::Grade, Qt::ToolTipRole), "because");
    EXPECT_EQ(say(model, 0, Model::Mistakes), "5");
    EXPECT_EQ(say(model, 0, Model::Cost), q("$1.25"));
    EXPECT_EQ(say(model, 0, Model::Name, Qt::ToolTipRole), q("N+3 · 2026-01-02 · this database"));
    EXPECT_EQ(say(model, 0, Model::Status, Qt::ToolTipRole), "reverted");
    const QString mistakes = say(model, 0, Model::Mistakes, Qt::ToolTipRole);
    EXPECT_TRUE(mistakes.startsWith("blind: ")) << mistakes.toStdString();
    EXPECT_EQ(readNumbers(mistakes.section('\n', 0, 0)), (QStringList{"2", "1", "4"})) << "made, caught, made before";
    EXPECT_TRUE(mistakes.contains("seen so"));
    const QStringList cost = say(model, 0, Model::Cost, Qt::ToolTipRole).split('\n');
    ASSERT_EQ(cost.size(), 2);
    EXPECT_TRUE(cost[0].contains("$0.25") && cost[0].contains("bill")) << cost[0].toStdString();
    EXPECT_TRUE(cost[1].contains("$1.00")) << cost[1].toStdString();
    EXPECT_EQ(readColor(model, 0, Model::Gain), color(Token::worse));
    EXPECT_EQ(readColor(model, 0, Model::Speedup), color(Token::better));
    EXPECT_EQ(readColor(model, 0, Model::Status), color(Token::muted)) << "reverted";
    EXPECT_FALSE(readColor(model, 0, Model::Cost));
    row.gain = 1;
    row.speedup = {{0.99, FigureKind::measured, ""}};
    row.status = SessionStatus::open;
    row.patternsKnown.reset();
    row.patternsPlanned = false;
    row.budgetMinutes.reset();
    row.money = {};
    row.money.why = "no price";
    row.mistakes.clear();
    model.setRows({row});
    EXPECT_EQ(readColor(model, 0, Model::Gain), color(Token::better)) << "no slower";
    EXPECT_EQ(readColor(model, 0, Model::Speedup), color(Token::worse));
    EXPECT_EQ(readColor(model, 0, Model::Status), color(Token::accent));
    EXPECT_EQ(say(model, 0, Model::Patterns), "3");
    EXPECT_EQ(say(model, 0, Model::Minutes), q(formatMinutes(90)));
    EXPECT_EQ(say(model, 0, Model::Mistakes), "0") << "an own session made none";
    EXPECT_TRUE(say(model, 0, Model::Cost, Qt::ToolTipRole).contains("no price"));
    row.status = SessionStatus::endedEarly;
    row.sample = true;
    row.gain.reset();
    model.setRows({row});
    EXPECT_EQ(readColor(model, 0, Model::Status), color(Token::worse));
    EXPECT_EQ(say(model, 0, Model::Mistakes), q("–")) << "of a shipped one nothing is known";
    EXPECT_FALSE(readColor(model, 0, Model::Gain));
    row.status = SessionStatus::complete;
    row.statusText = "kept";
    model.setRows({row});
    EXPECT_EQ(readColor(model, 0, Model::Status), color(Token::better));
}

TEST(SessionCells, OnlyFiveGatesHaveAPlaceOfTheirOwn)
{
    HistoryRow row;
    row.gates = {{"G5", "pass", FigureKind::measured, "", "Keep"},
                 {"G6", "fail", FigureKind::measured, ""},
                 {"G0", "stale", FigureKind::measured, ""},
                 {"X1", "waived", FigureKind::measured, "why"},
                 {"G12", "pass", FigureKind::measured, ""}};
    EXPECT_EQ(gateMarks(row), (std::vector<Mark>{Mark::none, Mark::none, Mark::none, Mark::none, Mark::pass}));
    SessionTableModel model;
    model.setRows({row});
    EXPECT_EQ(say(model, 0, SessionTableModel::Gates), q("– – – – ✓ G6 ✕ G0 ↻ X1 ⊘ G12 ✓"));
    const QStringList tips = say(model, 0, SessionTableModel::Gates, Qt::ToolTipRole).split('\n');
    ASSERT_EQ(tips.size(), 5);
    EXPECT_EQ(tips[0], "G5 Keep: pass");
    EXPECT_EQ(tips[3], "X1: waived (why)");
    EXPECT_EQ(parseMark("unknown"), Mark::none);
}

TEST(PatternCells, AreThoseOfTheirPattern)
{
    using Model = PatternTableModel;
    PatternRow row;
    row.pattern.label = "7";
    row.pattern.title = "Pad the tile";
    row.pattern.kind = "own";
    row.pattern.problem = "Columns share a bank.";
    row.pattern.quotedMinutes = 60;
    row.gained.measuredMinutes = 12;
    row.gained.applications = 4;
    row.gained.measuredReturn = 2.5;
    Model model;
    model.setRows({row, {}});
    EXPECT_EQ(sayAll(model, 0), (QStringList{"7", "Pad the tile", "own", q(formatMinutes(60)), q(formatMinutes(12)), "4", q("2.50×")}));
    EXPECT_EQ(say(model, 0, Model::Title, Qt::ToolTipRole), "Columns share a bank.");
    EXPECT_EQ(say(model, 0, Model::Return, Qt::ToolTipRole), returnText(row.gained));
    EXPECT_EQ(say(model, 1, Model::Label), q("–"));
    EXPECT_EQ(say(model, 1, Model::Uses), "0");
    EXPECT_EQ(say(model, 1, Model::Return), q("–"));
    Pattern quoted;
    EXPECT_EQ(formatQuoted(quoted), q("–"));
    quoted.quotedDollars = 3;
    EXPECT_EQ(formatQuoted(quoted), q("$3.00"));
    quoted.quotedMinutes = 60;
    EXPECT_EQ(formatQuoted(quoted), q(formatMinutes(60)));
    quoted.quotedMinutesHigh = 90;
    EXPECT_EQ(formatQuoted(quoted), q(formatMinutes(60) + " to " + formatMinutes(90)));
}

TEST(PatternCells, AReturnNamesWhatItIsMadeOf)
{
    PatternReturn gained;
    const QString unknown = returnText(gained);
    EXPECT_FALSE(unknown.isEmpty());
    gained.investedLow = gained.investedHigh = 120;
    gained.learnedIn = "N+1";
    const QString none = returnText(gained);
    EXPECT_TRUE(none.contains("N+1") && none.contains(q(formatMinutes(120)))) << none.toStdString();
    EXPECT_FALSE(none.contains(" to "));
    EXPECT_NE(none, unknown);
    gained.investedLow = 60;
    EXPECT_TRUE(returnText(gained).contains(q(formatMinutes(60) + " to " + formatMinutes(120))));
    gained.quotedReturn = 4;
    const QString quoted = returnText(gained);
    EXPECT_TRUE(quoted.contains(q("4.00×"))) << quoted.toStdString();
    gained.measuredReturn = 2;
    const QString both = returnText(gained);
    EXPECT_GE(both.indexOf(q("2.00×")), 0) << both.toStdString();
    EXPECT_LT(both.indexOf(q("2.00×")), both.indexOf(q("4.00×"))) << "measured before claimed: " << both.toStdString();
    gained.quotedReturn.reset();
    EXPECT_TRUE(returnText(gained).contains(q("2.00×")) && !returnText(gained).contains(q("4.00×"))) << returnText(gained).toStdString();
    gained.measuredReturn = 4;
    EXPECT_TRUE(returnText(gained).contains(q("4.00×")));
    EXPECT_NE(returnText(gained), quoted) << "it was measured, not claimed";
}

TEST(PatternCells, SnapshotOfTheirReturn)
{
    PatternReturn gained;
    QStringList lines{returnText(gained)};
    gained.learnedIn = "N+1";
    gained.investedLow = 60;
    gained.investedHigh = 120;
    lines << returnText(gained);
    gained.quotedReturn = 4;
    lines << returnText(gained);
    gained.measuredReturn = 2;
    lines << returnText(gained);
    test::expectSnapshot("ui/pattern-returns.txt", utf8(lines.join('\n') + u'\n'));
}

TEST(PatternCells, EveryOccasionHasWordsOfItsOwn)
{
    QStringList words;
    for (const std::string& occasion : occasions()) {
        words << occasionText(occasion);
        EXPECT_NE(words.back(), q(occasion)) << occasion;
    }
    EXPECT_EQ(words.removeDuplicates(), 0);
    EXPECT_EQ(occasionText(occasion::kSpeedupBelow1).contains(q("1×")), true);
    EXPECT_EQ(occasionText("some-day"), "some-day");
}

TEST(EnvironmentCells, AreThoseOfTheirCheck)
{
    using Model = EnvCheckModel;
    Model model;
    model.setRows({{"compute-capability", Requirement::required, CheckResult::pass, "9.0", "why it matters", "buy one"},
                   {"cuda-driver", Requirement::optional, CheckResult::skipped, "", "", ""},
                   {"nvrtc", Requirement::required, CheckResult::fail, "none", "", ""}});
    EXPECT_EQ(say(model, 0, Model::Result), q("✓ ") + markWord(Mark::pass));
    EXPECT_EQ(say(model, 0, Model::Check), checkName("compute-capability"));
    EXPECT_EQ(say(model, 0, Model::Found), "9.0");
    EXPECT_EQ(say(model, 0, Model::Check, Qt::ToolTipRole), "why it matters");
    EXPECT_TRUE(say(model, 1, Model::Result).startsWith(q("– ")));
    EXPECT_NE(say(model, 1, Model::Result), q("– ") + markWord(Mark::none)) << "it was skipped";
    EXPECT_EQ(say(model, 1, Model::Check), checkName("cuda-driver"));
    EXPECT_EQ(say(model, 2, Model::Result), q("✕ ") + markWord(Mark::fail));
    EXPECT_EQ(say(model, 2, Model::Check), checkName("nvrtc"));
    EXPECT_NE(say(model, 0, Model::Needed), say(model, 1, Model::Needed));
    EXPECT_EQ(say(model, 0, Model::Needed), say(model, 2, Model::Needed)) << "both are required";
    EXPECT_FALSE(say(model, 1, Model::Needed).isEmpty());
    EXPECT_EQ(checkName("gpu"), "GPU");
    EXPECT_EQ(checkName("nvrtc"), "NVRTC");
    EXPECT_EQ(checkName("cuda-driver"), "CUDA driver");
    EXPECT_EQ(checkName("disk-space"), "Disk space");
    EXPECT_EQ(readColor(model, 0, Model::Result), color(Token::better));
    EXPECT_FALSE(readColor(model, 0, Model::Found));
}

TEST(EnvironmentCells, SnapshotOfTheirWords)
{
    EnvCheckModel model;
    model.setRows({{"a", Requirement::required, CheckResult::pass, "x", {}, {}},
                   {"b", Requirement::optional, CheckResult::skipped, "", {}, {}},
                   {"c", Requirement::required, CheckResult::fail, "", {}, {}}});
    test::expectSnapshot("ui/environment-cells.txt", utf8(sayTable(model)));
}

TEST(DifferenceCells, AreThoseOfTheirSide)
{
    using Model = DifferenceModel;
    Model model;
    model.setDifferences(
        "left", "right",
        {{"gpu_ns", "1000", "2000", 1.0}, {"driver", "580.1", "580.2", {}}, {"gpu_ns", "1000", "1005", 0.005}, {"speedup", "2", "1", -0.5}},
        true);
    EXPECT_EQ(say(model, 0, Model::NameColumn), "gpu_ns");
    EXPECT_EQ(say(model, 0, Model::AColumn), q(formatTime(1000)));
    EXPECT_EQ(say(model, 0, Model::BColumn), q(formatTime(2000)));
    EXPECT_TRUE(say(model, 0, Model::ChangeColumn).startsWith(q("▼"))) << "longer is worse";
    EXPECT_EQ(readColor(model, 0, Model::ChangeColumn), color(Token::worse));
    EXPECT_EQ(readColor(model, 2, Model::ChangeColumn), color(Token::text)) << "below the noise";
    EXPECT_FALSE(say(model, 2, Model::ChangeColumn).startsWith(q("▼")));
    EXPECT_EQ(readColor(model, 3, Model::ChangeColumn), color(Token::worse)) << "less speedup is worse";
    EXPECT_FALSE(readColor(model, 0, Model::AColumn));
    EXPECT_EQ(say(model, 1, Model::NameColumn, Qt::ToolTipRole), "driver");
    EXPECT_TRUE(say(model, 0, Model::NameColumn, Qt::ToolTipRole).startsWith("gpu_ns\nGPU time"));
    EXPECT_EQ(model.headerData(Model::AColumn, Qt::Horizontal, Qt::DisplayRole).toString(), "left");
    EXPECT_EQ(model.headerData(Model::BColumn, Qt::Horizontal, Qt::DisplayRole).toString(), "right");
    model.setDifferences({}, {}, {}, true);
    EXPECT_EQ(model.headerData(Model::AColumn, Qt::Horizontal, Qt::DisplayRole).toString(), "A");
    EXPECT_EQ(model.headerData(Model::BColumn, Qt::Horizontal, Qt::DisplayRole).toString(), "B");
}

TEST(DifferenceCells, AVersionAndATunableAreNoFigures)
{
    DifferenceModel model;
    model.setDifferences({}, {}, {{"driver", "580.1", "580.2", {}}, {"TILE", "4096", "", {}}}, true);
    EXPECT_EQ(say(model, 0, DifferenceModel::AColumn), "580.1");
    EXPECT_EQ(say(model, 0, DifferenceModel::BColumn), "580.2");
    EXPECT_EQ(say(model, 1, DifferenceModel::AColumn), "4096");
    EXPECT_FALSE(say(model, 1, DifferenceModel::BColumn).isEmpty()) << "it says that there is none";
    EXPECT_FALSE(say(model, 1, DifferenceModel::BColumn).contains(QRegularExpression("[0-9]")));
}

TEST(WordFilter, AllWordsHaveToBeThereInAnyCase)
{
    QStandardItemModel model;
    for (const char* words : {"Gemm forward", "norm forward", "norm backward"}) {
        auto* item = new QStandardItem;
        item->setData(QString::fromLatin1(words), kFilterRole);
        model.appendRow(item);
    }
    WordFilter filter;
    filter.setSourceModel(&model);
    const auto count = [&](const char* words) {
        filter.setWords(QString::fromLatin1(words));
        return filter.rowCount();
    };
    EXPECT_EQ(count(""), 3);
    EXPECT_EQ(count("FORWARD"), 2);
    EXPECT_EQ(count("forward  norm"), 1);
    EXPECT_EQ(count("forward backward"), 0);
    EXPECT_EQ(count("gem"), 1);
    EXPECT_EQ(count("  "), 3);
}

} // namespace
} // namespace kl::ui
