// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "tests/support/fake_compiler.h"
#include "tests/support/snapshot.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/limit_bars.h"
#include "ui/charts/stacked_bar.h"
#include "ui/models/space_table_model.h"
#include "ui/pages/kernels/static_charts.h"
#include "ui/pages/kernels/static_view.h"
#include "ui/pages/search/funnel_chart.h"
#include "ui/pages/search/measured_view.h"
#include "ui/pages/search/point_card.h"
#include "ui/pages/search_page.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSplitter>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

namespace kl::ui {
namespace {

constexpr int kSurvivors = 1; ///< of the list of points; 0 is all, 2 rejected, then one per gate
constexpr int kRejectedByBanks = 3 + 5;

/// One window on the sample for all tests, with a compiler that is none.
class Search : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        folder = new QTemporaryDir;
        ASSERT_TRUE(folder->isValid());
        QFile script(folder->filePath("worker.sh"));
        ASSERT_TRUE(script.open(QIODevice::WriteOnly));
        script.write(QByteArray("#!/bin/sh\n") + test::kFakeCompiler);
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        script.close();
        before = qgetenv("KERNELLOOP_WORKER");
        auto opened = AppContext::open(":sample:", DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = opened->release();
        window = new MainWindow(*context);
        window->resize(1280, 800);
        window->show();
        window->showPage("search");
        page = dynamic_cast<SearchPage*>(window->page("search"));
        ASSERT_NE(page, nullptr);
    }
    static void TearDownTestSuite()
    {
        before.isEmpty() ? qunsetenv("KERNELLOOP_WORKER") : qputenv("KERNELLOOP_WORKER", before);
        delete window;
        delete context;
        delete folder;
    }
    void SetUp() override
    {
        qputenv("KERNELLOOP_WORKER", folder->filePath("worker.sh").toUtf8());
        window->showPage("search");
        page->open("attention/fused");
        combo("problem")->setCurrentIndex(0);
        combo("gpu")->setCurrentText("H200");
        combo("whatIf")->setCurrentIndex(0);
        combo("shown")->setCurrentIndex(kSurvivors);
        page->findChild<QDoubleSpinBox*>("occupancy")->setValue(12.5);
        ASSERT_TRUE(waitForJobs());
    }
    void TearDown() override { waitForJobs(); }

    QComboBox* combo(const char* name) const { return page->findChild<QComboBox*>(QString::fromLatin1(name)); }
    const FunnelChart& funnel() const { return *page->findChild<FunnelChart*>(); }
    DataTable& table() const { return *page->findChild<DataTable*>("spacePoints"); }
    QString label(const char* name) const { return page->findChild<QLabel*>(QString::fromLatin1(name))->text(); }
    /// Every text of the chosen point's card.
    QStringList pointTexts() const
    {
        QStringList texts;
        for (const QLabel* each : page->findChild<PointCard*>()->findChildren<QLabel*>())
            texts << each->text();
        return texts;
    }
    int chooseShownRows() const { return table().model()->rowCount(); }
    void choose(const char* name, const QString& text) const
    {
        combo(name)->setCurrentText(text);
        ASSERT_EQ(combo(name)->currentText(), text);
        ASSERT_TRUE(waitForJobs());
    }

