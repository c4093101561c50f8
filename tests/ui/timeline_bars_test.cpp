// SPDX-License-Identifier: MIT
// The bars of a timeline: rows, colors, zoom.
#include "ui/charts/chart_card.h"
#include "ui/charts/timeline_bars.h"
#include "ui/pages/diagnose/timeline_tab.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QImage>
#include <QLabel>
#include <QTest>
#include <QWheelEvent>

namespace kl::ui {
namespace {

TimelineReport twoRoles()
{
    TimelineReport report;
    report.spanCycles = 1000;
    report.roles.resize(2);
    report.roles[0].name = "producer";
    report.roles[0].warps = {0};
    report.roles[1].name = "consumer";
    report.roles[1].warps = {4, 5, 6, 7};
    report.roles[0].segments = {{0, 800, SegmentKind::work, "copy", 0}, {800, 1000, SegmentKind::wait, "mbarrier.try_wait", 12}};
    report.roles[1].segments = {{0, 700, SegmentKind::wait, "mbarrier.try_wait", 30},
                                {700, 900, SegmentKind::work, "multiply", 0},
                                {900, 1000, SegmentKind::async, "wgmma.wait_group", 31}};
    return report;
}

void turnWheel(TimelineBars& bars, double x, int notches)
{
    const QPointF at(x, 10);
    QWheelEvent event(at, bars.mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&bars, &event);
}

TEST(TimelineBars, HaveARowPerRoleAndAColorPerSegment)
{
    TimelineBars bars;
    bars.setReport(twoRoles());
    const ChartTable table = bars.table();
    ASSERT_EQ(table.rows.size(), 5U);
    EXPECT_EQ(table.rows[1][2], QStringLiteral("mbarrier.try_wait, line 12"));
    EXPECT_EQ(table.rows[3].last(), QStringLiteral("200"));
    EXPECT_EQ(bars.legend().size(), 4U) << "copy, multiply, own copies, waits";
    bars.resize(600, bars.sizeHint().height());
    const QImage image = bars.grab().toImage();
    const auto pixel = [&](double share, int row) {
        return image.pixelColor(static_cast<int>((128 + share * (600 - 128)) * image.devicePixelRatio()),
                                static_cast<int>((row * 34 + 9) * image.devicePixelRatio()));
    };
    EXPECT_NE(pixel(0.4, 0), pixel(0.9, 0)) << "work fills the bar, a wait is a line";
    EXPECT_NE(pixel(0.8, 1), pixel(0.95, 1));
}

TEST(TimelineBars, TheWheelZoomsAtThePointer)
{
    TimelineBars bars;
    bars.resize(628, 120);
    bars.setReport(twoRoles());
    EXPECT_FALSE(bars.isZoomed());
    turnWheel(bars, 128 + 250, 3);
    EXPECT_TRUE(bars.isZoomed());
    EXPECT_LT(bars.range().low, 500);
    EXPECT_GT(bars.range().high, 500);
    EXPECT_NEAR(bars.range().low + bars.range().high, 1000, 1);
    bars.resetZoom();
    EXPECT_FALSE(bars.isZoomed());
    turnWheel(bars, 128, -2);
    EXPECT_FALSE(bars.isZoomed()) << "never wider than the whole";
}

TEST(TimelineBars, KeysAndDraggingMoveAndAnotherReportIsShownWhole)
{
    TimelineBars bars;
    bars.resize(628, 120);
    bars.setReport(twoRoles());
    const QPointF at(300, 10);
    QWheelEvent turned(at, bars.mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&bars, &turned);
    EXPECT_FALSE(bars.isZoomed()) << "without the focus the wheel scrolls the page";
    QTest::keyClick(&bars, Qt::Key_Plus);
    const double before = bars.range().low;
    ASSERT_GT(before, 0);
    QTest::keyClick(&bars, Qt::Key_Right);
    EXPECT_GT(bars.range().low, before);
    QTest::keyClick(&bars, Qt::Key_Left);
    QTest::keyClick(&bars, Qt::Key_Left);
    EXPECT_LT(bars.range().low, before);
    const double left = bars.range().low;
    QTest::mousePress(&bars, Qt::LeftButton, {}, QPoint(400, 10));
    const QPointF to(350, 10);
    QMouseEvent drag(QEvent::MouseMove, to, bars.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&bars, &drag);
    EXPECT_GT(bars.range().low, left) << "what is dragged to the left shows what is right of it";
    bars.setReport(twoRoles());
    EXPECT_FALSE(bars.isZoomed());
}

TEST(TimelineBars, TheWayOutOfAZoomIsMinusZeroOrADoubleClick)
{
    TimelineBars bars;
    bars.resize(628, 120);
    bars.setReport(twoRoles());
    const auto zoomIn = [&] {
        QTest::keyClick(&bars, Qt::Key_Equal);
        QTest::keyClick(&bars, Qt::Key_Plus);
        EXPECT_TRUE(bars.isZoomed());
        return bars.range().high - bars.range().low;
    };
    const double narrow = zoomIn();
    QTest::keyClick(&bars, Qt::Key_Minus);
    EXPECT_GT(bars.range().high - bars.range().low, narrow);
    EXPECT_TRUE(bars.isZoomed());
    QTest::keyClick(&bars, Qt::Key_0);
    EXPECT_FALSE(bars.isZoomed());
    zoomIn();
    QTest::mouseDClick(&bars, Qt::LeftButton, {}, QPoint(300, 10));
    EXPECT_FALSE(bars.isZoomed());
    EXPECT_EQ(bars.range().high, 1000);
    const double width = zoomIn();
    const double low = bars.range().low;
    const QPointF to(350, 10);
    QMouseEvent hover(QEvent::MouseMove, to, bars.mapToGlobal(to), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&bars, &hover);
    EXPECT_EQ(bars.range().low, low) << "without a button nothing is dragged";
    EXPECT_DOUBLE_EQ(bars.range().high - bars.range().low, width);
}

TEST(TimelineBars, WithoutMarksThereIsAReason)
{
    TimelineBars bars;
    bars.setReport({});
    EXPECT_FALSE(bars.emptyReason().isEmpty());
    turnWheel(bars, 200, 1);
}

TEST(TimelineTabs, ShowFindingRolesAndCost)
{
    RunRecord run;
    run.timeline.emplace();
    run.timeline->entry = "pipeline";
    run.timeline->recordedBlocks = 1;
    run.timeline->blockWarps = 2;
    run.timeline->noOverhead = "It failed.";
    run.timeline->sites = {{0, MarkKind::user, SyncKind::none, "load: wait for use", 0, false},
                           {1, MarkKind::user, SyncKind::none, "load: copy", 0, false},
                           {2, MarkKind::user, SyncKind::none, "use: wait for load", 0, false},
                           {3, MarkKind::user, SyncKind::none, "use: compute", 0, false}};
    WarpMarks load;
    load.marks = {{1, 0, 0}, {0, 900, 0}};
    load.endCycle = 1000;
    WarpMarks use;
    use.warp = 1;
    use.marks = {{2, 0, 0}, {3, 900, 0}};
    use.endCycle = 1000;
    run.timeline->warps = {load, use};
    TimelineTab tab;
    tab.setRun(run);
    const QString title = tab.findChild<ChartCard*>()->title();
    EXPECT_GE(title.indexOf(QStringLiteral("use ")), 0) << title.toStdString();
    EXPECT_LT(title.indexOf(QStringLiteral("use ")), title.indexOf(QStringLiteral(" load"))) << "it waits: " << title.toStdString();
    EXPECT_TRUE(tab.findChild<QLabel*>(QStringLiteral("timelineRoles"))->text().contains(QStringLiteral("wait for load")));
    EXPECT_TRUE(tab.findChild<QLabel*>(QStringLiteral("timelineFacts"))->text().contains(QStringLiteral("It failed.")));
}

} // namespace
} // namespace kl::ui
