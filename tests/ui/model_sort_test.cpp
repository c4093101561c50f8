// SPDX-License-Identifier: MIT
// Tables sort by what a cell stands for, not by its text: 9 before 10, µs before ms, and what is missing on one side.
#include "tests/ui/support/sorted_ids.h"
#include "ui/models/compiled_table_model.h"
#include "ui/models/env_check_model.h"
#include "ui/models/kernel_tree_model.h"
#include "ui/models/metric_tree_model.h"
#include "ui/models/pattern_table_model.h"
#include "ui/models/run_table_model.h"
#include "ui/models/session_table_model.h"
#include "ui/models/space_table_model.h"
#include "ui/models/sweep_table_model.h"
#include "ui/models/tuned_table_model.h"
#include "ui/style/theme.h"

#include <gtest/gtest.h>

#include <QRegularExpression>

namespace kl::ui {
namespace {

/// Figures whose texts sort otherwise.
constexpr double kSmall = 9, kMiddle = 10, kLarge = 1e6;
const QStringList kBySize{"missing", "small", "middle", "large"}; ///< ids, ascending; what is missing is below every measurement
const QStringList kMissingLast{"small", "middle", "large", "missing"};

/// Four rows in another order than any that is wanted.
template <class Row> std::vector<Row> makeRows(const std::function<void(Row& row, const char* id, std::optional<double> figure)>& fill)
{
    std::vector<Row> rows(4);
    fill(rows[0], "large", kLarge);
    fill(rows[1], "small", kSmall);
    fill(rows[2], "missing", {});
    fill(rows[3], "middle", kMiddle);
    return rows;
}

TEST(SortedTables, RunsAreSortedByFiguresAndTime)
{
    RunTableModel model;
    model.setRows(makeRows<RunSummary>([](RunSummary& run, const char* id, std::optional<double> figure) {
        run.kernel = id;
        run.gpuNs = run.speedup = figure;
    }));
    for (const int column : {RunTableModel::GpuTime, RunTableModel::Speedup})
        EXPECT_EQ(sortedIds(model, column), kBySize) << column;
    RunSummary older, newer;
    older.kernel = "older";
    older.startedAt = "2025-12-31T23:59:59.000Z";
    newer.kernel = "newer";
    newer.startedAt = "2026-01-01T00:00:00.000Z";
    older.source = newer.source = Source::live; // their texts are ages
    model.setRows({newer, older});
    EXPECT_EQ(sortedIds(model, RunTableModel::Started), (QStringList{"older", "newer"}));
}

TEST(SortedTables, KernelsAreSortedByFiguresAndTime)
{
    KernelTreeModel model;
    std::vector<KernelRow> rows = makeRows<KernelRow>([](KernelRow& row, const char* id, std::optional<double> figure) {
        row.name = row.shortName = id;
        row.ns = row.totalNs = row.share = row.roofPercent = row.speedup = row.savedNs = figure;
        row.threads = figure.value_or(0);
        row.calls = static_cast<std::int64_t>(figure.value_or(1));
        row.shape = QString::number(figure.value_or(0));
    });
    rows[0].startedAt = "2026-01-03T00:00:00.000Z";
    rows[1].startedAt = "2026-01-01T00:00:00.000Z";
    rows[2].startedAt = "2025-12-31T00:00:00.000Z";
    rows[3].startedAt = "2026-01-02T00:00:00.000Z";
    model.setRows(std::move(rows));
    using Model = KernelTreeModel;
    for (const int column :
         {Model::Shape, Model::Calls, Model::Time, Model::Total, Model::Share, Model::Roof, Model::Speedup, Model::Saved, Model::Started})
        EXPECT_EQ(sortedIds(model, column), kBySize) << column;
}

TEST(SortedTables, SessionsAreSortedByFiguresAndDate)
{
    SessionTableModel model;
    std::vector<HistoryRow> rows = makeRows<HistoryRow>([](HistoryRow& row, const char* id, std::optional<double> figure) {
        row.name = id;
        row.sample = true; // so that no mistakes are unknown ones
        row.gain = figure;
        if (!figure)
            return;
        row.minutes = row.speedup = row.money.gpu = {{*figure, FigureKind::measured, ""}};
        row.patternsApplied = static_cast<int>(*figure);
        row.mistakes.resize(1);
        row.mistakes.front().count = static_cast<int>(*figure);
    });
    rows[0].date = "2026-01-02";
    rows[1].date = "2025-12-31";
    rows[2].date = "2025-11-30";
    rows[3].date = "2026-01-01";
    model.setRows(std::move(rows));
    using Model = SessionTableModel;
    for (const int column : {Model::Name, Model::Minutes, Model::Gain, Model::Speedup, Model::Patterns, Model::Mistakes, Model::Cost})
        EXPECT_EQ(sortedIds(model, column), kBySize) << column;
}

TEST(SortedTables, PatternsAreSortedByFiguresAndNumber)
{
    PatternTableModel model;
    model.setRows(makeRows<PatternRow>([](PatternRow& row, const char* id, std::optional<double> figure) {
        row.pattern.title = id;
        row.pattern.label = figure ? std::to_string(static_cast<int>(*figure)) : std::string();
        row.pattern.quotedMinutes = row.gained.measuredMinutes = row.gained.measuredReturn = figure;
        row.gained.applications = static_cast<int>(figure.value_or(0));
    }));
    using Model = PatternTableModel;
    for (const int column : {Model::Label, Model::Quoted, Model::Measured, Model::Uses, Model::Return})
        EXPECT_EQ(sortedIds(model, column, Model::Title), kBySize) << column;
}

TEST(SortedTables, MetricsAreSortedByFigures)
{
    MetricTreeModel model;
    model.setGroups({{"group", {}, makeRows<MetricRow>([](MetricRow& row, const char* id, std::optional<double> figure) {
                          row.name = id;
                          row.value = row.percent = row.baseline = row.change = figure;
                      })}});
    using Model = MetricTreeModel;
    for (const int column : {Model::Value, Model::Peak, Model::Baseline, Model::Change})
        EXPECT_EQ(sortedIds(model, column, Model::Name, model.index(0, 0)), kMissingLast) << column;
}

TEST(SortedTables, PointsOfASpaceAreSortedByFigures)
{
    SpaceTableModel model;
    model.setRows(makeRows<SpaceRow>([](SpaceRow& row, const char* id, std::optional<double> figure) {
        row.changed["id"] = std::string(id);
        GateVerdict& verdict = row.point.verdicts.front();
        verdict.value = verdict.limit = figure;
        row.point.rejectedBy = 0;
        if (!figure)
            return;
        row.compiled.emplace();
        row.compiled->built.launches.resize(1);
        row.compiled->built.launches.front().registers = static_cast<int>(*figure);
        row.compiled->built.launches.front().stackBytes = static_cast<std::int64_t>(*figure);
    }));
    using Model = SpaceTableModel;
    const QStringList wanted = QStringList(kBySize).replaceInStrings(QRegularExpression("^"), "id=");
    for (const int column : {Model::Found, Model::Limit, Model::Registers, Model::Local})
        EXPECT_EQ(sortedIds(model, column, Model::Point), wanted) << column;
}

TEST(SortedTables, FailedPointsAndSizesComeLast)
{
    const QStringList wanted = QStringList(kMissingLast).replaceInStrings(QRegularExpression("^"), "id=");
    TunedTableModel tuned;
    tuned.setRows(makeRows<TunedRow>([](TunedRow& row, const char* id, std::optional<double> figure) {
        row.changed["id"] = std::string(id);
        row.point.ns = row.times = figure;
    }));
    for (const int column : {TunedTableModel::Time, TunedTableModel::Slower})
        EXPECT_EQ(sortedIds(tuned, column, TunedTableModel::Point), wanted) << column;
    SweepTableModel swept;
    swept.setRows(makeRows<SweepRow>([](SweepRow& row, const char* id, std::optional<double> figure) {
        row.problem["id"] = std::string(id);
        if (!figure)
            return;
        row.run.emplace();
        row.run->timing.emplace();
        row.run->timing->gpu = {*figure, *figure, *figure, 3};
    }));
    EXPECT_EQ(sortedIds(swept, SweepTableModel::Time, SweepTableModel::Problem), wanted);
}

TEST(SortedTables, CompiledKernelsAreSortedByFigures)
{
    std::vector<CompiledLaunch> launches(3);
    const std::pair<const char*, int> figures[] = {{"large", 1000}, {"small", 9}, {"middle", 10}};
    for (std::size_t i = 0; i < launches.size(); ++i) {
        launches[i].entry = figures[i].first;
        launches[i].threads = launches[i].registers = figures[i].second;
        launches[i].stackBytes = launches[i].spillLoads = launches[i].staticSmem = launches[i].dynamicSmem = figures[i].second;
    }
    CompiledTableModel model;
    model.setLaunches(launches, SmLimits{});
    using Model = CompiledTableModel;
    for (const int column : {Model::Threads, Model::Registers, Model::Local, Model::Spilled, Model::StaticSmem, Model::DynamicSmem})
        EXPECT_EQ(sortedIds(model, column), (QStringList{"small", "middle", "large"})) << column;
}

TEST(SortedTables, ChecksOfTheEnvironmentBeginWithWhatFailed)
{
    EnvCheckModel model;
    model.setRows({{"passed", Requirement::required, CheckResult::pass, {}, {}, {}},
                   {"optional", Requirement::optional, CheckResult::fail, {}, {}, {}},
                   {"skipped", Requirement::required, CheckResult::skipped, {}, {}, {}},
                   {"required", Requirement::required, CheckResult::fail, {}, {}, {}}});
    const QStringList sorted = sortedIds(model, EnvCheckModel::Result, EnvCheckModel::Check);
    EXPECT_EQ(sorted.value(0), "Required");
    EXPECT_EQ(sorted.value(1), "Optional");
    const auto readColor = [&](int row) { return model.index(row, EnvCheckModel::Result).data(Qt::ForegroundRole).value<QColor>(); };
    EXPECT_EQ(readColor(1), color(Token::waived)) << "an optional one does not stand in the way";
    EXPECT_EQ(readColor(3), color(Token::worse));
}

} // namespace
} // namespace kl::ui
