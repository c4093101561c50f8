// SPDX-License-Identifier: MIT
// Columns that are sorted, colored and filtered by their own figure, where a row's figures differ.
#include "core/base/format.h"
#include "core/device/metric_catalog.h"
#include "core/device/run_figures.h"
#include "tests/ui/support/sorted_ids.h"
#include "ui/models/metric_tree_model.h"
#include "ui/models/space_table_model.h"
#include "ui/models/word_filter.h"
#include "ui/style/theme.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

namespace kl::ui {
namespace {

MetricRow metricWith(const char* name, double value, double percent, double baseline, double change)
{
    MetricRow row;
    row.name = name;
    row.value = value;
    row.percent = percent;
    row.baseline = baseline;
    row.change = change;
    return row;
}

TEST(MetricColumns, AreSortedByTheirOwnFigure)
{
    MetricTreeModel model;
    model.setGroups(
        {{"group", {}, {metricWith("a", 1, 30, 200, 0.3), metricWith("b", 2, 10, 300, -0.4), metricWith("c", 3, 20, 100, 0.1)}}});
    using Model = MetricTreeModel;
    const auto sorted = [&](int column) { return sortedIds(model, column, Model::Name, model.index(0, 0)).join(""); };
    EXPECT_EQ(sorted(Model::Value), "abc");
    EXPECT_EQ(sorted(Model::Peak), "bca");
    EXPECT_EQ(sorted(Model::Baseline), "cab");
    EXPECT_EQ(sorted(Model::Change), "bca");
}

TEST(MetricColumns, ShowTheirOwnFigureAndNothingForWhatIsUnknown)
{
    MetricRow known = metricWith("dram__bytes.sum", 5, 40, 4, 0.25);
    known.label = "DRAM traffic";
    known.unit = "bytes";
    known.meaning = "what goes through DRAM";
    MetricRow text;
    text.name = "launch__name";
    text.text = "kernel";
    MetricRow missing;
    missing.name = "other";
    MetricTreeModel model;
    model.setGroups({{"first", "about the first", {known}}, {"second", {}, {text, missing}}});
    using Model = MetricTreeModel;
    const auto cell = [&](int group, int row, int column, int role = Qt::DisplayRole) {
        return model.index(row, column, model.index(group, 0)).data(role).toString();
    };
    EXPECT_EQ(cell(0, 0, Model::Name), "DRAM traffic");
    EXPECT_EQ(cell(0, 0, Model::Metric), "dram__bytes.sum");
    EXPECT_EQ(cell(0, 0, Model::Value), "5");
    EXPECT_EQ(cell(0, 0, Model::Unit), "bytes");
    EXPECT_EQ(cell(0, 0, Model::Peak), q(formatPercent(40)));
    EXPECT_EQ(cell(0, 0, Model::Baseline), "4");
    EXPECT_EQ(cell(0, 0, Model::Change), q(formatDifference(0.25)));
    EXPECT_EQ(cell(0, 0, Model::Meaning), "what goes through DRAM");
    EXPECT_EQ(cell(0, 0, Model::Value, Qt::ToolTipRole).split('\n'), (QStringList{"dram__bytes.sum", "what goes through DRAM"}));
    EXPECT_EQ(cell(1, 0, Model::Name), "launch__name") << "without a name of ours, the metric's";
    EXPECT_EQ(cell(1, 0, Model::Metric), "");
    EXPECT_EQ(cell(1, 0, Model::Value), "kernel");
    EXPECT_EQ(cell(1, 0, Model::Value, Qt::ToolTipRole), "launch__name");
    EXPECT_EQ(cell(1, 1, Model::Value), q(kNoValue));
    for (const int column : {Model::Peak, Model::Baseline, Model::Change})
        EXPECT_EQ(cell(1, 1, column), "") << column;
    const QString words = cell(0, 0, Model::Name, kFilterRole);
    for (const char* part : {"DRAM traffic", "dram__bytes.sum", "what goes through DRAM", "first"})
        EXPECT_TRUE(words.contains(part)) << part;
    EXPECT_TRUE(cell(1, 0, Model::Name, kFilterRole).contains("second"));
    EXPECT_EQ(model.index(0, 0).data(Qt::ToolTipRole).toString(), "about the first");
    EXPECT_TRUE(model.index(1, 0).data().toString().contains("2")) << "how many it has";
    const QModelIndex found = model.find("other");
    EXPECT_EQ(found.row(), 1);
    EXPECT_EQ(found.parent().row(), 1);
    EXPECT_FALSE(model.find("none").isValid());
}

TEST(MetricColumns, AChangeIsColoredByWhatIsBetterForItsMetric)
{
    const char* lower = "gpu__time_duration.sum";
    const char* higher = "sm__warps_active.avg.pct_of_peak_sustained_active";
    ASSERT_TRUE(findMetric(lower) && findMetric(higher));
    ASSERT_EQ(findMetric(lower)->better, Better::lower);
    ASSERT_EQ(findMetric(higher)->better, Better::higher);
    MetricTreeModel model;
    const auto readColor = [&](const char* metric, double change) {
        model.setGroups({{"group", {}, {metricWith(metric, 1, 1, 1, change)}}});
        const QVariant ink = model.index(0, MetricTreeModel::Change, model.index(0, 0)).data(Qt::ForegroundRole);
        EXPECT_FALSE(model.index(0, MetricTreeModel::Value, model.index(0, 0)).data(Qt::ForegroundRole).isValid());
        return ink.isValid() ? ink.value<QColor>() : QColor();
    };
    EXPECT_EQ(readColor(lower, 0.5), color(Token::worse));
    EXPECT_EQ(readColor(lower, -0.5), color(Token::better));
    EXPECT_EQ(readColor(higher, 0.5), color(Token::better));
    EXPECT_EQ(readColor(higher, -0.5), color(Token::worse));
    EXPECT_EQ(readColor(higher, 0.009), QColor()) << "noise";
    EXPECT_EQ(readColor(lower, -0.009), QColor());
    EXPECT_EQ(readColor("no__such.metric", 0.5), QColor());
}

SpaceRow rejectedPoint(const char* id, double value, double limit, int registers, std::int64_t local)
{
    SpaceRow row;
    row.changed["id"] = std::string(id);
    row.point.verdicts.front().value = value;
    row.point.verdicts.front().limit = limit;
    row.point.verdicts.front().reason = std::string("reason of the gate of ") + id;
    row.point.rejectedBy = 0;
    row.compiled.emplace();
    row.compiled->built.launches.resize(2);
    row.compiled->built.launches[0].registers = registers;
    row.compiled->built.launches[1].stackBytes = local;
    return row;
}

TEST(SpaceColumns, AreSortedByTheirOwnFigureOfTheWorstLaunch)
{
    SpaceTableModel model;
    model.setRows({rejectedPoint("a", 1, 300, 20, 8), rejectedPoint("b", 2, 100, 30, 4), rejectedPoint("c", 3, 200, 10, 6)});
    using Model = SpaceTableModel;
    const auto sorted = [&](int column) { return sortedIds(model, column, Model::Point).join("").remove("id="); };
    EXPECT_EQ(sorted(Model::Found), "abc");
    EXPECT_EQ(sorted(Model::Limit), "bca");
    EXPECT_EQ(sorted(Model::Registers), "cab");
    EXPECT_EQ(sorted(Model::Local), "bca");
    EXPECT_EQ(model.index(0, Model::Registers).data().toString(), "20");
    EXPECT_TRUE(model.index(0, Model::Local).data().toString().startsWith('8')) << "of any launch";
}

TEST(SpaceColumns, TheVerdictAndItsReasonAreOfWhatRejects)
{
    SpaceRow row = rejectedPoint("a", 1, 2, 20, 0);
    row.point.verdicts[static_cast<std::size_t>(SpaceGate::occupancy)].reason = "reason of the occupancy";
    row.compiled->verdict.reason = "reason of the compiler";
    SpaceTableModel model;
    using Model = SpaceTableModel;
    const auto cell = [&](int column) {
        model.setRows({row});
        return model.index(0, column).data().toString();
    };
    const auto ink = [&] {
        model.setRows({row});
        return model.index(0, Model::Gate).data(Qt::ForegroundRole).value<QColor>();
    };
    const QString failed = markSign(Mark::fail), passed = markSign(Mark::pass);
    EXPECT_TRUE(cell(Model::Gate).startsWith(failed));
    EXPECT_EQ(cell(Model::Why), "reason of the gate of a") << "the gates come before the compiler";
    EXPECT_EQ(ink(), color(Token::worse));
    row.point.rejectedBy.reset();
    EXPECT_TRUE(cell(Model::Gate).startsWith(passed));
    EXPECT_EQ(cell(Model::Why), "reason of the compiler");
    EXPECT_EQ(cell(Model::Found), "") << "no gate rejects it";
    EXPECT_EQ(ink(), color(Token::better));
    row.compiled->verdict.pass = false;
    QStringList verdicts;
    for (const char* gate : {"compile", "spills", "occupancy"}) {
        row.compiled->verdict.gate = gate;
        verdicts << cell(Model::Gate);
        EXPECT_TRUE(verdicts.back().startsWith(failed)) << gate;
        EXPECT_EQ(ink(), color(Token::worse)) << gate;
    }
    EXPECT_TRUE(verdicts[1].contains("pill")) << verdicts[1].toStdString();
    EXPECT_EQ(verdicts.removeDuplicates(), 0);
    row.compiled.reset();
    EXPECT_TRUE(cell(Model::Gate).startsWith(passed));
    EXPECT_EQ(cell(Model::Why), "reason of the occupancy");
    EXPECT_EQ(cell(Model::Registers), "") << "not compiled";
    row.changed.clear();
    EXPECT_FALSE(cell(Model::Point).contains("id")) << "the default";
}

TEST(SpaceColumns, AGatesFigureHasTheUnitOfTheGate)
{
    EXPECT_EQ(gateFigure(SpaceGate::sharedMemory, 12288), q(formatWithUnit(12288, "B")));
    EXPECT_EQ(gateFigure(SpaceGate::occupancy, 50), q(formatPercent(50)));
    EXPECT_EQ(gateFigure(SpaceGate::coalescing, 25), q(formatPercent(25)));
    EXPECT_EQ(gateFigure(SpaceGate::threads, 1024), q(formatCount(1024)));
    EXPECT_EQ(gateFigure(SpaceGate::registers, 96), q(formatCount(96)));
    EXPECT_TRUE(gateFigure(SpaceGate::bankConflicts, 8).contains('8'));
    EXPECT_FALSE(gateFigure(SpaceGate::bankConflicts, 1).contains('1')) << "no conflict";
    EXPECT_TRUE(gateFigure(SpaceGate::bankConflicts, 2).contains('2'));
    EXPECT_EQ(gateFigure(SpaceGate::occupancy, {}), q(kNoValue));
}

} // namespace
} // namespace kl::ui
