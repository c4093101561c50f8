// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/model/kernel_code.h"
#include "tests/support/snapshot.h"
#include "ui/pages/compare/basket_card.h"
#include "ui/pages/compare/compare_tabs.h"
#include "ui/pages/compare/difference_model.h"
#include "ui/pages/compare/opening_pair.h"
#include "ui/pages/compare/run_names.h"
#include "ui/pages/compare/sample_strip.h"
#include "ui/pages/compare/time_bars.h"
#include "ui/pages/kernels/variant_facts.h"
#include "ui/pages/shared/finding_charts.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>

namespace kl::ui {
namespace {

// The tester warns, and the message handler of main.cpp turns a warning into a failure.
constexpr auto kMode = QAbstractItemModelTester::FailureReportingMode::Warning;

const std::vector<Difference> kRows = {{"dram__throughput.avg.pct_of_peak_sustained_elapsed", "12", "60", 4.0},
                                       {"launch__registers_per_thread", "32", "32", 0.0},
                                       {"lts__t_sectors.sum", "", "7", {}}};

TEST(DifferenceModel, PassesTheModelTester)
{
    DifferenceModel model;
    QAbstractItemModelTester tester(&model, kMode);
    model.setDifferences("a", "b", kRows, true);
    EXPECT_EQ(model.rowCount(), 3);
    model.setDifferences("a", "b", {}, true);
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(DifferenceModel, LeavesEqualValuesOutUnlessAsked)
{
    DifferenceModel model;
    model.setDifferences("transpose/naive", "transpose/tiled", kRows, false);
    EXPECT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.headerData(DifferenceModel::AColumn, Qt::Horizontal, Qt::DisplayRole).toString(), "transpose/naive");
}

TEST(DifferenceModel, ALargeDecreaseIsSortedAsALargeChange)
{
    DifferenceModel model;
    model.setDifferences("a", "b", {{"a.sum", "10", "11", 0.1}, {"b.sum", "10", "1", -0.9}, {"c.sum", "10", "15", 0.5}}, false);
    DataTable table("test-changes");
    table.setSource(&model);
    table.sortByColumn(DifferenceModel::ChangeColumn, Qt::DescendingOrder);
    QStringList names;
    for (int row = 0; row < table.model()->rowCount(); ++row)
        names << table.model()->index(row, DifferenceModel::NameColumn).data().toString();
    EXPECT_EQ(names, QStringList({"b.sum", "c.sum", "a.sum"}));
}

TEST(DifferenceModel, AMissingValueIsReportedAndHasNoChange)
{
    DifferenceModel model;
    model.setDifferences("a", "b", kRows, false);
    const QString none = model.index(1, DifferenceModel::AColumn).data().toString();
    EXPECT_FALSE(none.isEmpty() || none.contains(QRegularExpression("[0-9]"))) << none.toStdString();
    EXPECT_NE(model.index(1, DifferenceModel::BColumn).data().toString(), none);
    EXPECT_TRUE(model.index(1, DifferenceModel::ChangeColumn).data().toString().isEmpty());
}

TEST(DifferenceModel, ARunsOwnFiguresHaveUnitAndDirection)
{
    DifferenceModel model;
    model.setDifferences("a", "b", {{"gpu_ns", "16260", "8130", -0.5}, {"speedup", "1", "2", 1.0}}, false);
    EXPECT_EQ(model.index(0, DifferenceModel::BColumn).data().toString(), q(formatTime(8130)));
    EXPECT_TRUE(model.index(0, DifferenceModel::ChangeColumn).data().toString().startsWith("▲")) << "less time is better";
    EXPECT_EQ(model.index(1, DifferenceModel::BColumn).data().toString(), "2.00×");
    EXPECT_TRUE(model.index(1, DifferenceModel::ChangeColumn).data().toString().startsWith("▲"));
}

TEST(DifferenceModel, AThousandfoldChangeIsAFactor)
{
    DifferenceModel model;
    model.setDifferences("a", "b", {{"lts__t_sectors.sum", "10", "10627.6", 1061.76}}, false);
    EXPECT_TRUE(model.index(0, DifferenceModel::ChangeColumn).data().toString().endsWith(q("1,063×")));
}

TEST(DifferenceModel, ALongNameMayWrapAndIsCopiedWhole)
{
    DifferenceModel model;
    model.setDifferences("a", "b", kRows, true);
    DataTable table("test-differences");
    table.setStretchColumn(DifferenceModel::NameColumn);
    table.setWrapped(true);
    table.setBreakable();
    table.setSource(&model);
    table.resize(260, 300);
    table.show();
    EXPECT_GT(table.rowHeight(0), table.rowHeight(2)) << "it takes more than a line";
    EXPECT_TRUE(table.tsv(false).contains("dram__throughput.avg.pct_of_peak_sustained_elapsed\t"));
    table.setCurrentIndex(table.model()->index(2, 0));
    table.keyboardSearch("dram__th");
    EXPECT_EQ(table.currentIndex().row(), 0) << "typing the name finds it";
}

/// A run of the list, the newest first.
RunSummary makeListed(const char* id, const char* kernel, double ns, const char* problem = "M=4096,N=4096")
{
    RunSummary run;
    run.id.text = id;
    run.kernel = kernel;
    run.problem = problem;
    run.device = "NVIDIA H200";
    run.gpuNs = ns;
    return run;
}

class OpeningPair : public testing::Test {
protected:
    std::vector<std::string> chooseIds(const std::vector<RunSummary>& runs) { return chooseOpeningPair(*catalog, runs).ids; }
    Result<Catalog> catalog = Catalog::loadEmbedded();
};

TEST_F(OpeningPair, IsTheNewestChangeBesideWhatItFixes)
{
    // The newest two runs are of one family, but neither fixes the other.
    const std::vector<RunSummary> runs{
        makeListed("5", "fma/integer", 9, "ITERS=1024,N=1048576"), makeListed("4", "fma/transcendental", 8, "ITERS=1024,N=1048576"),
        makeListed("3", "transpose/tiled", 50), makeListed("2", "transpose/naive", 200), makeListed("1", "transpose/naive", 210)};
    EXPECT_EQ(chooseIds(runs), (std::vector<std::string>{"2", "3"})) << "the newest run of what it fixes, as A";
    EXPECT_FALSE(chooseOpeningPair(*catalog, runs).why.empty());
}

TEST_F(OpeningPair, IsOfOneProblemAndDeviceAndOfRunsThatCount)
{
    RunSummary elsewhere = makeListed("5", "transpose/naive", 200);
    elsewhere.device = "NVIDIA L4";
    RunSummary failed = makeListed("4", "transpose/naive", 200);
    failed.status = ResultStatus::computationFailed;
    RunSummary wrong = makeListed("3", "transpose/naive", 200);
    wrong.correctness = CorrectnessResult::incorrect;
    const RunSummary small = makeListed("2", "transpose/naive", 20, "M=64,N=65");
    EXPECT_TRUE(chooseIds({makeListed("6", "transpose/tiled", 50), elsewhere, failed, wrong, small}).empty());
    RunSummary twin = makeListed("7", "transpose/naive", 200);
    twin.deviceUuid = "GPU-2";
    EXPECT_TRUE(chooseIds({makeListed("6", "transpose/tiled", 50), twin}).empty()) << "two GPUs of one name are not comparable";
}

TEST_F(OpeningPair, WithoutASeriesIsTheNewestTwoVariantsTheSlowerFirst)
{
    EXPECT_EQ(chooseIds({makeListed("2", "mine/b", 50), makeListed("1", "mine/a", 20)}), (std::vector<std::string>{"2", "1"}));
    EXPECT_TRUE(chooseIds({makeListed("2", "program/b", 50), makeListed("1", "program/a", 20)}).empty()) << "they do different work";
    EXPECT_TRUE(chooseIds({}).empty());
}

RunRecord makeRun(const char* kernel, std::optional<double> ns)
{
    RunRecord run;
    run.kernel = *parseAddress(kernel);
    if (ns) {
        run.timing.emplace();
        run.timing->gpu = {*ns, *ns * 0.9, *ns * 1.1, 200};
    }
    return run;
}

TEST(BasketCard, LongNamesAreNotCut)
{
    BasketCard card(nullptr);
    card.setRuns({makeRun("program/softmax-registers-of-all-rows-c51a2b", 200000)}, {});
    card.resize(card.width(), 400);
    card.show();
    for (const QLabel* label : card.findChildren<QLabel*>())
        if (label->isVisible()) {
            EXPECT_TRUE(label->wordWrap() || label->width() >= label->sizeHint().width()) << label->text().toStdString();
            EXPECT_GE(label->height(), label->heightForWidth(label->width())) << label->text().toStdString();
        }
}

TEST(CompareTabs, CodeIsComparedWithCodeOfTheSameLanguage)
{
    const auto makeCodeRun = [](CodeLanguage language) {
        RunRecord run;
        KernelCode code;
        code.language = language;
        code.functions = {"k"};
        code.instructions.emplace_back();
        run.sourceProfile.emplace().code = SharedCode(code);
        return run;
    };
    CompareTabs tabs;
    const int last = tabs.count() - 1;
    for (const auto& [a, b, compared] : {std::tuple(CodeLanguage::sass, CodeLanguage::sass, true),
                                         {CodeLanguage::ptx, CodeLanguage::ptx, true},
                                         {CodeLanguage::sass, CodeLanguage::ptx, false},
                                         {CodeLanguage::none, CodeLanguage::none, false}}) {
        tabs.show({}, {makeCodeRun(a), makeCodeRun(b)});
        EXPECT_EQ(tabs.isTabVisible(last), compared) << static_cast<int>(a) << ' ' << static_cast<int>(b);
    }
}

TEST(TimeBars, SaysHowMuchFasterTheSecondIs)
{
    const RunRecord a = makeRun("transpose/naive", 200000);
    const RunRecord b = makeRun("transpose/tiled", 50000);
    TimeBars bars;
    bars.setRuns({&a, &b});
    for (const char* part : {"transpose/tiled", "transpose/naive", "4.00×"})
        EXPECT_TRUE(bars.finding().contains(QString::fromUtf8(part))) << bars.finding().toStdString();
    EXPECT_EQ(bars.table().rows.size(), 2U);
    EXPECT_TRUE(bars.emptyReason().isEmpty());
}

TEST(TimeBars, BesideAnInterleavedVerdictTheTimesStandAlone)
{
    const RunRecord a = makeRun("transpose/naive", 200000);
    const RunRecord b = makeRun("transpose/tiled", 50000);
    TimeBars bars;
    bars.setRuns({&a, &b}, true);
    for (const std::string& part : {std::string("transpose/tiled"), formatTime(200000), formatTime(50000)})
        EXPECT_TRUE(bars.finding().contains(q(part))) << bars.finding().toStdString();
    EXPECT_FALSE(bars.finding().contains(QStringLiteral("×"))) << bars.finding().toStdString();
}

TEST(TimeBars, AnotherKernelIsNeitherFasterNorSlower)
{
    const RunRecord a = makeRun("transpose/naive", 200000);
    const RunRecord b = makeRun("copy/vector", 50000);
    TimeBars bars;
    bars.setRuns({&a, &b});
    EXPECT_FALSE(bars.finding().contains("4.00")) << bars.finding().toStdString();
}

TEST(RunNames, TwoRunsOfOneKernelAreDistinguished)
{
    const RunRecord a = makeRun("transpose/naive", 200000);
    const RunRecord b = makeRun("transpose/tiled", 50000);
    EXPECT_EQ(runNames({&a, &b}), (QStringList{"transpose/naive", "transpose/tiled"}));
    EXPECT_EQ(runNames({&a, &b, &a}), (QStringList{"A transpose/naive", "B transpose/tiled", "C transpose/naive"}));
    EXPECT_EQ(basketLetter(25), "Z");
    EXPECT_EQ(basketLetter(26), "27");
}

RunRecord makeSampled(const char* kernel, std::vector<double> samples)
{
    RunRecord run = makeRun(kernel, samples.front());
    run.timing->samples = std::move(samples);
    return run;
}

TEST(SampleStrips, TheTitleSaysHowFarTheSamplesAreApart)
{
    const RunRecord slow = makeSampled("transpose/naive", {40, 30, 50});
    const RunRecord fast = makeSampled("transpose/tiled", {10, 29});
    EXPECT_FALSE(sampleFinding({&slow, &fast}).contains('%')) << "all pairs agree";
    const auto withoutNames = [](QString text) { return text.remove("transpose/naive").remove("transpose/tiled"); };
    EXPECT_NE(withoutNames(sampleFinding({&slow, &fast})), withoutNames(sampleFinding({&fast, &slow}))) << "faster and slower";
    const RunRecord between = makeSampled("transpose/padded", {30, 45});
    // Of the six pairs 30 is below 40 and 50 and level with 30 (a half), 45 is below 50: 3.5 of 6.
    EXPECT_TRUE(sampleFinding({&slow, &between}).contains(q(formatPercent(100 * 3.5 / 6))))
        << sampleFinding({&slow, &between}).toStdString();
    EXPECT_TRUE(sampleFinding({&slow}).isEmpty());
    const RunRecord untimed = makeRun("transpose/naive", {});
    EXPECT_TRUE(sampleFinding({&slow, &untimed}).isEmpty());
}

TEST(SampleStrips, SnapshotOfTheWordsOfAComparison)
{
    const RunRecord slow = makeSampled("transpose/naive", {40, 30, 50});
    const RunRecord fast = makeSampled("transpose/tiled", {10, 29});
    const RunRecord between = makeSampled("transpose/padded", {30, 45});
    const RunRecord untimed = makeRun("transpose/naive", {});
    TimeBars bars;
    bars.setRuns({&untimed});
    DifferenceModel model;
    model.setDifferences("a", "b", kRows, false);
    const QStringList lines{"slow, fast | " + sampleFinding({&slow, &fast}), "fast, slow | " + sampleFinding({&fast, &slow}),
                            "slow, between | " + sampleFinding({&slow, &between}), "no time | " + bars.table().rows[0][1],
                            "no figure | " + model.index(1, DifferenceModel::AColumn).data().toString()};
    test::expectSnapshot("ui/comparison-words.txt", utf8(lines.join('\n') + u'\n'));
}

TEST(StallBars, TheTitleOfTwoIsWhatChangedMost)
{
    StallBars bars;
    bars.parts = QStringList{"wait", "long scoreboard", "other", "not stalled"};
    bars.rows = {{"a", {20, 60, 5, 15}}, {"b", {30, 10, 0, 60}}};
    for (const std::string& part : {std::string("Long scoreboard"), formatPercent(60), formatPercent(10)})
        EXPECT_TRUE(stallChange(bars).contains(q(part))) << stallChange(bars).toStdString();
    bars.rows.pop_back();
    EXPECT_TRUE(stallChange(bars).isEmpty());
}

TEST(TimeBars, OneSampleHasNoInterval)
{
    EXPECT_FALSE(timeFigures({47600, 47600, 47600, 1}).contains("95 %"));
    const QString text = timeFigures({47600, 47100, 48000, 200});
    for (const char* part : {"47.6", "95 %", "47.1", "48", "200"})
        EXPECT_TRUE(text.contains(q(part))) << text.toStdString();
}

TEST(TimeBars, ARunWithoutTimesIsNoZero)
{
    const RunRecord a = makeRun("transpose/naive", {});
    TimeBars bars;
    bars.setRuns({&a});
    EXPECT_FALSE(bars.emptyReason().isEmpty());
    const QStringList row = bars.table().rows[0];
    EXPECT_FALSE(row[1].isEmpty() || row.mid(1, 4).join(' ').contains(QRegularExpression("[0-9]"))) << row.join('|').toStdString();
}

TEST(VariantFacts, LaunchInWords)
{
    LaunchFacts launch;
    launch.entry = "transpose_tiled";
    launch.registers = 24;
    launch.staticSmem = 4096;
    launch.gridBlocks = 128;
    launch.blockThreads = 256;
    launch.theoreticalOccupancy = 100;
    launch.occupancyLimiter = "warps";
    const QString words = launchWords(launch);
    for (const char* part : {"transpose_tiled", "24", "128 × 256", "warps"})
        EXPECT_TRUE(words.contains(QString::fromUtf8(part))) << part << ": " << words.toStdString();
    launch.localBytes = 64;
    EXPECT_TRUE(launchWords(launch).contains("64")) << launchWords(launch).toStdString();
}

TEST(FlowLayout, WrapsWhereTheWidthEnds)
{
    QWidget host;
    auto* flow = new FlowLayout(&host, 10, 5);
    for (int i = 0; i < 4; ++i) {
        auto* label = new QLabel(&host);
        label->setFixedSize(100, 20);
        flow->addWidget(label);
    }
    EXPECT_EQ(flow->heightForWidth(430), 20);
    EXPECT_EQ(flow->heightForWidth(429), 45);
    EXPECT_EQ(flow->heightForWidth(100), 95);
    EXPECT_EQ(flow->minimumSize().width(), 100);
}

} // namespace
} // namespace kl::ui
