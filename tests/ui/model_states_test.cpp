// SPDX-License-Identifier: MIT
// Cells and tooltips of tables of code, metrics and sizes: each figure of its own row.
#include "core/base/format.h"
#include "core/device/metric_catalog.h"
#include "core/device/occupancy.h"
#include "tests/ui/support/counted_run.h"
#include "ui/models/code_diff_model.h"
#include "ui/models/code_table_model.h"
#include "ui/models/compiled_table_model.h"
#include "ui/models/metric_rows.h"
#include "ui/models/record_model.h"
#include "ui/models/sweep_table_model.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

namespace kl::ui {
namespace {

/// Two lines of a file and one instruction without a line: 10, 20 and 5 samples on line 7, 60 on line 9, 5 without.
SharedCode makeTwoLineCode()
{
    KernelCode code;
    code.language = CodeLanguage::sass;
    code.functions = {"kernel", "helper"};
    code.files = {"a.cu", "b.cuh"};
    code.stalls = {"barrier", "selected", "wait"};
    const std::tuple<const char*, int, int, std::vector<std::int64_t>> rows[] = {{"LDG R1", 0, 7, {10, 0, 0}},
                                                                                 {"FFMA R2", 0, 7, {5, 10, 5}},
                                                                                 {"STG R3", 0, 9, {0, 20, 40}},
                                                                                 {"MOV R4", 0, 7, {0, 5, 0}},
                                                                                 {"EXIT", -1, 0, {5, 0, 0}}};
    for (const auto& [text, file, line, stalls] : rows) {
        CodeInstruction& one = code.instructions.emplace_back();
        one.offset = 16 * static_cast<std::int64_t>(code.instructions.size() - 1);
        one.text = text;
        one.file = file;
        one.line = line;
        one.stalls = stalls;
        for (const std::int64_t samples : stalls)
            one.samples += samples;
    }
    code.instructions[1].executed = 100;
    code.instructions[1].threads = 1650;
    code.instructions[1].sectors = 4096;
    code.instructions[2].sectors = 32;
    code.instructions[2].idealSectors = 8;
    code.instructions[2].wavefronts = 20;
    code.instructions[2].idealWavefronts = 4;
    code.instructions[2].function = 1;
    code.instructions[2].liveRegisters = 24;
    return SharedCode(std::move(code));
}

QString codeCell(const QAbstractItemModel& model, int row, int column, int role = Qt::DisplayRole)
{
    return model.index(row, column).data(role).toString();
}

TEST(CodeRows, HaveSharesOfAllSamplesAndReasonsOfTheirOwn)
{
    using Model = CodeTableModel;
    Model model;
    model.setCode(makeTwoLineCode());
    EXPECT_EQ(model.allSamples(), 100);
    EXPECT_EQ(codeCell(model, 2, Model::Samples), q("60\u202f%"));
    EXPECT_EQ(codeCell(model, 1, Model::Samples), q("20\u202f%"));
    EXPECT_EQ(codeCell(model, 4, Model::Samples), q("5\u202f%"));
    EXPECT_EQ(codeCell(model, 0, Model::Samples), q("10\u202f%"));
    const QStringList tip = codeCell(model, 1, 0, Qt::ToolTipRole).split('\n');
    ASSERT_EQ(tip.size(), 6) << tip.join('|').toStdString();
    EXPECT_TRUE(tip[1].startsWith("20 ")) << "its samples: " << tip[1].toStdString();
    EXPECT_TRUE(tip[2].contains(model.parts().last()) && tip[2].endsWith(q("50\u202f%"))) << "not stalled: " << tip[2].toStdString();
    EXPECT_TRUE(tip[3].endsWith(q("25\u202f%")) && tip[4].endsWith(q("25\u202f%"))) << "of its own 20";
    EXPECT_TRUE(tip[5].startsWith("100 "));
    EXPECT_TRUE(codeCell(model, 2, 0, Qt::ToolTipRole).contains("helper"));
    EXPECT_FALSE(codeCell(model, 0, 0, Qt::ToolTipRole).contains("kernel")) << "it is the kernel itself";
    EXPECT_EQ(codeCell(model, 1, Model::Threads), "16.5");
    EXPECT_EQ(codeCell(model, 1, Model::Sectors), q(formatNumber(4096))) << "without an ideal";
    EXPECT_EQ(codeCell(model, 2, Model::Sectors), "32 / 8");
    EXPECT_EQ(codeCell(model, 2, Model::Conflicts), "16") << "what conflicts add";
    EXPECT_EQ(codeCell(model, 2, Model::Live), "24");
    EXPECT_EQ(codeCell(model, 0, Model::Live), "");
    EXPECT_EQ(codeCell(model, 0, Model::Executed), "");
    EXPECT_EQ(model.sumParts(*model.at(1)), (std::vector<std::int64_t>{5, 5, 0, 10})) << "wait, barrier, other, not stalled";
    ASSERT_EQ(model.parts().size(), 4);
    EXPECT_EQ(model.parts()[0], q(kl::stallTitle("wait"))) << "45 before 20";
}

TEST(CodeRows, OfALineAreItsHottestAndItsSums)
{
    using Model = CodeTableModel;
    Model model;
    model.setCode(makeTwoLineCode());
    EXPECT_EQ(model.rowsAt(0, 7), (std::vector<int>{0, 1, 3}));
    EXPECT_EQ(model.rowsAt(0, 9), std::vector<int>{2});
    EXPECT_TRUE(model.rowsAt(1, 7).empty()) << "of another file";
    EXPECT_EQ(model.hottestAt(0, 7), 1);
    EXPECT_EQ(model.mostSamples(), 60);
    EXPECT_EQ(model.lookUpRow(3), 3);
    EXPECT_TRUE(model.hasColumn(Model::Sectors) && model.hasColumn(Model::Live) && model.hasColumn(Model::Threads));
    model.setMarked(0, 7);
    EXPECT_TRUE(model.isMarked(*model.at(0)) && model.isMarked(*model.at(3)));
    EXPECT_FALSE(model.isMarked(*model.at(2)));
    model.setCollapsed(true);
    ASSERT_EQ(model.rowCount(), 3);
    const int seven = model.lookUpRow(3), nine = model.lookUpRow(2);
    EXPECT_EQ(model.lookUpRow(0), seven);
    EXPECT_EQ(model.rowsAt(0, 7), std::vector<int>{seven});
    EXPECT_EQ(codeCell(model, seven, Model::Samples), q("35\u202f%"));
    EXPECT_EQ(codeCell(model, nine, Model::Samples), q("60\u202f%"));
    EXPECT_TRUE(codeCell(model, seven, Model::Text).startsWith("3 "));
    EXPECT_TRUE(model.isMarked(*model.at(seven)));
    EXPECT_EQ(model.mostSamples(), 60);
    EXPECT_TRUE(codeCell(model, seven, 0, Qt::ToolTipRole).split('\n').value(1).startsWith("35 ")) << "samples, after the place";
    model.setCollapsed(false);
    EXPECT_EQ(model.rowCount(), 5);
    model.setCode(makeTwoLineCode());
    EXPECT_FALSE(model.isMarked(*model.at(0))) << "of the code before";
    KernelCode bare = *makeTwoLineCode();
    for (CodeInstruction& one : bare.instructions) {
        one.sectors.reset();
        one.liveRegisters.reset();
        one.threads.reset();
    }
    model.setCode(SharedCode(bare));
    for (const int column : {Model::Sectors, Model::Live, Model::Threads})
        EXPECT_FALSE(model.hasColumn(column)) << column;
    EXPECT_TRUE(model.hasColumn(Model::Executed) && model.hasColumn(Model::Conflicts) && model.hasColumn(Model::Samples));
}

TEST(CodeRows, CompiledFromPtxSaySo)
{
    KernelCode code = *makeTwoLineCode();
    CodeTableModel model;
    const auto head = [&](CodeLanguage language, int role) {
        code.language = language;
        model.setCode(SharedCode(code));
        return model.headerData(CodeTableModel::Text, Qt::Horizontal, role).toString();
    };
    EXPECT_FALSE(head(CodeLanguage::ptx, Qt::ToolTipRole).isEmpty());
    EXPECT_TRUE(head(CodeLanguage::sass, Qt::ToolTipRole).isEmpty());
    QStringList names;
    for (const CodeLanguage language : {CodeLanguage::ptx, CodeLanguage::sass, CodeLanguage::none})
        names << head(language, Qt::DisplayRole);
    EXPECT_EQ(names.removeDuplicates(), 0);
}

TEST(CodeDiffRows, WhatMovedHasItsSignAndColor)
{
    CodeDiffModel model;
    KernelCode before = *makeTwoLineCode(), after = before;
    after.instructions.erase(after.instructions.begin() + 3);
    after.instructions[1].text = "FFMA R9";
    model.setCode(SharedCode(before), 1000.0, SharedCode(after), 500.0);
    ASSERT_EQ(model.rowCount(), 5);
    QStringList marks;
    for (int row = 0; row < 5; ++row)
        marks << codeCell(model, row, CodeDiffModel::Mark);
    EXPECT_EQ(marks, (QStringList{"", "~", "", q("\u2212"), ""}));
    EXPECT_EQ(codeCell(model, 3, CodeDiffModel::TextA), "0030  MOV R4");
    EXPECT_EQ(codeCell(model, 3, CodeDiffModel::TextB), "");
    EXPECT_EQ(codeCell(model, 1, CodeDiffModel::TextB), "0010  FFMA R9");
    const auto ink = [&](int row, int column) { return model.index(row, column).data(Qt::ForegroundRole); };
    EXPECT_TRUE(codeCell(model, 2, CodeDiffModel::Moved).startsWith(q("\u2212")));
    EXPECT_EQ(ink(2, CodeDiffModel::Moved).value<QColor>(), color(Token::better));
    EXPECT_EQ(ink(2, CodeDiffModel::TextA).value<QColor>(), color(Token::muted));
    EXPECT_FALSE(ink(1, CodeDiffModel::TextA).isValid());
    EXPECT_FALSE(ink(3, CodeDiffModel::TextA).isValid());
    model.setCode(SharedCode(after), 500.0, SharedCode(before), 1000.0);
    EXPECT_TRUE(codeCell(model, 2, CodeDiffModel::Moved).startsWith('+'));
    EXPECT_EQ(ink(2, CodeDiffModel::Moved).value<QColor>(), color(Token::worse));
}

TEST(MetricRowsOfRuns, HaveTheirValueBaselineChangeAndWhyOneIsMissing)
{
    RunRecord run = countedRun("now", 1000), before = countedRun("before", 1000);
    run.metrics->values["zzz__bytes.sum"] = 300.0;
    before.metrics->values["zzz__bytes.sum"] = 200.0;
    run.metrics->values["zzz__new.sum"] = 5.0;
    before.metrics->values["zzz__new.sum"] = 0.0;
    run.metrics->values["yyy__share.pct"] = 40.0;
    run.metrics->missing = {{"lts__t_bytes.sum", "not on this chip"}};
    run.imported.emplace();
    run.imported->texts = {{"device__name", "H200"}};
    const std::vector<MetricGroup> groups = metricGroups(run, &before);
    const auto find = [&](const std::string& name) {
        for (const MetricGroup& group : groups)
            for (const MetricRow& row : group.rows)
                if (row.name == name)
                    return std::optional(std::pair{group.title, row});
        return std::optional<std::pair<QString, MetricRow>>();
    };
    ASSERT_TRUE(find("zzz__bytes.sum") && find("zzz__new.sum") && find("yyy__share.pct") && find("lts__t_bytes.sum") &&
                find("device__name"));
    const MetricRow bytes = find("zzz__bytes.sum")->second;
    EXPECT_EQ(bytes.value, 300.0);
    EXPECT_EQ(bytes.baseline, 200.0);
    EXPECT_EQ(bytes.change, 0.5);
    EXPECT_EQ(bytes.unit, "bytes");
    EXPECT_TRUE(bytes.label.isEmpty()) << "the catalog does not have it";
    EXPECT_FALSE(find("zzz__new.sum")->second.change) << "there is no change against nothing";
    EXPECT_EQ(find("zzz__new.sum")->second.baseline, 0.0);
    EXPECT_EQ(find("yyy__share.pct")->second.unit, "%");
    EXPECT_TRUE(find("yyy__share.pct")->first.endsWith("yyy"));
    EXPECT_TRUE(find("zzz__new.sum")->first.endsWith("zzz")) << "by the unit that counts";
    EXPECT_EQ(find("lts__t_bytes.sum")->second.text, "not on this chip");
    EXPECT_FALSE(find("lts__t_bytes.sum")->second.value);
    EXPECT_EQ(find("device__name")->second.text, "H200");
    EXPECT_EQ(groups.back().rows.size(), 1U) << "texts come last";
    EXPECT_EQ(find(kDramShare)->second.percent, 20.0) << "a share is its own";
    EXPECT_FALSE(find(kDramShare)->second.label.isEmpty());
    EXPECT_FALSE(find(kDramShare)->second.meaning.isEmpty());
    for (const MetricGroup& group : metricGroups(run, nullptr))
        for (const MetricRow& row : group.rows)
            EXPECT_FALSE(row.baseline || row.change) << row.name;
    run.metrics.reset();
    EXPECT_TRUE(metricGroups(run, nullptr).empty());
    EXPECT_EQ(formatExact(1234567), q(formatCount(1234567)));
    EXPECT_EQ(formatExact(0.1234567891), "0.1234568");
    EXPECT_EQ(formatExact(-3), q(formatCount(-3)));
}

TEST(MetricUnits, AreGuessedByThePartsOfAName)
{
    const std::pair<const char*, const char*> units[] = {{"a__b.avg.pct_of_peak_sustained_elapsed", "%"},
                                                         {"a__hit_pct", "%"},
                                                         {"dram__bytes.sum.per_cycle_elapsed", ""},
                                                         {"dram__bytes.sum.peak_sustained", ""},
                                                         {"dram__bytes.max_rate", ""},
                                                         {"dram__bytes.ratio", ""},
                                                         {"a__inst.sum.per_second", "1/s"},
                                                         {"a__cycles.sum.per_second", "Hz"},
                                                         {"a__bytes.sum.per_second", "bytes/s"},
                                                         {"gpu__time_duration.sum", "ns"},
                                                         {"a__active_time.sum", "ns"},
                                                         {"device__l2_cache_size", "bytes"},
                                                         {"launch__stack_size", "bytes"},
                                                         {"device__global_mem_size", "bytes"},
                                                         {"a__inst.sum", ""}};
    for (const auto& [name, unit] : units)
        EXPECT_EQ(guessUnit(name), unit) << name;
}

TEST(SweepRows, SizesWithoutAFigureComeLastAndSayWhy)
{
    using Model = SweepTableModel;
    SweepRow timed, missing, bare;
    timed.run = countedRun("timed", 2000);
    timed.run->baseline.emplace();
    timed.run->baseline->name = "device copy";
    missing.missing = "Not recorded.";
    bare.run = countedRun("bare", 3000);
    bare.run->diagnosis.reset();
    bare.run->flops = 0;
    Model model;
    model.setRows({timed, missing, bare});
    const auto sort = [&](int row, int column) { return model.index(row, column).data(kSortRole).toDouble(); };
    EXPECT_EQ(sort(0, Model::Time), 2000);
    for (const int column : {Model::Time, Model::Bandwidth, Model::Rate, Model::Speedup})
        EXPECT_GT(sort(1, column), 1e300) << column;
    EXPECT_EQ(codeCell(model, 1, Model::Finding, Qt::ToolTipRole), "Not recorded.") << "without a hint";
    EXPECT_EQ(codeCell(model, 0, Model::Finding, Qt::ToolTipRole), "DRAM is busy.");
    EXPECT_EQ(codeCell(model, 0, Model::Baseline), "device copy");
    EXPECT_EQ(codeCell(model, 2, Model::Baseline), q(kNoValue));
    EXPECT_EQ(codeCell(model, 2, Model::Rate), q(kNoValue));
    EXPECT_EQ(codeCell(model, 2, Model::Time), q(formatTime(3000)));
    EXPECT_EQ(codeCell(model, 0, Model::Speedup), q(kNoValue));
    EXPECT_EQ(codeCell(model, 0, Model::Rate, Qt::ToolTipRole), codeCell(model, 0, Model::Rate));
    EXPECT_TRUE(model.index(1, Model::Time).data(Qt::ForegroundRole).isValid());
    EXPECT_FALSE(model.index(2, Model::Time).data(Qt::ForegroundRole).isValid());
}

TEST(CompiledRows, AreSortedByTheirFigures)
{
    using Model = CompiledTableModel;
    CompiledLaunch launch;
    launch.entry = "f";
    launch.threads = 128;
    launch.registers = 40;
    launch.stackBytes = 8;
    launch.spillStores = 16;
    launch.spillLoads = 32;
    launch.staticSmem = 1024;
    launch.dynamicSmem = 2048;
    const SmLimits sm = smLimits(9, 0).value_or(SmLimits{});
    Model model;
    model.setLaunches({launch}, sm);
    std::vector<double> figures;
    for (int column = 1; column < Model::Occupied; ++column)
        figures.push_back(model.index(0, column).data(kSortRole).toDouble());
    EXPECT_EQ(figures, (std::vector<double>{128, 40, 8, 48, 1024, 2048}));
    EXPECT_EQ(model.index(0, Model::Entry).data(kSortRole).toString(), "f");
    EXPECT_EQ(model.index(0, Model::Limiter).data(kSortRole).toString(), q(computeOccupancy(sm, launch).limiter));
    launch.stackBytes = 0;
    launch.spillLoads = 0;
    model.setLaunches({launch}, sm);
    EXPECT_EQ(model.index(0, Model::Spilled).data(Qt::ForegroundRole).value<QColor>(), color(Token::worse)) << "stores alone are spills";
    launch.registers = 255;
    model.setLaunches({launch}, sm);
    EXPECT_EQ(codeCell(model, 0, Model::Occupied), q(formatPercent(computeOccupancy(sm, launch).percent)));
    model.setLaunches({launch}, smLimits(7, 5).value_or(SmLimits{}));
    EXPECT_EQ(codeCell(model, 0, Model::Occupied), q(formatPercent(computeOccupancy(*smLimits(7, 5), launch).percent)))
        << "on another chip";
}

} // namespace
} // namespace kl::ui
