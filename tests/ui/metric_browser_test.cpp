// SPDX-License-Identifier: MIT
// All metrics of a run: sections, units, shares of the peak, filter, change against another run, and copies with every digit.
#include "core/device/metric_sections.h"
#include "tests/support/real_reports.h"
#include "ui/models/metric_tree_model.h"
#include "ui/models/word_filter.h"
#include "ui/pages/diagnose/metric_browser.h"
#include "ui/pages/shared/kernel_table.h"
#include "ui/pages/shared/run_picker.h"
#include "ui/pages/shared/source_view.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QLineEdit>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <set>

namespace kl::ui {
namespace {

RunRecord makeMeasured()
{
    RunRecord run;
    run.metrics.emplace();
    run.metrics->values = {{"gpu__time_duration.sum", 4000},
                           {"sm__inst_executed.sum", 100},
                           {"sm__inst_executed.avg.pct_of_peak_sustained_elapsed", 25.5},
                           {"launch__grid_size", 64}};
    run.metrics->missing = {{"dram__bytes_read.sum", "not in the file"}};
    return run;
}

const MetricRow* findRow(const std::vector<MetricGroup>& groups, const std::string& name)
{
    for (const MetricGroup& group : groups)
        for (const MetricRow& row : group.rows)
            if (row.name == name)
                return &row;
    return nullptr;
}

TEST(MetricRows, AreInTheirSectionsAndTheRestByTheirUnit)
{
    const RunRecord run = makeMeasured();
    const std::vector<MetricGroup> groups = metricGroups(run, nullptr);
    ASSERT_EQ(metricSections().front().id, "SpeedOfLight");
    EXPECT_EQ(groups.front().title, q(metricSections().front().title));
    EXPECT_EQ(groups.front().rows.front().name, "gpu__time_duration.sum");
    EXPECT_TRUE(groups.back().title.contains("sm")) << "sections of others are sorted by the unit";
    EXPECT_EQ(findRow(groups, "dram__bytes_read.sum")->text, "not in the file");
    EXPECT_FALSE(findRow(groups, "dram__bytes_read.sum")->value);
    EXPECT_DOUBLE_EQ(*findRow(groups, "sm__inst_executed.sum")->percent, 25.5);
    EXPECT_FALSE(findRow(groups, "launch__grid_size")->percent);
    EXPECT_TRUE(metricGroups(RunRecord{}, nullptr).empty());
}

TEST(MetricRows, ChangeIsRelativeToTheBaseline)
{
    RunRecord before = makeMeasured();
    before.metrics->values["gpu__time_duration.sum"] = 8000;
    before.metrics->values["launch__grid_size"] = 0;
    const std::vector<MetricGroup> groups = metricGroups(makeMeasured(), &before);
    EXPECT_DOUBLE_EQ(*findRow(groups, "gpu__time_duration.sum")->change, -0.5);
    EXPECT_DOUBLE_EQ(*findRow(groups, "launch__grid_size")->baseline, 0);
    EXPECT_FALSE(findRow(groups, "launch__grid_size")->change) << "nothing is relative to zero";
}

TEST(MetricRows, UnitsFollowTheName)
{
    EXPECT_EQ(guessUnit("lts__t_sector_hit_rate.pct"), "%");
    EXPECT_EQ(guessUnit("dram__bytes.sum.per_second"), "bytes/s");
    EXPECT_EQ(guessUnit("gpc__cycles_elapsed.avg.per_second"), "Hz");
    EXPECT_EQ(guessUnit("launch__shared_mem_per_block_static"), "bytes");
    EXPECT_EQ(guessUnit("smsp__inst_executed.sum"), "");
    EXPECT_EQ(guessUnit("smsp__average_warps_active_per_inst_executed.ratio"), "");
}

TEST(MetricTreeModel, IsAModel)
{
    MetricTreeModel model;
    WordFilter filter;
    filter.setSourceModel(&model);
    const QAbstractItemModelTester ofModel(&model, QAbstractItemModelTester::FailureReportingMode::Warning);
    const QAbstractItemModelTester ofFilter(&filter, QAbstractItemModelTester::FailureReportingMode::Warning);
    const RunRecord run = makeMeasured();
    model.setGroups(metricGroups(run, &run));
    filter.setWords("grid");
    EXPECT_EQ(filter.rowCount(), 1);
    filter.setWords({});
    model.setGroups({});
}

class AllMetrics : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open(utf8(folder.filePath("test.db")), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->show();
        QFile file(folder.filePath("three_kernels.ncu-rep"));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        const std::string bytes = test::ncuData("three_kernels.ncu-rep");
        file.write(bytes.data(), static_cast<qint64>(bytes.size()));
        file.close();
        context->openReports({file.fileName()});
        ASSERT_TRUE(waitForJobs());
        browser = window->page("diagnose")->findChild<MetricBrowser*>();
        window->page("diagnose")->findChild<QTabWidget*>()->setCurrentWidget(browser);
        table = window->page("diagnose")->findChild<KernelTable*>("reportKernels");
    }
    void TearDown() override { waitForJobs(); }
    RunRecord shown() const { return *context->store().run(table->selected().front()); }

    QTemporaryDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    MetricBrowser* browser = nullptr;
    KernelTable* table = nullptr;
};

TEST_F(AllMetrics, EveryValueOfTheReportIsThereWithAllItsDigits)
{
    const RunRecord run = shown();
    std::set<std::string> listed;
    for (const MetricGroup& group : browser->model().groups())
        for (const MetricRow& row : group.rows)
            listed.insert(row.name);
    for (const auto& [name, value] : run.metrics->values)
        EXPECT_TRUE(listed.contains(name)) << name;
    EXPECT_GT(listed.size(), 1000U);
    browser->filterField()->setText("gpu__time_duration.sum");
    const QStringList lines = browser->tsv(false).split('\n');
    ASSERT_GE(lines.size(), 2);
    EXPECT_EQ(lines[1].split('\t')[MetricTreeModel::Value].toDouble(), *run.metrics->values.at("gpu__time_duration.sum"));
}

TEST_F(AllMetrics, CtrlFFiltersAndCopiesWhatIsShown)
{
    window->findChild<QAction*>("find-in-page")->trigger();
    EXPECT_EQ(window->focusWidget(), browser->filterField());
    QTest::keyClicks(browser->filterField(), "dram bytes");
    for (const QString& line : browser->tsv(false).split('\n').mid(1))
        EXPECT_TRUE(line.contains("dram", Qt::CaseInsensitive)) << line.toStdString();
    QTest::keyClick(browser->view(), Qt::Key_C, Qt::ControlModifier);
    EXPECT_GT(QApplication::clipboard()->text().split('\n').size(), 1);
    browser->filterField()->setText("no such metric");
    EXPECT_EQ(browser->view()->model()->rowCount(), 0);
}

TEST_F(AllMetrics, FollowTheKernelThatIsChosenInTheTable)
{
    const auto time = [&] { return browser->model().at(browser->model().find("gpu__time_duration.sum"))->value; };
    const auto before = time();
    QTest::keyClick(table->view(), Qt::Key_Down);
    ASSERT_TRUE(waitForJobs());
    EXPECT_NE(time(), before);
    EXPECT_EQ(time(), shown().metrics->values.at("gpu__time_duration.sum"));
}

TEST_F(AllMetrics, AreComparedWithAnotherRun)
{
    EXPECT_TRUE(browser->view()->isColumnHidden(MetricTreeModel::Change));
    auto* picker = browser->findChild<RunPicker*>("metricBaseline");
    emit picker->picked(q(table->selected().front().text));
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(browser->view()->isColumnHidden(MetricTreeModel::Change));
    for (const MetricGroup& group : browser->model().groups())
        for (const MetricRow& row : group.rows)
            EXPECT_EQ(row.change.value_or(0), 0) << row.name << ": compared with itself";
}

TEST_F(AllMetrics, ARunThatIsNoLongerPinnedIsNoBaseline)
{
    const RunRecord run = shown();
    browser->setRun(run, &run);
    EXPECT_FALSE(browser->view()->isColumnHidden(MetricTreeModel::Change));
    browser->setRun(run, nullptr);
    EXPECT_TRUE(browser->view()->isColumnHidden(MetricTreeModel::Change));
}

TEST_F(AllMetrics, TheSourceFollowsTheKernelToo)
{
    auto* source = window->page("diagnose")->findChild<SourceView*>();
    auto* tabs = window->page("diagnose")->findChild<QTabWidget*>();
    for (int i = 0; i < tabs->count(); ++i)
        if (tabs->widget(i)->isAncestorOf(source) || tabs->widget(i) == source)
            tabs->setCurrentIndex(i);
    ASSERT_TRUE(waitForJobs());
    std::set<int> lengths;
    for (int i = 0; i < 2; ++i) {
        SourceView alone;
        alone.setRun(shown(), context->catalog());
        EXPECT_EQ(source->model().rowCount(), alone.model().rowCount());
        lengths.insert(source->model().rowCount());
        QTest::keyClick(table->view(), Qt::Key_Down);
        ASSERT_TRUE(waitForJobs());
    }
    EXPECT_EQ(lengths.size(), 2U) << "the kernels differ";
}

TEST_F(AllMetrics, AMetricIsShownByItsName)
{
    context->navigate("diagnose", "metric:gpu__time_duration.sum");
    ASSERT_TRUE(waitForJobs());
    const QModelIndex current = browser->view()->currentIndex();
    ASSERT_TRUE(current.isValid());
    EXPECT_EQ(browser->filterField()->text(), "gpu__time_duration.sum");
}

} // namespace
} // namespace kl::ui
