// SPDX-License-Identifier: MIT
// What the models of kernels and metrics say of a record, cell by cell.
#include "core/base/format.h"
#include "core/device/metric_catalog.h"
#include "core/device/metric_sections.h"
#include "core/diagnosis/roofline.h"
#include "tests/support/snapshot.h"
#include "ui/models/kernel_tree_model.h"
#include "ui/models/metric_tree_model.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QColor>
#include <QSignalSpy>

namespace kl::ui {
namespace {

RunRecord makeProgramRun()
{
    RunRecord run;
    run.id.text = "p";
    run.kernel = {"program", "norm-123456", {}};
    run.problem = *parseParams("BLOCK=32x2x1,GRID=3x4x5");
    run.device.name = "NVIDIA H200";
    run.startedAt = "2026-01-02T03:04:05.000Z";
    run.program.emplace();
    run.program->command = {"python3", "train.py"};
    run.program->kernel = "void at::norm<float>(float*, int)";
    run.program->launches = 7;
    run.program->totalNs = 21000;
    run.program->share = 0.25;
    run.program->ranges = {"forward"};
    run.timing.emplace();
    run.timing->gpu = {2000, 2000, 2000, 5};
    run.diagnosis.emplace();
    run.diagnosis->finding.classId = "dram-bound";
    run.diagnosis->finding.priority = "P1";
    run.diagnosis->finding.title = "DRAM limits it.";
    run.diagnosis->finding.estimate = Estimate{0.25, "x"};
    return run;
}

TEST(KernelRows, AKernelOfAProgramStandsForAllItsCalls)
{
    const KernelRow row = describeKernel(makeProgramRun());
    EXPECT_EQ(row.name, "void at::norm<float>(float*, int)");
    EXPECT_EQ(row.shortName, "norm<float>");
    EXPECT_EQ(row.range, "forward");
    EXPECT_EQ(row.shape, q("(3, 4, 5) × (32, 2)"));
    EXPECT_EQ(row.threads, 3.0 * 4 * 5 * 32 * 2);
    EXPECT_EQ(row.calls, 7);
    EXPECT_EQ(row.ns, 2000.0) << "of one call";
    EXPECT_EQ(row.totalNs, 21000.0) << "of all calls";
    EXPECT_EQ(row.share, 0.25);
    EXPECT_EQ(row.savedNs, 5250.0) << "a quarter of all calls";
    EXPECT_EQ(row.classId, "dram-bound");
    EXPECT_EQ(row.priority, "P1");
    EXPECT_EQ(row.finding, "DRAM limits it.");
    EXPECT_EQ(row.originName, "python3 train.py");
    EXPECT_EQ(row.device, "NVIDIA H200");
    EXPECT_EQ(row.startedAt, "2026-01-02T03:04:05.000Z");
    EXPECT_FALSE(row.failed);
    RunRecord later = makeProgramRun();
    later.startedAt = "2026-01-03T03:04:05.000Z";
    EXPECT_NE(describeKernel(later).origin, row.origin) << "another run of the same program";
    EXPECT_EQ(describeKernel(makeProgramRun()).origin, row.origin);
}

TEST(KernelRows, AKernelOfTheCatalogIsItsAddressAndProblem)
{
    RunRecord run = makeProgramRun();
    run.program.reset();
    run.kernel = *parseAddress("transpose/tiled");
    run.problem = *parseParams("M=64,N=32");
    run.launches.resize(2);
    run.launches[0].gridBlocks = 100;
    run.launches[0].blockThreads = 256;
    run.launches[1].gridBlocks = 7;
    run.launches[1].blockThreads = 7;
    run.status = ResultStatus::validationFailed;
    const KernelRow row = describeKernel(run);
    EXPECT_EQ(row.name, "transpose/tiled");
    EXPECT_EQ(row.shortName, "transpose/tiled");
    EXPECT_EQ(row.shape, spaceProblem("M=64,N=32"));
    EXPECT_EQ(row.threads, 25600.0) << "of its first launch";
    EXPECT_EQ(row.calls, 1);
    EXPECT_EQ(row.totalNs, 2000.0);
    EXPECT_EQ(row.savedNs, 500.0);
    EXPECT_FALSE(row.share);
    EXPECT_TRUE(row.range.isEmpty());
    EXPECT_TRUE(row.origin.isEmpty());
    EXPECT_TRUE(row.originName.isEmpty());
    EXPECT_TRUE(row.failed);
}

TEST(KernelRows, WithoutAWholeShapeTheLaunchIsCounted)
{
    for (const char* problem : {"GRID=4096x1x1", "BLOCK=16x16x1", "BLOCK=16x16,GRID=4096x1x1", "BLOCK=16,GRID=4096x1x1"}) {
        RunRecord run = makeProgramRun();
        run.problem = *parseParams(problem);
        EXPECT_TRUE(describeKernel(run).shape.isEmpty()) << problem;
        run.launches.resize(1);
        run.launches[0].gridBlocks = 4096;
        run.launches[0].blockThreads = 128;
        EXPECT_EQ(describeKernel(run).shape, q("4,096 × 128")) << problem;
        EXPECT_EQ(describeKernel(run).threads, 4096.0 * 128) << problem;
    }
    RunRecord one = makeProgramRun();
    one.problem = *parseParams("BLOCK=1x1x1,GRID=1x1x2");
    EXPECT_EQ(describeKernel(one).shape, q("(1, 1, 2) × 1"));
}

TEST(KernelRows, AnUntimedRunHasTheTimeOfItsCounters)
{
    RunRecord run = makeProgramRun();
    run.program.reset();
    run.timing->gpu = {};
    EXPECT_FALSE(describeKernel(run).ns);
    EXPECT_FALSE(describeKernel(run).savedNs);
    run.metrics.emplace().values["gpu__time_duration.sum"] = 3000;
    EXPECT_EQ(describeKernel(run).ns, 3000.0);
    EXPECT_EQ(describeKernel(run).totalNs, 3000.0);
    run.timing->gpu = {2000, 2000, 2000, 1};
    EXPECT_EQ(describeKernel(run).ns, 2000.0);
    run.diagnosis->finding.estimate.reset();
    EXPECT_FALSE(describeKernel(run).savedNs);
}

TEST(KernelRows, TheRoofIsTheOneThatIsClosest)
{
    RunRecord run = makeProgramRun();
    run.device.ccMajor = 9;
    run.device.smCount = 132;
    run.device.clockMhz = 1980;
    run.device.memoryClockMhz = 3201;
    run.device.memoryBusBits = 6144;
    run.metrics.emplace();
    run.metrics->launch = "f";
    run.metrics->values = {{"dram__bytes_read.sum", 4e8},
                           {"dram__bytes_write.sum", 4e8},
                           {"gpu__time_duration.sum", 400000.0},
                           {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 1e7},
                           {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 0.0},
                           {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 0.0}};
    const KernelRow memory = describeKernel(run);
    ASSERT_TRUE(memory.roofPercent);
    EXPECT_EQ(memory.roof, "DRAM");
    EXPECT_GT(*memory.roofPercent, 30) << "2 of 4.9 TB/s";
    EXPECT_LT(*memory.roofPercent, 60);
    ASSERT_TRUE(memory.points[static_cast<std::size_t>(MemoryLevel::dram)]);
    EXPECT_NEAR(memory.points[static_cast<std::size_t>(MemoryLevel::dram)]->intensity, 2e7 / 8e8, 1e-9);
    EXPECT_NEAR(memory.points[static_cast<std::size_t>(MemoryLevel::dram)]->flops, 2e7 / 400e-6, 1);
    EXPECT_FALSE(memory.points[static_cast<std::size_t>(MemoryLevel::l1)]);
    run.metrics->values["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"] = 1.2e10;
    const KernelRow arithmetic = describeKernel(run);
    EXPECT_EQ(arithmetic.roof, "FP32");
    EXPECT_GT(*arithmetic.roofPercent, 70) << "60 of 67 TFLOP/s";
}

TEST(KernelRows, AListedRunIsKnownByItsOwnFields)
{
    RunSummary run;
    run.id.text = "id";
    run.kernel = "copy/vector";
    run.problem = "M=64,N=32";
    run.device = "NVIDIA L4";
    run.startedAt = "2026-01-02T03:04:05.000Z";
    run.gpuNs = 500;
    run.classId = "balanced";
    run.priority = "P3";
    run.correctness = CorrectnessResult::incorrect;
    const KernelRow row = describeKernel(run);
    EXPECT_EQ(row.id.text, "id");
    EXPECT_EQ(row.name, "copy/vector");
    EXPECT_EQ(row.shortName, "copy/vector");
    EXPECT_EQ(row.shape, spaceProblem("M=64,N=32"));
    EXPECT_EQ(row.ns, 500.0);
    EXPECT_EQ(row.totalNs, 500.0);
    EXPECT_EQ(row.classId, "balanced");
    EXPECT_EQ(row.priority, "P3");
    EXPECT_EQ(row.device, "NVIDIA L4");
    EXPECT_EQ(row.startedAt, "2026-01-02T03:04:05.000Z");
    EXPECT_TRUE(row.failed);
    run.correctness = CorrectnessResult::correct;
    EXPECT_FALSE(describeKernel(run).failed);
}

KernelRow listedKernel(const char* id, const char* origin, std::optional<double> totalNs, std::optional<double> savedNs = {})
{
    KernelRow row;
    row.id.text = id;
    row.name = QStringLiteral("void %1(int)").arg(id);
    row.shortName = id;
    row.origin = origin;
    row.ns = row.totalNs = totalNs;
    row.savedNs = savedNs;
    return row;
}

TEST(KernelRows, SharesAreOfTheOwnReport)
{
    std::vector<KernelRow> rows{listedKernel("a", "one", 300), listedKernel("b", "two", 50), listedKernel("c", "one", 100),
                                listedKernel("d", "two", {}), listedKernel("e", "zero", 0)};
    addShares(rows);
    EXPECT_EQ(rows[0].share, 0.75);
    EXPECT_EQ(rows[1].share, 1.0);
    EXPECT_EQ(rows[2].share, 0.25);
    EXPECT_FALSE(rows[3].share) << "untimed";
    EXPECT_FALSE(rows[4].share) << "of nothing";
}

TEST(KernelRows, ASumWithoutTimesOrSavingsHasNone)
{
    std::vector<KernelRow> rows{listedKernel("a", "", {}), listedKernel("b", "", {})};
    KernelRow sum = sumKernels({&rows[0], &rows[1]});
    EXPECT_FALSE(sum.totalNs);
    EXPECT_FALSE(sum.ns);
    EXPECT_FALSE(sum.speedup);
    rows = {listedKernel("a", "", 100), listedKernel("b", "", 300), listedKernel("c", "", 200)};
    rows[1].calls = 2;
    rows[0].share = 0.25;
    rows[2].share = 0.5;
    sum = sumKernels({&rows[0], &rows[1], &rows[2]});
    EXPECT_EQ(sum.id.text, "b") << "without savings the one that takes longest";
    EXPECT_EQ(sum.calls, 4);
    EXPECT_EQ(sum.ns, 150.0);
    EXPECT_EQ(sum.share, 0.75);
    EXPECT_FALSE(sum.savedNs);
    EXPECT_FALSE(sum.speedup);
    rows[0].savedNs = 600;
    EXPECT_FALSE(sumKernels({&rows[0], &rows[1], &rows[2]}).speedup) << "all of the time cannot be saved";
}

QString cellAt(const KernelTreeModel& model, int row, int column, int role = Qt::DisplayRole, const QModelIndex& parent = {})
{
    return model.index(row, column, parent).data(role).toString();
}

KernelRow wholeRow()
{
    KernelRow row = listedKernel("gemm", "file", 8000, 2000);
    row.range = "forward";
    row.shape = "64 × 32";
    row.threads = 2048;
    row.calls = 4;
    row.ns = 2000;
    row.share = 0.25;
    row.classId = "dram-bound";
    row.priority = "P1";
    row.finding = "DRAM limits it.";
    row.roofPercent = 80;
    row.roof = "DRAM";
    row.speedup = 1.5;
    row.originName = "step.ncu-rep";
    row.device = "NVIDIA H200";
    row.startedAt = "2025-11-21T01:45:04.123Z";
    return row;
}

TEST(KernelTreeModel, EachCellHasItsOwnFigure)
{
    using Model = KernelTreeModel;
    Model model;
    model.setRows({wholeRow()});
    const std::pair<int, QString> cells[] = {{Model::Name, "gemm"},
                                             {Model::Range, "forward"},
                                             {Model::Shape, "64 × 32"},
                                             {Model::Calls, "4"},
                                             {Model::Time, q(formatTime(2000))},
                                             {Model::Total, q(formatTime(8000))},
                                             {Model::Share, q(formatPercent(25))},
                                             {Model::Finding, "P1 dram-bound"},
                                             {Model::Roof, "DRAM " + q(formatPercent(80))},
                                             {Model::Speedup, q(formatRatio(1.5))},
                                             {Model::Saved, q(formatTime(2000))},
                                             {Model::Device, "NVIDIA H200"},
                                             {Model::Started, relative("2025-11-21T01:45:04.123Z")}};
    for (const auto& [column, text] : cells)
        EXPECT_EQ(cellAt(model, 0, column), text) << column;
    EXPECT_EQ(cellAt(model, 0, Model::Name, Qt::ToolTipRole), "void gemm(int)") << "the whole name";
    EXPECT_EQ(cellAt(model, 0, Model::Finding, Qt::ToolTipRole), "DRAM limits it.");
    EXPECT_EQ(cellAt(model, 0, Model::Started, Qt::ToolTipRole), absoluteTime("2025-11-21T01:45:04.123Z"));
    for (const int column : {Model::Calls, Model::Time, Model::Total, Model::Share, Model::Roof, Model::Speedup, Model::Saved})
        EXPECT_TRUE(model.index(0, column).data(Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignRight) << column;
    for (const int column : {Model::Name, Model::Range, Model::Shape, Model::Finding, Model::Device, Model::Started})
        EXPECT_TRUE(model.index(0, column).data(Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignLeft) << column;
    const QString words = cellAt(model, 0, Model::Name, kFilterRole);
    for (const char* word : {"void gemm(int)", "forward", "64 × 32", "P1", "dram-bound", "DRAM limits it.", "NVIDIA H200", "step.ncu-rep"})
        EXPECT_TRUE(words.contains(QString::fromUtf8(word))) << word;
    model.setFullNames(true);
    EXPECT_EQ(cellAt(model, 0, Model::Name), "void gemm(int)");
    EXPECT_FALSE(model.index(0, Model::Time).data(Qt::ForegroundRole).isValid());
    EXPECT_EQ(model.index(0, Model::Saved).data(Qt::ForegroundRole).value<QColor>(), color(Token::better));
}

TEST(KernelTreeModel, WhatIsMissingIsLeftOutOrSaid)
{
    using Model = KernelTreeModel;
    Model model;
    KernelRow row = listedKernel("a", "", {});
    row.failed = true;
    model.setRows({row});
    EXPECT_TRUE(cellAt(model, 0, Model::Time).startsWith(q("✕"))) << "failed, not a time";
    EXPECT_EQ(model.index(0, Model::Time).data(Qt::ForegroundRole).value<QColor>(), color(Token::worse));
    EXPECT_FALSE(cellAt(model, 0, Model::Finding).isEmpty()) << "it says that there is none";
    EXPECT_EQ(cellAt(model, 0, Model::Finding, Qt::ToolTipRole), cellAt(model, 0, Model::Finding));
    for (const int column : {Model::Share, Model::Roof, Model::Speedup, Model::Saved}) {
        EXPECT_EQ(cellAt(model, 0, column), "") << column;
        EXPECT_FALSE(model.hasValues(column)) << column;
    }
    for (const int column : {Model::Range, Model::Calls, Model::Total})
        EXPECT_FALSE(model.hasValues(column)) << column;
    for (const int column : {Model::Name, Model::Shape, Model::Time, Model::Finding, Model::Device, Model::Started})
        EXPECT_TRUE(model.hasValues(column)) << column;
    model.setGrouping(KernelGrouping::name);
    EXPECT_TRUE(model.hasValues(Model::Total)) << "a group has a sum";
    EXPECT_FALSE(model.hasValues(Model::Calls));
    model.setGrouping(KernelGrouping::none);
    model.setRows({row, wholeRow()});
    for (int column = 0; column < Model::ColumnCount; ++column)
        EXPECT_TRUE(model.hasValues(column)) << column;
    model.setRows({});
    EXPECT_FALSE(model.hasValues(Model::Name));
    EXPECT_FALSE(model.find(RunId{"gemm"}).isValid());
    EXPECT_EQ(model.at({}), nullptr);
}

TEST(KernelTreeModel, SnapshotOfWhatIsMissing)
{
    using Model = KernelTreeModel;
    Model model;
    KernelRow row = listedKernel("a", "", {});
    row.failed = true;
    model.setRows({row});
    QString text = "time | " + cellAt(model, 0, Model::Time) + "\nfinding | " + cellAt(model, 0, Model::Finding) + u'\n';
    model.setGrouping(KernelGrouping::range);
    text += "range | " + cellAt(model, 0, Model::Name) + u'\n';
    test::expectSnapshot("ui/kernel-cells.txt", utf8(text));
}

TEST(KernelTreeModel, AGroupIsFoundByItsKernels)
{
    using Model = KernelTreeModel;
    Model model;
    std::vector<KernelRow> rows{listedKernel("a", "", 100), listedKernel("b", "", 50), listedKernel("c", "", 300)};
    rows[0].name = rows[2].name = "void same(int)";
    rows[0].range = "forward";
    rows[0].shape = "1 × 1";
    rows[1].shape = "2 × 2";
    model.setRows(rows);
    EXPECT_FALSE(model.isGroup(model.index(0, 0)));
    model.setGrouping(KernelGrouping::name);
    ASSERT_EQ(model.rowCount(), 2);
    const QModelIndex same = model.index(0, 0);
    EXPECT_TRUE(model.isGroup(same));
    EXPECT_EQ(model.rowCount(same), 2);
    EXPECT_EQ(model.rowCount(model.index(0, 1)), 0) << "rows are below the first column";
    EXPECT_EQ(cellAt(model, 0, Model::Total), q(formatTime(400)));
    EXPECT_EQ(cellAt(model, 0, Model::Name), "c (2)") << "short name, number of kernels";
    EXPECT_EQ(cellAt(model, 0, Model::Shape), "") << "of several";
    EXPECT_EQ(cellAt(model, 0, Model::Range), "");
    EXPECT_EQ(cellAt(model, 1, Model::Shape), "2 × 2") << "of one";
    EXPECT_EQ(model.at(same)->id.text, "c");
    EXPECT_EQ(model.at(model.index(0, 0, same))->id.text, "a");
    EXPECT_EQ(model.at(model.index(1, 0, same))->id.text, "c");
    EXPECT_EQ(model.find(RunId{"c"}), model.index(1, 0, same));
    EXPECT_EQ(model.parent(model.find(RunId{"c"})), same);
    EXPECT_EQ(model.parent(model.find(RunId{"b"})), model.index(1, 0));
    EXPECT_FALSE(model.parent(same).isValid());
    const QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setFullNames(true);
    EXPECT_EQ(changed.count(), 3) << "the groups, and the kernels of each";
    EXPECT_EQ(cellAt(model, 0, Model::Name), "void same(int) (2)");
    model.setGrouping(KernelGrouping::range);
    EXPECT_EQ(cellAt(model, 0, Model::Name), "forward (1)");
    EXPECT_TRUE(cellAt(model, 1, Model::Name).endsWith(" (2)")) << "without a range: " << cellAt(model, 1, Model::Name).toStdString();
    EXPECT_FALSE(cellAt(model, 1, Model::Name).chopped(4).isEmpty());
    EXPECT_EQ(cellAt(model, 1, Model::Started), "");
}

TEST(KernelTreeModel, HasAHeaderPerColumn)
{
    const KernelTreeModel model;
    QStringList names;
    for (int column = 0; column < KernelTreeModel::ColumnCount; ++column) {
        names << model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        EXPECT_FALSE(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty()) << column;
    }
    EXPECT_EQ(names[KernelTreeModel::Time], "Time");
    EXPECT_EQ(names[KernelTreeModel::Total], "Total");
    EXPECT_EQ(names[KernelTreeModel::Saved], "Time saved");
    EXPECT_EQ(names.removeDuplicates(), 0);
    EXPECT_FALSE(model.headerData(KernelTreeModel::ColumnCount, Qt::Horizontal, Qt::DisplayRole).isValid());
    EXPECT_FALSE(model.headerData(-1, Qt::Horizontal, Qt::DisplayRole).isValid());
    EXPECT_FALSE(model.headerData(0, Qt::Vertical, Qt::DisplayRole).isValid());
}

TEST(MetricRows, TheUnitOfAnUnknownMetricIsGuessedFromItsName)
{
    const std::pair<const char*, const char*> units[] = {{"x__y.avg.pct_of_peak_sustained_elapsed", "%"},
                                                         {"smsp__z_pct", "%"},
                                                         {"x__hits.ratio", ""},
                                                         {"x__bytes.sum.per_cycle_active", ""},
                                                         {"x__bytes.max_rate", ""},
                                                         {"x__bytes.sum.peak_sustained", ""},
                                                         {"x__bytes.sum.per_second", "bytes/s"},
                                                         {"x__cycles.avg.per_second", "Hz"},
                                                         {"x__inst.sum.per_second", "1/s"},
                                                         {"gpu__time_duration.sum", "ns"},
                                                         {"x__dwell_time.sum", "ns"},
                                                         {"x__bytes.sum", "bytes"},
                                                         {"launch__shared_mem_per_block_static", "bytes"},
                                                         {"device__cache_size", "bytes"},
                                                         {"launch__stack_size", "bytes"},
                                                         {"x__inst.sum", ""}};
    for (const auto& [name, unit] : units)
        EXPECT_EQ(guessUnit(name), unit) << name;
}

TEST(MetricRows, AnExactValueIsGroupedOrHasSevenDigits)
{
    EXPECT_EQ(formatExact(1234567), q(formatCount(1234567)));
    EXPECT_EQ(formatExact(-12), q(formatCount(-12)));
    EXPECT_EQ(formatExact(0.123456789), "0.1234568");
    EXPECT_EQ(formatExact(1e15), "1e+15") << "too large to be counted exactly";
    EXPECT_EQ(formatExact(999999999999999), q(formatCount(999999999999999)));
}

TEST(MetricRows, StandInTheirSectionsWithPeakAndChange)
{
    RunRecord run;
    EXPECT_TRUE(metricGroups(run, nullptr).empty()) << "nothing was counted";
    const std::string known = "gpu__time_duration.sum";
    run.metrics.emplace();
    run.metrics->values = {{known, 300.0},
                           {"zzz__things.sum", 5.0},
                           {"zzz__things.avg.pct_of_peak_sustained_active", 40.0},
                           {"zzz__things.sum.pct_of_peak_sustained_elapsed", 70.0},
                           {"aaa__bytes.sum", 9.0}};
    run.imported.emplace().texts = {{"note", "words"}};
    RunRecord baseline;
    baseline.metrics.emplace();
    baseline.metrics->values = {{known, 200.0}, {"zzz__things.sum", 0.0}};
    const std::vector<MetricGroup> groups = metricGroups(run, &baseline);
    const auto find = [&](const std::string& name) -> const MetricRow* {
        for (const MetricGroup& group : groups)
            for (const MetricRow& row : group.rows)
                if (row.name == name)
                    return &row;
        return nullptr;
    };
    const MetricRow* time = find(known);
    ASSERT_NE(time, nullptr);
    EXPECT_EQ(time->value, 300.0);
    EXPECT_EQ(time->baseline, 200.0);
    EXPECT_EQ(time->change, 0.5) << "of the baseline's";
    EXPECT_EQ(time->unit, "ns");
    EXPECT_EQ(time->label, q(findMetric(known)->title));
    EXPECT_EQ(time->meaning, q(findMetric(known)->help));
    const MetricRow* things = find("zzz__things.sum");
    ASSERT_NE(things, nullptr);
    EXPECT_EQ(things->percent, 40.0) << "the average's share of the peak before the sum's";
    EXPECT_EQ(things->baseline, 0.0);
    EXPECT_FALSE(things->change) << "of nothing";
    EXPECT_TRUE(things->label.isEmpty());
    EXPECT_EQ(find("zzz__things.avg.pct_of_peak_sustained_active")->percent, 40.0) << "it is one itself";
    EXPECT_EQ(find("zzz__things.sum.pct_of_peak_sustained_elapsed")->percent, 70.0);
    EXPECT_FALSE(find("aaa__bytes.sum")->percent);
    EXPECT_FALSE(find("aaa__bytes.sum")->baseline);
    ASSERT_GE(groups.size(), 4U);
    QStringList last;
    for (std::size_t i = groups.size() - 3; i < groups.size(); ++i)
        last << groups[i].title + QLatin1Char(' ') + QString::number(groups[i].rows.size());
    EXPECT_EQ(last, (QStringList{"Other: aaa 1", "Other: zzz 3", "Texts 1"}));
    EXPECT_EQ(groups.back().rows[0].name, "note");
    EXPECT_EQ(groups.back().rows[0].text, "words");
    EXPECT_FALSE(metricGroups(run, nullptr).front().rows.front().baseline);
}

TEST(MetricRows, AMissingMetricOfASectionSaysWhy)
{
    const std::string name = metricSections().front().metrics.front();
    RunRecord run;
    run.metrics.emplace().missing[name] = "not supported";
    const std::vector<MetricGroup> groups = metricGroups(run, nullptr);
    ASSERT_FALSE(groups.empty());
    EXPECT_EQ(groups.front().title, q(metricSections().front().title));
    EXPECT_EQ(groups.front().help, q(metricSections().front().help));
    ASSERT_EQ(groups.front().rows.size(), 1U) << "of what was neither counted nor missed there is no row";
    EXPECT_FALSE(groups.front().rows[0].value);
    EXPECT_EQ(groups.front().rows[0].text, "not supported");
}

TEST(MetricTreeModel, EachCellHasItsOwnFigure)
{
    using Model = MetricTreeModel;
    MetricRow row{"gpu__time_duration.sum", "GPU time", 300.5, {}, "ns", 12.0, "How long it ran.", 200.25, 0.5};
    MetricRow bare;
    bare.name = "zzz__things.sum";
    MetricRow why = bare;
    why.name = "zzz__others.sum";
    why.text = "not supported";
    Model model;
    model.setGroups({{"First", "help of it", {row}}, {"Second", {}, {bare, why, row}}});
    const QModelIndex first = model.index(0, 0);
    const QModelIndex second = model.index(1, 0);
    const auto cell = [&](const QModelIndex& section, int at, int column) { return model.index(at, column, section).data().toString(); };
    const std::pair<int, QString> cells[] = {{Model::Name, "GPU time"},           {Model::Metric, "gpu__time_duration.sum"},
                                             {Model::Value, formatExact(300.5)},  {Model::Unit, "ns"},
                                             {Model::Peak, q(formatPercent(12))}, {Model::Baseline, formatExact(200.25)},
                                             {Model::Meaning, "How long it ran."}};
    for (const auto& [column, text] : cells)
        EXPECT_EQ(cell(first, 0, column), text) << column;
    EXPECT_TRUE(cell(first, 0, Model::Change).contains("50")) << cell(first, 0, Model::Change).toStdString();
    EXPECT_EQ(cell(second, 0, Model::Name), "zzz__things.sum") << "without a label its name";
    EXPECT_EQ(cell(second, 0, Model::Metric), "") << "once";
    EXPECT_EQ(cell(second, 0, Model::Value), q(kNoValue));
    EXPECT_EQ(cell(second, 1, Model::Value), "not supported");
    EXPECT_EQ(first.data().toString(), "First (1)");
    EXPECT_EQ(first.data(Qt::ToolTipRole).toString(), "help of it");
    EXPECT_EQ(second.data().toString(), "Second (3)");
    EXPECT_EQ(model.index(1, Model::Value).data().toString(), "");
    EXPECT_EQ(model.at(second), nullptr) << "a section";
    EXPECT_EQ(model.at(model.index(2, 0, second))->label, "GPU time");
    EXPECT_EQ(model.find("gpu__time_duration.sum"), model.index(0, 0, first)) << "the first of two";
    EXPECT_EQ(model.find("zzz__others.sum"), model.index(1, 0, second));
    EXPECT_FALSE(model.find("none").isValid());
    EXPECT_EQ(model.parent(model.index(2, 0, second)), second);
    EXPECT_EQ(model.rowCount(model.index(0, 0, second)), 0);
    EXPECT_TRUE(model.index(0, 0, second).data(kFilterRole).toString().contains("Second")) << "found by its section";
    EXPECT_TRUE(model.index(0, 0, first).data(kFilterRole).toString().contains("How long it ran."));
    EXPECT_EQ(model.index(0, 0, second).data(Qt::ToolTipRole).toString(), "zzz__things.sum");
    EXPECT_EQ(model.index(0, 0, first).data(Qt::ToolTipRole).toString(), "gpu__time_duration.sum\nHow long it ran.");
}

TEST(MetricTreeModel, AChangeHasTheColorOfItsDirection)
{
    const auto colorAt = [](const char* metric, std::optional<double> change) {
        MetricRow row;
        row.name = metric;
        row.change = change;
        MetricTreeModel model;
        model.setGroups({{"g", {}, {row}}});
        const QVariant ink = model.index(0, MetricTreeModel::Change, model.index(0, 0)).data(Qt::ForegroundRole);
        EXPECT_FALSE(model.index(0, MetricTreeModel::Value, model.index(0, 0)).data(Qt::ForegroundRole).isValid());
        return ink.isValid() ? std::optional(ink.value<QColor>()) : std::nullopt;
    };
    const char* less = "gpu__time_duration.sum";
    ASSERT_EQ(findMetric(less)->better, Better::lower);
    const char* more = "sm__warps_active.avg.pct_of_peak_sustained_active";
    ASSERT_EQ(findMetric(more)->better, Better::higher);
    EXPECT_EQ(colorAt(less, -0.5), color(Token::better));
    EXPECT_EQ(colorAt(less, 0.5), color(Token::worse));
    EXPECT_EQ(colorAt(more, 0.5), color(Token::better));
    EXPECT_EQ(colorAt(more, -0.5), color(Token::worse));
    EXPECT_EQ(colorAt(less, 0.01), color(Token::worse));
    EXPECT_FALSE(colorAt(less, 0.009)) << "noise";
    EXPECT_FALSE(colorAt(less, {}));
    EXPECT_FALSE(colorAt("zzz__things.sum", 0.5)) << "nobody knows what is better";
}

} // namespace
} // namespace kl::ui
