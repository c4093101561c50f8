// SPDX-License-Identifier: MIT
// One step of a PyTorch model, 29 launches of 26 kernels as Nsight Compute recorded them on an H200: from opening it to a comparison.
#include "tests/support/real_reports.h"
#include "ui/pages/shared/kernel_table.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <set>

namespace kl::ui {
namespace {

constexpr int kLaunches = 29;
constexpr std::size_t kKernels = 26; ///< by short name

class TorchReport : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open(utf8(folder.filePath("test.db")), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->show();
        QFile file(folder.filePath("torch.ncu-rep"));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        const std::string bytes = test::ncuData("torch.ncu-rep");
        file.write(bytes.data(), static_cast<qint64>(bytes.size()));
        file.close();
        context->openReports({file.fileName()});
        ASSERT_TRUE(waitForJobs());
        ASSERT_EQ(window->currentPage(), "diagnose");
        table = window->page("diagnose")->findChild<KernelTable*>("reportKernels");
    }
    void TearDown() override { waitForJobs(); }
    int shown() const { return table->view()->model()->rowCount(); }
    const KernelRow& findRow(const RunId& id) const { return *std::ranges::find(table->rows(), id, &KernelRow::id); }
    QString title() const { return window->page("diagnose")->findChild<QLabel*>("findingSentence")->text(); }

    QTemporaryDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    KernelTable* table = nullptr;
};

TEST_F(TorchReport, IsATableWithTheLargestSavingFirst)
{
    ASSERT_TRUE(table->isVisible());
    ASSERT_EQ(shown(), kLaunches);
    std::set<QString> names;
    std::set<std::string> ranges;
    double share = 0;
    for (const KernelRow& row : table->rows()) {
        names.insert(row.shortName);
        ranges.insert(utf8(row.range));
        share += row.share.value_or(0);
        EXPECT_TRUE(row.ns && row.roofPercent && !row.shape.isEmpty() && !row.classId.isEmpty()) << utf8(row.name);
        EXPECT_LE(row.roofPercent.value_or(0), 100) << utf8(row.name);
    }
    EXPECT_EQ(names.size(), kKernels);
    EXPECT_EQ(ranges, (std::set<std::string>{"attention", "embedding", "loss", "mlp", "norm", "statistics",
                                             "statistics › cub::DeviceScan::InclusiveScan", "vision"}));
    EXPECT_NEAR(share, 1, 1e-9);
    ASSERT_TRUE(table->first());
    const KernelRow& best = findRow(*table->first());
    for (const KernelRow& row : table->rows())
        EXPECT_LE(row.savedNs.value_or(0), best.savedNs.value_or(0)) << utf8(row.name);
    EXPECT_EQ(table->selected(), std::vector<RunId>{best.id});
}

TEST_F(TorchReport, IsFilteredByNamesAndRangesAndGrouped)
{
    table->filterField()->setText("softmax");
    EXPECT_EQ(shown(), 1);
    table->filterField()->setText("vision");
    EXPECT_EQ(shown(), 7);
    table->filterField()->setText("vision tonchw");
    EXPECT_EQ(shown(), 1);
    table->filterField()->clear();
    EXPECT_EQ(shown(), kLaunches);
    auto* grouping = table->findChild<QComboBox*>("kernelGrouping");
    grouping->setCurrentIndex(1);
    EXPECT_EQ(shown(), static_cast<int>(kKernels));
    grouping->setCurrentIndex(2);
    EXPECT_EQ(shown(), 8);
}

TEST_F(TorchReport, ArrowKeysShowEachDiagnosis)
{
    std::set<std::string> seen;
    for (int row = 0; row < kLaunches; ++row) {
        if (row > 0)
            QTest::keyClick(table->view(), Qt::Key_Down);
        ASSERT_TRUE(waitForJobs());
        ASSERT_EQ(table->selected().size(), 1U);
        const RunId id = table->selected().front();
        seen.insert(id.text);
        const Result<RunRecord> run = context->store().run(id);
        ASSERT_TRUE(run && run->diagnosis);
        EXPECT_EQ(utf8(title()), run->diagnosis->finding.title);
        EXPECT_NE(run->diagnosis->finding.classId, "invalid") << run->imported->kernel;
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(kLaunches));
}

TEST_F(TorchReport, NoKernelThatUsesWarpgroupMatricesIsToldToUseThem)
{
    int matrices = 0;
    for (const KernelRow& row : table->rows()) {
        const Result<RunRecord> run = context->store().run(row.id);
        ASSERT_TRUE(run && run->imported && run->diagnosis);
        const std::string& name = run->imported->kernel;
        if (name.find("nvjet") == std::string::npos && name.find("wgmma") == std::string::npos &&
            name.find("warpgroup") == std::string::npos)
            continue;
        ++matrices;
        for (const Fix& fix : run->diagnosis->finding.fixes)
            EXPECT_EQ(fix.title.find("wgmma"), std::string::npos) << name << ": " << fix.title;
    }
    EXPECT_EQ(matrices, 5);
}

TEST_F(TorchReport, SelectedKernelsAreCompared)
{
    table->filterField()->setText("nvjet");
    table->view()->selectAll();
    ASSERT_EQ(table->selected().size(), 3U);
    table->findChild<QPushButton*>("compareSelected")->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(window->currentPage(), "compare");
    int removals = 0;
    for (const QPushButton* button : window->page("compare")->findChildren<QPushButton*>())
        removals += button->isVisible() && button->accessibleName().startsWith("Remove ");
    EXPECT_EQ(removals, 3);
}

} // namespace
} // namespace kl::ui
