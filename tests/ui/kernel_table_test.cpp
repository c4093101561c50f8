// SPDX-License-Identifier: MIT
// The table of kernels: what a row says of a record, sorting, filtering, grouping, copying, and walking through diagnoses with the
// keyboard.
#include "core/base/format.h"
#include "tests/support/real_reports.h"
#include "ui/models/word_filter.h"
#include "ui/pages/shared/kernel_table.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

namespace kl::ui {
namespace {

KernelRow makeRow(const char* id, const char* name, double ns, std::optional<double> reduction, const char* range = "")
{
    KernelRow row;
    row.id.text = id;
    row.name = QStringLiteral("void ns::%1<float, 4>(float const*, int)").arg(name);
    row.shortName = QStringLiteral("%1<float, 4>").arg(name);
    row.range = range;
    row.ns = row.totalNs = ns;
    row.classId = "dram-bound";
    row.priority = "P1";
    row.origin = "file";
    row.startedAt = "2026-01-02T03:04:05.000Z";
    if (reduction) {
        row.speedup = 1 / (1 - *reduction);
        row.savedNs = ns * *reduction;
    }
    return row;
}

std::vector<KernelRow> threeRows()
{
    return {makeRow("a", "gemm", 1000, {}, "forward"), makeRow("b", "norm", 400, 0.5, "forward"),
            makeRow("c", "norm", 600, 0.1, "backward")};
}

RunRecord makeImported()
{
    RunRecord run;
    run.id.text = "i";
    run.kernel = {"program", "norm-123456", {}};
    run.problem = *parseParams("BLOCK=16x16x1,GRID=4096x1x1");
    run.imported.emplace();
    run.imported->file = "step.ncu-rep";
    run.imported->fileHash = "hash";
    run.imported->kernel = "void at::norm<float>(float*, int)";
    run.imported->ranges = {"step", "forward"};
    run.timing.emplace();
    run.timing->gpu = {2000, 2000, 2000, 1};
    run.diagnosis.emplace();
    run.diagnosis->finding.classId = "dram-bound";
    run.diagnosis->finding.estimate = Estimate{0.25, "x"};
    return run;
}

QStringList shownNames(const KernelTable& table)
{
    QStringList names;
    for (int row = 0; row < table.view()->model()->rowCount(); ++row)
        names << table.view()->model()->index(row, KernelTreeModel::Name).data().toString();
    return names;
}

TEST(KernelRows, ARecordFromAReportIsNamedByItsKernelAndSized)
{
    const KernelRow row = describeKernel(makeImported());
    EXPECT_EQ(row.name, "void at::norm<float>(float*, int)");
    EXPECT_EQ(row.shortName, "norm<float>");
    EXPECT_EQ(row.range, QString::fromUtf8("step › forward"));
    EXPECT_EQ(row.shape, QString::fromUtf8("4,096 × (16, 16)"));
    EXPECT_EQ(row.threads, 4096.0 * 256);
    EXPECT_EQ(row.originName, "step.ncu-rep");
    EXPECT_DOUBLE_EQ(*row.savedNs, 500);
    EXPECT_NEAR(*row.speedup, 4.0 / 3, 1e-9);
    EXPECT_FALSE(row.roofPercent) << "nothing of it was counted";
}

TEST(KernelRows, SharesAreOfTheReportAndKeepThoseOfAProgram)
{
    std::vector<KernelRow> rows = threeRows();
    rows[2].share = 0.9; // as the program counted it
    rows.push_back(makeRow("d", "alone", 500, {}));
    rows.back().origin.clear();
    addShares(rows);
    EXPECT_DOUBLE_EQ(*rows[0].share, 0.5);
    EXPECT_DOUBLE_EQ(*rows[2].share, 0.9);
    EXPECT_FALSE(rows[3].share);
}

TEST(KernelRows, AGroupAddsUpAndShowsTheKernelThatWouldSaveMost)
{
    const std::vector<KernelRow> rows = threeRows();
    const KernelRow sum = sumKernels({&rows[1], &rows[2]});
    EXPECT_EQ(sum.id.text, "b");
    EXPECT_EQ(sum.calls, 2);
    EXPECT_DOUBLE_EQ(*sum.totalNs, 1000);
    EXPECT_DOUBLE_EQ(*sum.ns, 500);
    EXPECT_DOUBLE_EQ(*sum.savedNs, 260);
    EXPECT_NEAR(*sum.speedup, 1000.0 / 740, 1e-9);
}

TEST(KernelTreeModel, IsAModelInEveryGrouping)
{
    KernelTreeModel model;
    WordFilter filter;
    filter.setSourceModel(&model);
    const QAbstractItemModelTester ofModel(&model, QAbstractItemModelTester::FailureReportingMode::Warning);
    const QAbstractItemModelTester ofFilter(&filter, QAbstractItemModelTester::FailureReportingMode::Warning);
    model.setRows(threeRows());
    for (const KernelGrouping grouping : {KernelGrouping::name, KernelGrouping::range, KernelGrouping::none}) {
        model.setGrouping(grouping);
        model.setFullNames(grouping == KernelGrouping::name);
        filter.setWords("norm backward");
        filter.setWords({});
        EXPECT_EQ(model.at(model.find(RunId{"c"}))->id.text, "c");
    }
    model.setRows({});
}

TEST(KernelTable, ShowsTheLargestSavingFirstAndSortsByAnyHeader)
{
    KernelTable table("test");
    table.setRows(threeRows());
    EXPECT_EQ(table.first()->text, "b");
    EXPECT_EQ(shownNames(table), (QStringList{"norm<float, 4>", "norm<float, 4>", "gemm<float, 4>"}));
    table.view()->sortByColumn(KernelTreeModel::Total, Qt::DescendingOrder);
    EXPECT_EQ(table.first()->text, "a");
}

TEST(KernelTable, APickerShowsTheNewestFirstBeforeAndAfterTheSavingsAreRead)
{
    std::vector<KernelRow> rows = threeRows();
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].startedAt = "2026-01-02T03:04:0" + std::to_string(i == 1 ? 0 : i) + ".000Z"; // a and b at once
    std::vector<KernelRow> glance = rows;
    for (KernelRow& row : glance)
        row.savedNs = row.speedup = std::nullopt;
    KernelTable table("picking-test");
    table.setPicking();
    for (const std::vector<KernelRow>& read : {glance, rows}) {
        table.setRows(read);
        QStringList totals;
        for (int row = 0; row < 3; ++row)
            totals << table.view()->model()->index(row, KernelTreeModel::Total).data().toString();
        EXPECT_EQ(totals, (QStringList{q(formatTime(600)), q(formatTime(1000)), q(formatTime(400))}));
    }
}

TEST(KernelTable, FillsItsWidthAfterEachResize)
{
    KernelTable table("width-test");
    table.setRows(threeRows());
    table.show();
    for (const int width : {1200, 1800, 1400}) {
        table.resize(width, 300);
        QCoreApplication::processEvents();
        EXPECT_EQ(table.view()->header()->length(), table.view()->viewport()->width()) << width;
    }
}

TEST(KernelTable, NamesAreShortOrFullAndFilteredByBoth)
{
    KernelTable table("test");
    table.setRows(threeRows());
    table.findChild<QCheckBox*>("fullNames")->click();
    EXPECT_TRUE(shownNames(table)[0].startsWith("void ns::norm"));
    QTest::keyClicks(table.filterField(), "ns::norm BACK");
    EXPECT_EQ(shownNames(table).size(), 1);
    EXPECT_EQ(table.first()->text, "c");
    table.filterField()->setText("zzz");
    EXPECT_FALSE(table.first());
}

TEST(KernelTable, GroupsAreSummedAndComparedAsAWhole)
{
    KernelTable table("test");
    table.setRows(threeRows());
    table.findChild<QComboBox*>("kernelGrouping")->setCurrentIndex(1);
    EXPECT_EQ(shownNames(table), (QStringList{"norm<float, 4> (2)", "gemm<float, 4> (1)"}));
    const QSignalSpy compared(&table, &KernelTable::compareRequested);
    table.view()->setCurrentIndex(table.view()->model()->index(0, 0));
    table.findChild<QPushButton*>("compareSelected")->click();
    ASSERT_EQ(compared.count(), 1);
    EXPECT_EQ(compared[0][0].toStringList().size(), 2);
    table.filterField()->setText("backward");
    EXPECT_EQ(table.view()->model()->rowCount(table.view()->model()->index(0, 0)), 1);
    EXPECT_TRUE(table.view()->isExpanded(table.view()->model()->index(0, 0)));
}

TEST(KernelTable, KeepsItsSelectionWhenDataIsReadAgain)
{
    KernelTable table("test");
    table.setRows(threeRows());
    const QSignalSpy chosen(&table, &KernelTable::chosen);
    table.setCurrent(RunId{"c"});
    EXPECT_EQ(chosen.count(), 0) << "the program chose, not the user";
    table.setRows(threeRows());
    ASSERT_EQ(table.selected().size(), 1U);
    EXPECT_EQ(table.selected()[0].text, "c");
    QTest::keyClick(table.view(), Qt::Key_Up);
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen[0][0].toString(), "b");
}

