// SPDX-License-Identifier: MIT
// What each cell of a table of points, sizes, launches or instructions says of its row: the right field, with its unit, color and tooltip.
#include "core/base/format.h"
#include "core/device/metric_catalog.h"
#include "tests/support/snapshot.h"
#include "tests/ui/support/cell_texts.h"
#include "ui/models/code_diff_model.h"
#include "ui/models/code_table_model.h"
#include "ui/models/compiled_table_model.h"
#include "ui/models/space_table_model.h"
#include "ui/models/sweep_table_model.h"
#include "ui/models/tuned_table_model.h"
#include "ui/style/theme.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

namespace kl::ui {
namespace {

TEST(SpaceCells, AreThoseOfTheGateThatRejects)
{
    using Model = SpaceTableModel;
    SpaceRow rejected;
    rejected.point.tunables = {{"BLOCK", std::int64_t{64}}, {"PAD", std::int64_t{0}}};
    rejected.changed = {{"BLOCK", std::int64_t{64}}};
    rejected.point.verdicts[1].gate = SpaceGate::threads;
    rejected.point.rejectedBy = 1;
    rejected.point.verdicts[1].value = 2048;
    rejected.point.verdicts[1].limit = 1024;
    rejected.point.verdicts[1].reason = "too many threads";
    SpaceRow survives;
    survives.point.verdicts[static_cast<std::size_t>(SpaceGate::occupancy)].reason = "enough blocks";
    SpaceRow compiled = survives;
    compiled.compiled.emplace();
    compiled.compiled->built.launches.resize(2);
    compiled.compiled->built.launches[0].registers = 40;
    compiled.compiled->built.launches[1].registers = 64;
    compiled.compiled->built.launches[0].stackBytes = 96;
    compiled.compiled->verdict.reason = "fits";
    SpaceRow spills = compiled;
    spills.compiled->verdict = {false, "spills", "it spills"};
    SpaceRow broken = compiled;
    broken.compiled->verdict = {false, "compile", "no"};
    SpaceRow few = compiled;
    few.compiled->verdict = {false, "occupancy", "few"};
    Model model;
    model.setRows({rejected, survives, compiled, spills, broken, few});
    EXPECT_EQ(say(model, 0, Model::Point), "BLOCK=64");
    EXPECT_EQ(say(model, 0, Model::Point, Qt::ToolTipRole), "BLOCK=64, PAD=0") << "all of them";
    EXPECT_EQ(say(model, 0, Model::Gate), q("✕ ") + q(titleFor(SpaceGate::threads)));
    EXPECT_EQ(say(model, 0, Model::Found), q(formatCount(2048)));
    EXPECT_EQ(say(model, 0, Model::Limit), q(formatCount(1024)));
    EXPECT_EQ(say(model, 0, Model::Why), "too many threads");
    EXPECT_EQ(say(model, 0, Model::Registers), "") << "not compiled";
    EXPECT_EQ(say(model, 1, Model::Point), "default");
    EXPECT_EQ(say(model, 1, Model::Gate), q("✓ survives"));
    EXPECT_EQ(say(model, 1, Model::Found), "");
    EXPECT_EQ(say(model, 1, Model::Why), "enough blocks");
    EXPECT_EQ(say(model, 2, Model::Registers), "64") << "the most of its launches";
    EXPECT_EQ(say(model, 2, Model::Local), "96 B");
    EXPECT_EQ(say(model, 2, Model::Why), "fits");
    EXPECT_EQ(say(model, 3, Model::Why), "it spills");
    QStringList verdicts;
    for (const int row : {3, 4, 5}) {
        verdicts << say(model, row, Model::Gate);
        EXPECT_TRUE(verdicts.back().startsWith(q("✕ "))) << row;
        EXPECT_EQ(readColor(model, row, Model::Gate), color(Token::worse)) << row;
    }
    EXPECT_TRUE(verdicts[0].contains("Spills"));
    EXPECT_TRUE(verdicts[1].contains("compile"));
    EXPECT_TRUE(verdicts[2].contains("ccupancy"));
    EXPECT_EQ(readColor(model, 0, Model::Gate), color(Token::worse));
    EXPECT_EQ(readColor(model, 1, Model::Gate), color(Token::better));
    EXPECT_EQ(readColor(model, 2, Model::Gate), color(Token::better));
    EXPECT_FALSE(readColor(model, 0, Model::Why));
}

TEST(SpaceCells, AGatesFigureHasItsUnit)
{
    EXPECT_EQ(gateFigure(SpaceGate::sharedMemory, {}), q("–"));
    EXPECT_EQ(gateFigure(SpaceGate::sharedMemory, 98304), q(formatWithUnit(98304, "B")));
    EXPECT_EQ(gateFigure(SpaceGate::occupancy, 12.5), q(formatPercent(12.5)));
    EXPECT_EQ(gateFigure(SpaceGate::coalescing, 50), q(formatPercent(50)));
    EXPECT_EQ(gateFigure(SpaceGate::bankConflicts, 8), "8-way");
    EXPECT_EQ(gateFigure(SpaceGate::bankConflicts, 1), "none");
    EXPECT_EQ(gateFigure(SpaceGate::registers, 255), "255");
    EXPECT_EQ(gateFigure(SpaceGate::threads, 1024), q(formatCount(1024)));
}

TEST(SweepCells, AreThoseOfTheirSize)
{
    using Model = SweepTableModel;
    SweepRow row;
    row.kernel = *parseAddress("transpose/naive");
    row.problem = *parseParams("M=64,N=32");
    row.run.emplace();
    row.run->timing.emplace();
    row.run->timing->gpu = {2000, 2000, 2000, 3};
    row.run->idealBytes = 4000;
    row.run->flops = 8000;
    row.run->baseline.emplace();
    row.run->baseline->name = "device copy";
    row.run->baseline->gpu = Summary{1000, 1000, 1000, 3};
    row.run->speedup = 0.5;
    row.run->diagnosis.emplace();
    row.run->diagnosis->finding.classId = "dram-bound";
    row.run->diagnosis->finding.title = "DRAM limits it.";
    SweepRow missing;
    missing.kernel = row.kernel;
    missing.problem = row.problem;
    missing.missing = "Not recorded.";
    missing.hint = "M=64 is.";
    Model model;
    model.setRows({row, missing});
    EXPECT_EQ(sayAll(model, 0), (QStringList{"transpose/naive", "M=64, N=32", q(formatTime(2000)), q(formatBandwidth(2e9)),
                                             q(formatFlops(4e9)), q(formatRatio(0.5)), "device copy", "dram-bound"}));
    EXPECT_EQ(say(model, 0, Model::Finding, Qt::ToolTipRole), "DRAM limits it.");
    EXPECT_EQ(say(model, 1, Model::Time), q("–"));
    EXPECT_EQ(say(model, 1, Model::Baseline), q("–"));
    EXPECT_EQ(say(model, 1, Model::Finding), "Not recorded.");
    EXPECT_EQ(say(model, 1, Model::Finding, Qt::ToolTipRole), "M=64 is.");
    EXPECT_EQ(readColor(model, 1, Model::Kernel), color(Token::muted));
    EXPECT_FALSE(readColor(model, 0, Model::Kernel));
}

/// The default point, one of an earlier search, one that was measured briefly, one that failed, and one that computes something wrong.
std::vector<TunedRow> makeFiveTunedRows()
{
    TunedRow best;
    best.point.ns = 2000;
    best.point.refined = true;
    best.point.tunables = {{"BLOCK", std::int64_t{64}}};
    best.times = 1.5;
    TunedRow earlier = best;
    earlier.point.refined = false;
    earlier.point.remembered = true;
    earlier.changed = {{"BLOCK", std::int64_t{64}}};
    TunedRow brief = earlier;
    brief.point.remembered = false;
    TunedRow failed;
    failed.point.why = "it did not build";
    TunedRow wrong = best;
    wrong.wrong = true;
    return {best, earlier, brief, failed, wrong};
}

TEST(TunedCells, SnapshotOfEachPoint)
{
    TunedTableModel model;
    model.setRows(makeFiveTunedRows());
    test::expectSnapshot("ui/tuned-points.txt", utf8(sayTable(model)));
}

TEST(TunedCells, AreThoseOfTheirPoint)
{
    using Model = TunedTableModel;
    Model model;
    model.setRows(makeFiveTunedRows());
    EXPECT_EQ(sayAll(model, 0).mid(0, 2), (QStringList{q(formatTime(2000)), q(formatRatio(1.5))}));
    EXPECT_EQ(say(model, 0, Model::Point, Qt::ToolTipRole), "BLOCK=64");
    EXPECT_EQ(say(model, 1, Model::Point), "BLOCK=64");
    EXPECT_NE(say(model, 0, Model::Point), "BLOCK=64") << "nothing of the variant is changed";
    EXPECT_EQ(say(model, 3, Model::Point), say(model, 0, Model::Point)) << "nothing is changed either";
    EXPECT_EQ(sayAll(model, 3).mid(0, 2), (QStringList{q("–"), q("–")}));
    EXPECT_EQ(say(model, 3, Model::How), "it did not build");
    EXPECT_TRUE(say(model, 4, Model::How).startsWith(markSign(Mark::fail)));
    QStringList how{say(model, 0, Model::How), say(model, 1, Model::How), say(model, 2, Model::How)};
    EXPECT_EQ(how.removeDuplicates(), 0) << how.join('|').toStdString();
    EXPECT_FALSE(how.contains(QString()));
    EXPECT_EQ(readColor(model, 3, Model::Time), color(Token::worse));
    EXPECT_EQ(readColor(model, 4, Model::Time), color(Token::worse));
    EXPECT_FALSE(readColor(model, 0, Model::Time));
}

TEST(TunedCells, APointThatWasMeasuredAgainIsListedOnceAndTheBestFirst)
{
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    ASSERT_TRUE(catalog);
    const KernelFamily* family = nullptr;
    const Variant* variant = nullptr;
    for (const KernelFamily& one : catalog->families())
        for (const Variant& other : one.variants)
            if (!variant && !other.tunables.empty()) {
                family = &one;
                variant = &other;
            }
    ASSERT_TRUE(variant);
    const auto point = [](const char* kernel, std::optional<double> ns) {
        TunedPoint made;
        made.kernel = kernel;
        made.ns = ns;
        return made;
    };
    const auto rows = makeTunedRows({point("a", 100), point("b", {}), point("c", 50), point("a", 75)}, *family, *variant);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].point.kernel, "c");
    EXPECT_EQ(rows[0].times, 1.0);
    EXPECT_EQ(rows[1].point.kernel, "a");
    EXPECT_EQ(rows[1].point.ns, 75.0) << "its latest time";
    EXPECT_EQ(rows[1].times, 1.5);
    EXPECT_EQ(rows[2].point.kernel, "b");
    EXPECT_FALSE(rows[2].times);
    EXPECT_FALSE(makeTunedRows({point("b", {})}, *family, *variant)[0].times);
}