    static inline QTemporaryDir* folder = nullptr;
    static inline QByteArray before;
    static inline AppContext* context = nullptr;
    static inline MainWindow* window = nullptr;
    static inline SearchPage* page = nullptr;
};

TEST_F(Search, TheFunnelNarrowsGateByGate)
{
    const std::vector<FunnelStage>& stages = funnel().stages();
    ASSERT_EQ(stages.size(), 7U);
    EXPECT_EQ(stages.front().left, 2592U);
    for (std::size_t i = 1; i < stages.size(); ++i)
        EXPECT_EQ(stages[i].left + stages[i].rejected, stages[i - 1].left);
    EXPECT_EQ(static_cast<std::size_t>(chooseShownRows()), stages.back().left) << "survivors are shown first";
    EXPECT_TRUE(page->findChild<ChartCard*>()->title().contains("H200"));
    EXPECT_EQ(funnel().table().rows.size(), 7U);
    EXPECT_EQ(page->findChild<QDoubleSpinBox*>("occupancy")->value(), 12.5) << "the descriptor's";
}

TEST_F(Search, AGateIsPickedInTheChartAndListsItsReasons)
{
    const FunnelStage& banks = funnel().stages()[6];
    auto* chart = page->findChild<FunnelChart*>();
    const double row = chart->height() / 7.0;
    ASSERT_GT(row, 0);
    chart->repaint();
    QTest::mouseClick(chart, Qt::LeftButton, {}, QPoint(40, static_cast<int>(std::min(row, 34.0) * 6.5)));
    EXPECT_EQ(combo("shown")->currentIndex(), kRejectedByBanks);
    EXPECT_EQ(static_cast<std::size_t>(chooseShownRows()), banks.rejected);
    const QString why = table().model()->index(0, SpaceTableModel::Why).data().toString();
    EXPECT_TRUE(why.contains("8-way")) << why.toStdString();
    EXPECT_EQ(table().model()->index(0, SpaceTableModel::Found).data().toString(), "8-way");
    combo("shown")->setCurrentIndex(0);
    EXPECT_EQ(chooseShownRows(), 2592);
}

TEST_F(Search, AnotherGpuIsDrawnBeside)
{
    choose("whatIf", "L40S");
    EXPECT_TRUE(funnel().stages().back().other.has_value());
    EXPECT_TRUE(page->findChild<QLabel*>("elsewhere")->text().startsWith("L40S:"));
    EXPECT_EQ(funnel().legend().size(), 3U);
    const std::size_t elsewhere = *funnel().stages().back().other;
    choose("gpu", "L40S");
    EXPECT_EQ(funnel().stages().back().left, elsewhere) << "what if says what that GPU's own space says";
    combo("whatIf")->setCurrentIndex(0);
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(funnel().stages().back().other.has_value());
    EXPECT_EQ(funnel().legend().size(), 2U) << "nor in the legend";
    EXPECT_EQ(funnel().table().header.size(), 3);
}

TEST_F(Search, AChosenPointShowsItsSixGatesHereAndElsewhere)
{
    combo("shown")->setCurrentIndex(kRejectedByBanks);
    choose("whatIf", "T4");
    auto* card = page->findChild<PointCard*>();
    EXPECT_FALSE(card->isVisible());
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, table().visualRect(table().model()->index(0, 0)).center());
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(card->isVisible());
    EXPECT_FALSE(funnel().isVisible());
    const QStringList texts = pointTexts();
    for (const SpaceGate gate : kSpaceGates)
        EXPECT_EQ(texts.filter(q(titleFor(gate))).isEmpty(), false) << titleFor(gate);
    EXPECT_FALSE(texts.filter("H200").isEmpty());
    EXPECT_TRUE(texts.contains(markSign(Mark::fail) + " 8-way"));
    const auto namesTheOther = [&] { // beside the sentence on all GPUs
        QStringList columns = pointTexts();
        columns.removeAll(label("pointElsewhere"));
        return !columns.filter("T4").isEmpty();
    };
    EXPECT_TRUE(namesTheOther());
    EXPECT_TRUE(label("pointElsewhere").contains("T4")) << label("pointElsewhere").toStdString();
    QTest::mouseClick(page->findChild<QPushButton*>("allCombinations"), Qt::LeftButton);
    EXPECT_TRUE(funnel().isVisible());
    EXPECT_EQ(table().sourceRow(), -1);
    combo("whatIf")->setCurrentIndex(0);
    ASSERT_TRUE(waitForJobs());
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, table().visualRect(table().model()->index(0, 0)).center());
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(card->isVisible());
    EXPECT_FALSE(namesTheOther()) << "it is no longer compared";
}