TEST(KernelTable, CopiesWhatItShows)
{
    KernelTable table("test");
    table.setRows(threeRows());
    QTest::keyClick(table.view(), Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split('\n');
    ASSERT_EQ(lines.size(), 4);
    EXPECT_EQ(lines[0].split('\t').size(), lines[1].split('\t').size());
    EXPECT_TRUE(lines[1].contains("forward")) << lines[1].toStdString();
    EXPECT_FALSE(lines[0].contains("When")) << "all kernels are of one report";
}

class ReportTable : public testing::Test {
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
        table = window->page("diagnose")->findChild<KernelTable*>("reportKernels");
    }
    void TearDown() override { waitForJobs(); }
    QString sentence() const { return window->page("diagnose")->findChild<QLabel*>("findingSentence")->text(); }

    QTemporaryDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    KernelTable* table = nullptr;
};

TEST_F(ReportTable, ComesFirstAfterOpeningWithTheLargestSavingChosen)
{
    EXPECT_EQ(window->currentPage(), "diagnose");
    ASSERT_TRUE(table->isVisible());
    ASSERT_EQ(table->selected().size(), 1U);
    EXPECT_EQ(table->selected()[0], *table->first());
    double share = 0;
    for (const KernelRow& row : table->rows()) {
        EXPECT_FALSE(row.name.startsWith("program/")) << row.name.toStdString();
        EXPECT_FALSE(row.shape.isEmpty());
        EXPECT_TRUE(row.roofPercent) << row.name.toStdString();
        share += row.share.value_or(0);
    }
    EXPECT_NEAR(share, 1, 1e-9);
}