TEST(CompiledCells, AreThoseOfTheirLaunch)
{
    using Model = CompiledTableModel;
    CompiledLaunch launch;
    launch.entry = "kernel";
    launch.threads = 256;
    launch.registers = 255;
    launch.stackBytes = 8;
    launch.spillStores = 16;
    launch.spillLoads = 32;
    launch.staticSmem = 1024;
    launch.dynamicSmem = 2048;
    CompiledLaunch clean = launch;
    clean.stackBytes = clean.spillStores = clean.spillLoads = 0;
    const SmLimits sm = smLimits(9, 0).value_or(SmLimits{});
    Model model;
    model.setLaunches({launch, clean}, sm);
    const Occupancy occupancy = computeOccupancy(sm, launch);
    EXPECT_EQ(sayAll(model, 0), (QStringList{"kernel", "256", "255", "8 B", "48 B", q(formatCount(1024)) + " B",
                                             q(formatCount(2048)) + " B", q(formatPercent(occupancy.percent)), q(occupancy.limiter)}));
    EXPECT_GT(occupancy.percent, 0);
    EXPECT_EQ(readColor(model, 0, Model::Local), color(Token::worse));
    EXPECT_EQ(readColor(model, 0, Model::Spilled), color(Token::worse));
    EXPECT_FALSE(readColor(model, 0, Model::Registers));
    EXPECT_FALSE(readColor(model, 1, Model::Local));
    clean.spillLoads = 1;
    model.setLaunches({clean}, sm);
    EXPECT_EQ(readColor(model, 0, Model::Local), color(Token::worse)) << "loads alone are spills";
}

