// SPDX-License-Identifier: MIT
#include "core/model/model_words.h"
#include "sessions/learning/scripted.h"
#include "ui/models/pattern_table_model.h"
#include "ui/models/run_table_model.h"
#include "ui/models/session_table_model.h"
#include "ui/style/theme.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QAbstractProxyModel>
#include <QColor>

namespace kl::ui {
namespace {

// The tester warns, and the message handler of main.cpp turns a warning into a failure: its QtTest mode passes broken models here.
constexpr auto kTesterMode = QAbstractItemModelTester::FailureReportingMode::Warning;

RunSummary makeRun(const std::string& kernel, std::optional<double> ns, std::optional<double> speedup)
{
    RunSummary run;
    run.id.text = kernel;
    run.kernel = kernel;
    run.problem = "M=4096,N=4096";
    run.device = "NVIDIA H200";
    run.source = Source::sample;
    run.startedAt = "2025-11-21T01:45:04.123Z";
    run.correctness = CorrectnessResult::correct;
    run.gpuNs = ns;
    run.speedup = speedup;
    return run;
}

HistoryRow makeSession(const std::string& name)
{
    HistoryRow row;
    row.id = "sample:" + name;
    row.name = name;
    row.minutes = {{180, FigureKind::quoted, "visual guide"}, {510, FigureKind::quoted, "learning-system guide"}};
    row.budgetMinutes = 240;
    row.speedup = {{0.09, FigureKind::quoted, ""}};
    row.gates = {
        {"G1", "pass", FigureKind::quoted, ""}, {"G2", "fail", FigureKind::quoted, ""}, {"G5", "waived", FigureKind::quoted, "note"}};
    row.status = SessionStatus::complete;
    row.sample = true;
    return row;
}

template <class Model> QString readText(const Model& model, int row, int column)
{
    return model.index(row, column).data().toString();
}

TEST(RunTableModel, PassesTheModelTester)
{
    RunTableModel model;
    QAbstractItemModelTester tester(&model, kTesterMode);
    model.setRows({makeRun("transpose/naive", 81300, 0.4), makeRun("copy/strided", {}, {})});
    EXPECT_EQ(model.rowCount(), 2);
    model.setRows({});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(RunTableModel, FormatsAndSortsByRawValue)
{
    RunTableModel model;
    model.setRows({makeRun("a/b", 8130, 1.27), makeRun("c/d", {}, {})});
    EXPECT_EQ(readText(model, 0, RunTableModel::GpuTime), QString::fromUtf8("8.13\u202fµs"));
    EXPECT_EQ(readText(model, 0, RunTableModel::Speedup), QString::fromUtf8("1.27×"));
    EXPECT_EQ(model.index(0, RunTableModel::GpuTime).data(kSortRole).toDouble(), 8130);
    EXPECT_EQ(readText(model, 1, RunTableModel::GpuTime), QString::fromUtf8("–"));
    EXPECT_LT(model.index(1, RunTableModel::GpuTime).data(kSortRole).toDouble(), 0);
    const QString device = readText(model, 0, RunTableModel::Device);
    EXPECT_TRUE(device.startsWith(q(model.at(0)->device) + " (")) << "where it is from: " << device.toStdString();
}

TEST(RunTableModel, ASpeedupBelowOneIsDrawnAsWorse)
{
    RunTableModel model;
    model.setRows({makeRun("a/b", 8130, 1.27), makeRun("c/d", 8130, 1.0), makeRun("e/f", 8130, 0.4), makeRun("g/h", 8130, {})});
    const auto readColor = [&](int row) { return model.index(row, RunTableModel::Speedup).data(Qt::ForegroundRole).value<QColor>(); };
    EXPECT_EQ(readColor(0), color(Token::better));
    EXPECT_EQ(readColor(1), color(Token::better));
    EXPECT_EQ(readColor(2), color(Token::worse));
    EXPECT_FALSE(model.index(3, RunTableModel::Speedup).data(Qt::ForegroundRole).isValid());
}

TEST(RunTableModel, NumbersAreRightAligned)
{
    RunTableModel model;
    model.setRows({makeRun("a/b", 8130, 1.27)});
    EXPECT_TRUE(model.index(0, RunTableModel::GpuTime).data(Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignRight);
    EXPECT_TRUE(model.index(0, RunTableModel::Kernel).data(Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignLeft);
}

TEST(RunTableModel, AWrongKernelIsMarkedFailed)
{
    RunTableModel model;
    RunSummary wrong = makeRun("a/b", 8130, {});
    wrong.correctness = CorrectnessResult::incorrect;
    model.setRows({wrong});
    EXPECT_TRUE(readText(model, 0, RunTableModel::Correct).startsWith(QString::fromUtf8("✕")));
}

TEST(RunTableModel, ARefutedRunShowsItsWordAndWhatRefutesIt)
{
    RunTableModel model;
    RunSummary refuted = makeRun("a/b", {}, {});
    refuted.status = ResultStatus::validationFailed;
    refuted.correctness = CorrectnessResult::replays;
    refuted.refutation = "It was not computed.";
    model.setRows({refuted});
    EXPECT_EQ(readText(model, 0, RunTableModel::Correct), QString::fromUtf8("✕ ") + q(toWord(CorrectnessResult::replays)));
    EXPECT_TRUE(model.index(0, RunTableModel::Correct).data(Qt::ToolTipRole).toString().contains("It was not computed."));
}

TEST(SessionTableModel, PassesTheModelTester)
{
    SessionTableModel model;
    QAbstractItemModelTester tester(&model, kTesterMode);
    model.setRows({makeSession("N"), makeSession("N+1")});
    EXPECT_EQ(model.columnCount(), SessionTableModel::ColumnCount);
}

TEST(SessionTableModel, ShowsFiveGateMarks)
{
    const auto marks = gateMarks(makeSession("N"));
    EXPECT_EQ(marks, (std::vector<Mark>{Mark::pass, Mark::fail, Mark::none, Mark::none, Mark::waived}));
    SessionTableModel model;
    model.setRows({makeSession("N")});
    EXPECT_EQ(readText(model, 0, SessionTableModel::Gates), QString::fromUtf8("✓ ✕ – – ⊘"));
}

TEST(SessionTableModel, AKindWithGatesOfItsOwnShowsTheirIds)
{
    HistoryRow debugging = makeSession("N");
    debugging.gates = {{"D1", "pass", FigureKind::measured, ""}, {"D2", "fail", FigureKind::measured, ""}};
    HistoryRow none = makeSession("N+1");
    none.gates.clear();
    SessionTableModel model;
    model.setRows({debugging, none});
    EXPECT_EQ(readText(model, 0, SessionTableModel::Gates), QString::fromUtf8("D1 ✓ D2 ✕"));
    EXPECT_EQ(readText(model, 1, SessionTableModel::Gates), QString::fromUtf8("–"));
}

TEST(SessionTableModel, TheOutcomeIsTheCommandLines)
{
    HistoryRow kept = makeSession("N");
    kept.sample = false;
    kept.statusText = "kept";
    HistoryRow reverted = kept;
    reverted.statusText = "reverted";
    HistoryRow abandoned = kept;
    abandoned.statusText = "abandoned";
    abandoned.status = SessionStatus::endedEarly;
    HistoryRow shipped = makeSession("N+1");
    shipped.statusText = "two sentences. of a document.";
    HistoryRow open = kept;
    open.status = SessionStatus::open;
    open.statusText = "open";
    SessionTableModel model;
    model.setRows({kept, reverted, abandoned, shipped, open});
    const auto text = [&](int row) { return readText(model, row, SessionTableModel::Status); };
    EXPECT_EQ(text(0), QString::fromUtf8("✓ kept"));
    EXPECT_EQ(text(1), QString::fromUtf8("– reverted"));
    EXPECT_EQ(text(2), QString::fromUtf8("✕ abandoned"));
    EXPECT_EQ(text(3), QString::fromUtf8("✓ ") + q(nameOutcome(shipped))) << "not its sentences";
    EXPECT_FALSE(text(3).contains("sentences"));
    EXPECT_EQ(text(4), QString::fromUtf8("● open"));
}

TEST(SessionTableModel, ACostOfADefaultPriceIsMarkedAsDerived)
{
    HistoryRow derived = makeSession("N");
    derived.money.gpu = {{0.25, FigureKind::derived, ""}};
    derived.money.assistant = {{1, FigureKind::entered, ""}};
    HistoryRow billed = derived;
    billed.money.gpu = {{0.25, FigureKind::entered, ""}, {0.5, FigureKind::derived, ""}};
    SessionTableModel model;
    model.setRows({derived, billed});
    EXPECT_EQ(readText(model, 0, SessionTableModel::Cost), q("~$1.25"));
    EXPECT_EQ(readText(model, 1, SessionTableModel::Cost), q("$1.25"));
}

TEST(SessionTableModel, ASessionDrivenByAScriptHasItsTag)
{
    HistoryRow scripted = makeSession("N");
    scripted.kind = nameScriptedKind("optimize");
    SessionTableModel model;
    model.setRows({scripted, makeSession("N+1")});
    EXPECT_EQ(readText(model, 0, SessionTableModel::Name), QStringLiteral("N #scripted"));
    EXPECT_EQ(readText(model, 1, SessionTableModel::Name), QStringLiteral("N+1"));
}

TEST(SessionTableModel, TooltipNamesEveryFigureWithItsOrigin)
{
    SessionTableModel model;
    model.setRows({makeSession("N")});
    const QString tip = model.index(0, SessionTableModel::Minutes).data(Qt::ToolTipRole).toString();
    EXPECT_TRUE(tip.contains("claimed, visual guide"));
    EXPECT_TRUE(tip.contains("learning-system guide"));
    EXPECT_TRUE(readText(model, 0, SessionTableModel::Minutes).contains(" / "));
}

TEST(SessionTableModel, NothingRecordedIsADash)
{
    HistoryRow row;
    row.name = "N+9";
    SessionTableModel model;
    model.setRows({row});
    for (const int column : {SessionTableModel::Speedup, SessionTableModel::Patterns, SessionTableModel::Cost})
        EXPECT_EQ(readText(model, 0, column), QString::fromUtf8("–"));
    EXPECT_FALSE(sumCost(row));
}

TEST(PatternTableModel, PassesTheModelTesterAndKeepsQuotedApart)
{
    PatternRow row;
    row.pattern.slug = "iterative-debugging-loop";
    row.pattern.label = "12";
    row.pattern.title = "Iterative debugging loop";
    row.pattern.quotedMinutes = 120;
    row.pattern.quotedMinutesHigh = 240;
    row.gained.measuredMinutes = 12;
    PatternTableModel model;
    QAbstractItemModelTester tester(&model, kTesterMode);
    model.setRows({row, PatternRow{}});
    EXPECT_TRUE(readText(model, 0, PatternTableModel::Quoted).contains("to"));
    EXPECT_EQ(readText(model, 0, PatternTableModel::Measured), QString::fromUtf8("12\u202fmin"));
    EXPECT_EQ(readText(model, 1, PatternTableModel::Measured), QString::fromUtf8("–"));
}

TEST(DataTable, SortsByValueAndCopiesAsTsv)
{
    RunTableModel model;
    model.setRows({makeRun("slow", 9000, {}), makeRun("fast", 80, {}), makeRun("missing", {}, {})});
    DataTable table("test-runs");
    table.setSource(&model);
    table.sortByColumn(RunTableModel::GpuTime, Qt::AscendingOrder);
    const QStringList lines = table.tsv(false).split('\n');
    ASSERT_EQ(lines.size(), 4);
    EXPECT_TRUE(lines[0].startsWith("Kernel\tProblem"));
    EXPECT_TRUE(lines[1].startsWith("missing"));
    EXPECT_TRUE(lines[2].startsWith("fast"));
    table.selectRow(2);
    EXPECT_EQ(table.sourceRow(), 0);
    EXPECT_EQ(table.tsv(true).split('\n').size(), 2);
}

} // namespace
} // namespace kl::ui
