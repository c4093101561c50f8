// SPDX-License-Identifier: MIT
// Charts under the mouse: zoom, pan, reset, copy, linked hover; many kernels in one roofline; time over runs.
#include "ui/charts/chart_card.h"
#include "ui/charts/geometry/zoom.h"
#include "ui/charts/linked_hover.h"
#include "ui/charts/xy_view.h"
#include "ui/pages/diagnose/time_history.h"
#include "ui/pages/shared/roofline_spec.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <QtCharts>

#include <cmath>

namespace kl::ui {
namespace {

TEST(Zoom, WhatIsUnderThePointerStaysThere)
{
    const AxisRange in = zoomRange({0, 100}, 0.25, 0.5, false, {0, 100});
    EXPECT_DOUBLE_EQ(in.low, 12.5);
    EXPECT_DOUBLE_EQ(in.high, 62.5);
    const AxisRange log = zoomRange({1, 10000}, 0.5, 0.5, true, {1, 10000});
    EXPECT_NEAR(log.low, 10, 1e-9);
    EXPECT_NEAR(log.high, 1000, 1e-6);
    EXPECT_DOUBLE_EQ(zoomRange({0, 100}, 0.5, 4, false, {0, 100}).high, 100) << "never wider than all";
    EXPECT_DOUBLE_EQ(panRange({20, 40}, 1, false, {0, 100}).low, 40);
    EXPECT_DOUBLE_EQ(panRange({20, 40}, -9, false, {0, 100}).low, 0) << "never beyond";
}

TEST(Zoom, ANarrowLogAxisHasLabels)
{
    EXPECT_EQ(logBase({1, 1e6}), 10);
    EXPECT_EQ(logBase({1, 1e8}), 100);
    EXPECT_EQ(logBase({10, 50}), 2);
    EXPECT_LT(logBase({10, 11}), 1.06);
}

class ZoomedChart : public testing::Test {
protected:
    void SetUp() override
    {
        XYSpec spec;
        spec.y.withZero = false;
        spec.series = {{"runs", Token::series1, false, false, Marker::circle, {}, {}}};
        for (int i = 0; i <= 10; ++i)
            spec.series[0].points.push_back({static_cast<double>(i), 100.0 + i, {}, {}, {}, QString::number(i), {}});
        chart->setSpec(spec);
        card.resize(640, 400);
        card.show();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&card));
        QCoreApplication::processEvents();
        view = chart->findChild<XYView*>();
    }
    void wheel(int notches, Qt::KeyboardModifiers modifiers)
    {
        const QPointF at = view->chart()->plotArea().center();
        QWheelEvent event(at, view->viewport()->mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(view->viewport(), &event);
    }

    XYChart* chart = new XYChart;
    ChartCard card{"Runs", chart};
    XYView* view = nullptr;
};

TEST_F(ZoomedChart, TheWheelZoomsOnceTheChartWasClickedAndADoubleClickShowsAll)
{
    const AxisRange all = chart->rangeY();
    wheel(3, Qt::NoModifier);
    EXPECT_FALSE(chart->isZoomed()) << "it scrolls the page";
    wheel(3, Qt::ControlModifier);
    EXPECT_TRUE(chart->isZoomed());
    EXPECT_LT(chart->rangeY().high - chart->rangeY().low, 0.6 * (all.high - all.low));
    const QPoint middle = view->chart()->plotArea().center().toPoint();
    QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, middle);
    EXPECT_FALSE(chart->isZoomed());
    EXPECT_TRUE(chart->hasFocus());
    wheel(1, Qt::NoModifier);
    EXPECT_TRUE(chart->isZoomed());
}

TEST_F(ZoomedChart, DraggingMovesAndIsNoClick)
{
    const QSignalSpy opened(chart, &ChartBody::opened);
    chart->zoom({0.5, 0.5}, 0.25);
    const AxisRange before = chart->rangeX();
    const QPoint middle = view->chart()->plotArea().center().toPoint();
    QTest::mousePress(view->viewport(), Qt::LeftButton, {}, middle);
    QTest::mouseMove(view->viewport(), middle - QPoint(40, 0));
    QTest::mouseRelease(view->viewport(), Qt::LeftButton, {}, middle - QPoint(40, 0));
    EXPECT_GT(chart->rangeX().low, before.low);
    EXPECT_EQ(opened.count(), 0);
    QTest::keyClick(chart, Qt::Key_0);
    EXPECT_FALSE(chart->isZoomed());
}

TEST_F(ZoomedChart, DraggingDownShowsWhatIsAbove)
{
    chart->zoom({0.5, 0.5}, 0.25);
    const AxisRange before = chart->rangeY();
    const QPoint middle = view->chart()->plotArea().center().toPoint();
    QTest::mousePress(view->viewport(), Qt::LeftButton, {}, middle);
    QTest::mouseMove(view->viewport(), middle + QPoint(0, 40));
    QTest::mouseRelease(view->viewport(), Qt::LeftButton, {}, middle + QPoint(0, 40));
    EXPECT_GT(chart->rangeY().low, before.low);
}