SharedCode makeOneLineCode()
{
    KernelCode code;
    code.language = CodeLanguage::sass;
    code.functions = {"kernel", "helper"};
    code.files = {"a.cu"};
    code.stalls = {"barrier", "selected"};
    code.instructions.resize(2);
    CodeInstruction& first = code.instructions[0];
    first.file = 0;
    first.line = 7;
    first.text = "LDS R1, [R2]";
    first.function = 1;
    first.samples = 4;
    first.stalls = {3, 1};
    first.executed = 10;
    first.wavefronts = 20;
    first.liveRegisters = 12;
    code.instructions[1].offset = 16;
    code.instructions[1].text = "EXIT";
    return SharedCode(std::move(code));
}

TEST(CodeCells, SnapshotOfTheWordsOfALine)
{
    CodeTableModel model;
    model.setCode(makeOneLineCode());
    QStringList lines{say(model, 0, 0, Qt::ToolTipRole), "parts: " + model.parts().join(" | ")};
    model.setCollapsed(true);
    for (int row = 0; row < model.rowCount(); ++row)
        lines << "place: " + say(model, row, CodeTableModel::Place);
    test::expectSnapshot("ui/code-cells.txt", utf8(lines.join('\n') + u'\n'));
}

TEST(CodeCells, ATooltipHasPlaceFunctionStallsAndCounts)
{
    using Model = CodeTableModel;
    Model model;
    model.setCode(makeOneLineCode());
    const QStringList tip = say(model, 0, 0, Qt::ToolTipRole).split('\n');
    ASSERT_EQ(tip.size(), 7) << tip.join('|').toStdString();
    EXPECT_TRUE(tip[0].contains("a.cu") && tip[0].contains('7'));
    EXPECT_TRUE(tip[1].endsWith(" helper")) << "its function: " << tip[1].toStdString();
    EXPECT_TRUE(tip[2].startsWith("4 ")) << "its samples: " << tip[2].toStdString();
    EXPECT_TRUE(tip[3].contains(q(kl::stallTitle("barrier"))) && tip[3].contains(q("75\u202f%")))
        << "the most frequent first, of its own samples: " << tip[3].toStdString();
    EXPECT_TRUE(tip[4].contains(model.parts().last()) && tip[4].contains(q("25\u202f%"))) << "not stalled: " << tip[4].toStdString();
    EXPECT_TRUE(tip[5].startsWith("10 "));
    EXPECT_TRUE(tip[6].startsWith("20 "));
    EXPECT_EQ(say(model, 1, 0, Qt::ToolTipRole), "") << "nothing is known of it";
    EXPECT_EQ(say(model, 0, Model::Place), "0000");
    EXPECT_EQ(say(model, 1, Model::Place), "0010");
    EXPECT_EQ(say(model, 0, Model::Text), "LDS R1, [R2]");
    EXPECT_EQ(say(model, 0, Model::Conflicts), "20") << "wavefronts, where conflicts are not known";
    EXPECT_EQ(say(model, 0, Model::Live), "12");
    EXPECT_EQ(say(model, 0, Model::Executed), "10");
    EXPECT_EQ(say(model, 0, Model::Threads), "");
    EXPECT_EQ(say(model, 1, Model::Samples), "");
    EXPECT_EQ(model.headerData(Model::Conflicts, Qt::Horizontal, Qt::DisplayRole).toString(), "Wavefronts");
    EXPECT_EQ(model.headerData(Model::Place, Qt::Horizontal, Qt::DisplayRole).toString(), "Offset");
    EXPECT_EQ(model.headerData(Model::Text, Qt::Horizontal, Qt::DisplayRole).toString(), "SASS");
    EXPECT_EQ(model.mostSamples(), 4);
    EXPECT_EQ(model.allSamples(), 4);
    EXPECT_EQ(model.lookUpRow(2), -1);
    EXPECT_EQ(model.lookUpRow(1), 1);
    EXPECT_EQ(model.hottestAt(0, 99), -1);
    EXPECT_EQ(model.at(2), nullptr);
    EXPECT_EQ(model.at(-1), nullptr);
    model.setCollapsed(true);
    EXPECT_EQ(model.headerData(Model::Place, Qt::Horizontal, Qt::DisplayRole).toString(), "Line");
    ASSERT_EQ(model.rowCount(), 2);
    EXPECT_TRUE(model.hasColumn(Model::Text));
    QStringList places;
    for (int row = 0; row < 2; ++row)
        places << say(model, row, Model::Place);
    const int line = model.lookUpRow(0);
    EXPECT_TRUE(places[line].contains("a.cu"));
    EXPECT_FALSE(places[1 - line].isEmpty() || places[1 - line].contains("a.cu")) << "it has no line: " << places.join('|').toStdString();
    EXPECT_FALSE(say(model, line, 0, Qt::ToolTipRole).contains("helper")) << "a line may be of several functions";
    model.setMarked(0, 7);
    EXPECT_TRUE(model.isMarked(*model.at(line)));
    EXPECT_FALSE(model.isMarked(*model.at(1 - line)));
    model.setMarked(-1, 0);
    EXPECT_FALSE(model.isMarked(*model.at(1 - line))) << "what has no line is not marked by none";
}

