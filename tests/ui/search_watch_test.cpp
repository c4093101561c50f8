// SPDX-License-Identifier: MIT
// Searches in the window: of history, from a file, brushed, replayed.
#include "sessions/store/search_records.h"
#include "tests/support/snapshot.h"
#include "tests/ui/support/page_texts.h"
#include "ui/charts/geometry/parallel_axes.h"
#include "ui/charts/xy_chart.h"
#include "ui/pages/search/parallel_chart.h"
#include "ui/pages/search/pause_gate.h"
#include "ui/pages/search/watch_bar.h"
#include "ui/pages/search/watch_charts.h"
#include "ui/pages/search_page.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <thread>

namespace kl::ui {
namespace {

SearchRecord smallSearch()
{
    SearchRecord record;
    record.id = "01890000-0000-7000-8000-000000000001";
    record.startedAt = "2026-01-02T03:04:05.678Z";
    record.state = SearchStage::finished;
    record.kernel = "attention/fused";
    record.device = "NVIDIA H200";
    record.problem = "S=512";
    record.total = 40;
    record.gates = {{"registers", 15}};
    int at = 0;
    for (const int warps : {2, 4, 8})
        for (const int rows : {32, 64, 128}) {
            SearchTrial& trial = record.trials.emplace_back();
            trial.tunables =
                "BLOCK_M=" + std::to_string(rows) + ",SWIZZLE=" + (rows == 64 ? "pad" : "xor") + ",WARPS=" + std::to_string(warps);
            trial.ns = 20000 - 1000 * warps - rows; // the number of warps decides
            trial.at = ++at;
        }
    record.trials.push_back({.tunables = "BLOCK_M=32,SWIZZLE=none,WARPS=2", .why = "it faults", .at = 11});
    record.rejected = {{"BLOCK_M=128,SWIZZLE=none,WARPS=2", "spills", "96 bytes of local memory"}};
    return record;
}

class SearchWatch : public testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_TRUE(folder_.isValid());
        const std::string database = utf8(folder_.filePath("own.db"));
        {
            const auto store = Store::open(database);
            ASSERT_TRUE(store) << store.error().message;
            const auto [name, content] = makeArtifact(smallSearch());
            ASSERT_TRUE((*store)->saveArtifact(name, content));
        }
        auto opened = AppContext::open(database, DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context_ = std::move(*opened);
        window_ = std::make_unique<MainWindow>(*context_);
        window_->resize(1280, 800);
        window_->show();
        window_->showPage("search");
        page_ = dynamic_cast<SearchPage*>(window_->page("search"));
        ASSERT_NE(page_, nullptr);
        ASSERT_TRUE(waitForJobs());
        bar_ = page_->findChild<WatchBar*>();
        ASSERT_NE(bar_, nullptr);
    }
    void TearDown() override { waitForJobs(); }
    void showTab(const char* name) const
    {
        auto* tabs = page_->findChild<QTabWidget*>();
        for (int i = 0; i < tabs->count(); ++i)
            if (tabs->tabText(i) == QLatin1String(name))
                tabs->setCurrentIndex(i);
    }

    QString readWatched() const { return bar_->findChild<QComboBox*>("watched")->currentText(); }