TEST_F(Search, TheSampleSaysWhatCanBeDoneWithoutAGpu)
{
    auto* search = page->findChild<QPushButton*>("search");
    EXPECT_FALSE(search->isEnabled());
    EXPECT_FALSE(search->accessibleDescription().isEmpty()) << "says why";
    EXPECT_TRUE(page->findChild<QPushButton*>("compile")->isEnabled());
    auto* tabs = page->findChild<QTabWidget*>();
    tabs->setCurrentIndex(1);
    EXPECT_FALSE(page->findChild<MeasuredView*>()->showsContent());
    tabs->setCurrentIndex(0);
}

TEST_F(Search, TheWholeProblemAndPointCanBeRead)
{
    const auto* problem = combo("problem");
    const int needed = problem->fontMetrics().horizontalAdvance(problem->currentText());
    EXPECT_LT(needed, problem->lineEdit()->width());
    const QFontMetrics font = table().fontMetrics();
    for (int row = 0; row < 40; ++row) {
        const QModelIndex cell = table().model()->index(row, SpaceTableModel::Point);
        const QSize room = table().visualRect(cell).size();
        const int height = font.boundingRect(QRect(0, 0, room.width() - 12, 1000), Qt::TextWordWrap, cell.data().toString()).height();
        EXPECT_LE(height, room.height()) << cell.data().toString().toStdString();
    }
}

TEST_F(Search, MoreOccupancyLeavesFewer)
{
    const std::size_t usual = funnel().stages().back().left;
    auto* occupancy = page->findChild<QDoubleSpinBox*>("occupancy");
    occupancy->selectAll();
    QTest::keyClicks(occupancy, "25");
    ASSERT_TRUE(waitForJobs());
    EXPECT_LT(funnel().stages().back().left, usual);
    EXPECT_EQ(page->findChild<QPushButton*>("compile")->isEnabled(), funnel().stages().back().left > 0);
}

TEST_F(Search, TheCompilersWordIsAddedToTheSurvivors)
{
    EXPECT_TRUE(table().isColumnHidden(SpaceTableModel::Registers));
    QTest::mouseClick(page->findChild<QPushButton*>("compile"), Qt::LeftButton);
    ASSERT_TRUE(waitForJobs());
    const QString stated = page->findChild<QLabel*>("compiled")->text();
    EXPECT_TRUE(stated.contains("NVRTC 13.0") && stated.contains("sm_90")) << stated.toStdString();
    EXPECT_FALSE(table().isColumnHidden(SpaceTableModel::Registers));
    EXPECT_LT(static_cast<std::size_t>(chooseShownRows()), funnel().stages().back().left) << "what spills no longer survives";
    combo("shown")->setCurrentIndex(2);
    bool spills = false;
    for (int row = 0; row < chooseShownRows(); ++row)
        spills = spills || table().model()->index(row, SpaceTableModel::Why).data().toString().contains("96");
    EXPECT_TRUE(spills);
    combo("problem")->setCurrentIndex(1);
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(page->findChild<QLabel*>("compiled")->text().isEmpty()) << "of another problem";
}

TEST_F(Search, WhatTheCompilerRejectsIsCountedByItsReason)
{
    QTest::mouseClick(page->findChild<QPushButton*>("compile"), Qt::LeftButton);
    ASSERT_TRUE(waitForJobs());
    static const QRegularExpression number(QStringLiteral("[0-9]+"));
    QList<int> counts; // spills, occupancy, compile errors, passed, distinct programs
    for (auto match = number.globalMatch(label("compiled").section(": ", 1)); match.hasNext();)
        counts << match.next().captured().toInt();
    ASSERT_EQ(counts.size(), 5) << label("compiled").toStdString();
    const auto survivors = static_cast<int>(funnel().stages().back().left);
    EXPECT_EQ(counts[3], chooseShownRows()) << "those that pass are what survives now";
    EXPECT_EQ(counts[0] + counts[1] + counts[2] + counts[3], survivors);
    EXPECT_EQ(counts[4], 1) << "all others are one program";
    combo("shown")->setCurrentIndex(2);
    int spilled = 0;
    for (int row = 0; row < chooseShownRows(); ++row)
        spilled += table().model()->index(row, SpaceTableModel::Local).data().toString().startsWith("96");
    EXPECT_EQ(counts[0], spilled);
    EXPECT_GT(spilled, 0);
}

