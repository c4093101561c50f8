// SPDX-License-Identifier: MIT
// Headers, alignment, colors and long forms of tables over code, metrics, sessions and searches.
#include "core/base/format.h"
#include "core/device/metric_catalog.h"
#include "ui/models/code_diff_model.h"
#include "ui/models/code_table_model.h"
#include "ui/models/compiled_table_model.h"
#include "ui/models/env_check_model.h"
#include "ui/models/metric_rows.h"
#include "ui/models/metric_tree_model.h"
#include "ui/models/pattern_table_model.h"
#include "ui/models/run_table_model.h"
#include "ui/models/session_table_model.h"
#include "ui/models/space_table_model.h"
#include "ui/models/sweep_table_model.h"
#include "ui/models/tuned_table_model.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

namespace kl::ui {
namespace {

SharedCode listedCode(const std::vector<std::tuple<const char*, std::int64_t, int>>& rows)
{
    KernelCode code;
    code.language = CodeLanguage::sass;
    code.stalls = {"selected"};
    for (const auto& [text, samples, live] : rows) {
        CodeInstruction& one = code.instructions.emplace_back();
        one.offset = 16 * static_cast<std::int64_t>(code.instructions.size() - 1);
        one.text = text;
        one.samples = samples;
        one.stalls = {samples};
        if (live > 0)
            one.liveRegisters = live;
    }
    return SharedCode(std::move(code));
}

TEST(CodeDiffCells, AnotherOperandIsMarkedAndWhatIsTheSameIsMuted)
{
    CodeDiffModel model;
    model.setCode(listedCode({{"LDG R1, [R2]", 50, 0}, {"FFMA R1, R2, R3", 50, 0}, {"EXIT", 0, 0}}), 1000.0,
                  listedCode({{"LDG R1, [R4]", 50, 0}, {"FFMA R1, R2, R3", 50, 0}, {"BRA 0x10", 0, 0}, {"EXIT", 0, 0}}), 1001.0);
    ASSERT_EQ(model.rowCount(), 4);
    const auto cell = [&](int row, int column) { return model.index(row, column).data().toString(); };
    const auto ink = [&](int row, int column) { return model.index(row, column).data(Qt::ForegroundRole); };
    EXPECT_EQ(cell(0, CodeDiffModel::Mark), "~");
    EXPECT_EQ(cell(1, CodeDiffModel::Mark), "");
    EXPECT_EQ(cell(2, CodeDiffModel::Mark), "+");
    EXPECT_FALSE(ink(0, CodeDiffModel::TextA).isValid());
    EXPECT_EQ(ink(1, CodeDiffModel::TextA).value<QColor>(), color(Token::muted));
    EXPECT_FALSE(ink(2, CodeDiffModel::TextB).isValid()) << "what is new stands out";
    EXPECT_EQ(cell(0, CodeDiffModel::TextA), "0000  LDG R1, [R2]");
    EXPECT_EQ(cell(2, CodeDiffModel::TextB), "0020  BRA 0x10");
    EXPECT_EQ(cell(0, CodeDiffModel::Moved), q("+" + formatTime(0.5)));
    EXPECT_EQ(cell(2, CodeDiffModel::Moved), "") << "less than half a nanosecond";
    EXPECT_TRUE(model.index(0, CodeDiffModel::Moved).data(Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignRight);
    EXPECT_TRUE(model.index(0, CodeDiffModel::TextB).data(Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignLeft);
    QStringList names;
    for (int column = 0; column < CodeDiffModel::ColumnCount; ++column)
        names << model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    EXPECT_EQ(names, (QStringList{"Change", "A", "B", "Time"}));
    EXPECT_FALSE(model.headerData(0, Qt::Vertical, Qt::DisplayRole).isValid());
}

TEST(CodeDiffCells, TheSummaryNamesRegistersAndTheSixOpcodesThatDifferMost)
{
    CodeDiffModel model;
    model.setCode(listedCode({{"AAA R1", 0, 40}, {"LDL R1", 0, 0}}), {},
                  listedCode({{"BBB R1", 0, 44},
                              {"CCC R1", 0, 0},
                              {"CCC R1", 0, 0},
                              {"DDD R1", 0, 0},
                              {"EEE R1", 0, 0},
                              {"FFF R1", 0, 0},
                              {"GGG R1", 0, 0},
                              {"HHH R1", 0, 0}}),
                  {});
    const QStringList lines = model.summary(32, 48).split('\n');
    ASSERT_EQ(lines.size(), 2);
    const QStringList parts = lines[0].split(q(" · "));
    ASSERT_EQ(parts.size(), 4);
    EXPECT_TRUE(parts[0].endsWith(q("32 → 48")));
    EXPECT_TRUE(parts[1].endsWith(q("40 → 44"))) << "live registers";
    EXPECT_TRUE(parts[2].endsWith(q("1 → 0"))) << "spills";
    EXPECT_TRUE(parts[3].startsWith("8 ")) << "added";
    const QStringList opcodes = lines[1].split(q(" · "));
    ASSERT_EQ(opcodes.size(), 6);
    EXPECT_EQ(opcodes[0], q("CCC 0 → 2"));
    EXPECT_EQ(model.summary(0, 48).split('\n')[0].split(q(" · ")).size(), 3) << "registers of one side alone say nothing";
    EXPECT_EQ(model.summary(32, 32).split(q(" · "))[0].count(q("→")), 0);
    model.setCode(listedCode({{"EXIT", 100, 0}}), 1000.0, listedCode({{"EXIT", 100, 0}}), 400.0);
    EXPECT_EQ(model.summary(0, 0).split('\n')[1], q("EXIT 1 "
                                                    "\u2212" +
                                                    formatTime(600)))
        << "as many, but quicker";
}

SharedCode manyStalls()
{
    KernelCode code;
    code.language = CodeLanguage::sass;
    code.functions = {"kernel", "helper"};
    code.files = {"a.cu"};
    code.stalls = {"barrier", "selected", "long_scoreboard", "wait", "math_pipe_throttle", "branch_resolve", "drain"};
    code.instructions.resize(3);
    CodeInstruction& one = code.instructions[0];
    one.text = "LDS R1, [R2]";
    one.file = 0;
    one.line = 7;
    one.stalls = {6, 100, 50, 40, 30, 20, 5};
    one.samples = 251;
    one.executed = 1000;
    one.sectors = 32;
    one.idealSectors = 8;
    one.wavefronts = 20;
    one.idealWavefronts = 4;
    code.instructions[1].text = "FFMA R1";
    code.instructions[1].line = 7;
    code.instructions[1].file = 0;
    code.instructions[2].text = "EXIT";
    return SharedCode(std::move(code));
}

TEST(CodeColumns, FiveStallsAreNamedTheRestIsOther)
{
    CodeTableModel model;
    model.setCode(manyStalls());
    ASSERT_EQ(model.parts().size(), 7) << "five, other, not stalled";
    EXPECT_EQ(model.parts()[0], q(kl::stallTitle("long_scoreboard")));
    EXPECT_EQ(model.parts()[4], q(kl::stallTitle("barrier")));
    EXPECT_EQ(model.sumParts(*model.at(0)), (std::vector<std::int64_t>{50, 40, 30, 20, 6, 5, 100}));
    EXPECT_EQ(model.samples(), (std::vector<std::int64_t>{251, 0, 0}));
}

TEST(CodeColumns, HaveTheirHeadersHelpAndAlignment)
{
    CodeTableModel model;
    model.setCode(manyStalls());
    QStringList names, help;
    for (int column = 0; column < CodeTableModel::ColumnCount; ++column) {
        names << model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        help << model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
    }
    EXPECT_EQ(names.size(), CodeTableModel::ColumnCount);
    EXPECT_EQ(names[CodeTableModel::Samples], "Samples");
    EXPECT_EQ(names[CodeTableModel::Executed], "Executed");
    EXPECT_EQ(names[CodeTableModel::Threads], "Threads");
    EXPECT_EQ(names[CodeTableModel::Sectors], "Sectors / ideal");
    EXPECT_EQ(names[CodeTableModel::Conflicts], "Bank conflicts");
    EXPECT_EQ(names[CodeTableModel::Live], "Live registers");
    for (int column = CodeTableModel::Samples; column < CodeTableModel::ColumnCount; ++column)
        EXPECT_FALSE(help[column].isEmpty()) << column;
    EXPECT_TRUE(help[CodeTableModel::Place].isEmpty());
    const QString conflicts = help[CodeTableModel::Conflicts];
    EXPECT_EQ(help.removeDuplicates(), 1) << "only place and SASS have none";
    const auto left = [&](int column) {
        return model.index(0, column).data(Qt::TextAlignmentRole).value<Qt::Alignment>().testFlag(Qt::AlignLeft);
    };
    EXPECT_TRUE(left(CodeTableModel::Text));
    EXPECT_FALSE(left(CodeTableModel::Executed));
    KernelCode bare = *manyStalls();
    bare.instructions[0].idealWavefronts.reset();
    model.setCode(SharedCode(bare));
    EXPECT_NE(model.headerData(CodeTableModel::Conflicts, Qt::Horizontal, Qt::ToolTipRole).toString(), conflicts);
    EXPECT_EQ(model.headerData(CodeTableModel::Conflicts, Qt::Horizontal, Qt::DisplayRole).toString(), "Wavefronts");
    EXPECT_FALSE(model.headerData(CodeTableModel::ColumnCount, Qt::Horizontal, Qt::DisplayRole).isValid());
    EXPECT_FALSE(model.headerData(-1, Qt::Horizontal, Qt::ToolTipRole).isValid());
}

TEST(CodeColumns, ATooltipSetsWhatWasBesideWhatCouldBe)
{
    CodeTableModel model;
    model.setCode(manyStalls());
    const QStringList tip = model.index(0, 0).data(Qt::ToolTipRole).toString().split('\n');
    ASSERT_GE(tip.size(), 3);
    EXPECT_TRUE(tip[tip.size() - 3].startsWith(q(formatNumber(1000))));
    EXPECT_TRUE(tip[tip.size() - 2].startsWith("32 ") && tip[tip.size() - 2].contains(" 8 "));
    EXPECT_TRUE(tip.back().startsWith("20 ") && tip.back().contains(" 4 ")) << tip.back().toStdString();
    EXPECT_FALSE(tip.join(u'\n').contains("helper"));
    EXPECT_TRUE(tip[0].endsWith("7")) << tip[0].toStdString();
}

TEST(CodeColumns, ALineCountsItsInstructionsByTheThreeMostFrequentOpcodes)
{
    KernelCode code = *manyStalls();
    code.instructions.resize(2);
    const CodeInstruction other = code.instructions[1];
    for (const char* text : {"FFMA R2", "MOV R1", "MOV R2", "MOV R3", "BAR.SYNC 0", "BAR.SYNC 1"}) {
        code.instructions.push_back(other);
        code.instructions.back().text = text;
    }
    CodeTableModel model;
    model.setCode(SharedCode(code));
    const QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setMarked(0, 7);
    EXPECT_EQ(changed.count(), 1) << "the view paints the marks again";
    model.setCollapsed(true);
    ASSERT_EQ(model.rowCount(), 1);
    const QString text = model.index(0, CodeTableModel::Text).data().toString();
    EXPECT_TRUE(text.startsWith("8 ")) << text.toStdString();
    EXPECT_EQ(text.count(q("×")), 3) << text.toStdString();
    EXPECT_TRUE(text.contains(q("MOV ×3")));
    EXPECT_FALSE(text.contains("LDS"));
    EXPECT_TRUE(model.hasColumn(CodeTableModel::Text));
    EXPECT_EQ(model.mostSamples(), 251);
}

template <class Model> QStringList readHeaders(const Model& model)
{
    QStringList names;
    for (int column = 0; column < model.columnCount(); ++column)
        names << model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    return names;
}

/// The columns whose cells and header are on the right.
template <class Model> std::vector<int> listFigureColumns(const Model& model)
{
    std::vector<int> columns;
    for (int column = 0; column < model.columnCount(); ++column) {
        const bool cell = model.index(0, column).data(Qt::TextAlignmentRole).template value<Qt::Alignment>().testFlag(Qt::AlignRight);
        const bool head =
            model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).template value<Qt::Alignment>().testFlag(Qt::AlignRight);
        EXPECT_EQ(cell, head) << column;
        if (cell)
            columns.push_back(column);
    }
    return columns;
}

TEST(TableHeaders, AreOfTheFiguresBelow)
{
    RunTableModel runs;
    runs.setRows({RunSummary{}});
    EXPECT_EQ(readHeaders(runs)[RunTableModel::GpuTime], "GPU time");
    EXPECT_EQ(readHeaders(runs)[RunTableModel::Correct], "Result");
    EXPECT_EQ(listFigureColumns(runs), (std::vector<int>{RunTableModel::GpuTime, RunTableModel::Speedup}));
    SessionTableModel sessions;
    sessions.setRows({HistoryRow{}});
    EXPECT_EQ(readHeaders(sessions)[SessionTableModel::Gain], "Improvement");
    EXPECT_EQ(readHeaders(sessions)[SessionTableModel::Status], "Outcome");
    EXPECT_EQ(readHeaders(sessions)[SessionTableModel::Cost], "Cost");
    PatternTableModel patterns;
    patterns.setRows({PatternRow{}});
    EXPECT_EQ(readHeaders(patterns)[PatternTableModel::Quoted], "Claimed");
    EXPECT_EQ(readHeaders(patterns)[PatternTableModel::Measured], "Measured");
    EXPECT_EQ(readHeaders(patterns)[PatternTableModel::Return], "Return");
    SpaceTableModel space;
    space.setRows({SpaceRow{}});
    EXPECT_EQ(readHeaders(space)[SpaceTableModel::Found], "Value");
    EXPECT_EQ(readHeaders(space)[SpaceTableModel::Limit], "Limit");
    EXPECT_EQ(readHeaders(space)[SpaceTableModel::Local], "Local");
    EXPECT_EQ(listFigureColumns(space),
              (std::vector<int>{SpaceTableModel::Found, SpaceTableModel::Limit, SpaceTableModel::Registers, SpaceTableModel::Local}));
    SweepTableModel swept;
    swept.setRows({SweepRow{}});
    EXPECT_EQ(readHeaders(swept)[SweepTableModel::Bandwidth], "Bandwidth");
    EXPECT_EQ(readHeaders(swept)[SweepTableModel::Rate], "Rate");
    EXPECT_EQ(readHeaders(swept)[SweepTableModel::Baseline], "Over");
    EXPECT_EQ(listFigureColumns(swept),
              (std::vector<int>{SweepTableModel::Time, SweepTableModel::Bandwidth, SweepTableModel::Rate, SweepTableModel::Speedup}));
    TunedTableModel tuned;
    tuned.setRows({TunedRow{}});
    EXPECT_EQ(readHeaders(tuned)[TunedTableModel::Time], "GPU time");
    EXPECT_EQ(readHeaders(tuned)[TunedTableModel::Slower], "vs. best");
    EXPECT_EQ(listFigureColumns(tuned), (std::vector<int>{TunedTableModel::Time, TunedTableModel::Slower}));
    CompiledTableModel compiled;
    compiled.setLaunches({CompiledLaunch{}}, {});
    EXPECT_EQ(readHeaders(compiled)[CompiledTableModel::StaticSmem], "Static");
    EXPECT_EQ(readHeaders(compiled)[CompiledTableModel::DynamicSmem], "Dynamic");
    EXPECT_EQ(readHeaders(compiled)[CompiledTableModel::Occupied], "Occupancy");
    EnvCheckModel checks;
    checks.setRows({EnvCheck{}});
    EXPECT_EQ(readHeaders(checks), (QStringList{"Result", "Check", "Needed", "Found"}));
    EXPECT_TRUE(listFigureColumns(checks).empty());
    MetricTreeModel metrics;
    QStringList names = readHeaders(metrics);
    EXPECT_EQ(names[MetricTreeModel::Peak], "% of peak");
    EXPECT_EQ(names[MetricTreeModel::Baseline], "Baseline");
    EXPECT_EQ(names.removeDuplicates(), 0);
    EXPECT_FALSE(metrics.headerData(MetricTreeModel::ColumnCount, Qt::Horizontal, Qt::DisplayRole).isValid());
    EXPECT_TRUE(metrics.headerData(MetricTreeModel::Value, Qt::Horizontal, Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignRight);
}

TEST(SweepSorting, IsByEachFigureItsOwn)
{
    const auto row = [](double ns, double bytes, double flops, double speedup) {
        SweepRow made;
        made.run.emplace();
        made.run->timing.emplace();
        made.run->timing->gpu = {ns, ns, ns, 3};
        made.run->idealBytes = bytes;
        made.run->flops = flops;
        made.run->baseline.emplace();
        made.run->baseline->gpu = Summary{ns * speedup, ns * speedup, ns * speedup, 3};
        made.run->speedup = speedup;
        return made;
    };
    SweepTableModel model;
    model.setRows({row(1000, 4000, 16000, 2), {}});
    const auto sorted = [&](int at, int column) { return model.index(at, column).data(kSortRole).toDouble(); };
    EXPECT_EQ(sorted(0, SweepTableModel::Time), 1000);
    EXPECT_DOUBLE_EQ(sorted(0, SweepTableModel::Bandwidth), 4e9);
    EXPECT_DOUBLE_EQ(sorted(0, SweepTableModel::Rate), 16e9);
    EXPECT_DOUBLE_EQ(sorted(0, SweepTableModel::Speedup), 2);
    for (const int column : {SweepTableModel::Time, SweepTableModel::Bandwidth, SweepTableModel::Rate, SweepTableModel::Speedup})
        EXPECT_GT(sorted(1, column), 1e300) << column;
}

TEST(CompiledSorting, IsByOccupancyAndName)
{
    CompiledLaunch full, few;
    full.entry = "a";
    full.threads = 256;
    full.registers = 32;
    few = full;
    few.entry = "b";
    few.registers = 255;
    CompiledTableModel model;
    const SmLimits sm = smLimits(9, 0).value_or(SmLimits{});
    model.setLaunches({full, few}, sm);
    const auto sorted = [&](int row) { return model.index(row, CompiledTableModel::Occupied).data(kSortRole).toDouble(); };
    EXPECT_DOUBLE_EQ(sorted(0), computeOccupancy(sm, full).percent);
    EXPECT_GT(sorted(0), sorted(1));
    EXPECT_EQ(model.index(1, CompiledTableModel::Entry).data(kSortRole).toString(), "b");
    EXPECT_EQ(model.index(1, CompiledTableModel::Limiter).data(kSortRole).toString(), q(computeOccupancy(sm, few).limiter));
    EXPECT_EQ(model.index(0, CompiledTableModel::Registers).data(Qt::ToolTipRole).toString(), "32");
    EXPECT_FALSE(model.index(0, CompiledTableModel::Entry).data(Qt::ForegroundRole).isValid());
}

TEST(EnvironmentSorting, PutsWhatPassedBehindWhatFailed)
{
    EnvCheckModel model;
    model.setRows({{"a", Requirement::optional, CheckResult::fail, "x", {}, {}},
                   {"b", Requirement::required, CheckResult::pass, "x", {}, {}},
                   {"c", Requirement::required, CheckResult::skipped, "y", {}, {}}});
    const auto place = [&](int row) { return model.index(row, EnvCheckModel::Result).data(kSortRole).toInt(); };
    EXPECT_LT(place(0), place(1));
    EXPECT_LT(place(0), place(2));
    EXPECT_NE(place(1), place(2));
    EXPECT_EQ(model.index(0, EnvCheckModel::Check).data(kSortRole).toString(), "A");
    EXPECT_EQ(model.index(2, EnvCheckModel::Found).data(kSortRole).toString(), "y");
    EXPECT_EQ(model.index(0, EnvCheckModel::Needed).data(kSortRole), model.index(0, EnvCheckModel::Needed).data());
    EXPECT_NE(model.index(0, EnvCheckModel::Needed).data(kSortRole), model.index(1, EnvCheckModel::Needed).data(kSortRole));
}

TEST(MarkedCells, AreSortedByTheirTextAndColoredInTheirColumn)
{
    RunSummary wrong;
    wrong.kernel = "a/b";
    wrong.correctness = CorrectnessResult::incorrect;
    wrong.status = ResultStatus::validationFailed;
    RunTableModel runs;
    runs.setRows({wrong});
    const auto at = [](const QAbstractItemModel& model, int column, int role) { return model.index(0, column).data(role); };
    EXPECT_EQ(at(runs, RunTableModel::Correct, kSortRole).toString(), at(runs, RunTableModel::Correct, Qt::DisplayRole).toString());
    EXPECT_FALSE(at(runs, RunTableModel::Correct, Qt::FontRole).isValid());
    EXPECT_EQ(at(runs, RunTableModel::Kernel, kSortRole).toString(), "a/b");
    SpaceTableModel space;
    space.setRows({SpaceRow{}});
    EXPECT_EQ(at(space, SpaceTableModel::Gate, kSortRole).toString(), at(space, SpaceTableModel::Gate, Qt::DisplayRole).toString());
    EXPECT_EQ(at(space, SpaceTableModel::Why, Qt::ToolTipRole).toString(), at(space, SpaceTableModel::Why, Qt::DisplayRole).toString());
    CodeTableModel code;
    code.setCode(manyStalls());
    EXPECT_TRUE(code.headerData(CodeTableModel::Samples, Qt::Horizontal, Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignLeft)
        << "above its bars";
    EXPECT_TRUE(code.headerData(CodeTableModel::Executed, Qt::Horizontal, Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignRight);
    EXPECT_FALSE(code.headerData(CodeTableModel::Executed, Qt::Horizontal, Qt::FontRole).isValid());
}

TEST(MetricPeaks, AreOfTheCounterItself)
{
    RunRecord run;
    run.metrics.emplace();
    run.metrics->values = {{"zzz__a.sum", 1.0},
                           {"zzz__a.avg.pct_of_peak_sustained_active", 30.0},
                           {"zzz__a.avg.pct_of_peak_sustained_elapsed", 20.0},
                           {"zzz__ab.avg.pct_of_peak_sustained_elapsed", 90.0},
                           {"zzz__b.sum", 1.0},
                           {"zzz__b.sum.pct_of_peak_sustained_active", 70.0}};
    const auto findPercent = [&](const std::string& name) -> std::optional<double> {
        for (const MetricGroup& group : metricGroups(run, nullptr))
            for (const MetricRow& row : group.rows)
                if (row.name == name)
                    return row.percent;
        return {};
    };
    EXPECT_EQ(findPercent("zzz__a.sum"), 20.0) << "of all of the time before that of the active time";
    EXPECT_EQ(findPercent("zzz__b.sum"), 70.0);
}

TEST(SessionTips, NameEachOriginAndWhatIsNotRecorded)
{
    HistoryRow row;
    row.name = "N";
    row.minutes = {{60, FigureKind::measured, "log"}, {90, FigureKind::quoted, ""}};
    row.speedup = {{1.5, FigureKind::measured, "A/B"}};
    row.gain = 2;
    row.sample = true;
    SessionTableModel model;
    model.setRows({row, HistoryRow{}});
    const auto tip = [&](int at, int column) { return model.index(at, column).data(Qt::ToolTipRole).toString(); };
    const std::string measured = std::string(" ") + toString(FigureKind::measured);
    const std::string quoted = std::string(" ") + toString(FigureKind::quoted);
    EXPECT_NE(measured, quoted);
    EXPECT_EQ(tip(0, SessionTableModel::Minutes), q(formatMinutes(60) + measured + ", log\n" + formatMinutes(90) + quoted));
    EXPECT_TRUE(tip(0, SessionTableModel::Speedup).endsWith(q(formatRatio(1.5) + measured + ", A/B")));
    EXPECT_NE(tip(0, SessionTableModel::Gain), tip(1, SessionTableModel::Gain)) << "no change was kept";
    EXPECT_NE(tip(0, SessionTableModel::Mistakes), tip(1, SessionTableModel::Mistakes)) << "a shipped one lists none, an own one made none";
    EXPECT_EQ(figureTip({}, &formatMinutes), tip(1, SessionTableModel::Minutes));
    EXPECT_EQ(model.index(0, SessionTableModel::Name).data(kSortRole).toString(), "");
    EXPECT_EQ(sumMistakes(row), std::nullopt);
    EXPECT_EQ(sumMistakes(HistoryRow{}), 0);
}

} // namespace
} // namespace kl::ui