    QTemporaryDir folder_;
    std::unique_ptr<AppContext> context_;
    std::unique_ptr<MainWindow> window_;
    SearchPage* page_ = nullptr;
    WatchBar* bar_ = nullptr;
};

TEST_F(SearchWatch, ASearchOfHistoryIsShownAndReplayed)
{
    EXPECT_FALSE(bar_->isVisible()) << "only beside the tabs that show it";
    showTab("Progress");
    EXPECT_TRUE(bar_->isVisible());
    EXPECT_EQ(bar_->record().trials.size(), 10U);
    EXPECT_EQ(bar_->shown(), 10U);
    EXPECT_TRUE(page_->findChild<QLabel*>("watchWords")->text().startsWith("10 of 10 "));
    QTest::mouseClick(bar_->findChild<QPushButton*>("replay"), Qt::LeftButton);
    EXPECT_LT(bar_->shown(), 10U);
    EXPECT_TRUE(QTest::qWaitFor([&] { return bar_->shown() == 10; }, 10'000));
    bar_->findChild<QSlider*>("watchPosition")->setValue(3);
    EXPECT_EQ(bar_->shown(), 3U);
    EXPECT_EQ(page_->findChild<ParallelChart*>()->pointCount(), 3U);
    showTab("Rejected");
    bar_->findChild<QSlider*>("watchPosition")->setValue(10);
    const QAbstractItemModel* rejected = page_->findChild<DataTable*>("rejected")->model();
    ASSERT_EQ(rejected->rowCount(), 2);
    EXPECT_EQ(rejected->index(0, 2).data().toString(), "it faults");
    EXPECT_EQ(rejected->index(1, 1).data().toString(), "spills");
    EXPECT_TRUE(page_->findChild<QLabel*>("rejectedWords")->text().contains("registers: 15"));
}

TEST_F(SearchWatch, ARecordedSpaceOfAFileIsReplayed)
{
    showTab("Progress");
    bar_->openFile(QStringLiteral(KL_SOURCE_DIR "/tests/data/search/convolution_part.json.gz"));
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(bar_->record().trials.size(), 300U);
    EXPECT_TRUE(readWatched().contains("convolution_part.json.gz")) << readWatched().toStdString();
    EXPECT_LT(bar_->shown(), 300U) << "it is played at once";
    const SearchRecord before = bar_->record();
    bar_->openFile(folder_.filePath("missing.json"));
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(bar_->record(), before) << "what cannot be read changes nothing";
}

TEST_F(SearchWatch, SnapshotOfTheNamesOfSearches)
{
    showTab("Progress");
    QString text = readWatched() + u'\n';
    QTest::mouseClick(bar_->findChild<QPushButton*>("searchAgain"), Qt::LeftButton);
    ASSERT_TRUE(waitForJobs());
    text += readWatched() + u'\n';
    bar_->openFile(QStringLiteral(KL_SOURCE_DIR "/tests/data/search/convolution_part.json.gz"));
    ASSERT_TRUE(waitForJobs());
    text += readWatched() + u'\n';
    test::expectSnapshot("ui/watched-searches.txt", utf8(withoutTimes(text)));
}

TEST_F(SearchWatch, ASearchIsMadeAgainFromItsTimes)
{
    showTab("Progress");
    const QString before = readWatched();
    ASSERT_FALSE(before.isEmpty());
    QTest::mouseClick(bar_->findChild<QPushButton*>("searchAgain"), Qt::LeftButton);
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(readWatched().contains(before)) << readWatched().toStdString();
    EXPECT_NE(readWatched(), before) << "it is another one, of that one's times";
    EXPECT_EQ(bar_->record().trials.size(), 10U);
    EXPECT_EQ(bar_->record().strategy, "portfolio");
    EXPECT_LT(bar_->shown(), 10U) << "it is played at once";
}

TEST_F(SearchWatch, ValuesAreBrushedWithMouseAndKeyboard)
{
    showTab("Parameters");
    auto* chart = page_->findChild<ParallelChart*>();
    ASSERT_EQ(chart->axisCount(), 4U) << "three tunables and the time";
    EXPECT_EQ(chart->pointCount(), 9U);
    chart->brush(2, {1});
    EXPECT_EQ(chart->countKept(), 3U) << "four warps";
    chart->brush(0, {0, 1});
    EXPECT_EQ(chart->countKept(), 2U);
    EXPECT_EQ(chart->table().rows.size(), 2U);
    chart->clearBrushes();
    EXPECT_EQ(chart->countKept(), 9U);
    const int width = chart->width(), height = chart->height();
    QTest::mousePress(chart, Qt::LeftButton, {}, {46, height - 14});
    QTest::mouseRelease(chart, Qt::LeftButton, {}, {46, height / 2 + 10});
    EXPECT_TRUE(chart->isBrushed()) << "dragged along the first axis, " << width << " wide";
    EXPECT_LT(chart->countKept(), 9U);
    emit chart->picked(3 * 100'000 + 3); // the fastest 5 %
    EXPECT_LE(chart->countKept(), 1U);
}

TEST(SearchCharts, ProgressAndImportanceFollowTheShownPoints)
{
    const SearchRecord record = smallSearch();
    const XYSpec spec = progressSpec(record, 4, false);
    EXPECT_EQ(spec.series[0].points.size(), 4U);
    EXPECT_DOUBLE_EQ(spec.series[1].points.back().y, (20000 - 4000 - 32) * 1e-3);
    EXPECT_DOUBLE_EQ(progressSpec(record, 4, true).series[0].points[3].x, 4);
    EXPECT_TRUE(progressSpec(record, 0, true).series[0].points.empty());
    EXPECT_TRUE(importanceRows(record, 4).empty()) << "too few";
    const std::vector<EvidenceRow> rows = importanceRows(record, 10);
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(rows.front().name, "WARPS");
    EXPECT_GT(*rows.front().value, 90);
    EXPECT_EQ(makeRejectedRows(record, 4).size(), 1U);
}

TEST(ParallelAxes, FindsAxesAndPlaces)
{
    const ParallelAxes axes{10, 110, 20, 220, 3};
    EXPECT_DOUBLE_EQ(axes.x(1), 60);
    EXPECT_EQ(axes.axisAt(-50), 0U);
    EXPECT_EQ(axes.axisAt(84), 1U);
    EXPECT_EQ(axes.axisAt(500), 2U);
    EXPECT_DOUBLE_EQ(axes.y(0, 3), 220);
    EXPECT_DOUBLE_EQ(axes.y(2, 3), 20);
    EXPECT_DOUBLE_EQ(axes.y(0, 1), 120);
    EXPECT_EQ(axes.placesBetween(230, 110, 3), (std::pair<std::size_t, std::size_t>{0, 1}));
    EXPECT_EQ(axes.placesBetween(60, 50, 3), (std::pair<std::size_t, std::size_t>{2, 2})) << "between two: the nearest";
}

TEST(PauseGate, HoldsUntilItIsOpen)
{
    PauseGate gate;
    gate.pass();
    gate.set(false);
    std::atomic<bool> passed = false;
    std::thread other([&] {
        gate.pass();
        passed = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_FALSE(passed);
    gate.set(true);
    other.join();
    EXPECT_TRUE(passed);
}

} // namespace
} // namespace kl::ui