TEST(CodeCells, WithoutCodeThereIsNothing)
{
    CodeTableModel model;
    EXPECT_EQ(model.rowCount(), 0);
    EXPECT_EQ(model.lookUpRow(0), -1);
    EXPECT_EQ(model.mostSamples(), 0);
    model.setCode(makeOneLineCode());
    model.setCode({});
    EXPECT_TRUE(model.parts().isEmpty());
    EXPECT_TRUE(model.lines().empty());
    EXPECT_EQ(model.allSamples(), 0);
    EXPECT_FALSE(model.hasColumn(CodeTableModel::Text));
    EXPECT_EQ(model.headerData(CodeTableModel::Text, Qt::Horizontal, Qt::DisplayRole).toString(), "Instruction");
    KernelCode twice = *makeOneLineCode();
    twice.instructions.push_back(twice.instructions.front());
    model.setCode(SharedCode(twice));
    EXPECT_EQ(model.lookUpRow(2), 2) << "not the first of its line";
    model.setCollapsed(true);
    EXPECT_EQ(model.lookUpRow(2), model.lookUpRow(0));
    CodeDiffModel diff;
    diff.setCode(makeOneLineCode(), {}, makeOneLineCode(), {});
    EXPECT_EQ(diff.rowCount(), 2);
    EXPECT_EQ(say(diff, 0, CodeDiffModel::Mark), "") << "the same";
    EXPECT_EQ(readColor(diff, 0, CodeDiffModel::TextA), color(Token::muted));
    EXPECT_EQ(say(diff, 0, CodeDiffModel::Moved), "");
    diff.setCode(makeOneLineCode(), {}, {}, {});
    EXPECT_TRUE(diff.summary(1, 2).isEmpty());
    EXPECT_EQ(diff.rowCount(), 0);
}

} // namespace
} // namespace kl::ui