TEST_F(ReportTable, ArrowKeysWalkThroughTheDiagnoses)
{
    QStringList sentences{sentence()};
    for (int i = 1; i < 3; ++i) {
        QTest::keyClick(table->view(), Qt::Key_Down);
        ASSERT_TRUE(waitForJobs());
        sentences << sentence();
    }
    EXPECT_EQ(sentences.removeDuplicates(), 0) << sentences.join('\n').toStdString();
    EXPECT_TRUE(table->view()->hasFocus() || !window->isActiveWindow()) << "the table keeps the keyboard";
}

TEST_F(ReportTable, SelectedKernelsAreCompared)
{
    table->view()->selectAll();
    table->findChild<QPushButton*>("compareSelected")->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(window->currentPage(), "compare");
    int removals = 0;
    for (const QPushButton* button : window->page("compare")->findChildren<QPushButton*>())
        removals += button->isVisible() && button->accessibleName().startsWith("Remove ");
    EXPECT_EQ(removals, 3);
}

TEST_F(ReportTable, ARunOfTheCatalogHasNoTable)
{
    RunRecord run;
    run.id.text = "11111111-1111-4111-8111-111111111111";
    run.kernel = *parseAddress("transpose/naive");
    run.problem = *parseParams("M=64,N=64");
    run.startedAt = "2026-01-02T03:04:05.000Z";
    run.device.name = "NVIDIA H200";
    run.diagnosis.emplace();
    run.diagnosis->finding.classId = "balanced";
    run.diagnosis->finding.title = "Balanced.";
    run.diagnosis->finding.priority = "P3";
    const auto store = Store::open(context->store().location());
    ASSERT_TRUE(store && (*store)->saveRun(run));
    window->showPage("diagnose", q(run.id.text));
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(table->isVisible());
    EXPECT_EQ(sentence(), "Balanced.");
}

} // namespace
} // namespace kl::ui