TEST_F(Search, ABuildOfAnEarlierSpaceIsDropped)
{
    QTest::mouseClick(page->findChild<QPushButton*>("compile"), Qt::LeftButton);
    combo("problem")->setCurrentIndex(1);
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(page->findChild<QLabel*>("compiled")->text().isEmpty()) << "of another problem";
    EXPECT_TRUE(table().isColumnHidden(SpaceTableModel::Registers));
}

TEST_F(Search, AMissingCompilerIsReported)
{
    qputenv("KERNELLOOP_WORKER", "/nonexistent");
    QTest::mouseClick(page->findChild<QPushButton*>("compile"), Qt::LeftButton);
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(page->findChild<QLabel*>("compiled")->text().isEmpty());
    EXPECT_TRUE(table().isColumnHidden(SpaceTableModel::Registers));
}

TEST_F(Search, TheKernelsPageShowsWhatTheCompilerSays)
{
    window->showPage("kernels");
    window->page("kernels")->open("attention/fused");
    ASSERT_TRUE(waitForJobs());
    auto* view = window->page("kernels")->findChild<StaticView*>();
    ASSERT_NE(view, nullptr);
    EXPECT_TRUE(view->findChild<QLabel*>("staticCompiler")->text().isEmpty()) << "nothing is compiled before it is looked at";
    window->page("kernels")->findChild<QTabWidget*>()->setCurrentWidget(view);
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(view->findChild<QLabel*>("staticCompiler")->text().startsWith("NVRTC 13.0"));
    const auto* launches = view->findChild<DataTable*>();
    EXPECT_EQ(launches->model()->index(0, CompiledTableModel::Registers).data().toString(), "128");
    EXPECT_EQ(launches->model()->index(0, CompiledTableModel::Occupied).data().toString(), q(formatPercent(25)));
    EXPECT_EQ(view->findChild<StackedBar*>()->legend().front().name, "mma");
    const auto mixTitle = [&] {
        for (const auto* card : view->findChildren<ChartCard*>())
            if (card->chart() == view->findChild<StackedBar*>())
                return card->title();
        return QString();
    };
    EXPECT_TRUE(mixTitle().contains("mma"));
    const QString busiest = view->findChild<QLabel*>("busiestLine")->text();
    for (const std::string& part : {std::string("12"), formatPercent(100 * 64 / 72.0), std::string("mma")})
        EXPECT_TRUE(busiest.contains(q(part))) << busiest.toStdString();
    const auto& bars = view->findChild<LimitBars*>()->bars();
    ASSERT_GT(bars.size(), 5U);
    EXPECT_FALSE(bars.front().good) << "the T4 cannot run it";
    auto* sides = view->findChild<QSplitter*>("staticSides");
    window->resize(1920, 1080);
    EXPECT_EQ(sides->orientation(), Qt::Horizontal);
    EXPECT_GT(sides->sizes().at(0), sides->sizes().at(1)) << "most of the room is the source's";
    window->resize(1280, 800);
    EXPECT_EQ(sides->orientation(), Qt::Vertical);
    view->findChild<QComboBox*>("staticArch")->setCurrentText("sm_75");
    EXPECT_FALSE(view->findChild<QLabel*>("staticCompiler")->text().startsWith("NVRTC")) << "it does not compile for that";
    EXPECT_FALSE(mixTitle().contains("mma")) << "of the architecture before";
}

const CompiledLaunch kFirstLaunch{"a", 64, 32, 0, 0, 0, 0, 0, 0, {{"int", 6}, {"mov", 2}}, {{3, {{"int", 6}}}}};
const CompiledLaunch kSecondLaunch{"b", 64, 32, 0, 0, 0, 0, 0, 0, {{"int", 1}, {"xu", 11}}, {{3, {{"int", 1}}}, {7, {{"xu", 9}}}}};