TEST_F(ZoomedChart, TheWheelZoomsWhereThePointerIs)
{
    const AxisRange all = chart->rangeY();
    const QRectF plot = view->chart()->plotArea();
    const QPointF low(plot.center().x(), plot.bottom() - plot.height() / 10);
    QWheelEvent event(low, view->viewport()->mapToGlobal(low), {}, {0, 360}, Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(view->viewport(), &event);
    EXPECT_LT(chart->rangeY().low - all.low, all.high - chart->rangeY().high);
}

TEST_F(ZoomedChart, IsCopiedAsImageAndAsData)
{
    card.findChild<QAction*>("copyImage")->trigger();
    EXPECT_FALSE(QApplication::clipboard()->image().isNull());
    card.findChild<QAction*>("copyData")->trigger();
    EXPECT_EQ(QApplication::clipboard()->text().count('\n'), 11);
}

TEST_F(ZoomedChart, ThePointOfAnotherChartIsHighlightedHere)
{
    LinkedHover::instance().set("7");
    ASSERT_EQ(view->highlighted().size(), 1U);
    EXPECT_EQ(view->highlighted().front().x(), 7);
    LinkedHover::instance().set({});
    EXPECT_TRUE(view->highlighted().empty());
}

TEST(KernelsRoofline, AreasAreTimesAndTheAxisEndsWithTheRoofs)
{
    RunRecord device;
    device.device.name = "NVIDIA H200";
    device.device.ccMajor = 9;
    device.device.smCount = 132;
    device.device.clockMhz = 1980;
    device.device.memoryClockMhz = 3201;
    device.device.memoryBusBits = 6144;
    std::vector<KernelRow> kernels(13);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        kernels[i].id = {"k" + std::to_string(i)};
        kernels[i].totalNs = 1000.0 * static_cast<double>(i + 1);
        kernels[i].points[0] = KernelPoint{0.1 * static_cast<double>(i + 1), 1e10 * static_cast<double>(i + 1)};
    }
    const XYSpec spec = kernelsRooflineSpec(kernels, device, MemoryLevel::dram);
    const XYSeries& points = spec.series.back();
    ASSERT_EQ(points.points.size(), 13U);
    EXPECT_EQ(points.points.front().id, "k12") << "the one that takes most, first";
    EXPECT_EQ(points.points.front().area, 1);
    EXPECT_NEAR(*points.points.back().area, 1.0 / 13, 1e-9);
    ASSERT_TRUE(spec.x.max);
    for (const XYSeries& roof : spec.series)
        for (const XYPoint& end : roof.points)
            EXPECT_LE(end.x, *spec.x.max * 1.0001);
    EXPECT_TRUE(kernelsRooflineSpec(kernels, device, MemoryLevel::l1).series.empty()) << "none was measured there";
}

TEST(TimeChart, APlantedSlowDownIsSeenAtItsSource)
{
    TimeSeries series;
    for (int i = 0; i < 40; ++i) {
        RunSummary run;
        run.id = {"r" + std::to_string(i)};
        run.startedAt = "2026-01-" + std::string(i < 9 ? "0" : "") + std::to_string(1 + i % 28) + "T00:00:00.000Z";
        run.sourceHash = i < 25 ? "before" : "slower1";
        run.gpuNs = (i < 25 ? 100000.0 : 105000.0) + 100 * (i % 3);
        series.runs.push_back(run);
    }
    TimeChart chart = timeChart(series);
    EXPECT_TRUE(chart.title.contains("slower1")) << chart.title.toStdString();
    const auto slow = std::ranges::find(chart.spec.series, Token::worse, &XYSeries::token);
    ASSERT_NE(slow, chart.spec.series.end());
    EXPECT_EQ(slow->points.front().id, "r25");
    series.runs.resize(25);
    chart = timeChart(series);
    EXPECT_EQ(std::ranges::count(chart.spec.series, Token::worse, &XYSeries::token), 0);
    EXPECT_FALSE(timeChart({}).spec.emptyReason.isEmpty());
}

TEST(TimeSeries, HasTheRunsOfOneProblemOnOneModelOfGpu)
{
    Result<std::unique_ptr<Store>> store = Store::open(":memory:");
    ASSERT_TRUE(store);
    RunRecord run;
    run.kernel = {"transpose", "naive", {}};
    run.problem = {{"M", std::int64_t{64}}, {"N", std::int64_t{64}}};
    run.correctness.result = CorrectnessResult::correct;
    run.timing.emplace();
    run.timing->gpu = {100, 99, 101, 3};
    for (const auto& [id, device, rows] :
         {std::tuple("r1", "NVIDIA H200", 64), {"r2", "NVIDIA L4", 64}, {"r3", "NVIDIA H200", 65}, {"r4", "NVIDIA H200", 64}}) {
        run.id.text = id;
        run.device.uuid = std::string("GPU of ") + device;
        run.device.name = device;
        run.problem["M"] = std::int64_t{rows};
        run.startedAt = std::string("2026-03-01T09:00:00.00") + id[1] + "Z";
        ASSERT_TRUE((*store)->saveRun(run));
    }
    run.problem["M"] = std::int64_t{64};
    const Result<TimeSeries> series = readTimeSeries(**store, run);
    ASSERT_TRUE(series);
    std::vector<std::string> ids;
    for (const RunSummary& one : series->runs)
        ids.push_back(one.id.text);
    EXPECT_EQ(ids, (std::vector<std::string>{"r1", "r4"})) << "oldest first";
}

} // namespace
} // namespace kl::ui