TEST(StaticCharts, SnapshotOfTheirWords)
{
    const QStringList lines{instructionHeat({kFirstLaunch, kSecondLaunch}).at(7).tip, busiestLine({kFirstLaunch, kSecondLaunch}),
                            describeMix({kFirstLaunch, kSecondLaunch}), describeMix({})};
    test::expectSnapshot("ui/static-charts.txt", utf8(lines.join('\n') + u'\n'));
}

TEST(StaticCharts, LinesOfAllLaunchesAreSharesOfAllInstructions)
{
    EXPECT_TRUE(instructionHeat({}).empty());
    EXPECT_TRUE(busiestLine({}).isEmpty());
    const CompiledLaunch& first = kFirstLaunch;
    const CompiledLaunch& second = kSecondLaunch;
    const auto heat = instructionHeat({first, second});
    ASSERT_EQ(heat.size(), 2U);
    EXPECT_DOUBLE_EQ(heat.at(3).share, 7.0 / 20);
    EXPECT_DOUBLE_EQ(heat.at(7).share, 9.0 / 20);
    EXPECT_TRUE(heat.at(7).tip.startsWith("9 ") && heat.at(7).tip.endsWith("xu 9")) << heat.at(7).tip.toStdString();
    const QString busiest = busiestLine({first, second});
    EXPECT_TRUE(busiest.contains(q(formatPercent(45))) && busiest.contains('7') && busiest.contains("xu")) << busiest.toStdString();
    const InstructionRows rows = instructionRows({first, second});
    EXPECT_EQ(rows.classes, (QStringList{"xu", "int", "mov", "rest"}));
    EXPECT_EQ(rows.rows[0].parts, (std::vector<double>{0, 6, 2, 0}));
    EXPECT_EQ(rows.rows[1].parts, (std::vector<double>{11, 1, 0, 0}));
    EXPECT_TRUE(describeMix({first, second}).contains("xu")) << "of all launches, not of the first";
    EXPECT_TRUE(describeMix({first, second}).contains(q(formatPercent(55))));
    EXPECT_TRUE(describeMix({first}).contains("int"));
    EXPECT_FALSE(describeMix({}).isEmpty());
}

TEST(SpaceTable, IsASoundModel)
{
    SpaceTableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Warning);
    SpaceRow good;
    good.point.tunables = {{"BLOCK", ParamValue(std::int64_t{64})}, {"TILE", ParamValue(std::int64_t{8})}};
    good.point.verdicts[2].reason = "4 blocks";
    good.changed = {{"BLOCK", ParamValue(std::int64_t{64})}};
    SpaceRow bad = good;
    bad.point.rejectedBy = 2;
    bad.point.verdicts[2] = {SpaceGate::occupancy, true, false, 6.25, 12.5, "too little"};
    SpaceRow spills = good;
    spills.compiled = CompiledPoint{};
    spills.compiled->built.launches.push_back({"f", 64, 255, 128, 0, 0, 0, 0, 0, {}});
    spills.compiled->verdict = {false, "spills", "it spills"};
    model.setRows({good, bad, spills});
    const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
    EXPECT_EQ(text(0, SpaceTableModel::Point), "BLOCK=64");
    EXPECT_TRUE(text(0, SpaceTableModel::Gate).startsWith(markSign(Mark::pass))) << "it survives";
    EXPECT_EQ(text(0, SpaceTableModel::Why), "4 blocks");
    EXPECT_TRUE(model.index(0, SpaceTableModel::Point).data(Qt::ToolTipRole).toString().contains("TILE=8"));
    EXPECT_TRUE(text(1, SpaceTableModel::Gate).contains("Occupancy"));
    EXPECT_EQ(text(1, SpaceTableModel::Limit), q(formatPercent(12.5)));
    EXPECT_EQ(text(1, SpaceTableModel::Why), "too little");
    EXPECT_EQ(text(2, SpaceTableModel::Registers), "255");
    EXPECT_EQ(text(2, SpaceTableModel::Local), "128 B");
    EXPECT_EQ(text(2, SpaceTableModel::Why), "it spills");
    EXPECT_EQ(model.index(0, SpaceTableModel::Registers).data(kSortRole).toDouble(), -1);
    model.setRows({});
}

} // namespace
} // namespace kl::ui
