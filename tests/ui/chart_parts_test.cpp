// SPDX-License-Identifier: MIT
// Geometry of charts with exact figures, what a chart says under the pointer, and its keys.
#include "core/base/format.h"
#include "tests/support/snapshot.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/delta.h"
#include "ui/charts/evidence_bars.h"
#include "ui/charts/geometry/bars.h"
#include "ui/charts/geometry/labels.h"
#include "ui/charts/geometry/parallel_axes.h"
#include "ui/charts/geometry/ticks.h"
#include "ui/charts/geometry/zoom.h"
#include "ui/charts/heat_strip.h"
#include "ui/charts/limit_bars.h"
#include "ui/charts/linked_hover.h"
#include "ui/charts/stacked_bar.h"
#include "ui/charts/timeline_bars.h"
#include "ui/charts/waterfall_chart.h"
#include "ui/charts/xy_chart.h"
#include "ui/charts/xy_view.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QHelpEvent>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QtCharts>

#include <cmath>
#include <limits>

namespace kl::ui {
namespace {

TEST(TickSteps, AreTheNearestOfOneTwoFiveAndTen)
{
    using Ticks = std::vector<double>;
    EXPECT_EQ(niceTicks(0, 1, 1), (Ticks{0, 1}));
    EXPECT_EQ(niceTicks(0, 14, 10), (Ticks{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14})) << "1.4";
    EXPECT_EQ(niceTicks(0, 16, 10), (Ticks{0, 2, 4, 6, 8, 10, 12, 14, 16})) << "1.6";
    EXPECT_EQ(niceTicks(0, 34, 10), (Ticks{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34}));
    EXPECT_EQ(niceTicks(0, 36, 10), (Ticks{0, 5, 10, 15, 20, 25, 30, 35}));
    EXPECT_EQ(niceTicks(0, 80, 10), (Ticks{0, 10, 20, 30, 40, 50, 60, 70, 80})) << "8 is nearer to 10 than to 5";
    EXPECT_EQ(niceTicks(-3, 7, 5), (Ticks{-2, 0, 2, 4, 6})) << "inside";
    EXPECT_EQ(niceTicks(2, 4, 0), (Ticks{2, 4})) << "at least one step";
    EXPECT_TRUE(niceTicks(4, 2, 5).empty());
}

TEST(TickRanges, AreTheSmallestRoundOnes)
{
    const auto range = [](std::vector<double> values, bool zero) {
        const AxisRange found = linearRange(values, zero);
        return std::pair(found.low, found.high);
    };
    using Range = std::pair<double, double>;
    EXPECT_EQ(range({12, 48}, false), Range(10, 50));
    EXPECT_EQ(range({12, 48}, true), Range(0, 50));
    EXPECT_EQ(range({-48, -12}, true), Range(-50, 0));
    EXPECT_EQ(range({10, 50}, false), Range(10, 50)) << "no wider than needed";
    EXPECT_EQ(range({8}, false), Range(4, 12));
    EXPECT_EQ(range({0}, true), Range(0, 1));
    EXPECT_EQ(range({0}, false), Range(-1, 1));
    EXPECT_EQ(range({std::numeric_limits<double>::infinity(), 3, 1}, false), range({1, 3}, false));
    EXPECT_EQ(range({}, true), Range(0, 1));
    EXPECT_EQ(range({-8}, false), Range(-12, -4));
    const AxisRange none = logRange(std::vector<double>{0, -1});
    EXPECT_EQ(std::pair(none.low, none.high), Range(0.1, 10));
    const AxisRange decades = logRange(std::vector<double>{2, 1000, 0});
    EXPECT_NEAR(decades.low, 1, 1e-12);
    EXPECT_NEAR(decades.high, 1000, 1e-9);
    EXPECT_NEAR(axisPosition(20, {10, 30}, 100, false), 50, 1e-9) << "from its low end";
    EXPECT_NEAR(axisPosition(100, {10, 10000}, 300, true), 100, 1e-9);
}

TEST(ZoomRanges, StayWithinTheWhole)
{
    const AxisRange left = zoomRange({0, 10}, 0, 0.5, false, {0, 100});
    EXPECT_DOUBLE_EQ(left.low, 0);
    EXPECT_DOUBLE_EQ(left.high, 5);
    const AxisRange out = zoomRange({0, 10}, 0.5, 4, false, {0, 100});
    EXPECT_DOUBLE_EQ(out.low, 0) << "no further than the edge";
    EXPECT_DOUBLE_EQ(out.high, 40);
    const AxisRange right = zoomRange({90, 100}, 0.5, 4, false, {0, 100});
    EXPECT_DOUBLE_EQ(right.low, 60);
    EXPECT_DOUBLE_EQ(right.high, 100);
    const AxisRange deepest = zoomRange({50, 50.001}, 0.5, 1e-9, false, {0, 100});
    EXPECT_NEAR(deepest.high - deepest.low, 1e-4, 1e-9) << "a millionth";
    const AxisRange far = panRange({20, 40}, 9, false, {0, 100});
    EXPECT_DOUBLE_EQ(far.low, 80) << "never beyond the other end";
    EXPECT_DOUBLE_EQ(far.high, 100);
    const AxisRange half = panRange({20, 40}, 0.5, false, {0, 100});
    EXPECT_DOUBLE_EQ(half.low, 30);
    EXPECT_DOUBLE_EQ(half.high, 50);
    const AxisRange log = panRange({10, 100}, 1, true, {1, 10000});
    EXPECT_NEAR(log.low, 100, 1e-9);
    EXPECT_NEAR(log.high, 1000, 1e-9);
    EXPECT_EQ(logBase({1, 100}), 10) << "two decades";
    EXPECT_EQ(logBase({1, 1e7}), 100);
    EXPECT_EQ(logBase({10, 40}), 2);
    EXPECT_EQ(logBase({10, 16}), 1.2);
    EXPECT_EQ(logBase({10, 11.2}), 1.05);
    EXPECT_EQ(logBase({10, 10.1}), 1.01);
}

TEST(BarShapes, OfEvidenceHaveRoomForWhatIsLarger)
{
    const EvidenceSpan counts = evidenceSpan(4, 32, false);
    EXPECT_NEAR(counts.scaleMax, 32 * 1.15, 1e-9);
    EXPECT_NEAR(counts.bar->to, 4 / (32 * 1.15), 1e-12);
    EXPECT_NEAR(*counts.tick, 1 / 1.15, 1e-12);
    EXPECT_EQ(counts.bar->from, 0);
    EXPECT_EQ(evidenceSpan(40, 70, true).scaleMax, 100);
    EXPECT_EQ(evidenceSpan(140, 70, true).scaleMax, 140) << "a share above all";
    EXPECT_EQ(evidenceSpan(0, 0, false).scaleMax, 1);
    EXPECT_EQ(evidenceSpan(-5, 10, false).bar->to, 0);
    EXPECT_FALSE(evidenceSpan(5, {}, false).tick);
    EXPECT_FALSE(evidenceSpan(std::nan(""), 1, false).bar);
    const auto stack = stackSpans({1, 0, 3});
    EXPECT_EQ(std::pair(stack[0].from, stack[0].to), std::pair(0.0, 0.25));
    EXPECT_EQ(std::pair(stack[1].from, stack[1].to), std::pair(0.25, 0.25));
    EXPECT_EQ(std::pair(stack[2].from, stack[2].to), std::pair(0.25, 1.0));
    const Waterfall fall = waterfall({{"a", std::nan(""), 5}, {"b", 3, {}}, {"c", 4, 6}});
    EXPECT_FALSE(fall.steps[0].measured);
    EXPECT_EQ(fall.steps[2].measured->from, 3);
    EXPECT_EQ(fall.steps[2].measured->to, 7);
    EXPECT_EQ(fall.steps[2].quoted->from, 5);
    EXPECT_EQ(fall.quotedTotal, 11);
}

TEST(ParallelPlaces, AreSpreadOverTheAxes)
{
    const ParallelAxes axes{100, 400, 20, 220, 4};
    EXPECT_EQ(axes.x(0), 100);
    EXPECT_EQ(axes.x(1), 200);
    EXPECT_EQ(axes.x(3), 400);
    EXPECT_EQ(axes.y(0, 5), 220) << "from the bottom up";
    EXPECT_EQ(axes.y(4, 5), 20);
    EXPECT_EQ(axes.y(1, 5), 170);
    EXPECT_EQ(axes.y(0, 1), 120);
    EXPECT_EQ(axes.axisAt(149), 0U);
    EXPECT_EQ(axes.axisAt(151), 1U);
    EXPECT_EQ(axes.axisAt(9999), 3U);
    EXPECT_EQ(axes.axisAt(-9999), 0U);
    const ParallelAxes one{100, 400, 20, 220, 1};
    EXPECT_EQ(one.x(0), 250);
    EXPECT_EQ(one.axisAt(400), 0U);
    const ParallelAxes two{100, 400, 20, 220, 2};
    EXPECT_EQ(two.x(0), 100);
    EXPECT_EQ(two.x(1), 400);
    using Places = std::pair<std::size_t, std::size_t>;
    EXPECT_EQ(one.placesBetween(0, 10, 1), Places(0, 0));
    EXPECT_EQ(axes.placesBetween(225, 165, 5), Places(0, 1));
    EXPECT_EQ(axes.placesBetween(165, 225, 5), Places(0, 1)) << "whichever way";
    EXPECT_EQ(axes.placesBetween(100, 118, 5), Places(2, 2)) << "the nearest to its end: 120";
    EXPECT_EQ(axes.placesBetween(170, 120, 5), Places(1, 2)) << "both ends";
    EXPECT_EQ(axes.placesBetween(0, 300, 5), Places(0, 4));
}

TEST(PlacedLabels, BeginAboveAndRightOfTheirPoint)
{
    const QRectF plot(0, 0, 400, 200);
    const QRectF free = placeLabels({{{100, 100}, 50, false}}, {}, plot)[0];
    EXPECT_EQ(free, QRectF(104, 100 - 2 - kLabelHeight, 50, kLabelHeight));
    EXPECT_EQ(placeLabels({{{100, 5}, 50, false}}, {}, plot)[0].top(), 7) << "below, where there is no room above";
    EXPECT_EQ(placeLabels({{{390, 100}, 50, false}}, {}, plot)[0].right(), 398) << "inside at the right";
    const std::vector<QLineF> above{{104, 90, 154, 90}};
    EXPECT_EQ(placeLabels({{{100, 100}, 50, false}}, above, plot)[0].top(), 102) << "a line runs above";
    const std::vector<QLineF> right{{110, 90, 150, 90}, {110, 110, 150, 110}};
    EXPECT_EQ(placeLabels({{{100, 100}, 50, false}}, right, plot)[0], QRectF(46, 100 - 2 - kLabelHeight, 50, kLabelHeight)) << "then left";
    const auto two = placeLabels({{{100, 100}, 50, false}, {{100, 100}, 50, false}}, {}, plot);
    EXPECT_EQ(two[0], free);
    EXPECT_EQ(two[1], QRectF(104, 102, 50, kLabelHeight));
    const QRectF along = placeLabels({{{0, 100}, 80, true}}, {}, plot)[0];
    EXPECT_EQ(along, QRectF(4, 100 - 2 - kLabelHeight, 80, kLabelHeight)) << "at the left first";
    const std::vector<QLineF> left{{4, 90, 84, 90}, {4, 110, 84, 110}};
    EXPECT_EQ(placeLabels({{{0, 100}, 80, true}}, left, plot)[0].right(), 398) << "then at the right";
}

TEST(Changes, AreInPercentTimesOrPoints)
{
    const auto text = [](std::optional<double> now, std::optional<double> before, bool share = false) {
        return deltaText(now, before, share);
    };
    EXPECT_EQ(text(30, 100), q("−70\u202f%"));
    EXPECT_EQ(text(105, 100), q("+5.0\u202f%"));
    EXPECT_EQ(text(112, 100), q("+12\u202f%"));
    EXPECT_EQ(text(110, 100), q("+10\u202f%")) << "from ten on without decimals";
    EXPECT_EQ(text(199, 100), q("+99\u202f%"));
    EXPECT_EQ(text(200, 100), q("×2"));
    EXPECT_EQ(text(340, 100), q("×3.4"));
    EXPECT_EQ(text(12345, 100), q("×123"));
    EXPECT_EQ(text(100.05, 100), "=");
    EXPECT_NE(text(100.06, 100), "=");
    EXPECT_EQ(text(0, 0), "=");
    EXPECT_EQ(text(5, 0), "new");
    EXPECT_EQ(text({}, 5), "n/a");
    EXPECT_EQ(text(5, {}), "n/a");
    EXPECT_EQ(text(std::nan(""), 5), "n/a");
    EXPECT_EQ(text(44.2, 40, true), q("+4.2\u202fpts"));
    EXPECT_EQ(text(20, 40, true), q("−20\u202fpts"));
    EXPECT_EQ(text(30, 40, true), q("−10\u202fpts"));
    EXPECT_EQ(text(40.04, 40, true), "=");
    EXPECT_EQ(text(40.06, 40, true), q("+0.1\u202fpts"));
    EXPECT_EQ(joinDeltas({}), "");
    EXPECT_EQ(joinDeltas({{1, "+5 %", Token::muted}, {2, "=", Token::muted}}), q("Δ +5 %, ="));
    Segments segments{{"5", Token::text}};
    addSegments(segments, {{1, "=", Token::series5}});
    EXPECT_EQ(segments, (Segments{{"5", Token::text}, {" =", Token::series5}}));
}

/// What a chart says at a place; empty where it says nothing.
QString saidAt(QWidget& chart, const QPoint& at)
{
    const QString before = QStringLiteral("of before"); // it stays while it fades
    QToolTip::showText(chart.mapToGlobal(at), before, &chart);
    QHelpEvent help(QEvent::ToolTip, at, chart.mapToGlobal(at));
    QApplication::sendEvent(&chart, &help);
    return QToolTip::text() == before ? QString() : QToolTip::text();
}

void showAt(QWidget& chart, const QSize& size)
{
    chart.resize(size);
    chart.show();
    QCoreApplication::processEvents();
}

TEST(ChartTips, AreThoseOfTheBarUnderThePointer)
{
    LimitBars limits;
    limits.setBars({{"H200", 10, 20, true, "fits", "up to 5"}, {"T4", 10, 5, false, "too much", {}}}, "bytes", "limit");
    showAt(limits, {480, 80});
    EXPECT_EQ(saidAt(limits, {240, 10}), "H200\nfits\nup to 5");
    EXPECT_EQ(saidAt(limits, {240, 50}), "T4\ntoo much");
    EXPECT_EQ(limits.legend().size(), 3U);
    limits.setBars({{"H200", 10, {}, true, "fits", {}}}, "bytes", "limit");
    EXPECT_TRUE(limits.legend().empty()) << "without limits nothing can be exceeded";
    EXPECT_TRUE(limits.emptyReason().isEmpty());
    limits.setBars({}, {}, {});
    EXPECT_FALSE(limits.emptyReason().isEmpty());

    StackedBar stack;
    stack.setRows({"barrier", "wait"}, {{"a", {1, 3}, {}}, {"b", {1, 0}, {}}}, "warps", "none");
    showAt(stack, {400, 104});
    EXPECT_EQ(saidAt(stack, {50, 30}), q("barrier: 1 warps (25\u202f%)"));
    EXPECT_EQ(saidAt(stack, {300, 30}), q("wait: 3 warps (75\u202f%)"));
    EXPECT_EQ(saidAt(stack, {300, 52 + 30}), q("barrier: 1 warps (100\u202f%)"));
    EXPECT_EQ(saidAt(stack, {300, 5}), "");
    EXPECT_EQ(stack.legend().size(), 2U);
    EXPECT_EQ(stack.legend()[1].token, seriesToken(1));

    HeatStrip strip;
    strip.setCells({"G1", "G2"}, {"N", "N+1"}, {{Mark::pass, Mark::fail}, {Mark::none, Mark::waived}}, "none");
    showAt(strip, {400, 90});
    EXPECT_EQ(saidAt(strip, {112 + 10, 10}), q("N · G1: ") + markWord(Mark::pass));
    EXPECT_EQ(saidAt(strip, {112 + 72 + 10, 10}), q("N+1 · G1: ") + markWord(Mark::fail));
    EXPECT_EQ(saidAt(strip, {112 + 72 + 10, 40}), q("N+1 · G2: ") + markWord(Mark::waived));

    WaterfallChart fall;
    fall.setSteps({{"a", 12.0, 60.0}, {"b", {}, 30.0}, {"c", 5.0, {}}}, "none");
    showAt(fall, {500, 140});
    const QString both = saidAt(fall, {100, 10}), quoted = saidAt(fall, {100, 26 + 10}), timed = saidAt(fall, {100, 52 + 10});
    const QString sums = saidAt(fall, {100, 78 + 10});
    const auto before = [](const QString& tip, double minutes) { // the words that say where a figure comes from
        return tip.section(q(formatMinutes(minutes)), 0, 0).section(QRegularExpression("[:,] "), -1);
    };
    EXPECT_TRUE(both.startsWith("a: ") && both.contains(q(formatMinutes(12)))) << both.toStdString();
    EXPECT_TRUE(both.endsWith(q(formatMinutes(60)))) << both.toStdString();
    EXPECT_TRUE(quoted.startsWith("b: ") && quoted.endsWith(q(formatMinutes(30)))) << quoted.toStdString();
    EXPECT_TRUE(timed.startsWith("c: ") && timed.endsWith(q(formatMinutes(5)))) << timed.toStdString();
    EXPECT_TRUE(sums.contains(q(formatMinutes(17))) && sums.endsWith(q(formatMinutes(90)))) << sums.toStdString();
    EXPECT_FALSE(quoted.contains(',') || timed.contains(',')) << "of one figure there is one part";
    EXPECT_NE(before(quoted, 30), before(timed, 5));
    EXPECT_EQ(before(both, 12), before(timed, 5));
    EXPECT_EQ(before(both, 60), before(quoted, 30));
    EXPECT_EQ(before(sums, 17), before(timed, 5));
    EXPECT_EQ(before(sums, 90), before(quoted, 30));

    EvidenceBars bars;
    bars.setRows(
        {{"sectors", 32, 4, "≥", "32", "4", false, true, "why", {}, true}, {"waves", {}, 2, "<", "not counted", "", false, false, {}, {}}});
    showAt(bars, {400, 90});
    EXPECT_EQ(saidAt(bars, {200, 10}), q("sectors\n32  (≥ 4 ✓)\nwhy"));
    EXPECT_EQ(saidAt(bars, {200, 50}), "waves\nnot counted");
    const QString supports = bars.table().rows[0][4], speaksAgainst = bars.table().rows[1][4];
    EXPECT_NE(supports, speaksAgainst);
    bars.setRows({{"sectors", 32, 4, "≥", "32", "4", false, false, {}, {}, true}});
    EXPECT_NE(bars.table().rows[0][4], supports) << "it is for a different question";
    EXPECT_NE(bars.table().rows[0][4], speaksAgainst) << "it is true all the same";
    EXPECT_EQ(bars.legend().size(), 4U);
    bars.setRows({{"sectors", 32, {}, "", "32", "", false, false, {}, {}}});
    EXPECT_TRUE(bars.legend().empty()) << "nothing is compared";
}

TEST(ChartBars, EndWhereTheirFigureIs)
{
    LimitBars limits;
    limits.setBars({{"a", 25, 100, true, "w", {}}, {"b", 100, 50, false, "w", {}}}, "bytes", "limit");
    showAt(limits, {480, 80});
    const QImage image = limits.grab().toImage();
    const auto measureLength = [&](int y, Token token) {
        int count = 0;
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == color(token);
        return count;
    };
    const int whole = measureLength(60, Token::worse);
    ASSERT_GT(whole, 100);
    EXPECT_NEAR(measureLength(20, Token::better), whole / 4.0, 3) << "a quarter of the scale";
    EXPECT_EQ(measureLength(20, Token::worse), 0);
    EXPECT_NEAR(measureLength(20, Token::raised), whole * 0.75, 4) << "up to its own limit";
}

TEST(ChartBars, OfSavingsContinueWhereTheLastOfTheirKindEnded)
{
    WaterfallChart fall;
    fall.setSteps({{"a", 20.0, {}}, {"b", {}, 80.0}, {"c", 20.0, {}}}, "none");
    showAt(fall, {500, 140});
    const QImage image = fall.grab().toImage();
    /// First and last pixel of a color in a row of the chart; −1 without any.
    const auto findSpan = [&](int row, Token token) {
        int first = -1, last = -1;
        for (int y = row * 26; y < (row + 1) * 26; ++y)
            for (int x = 200; x < image.width(); ++x)
                if (image.pixelColor(x, y) == color(token)) {
                    first = first < 0 ? x : std::min(first, x);
                    last = std::max(last, x);
                }
        return std::pair(first, last);
    };
    const auto [from, to] = findSpan(0, Token::series1);
    ASSERT_GE(from, 0);
    const int length = to - from;
    ASSERT_GT(length, 20);
    EXPECT_EQ(findSpan(0, Token::series4).first, -1) << "nothing was quoted";
    EXPECT_EQ(findSpan(1, Token::series1).first, -1) << "nor measured";
    const auto [quotedFrom, quotedTo] = findSpan(1, Token::series4);
    EXPECT_NEAR(quotedFrom, from, 2) << "the first of its kind";
    EXPECT_NEAR(quotedTo - quotedFrom, 4 * length, 6);
    const auto [nextFrom, nextTo] = findSpan(2, Token::series1);
    EXPECT_NEAR(nextFrom, to, 2);
    EXPECT_NEAR(nextTo - nextFrom, length, 2);
    EXPECT_NEAR(findSpan(3, Token::series1).second - from, 2 * length, 3) << "the total";
}

TEST(ChartChoices, AreOfRowsAndOnlyWhereAChartIsPickable)
{
    EvidenceBars bars;
    bars.setRows(std::vector<EvidenceRow>(2, {"a", 1, 2, "≥", "1", "2", false, true, {}, {}}));
    showAt(bars, {400, 90});
    const QSignalSpy picked(&bars, &ChartBody::picked);
    QTest::keyClick(&bars, Qt::Key_Down);
    EXPECT_EQ(picked.count(), 0) << "its rows lead nowhere";
    bars.setPickable();
    QTest::keyClick(&bars, Qt::Key_Up);
    EXPECT_EQ(picked.count(), 0) << "there is none before the first";
    QTest::keyClick(&bars, Qt::Key_Right);
    QTest::keyClick(&bars, Qt::Key_Right);
    EXPECT_EQ(picked.count(), 1) << "nor behind the last";
    QTest::keyClick(&bars, Qt::Key_Enter);
    QTest::keyClick(&bars, Qt::Key_Space);
    QTest::keyClick(&bars, Qt::Key_Left);
    ASSERT_EQ(picked.count(), 4);
    EXPECT_EQ(picked[2][0].toInt(), 1);
    EXPECT_EQ(picked[3][0].toInt(), 0);
    TimelineReport report;
    report.spanCycles = 100;
    report.roles.resize(1);
    report.roles[0].segments = {{0, 100, SegmentKind::work, "copy", 0}};
    TimelineBars timeline;
    timeline.setReport(report);
    showAt(timeline, {628, 60});
    const QSignalSpy segments(&timeline, &ChartBody::picked);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, {300, 15});
    EXPECT_EQ(segments.count(), 0) << "a segment is not a row";
}

XYSpec elevenPoints()
{
    XYSpec spec;
    spec.y.withZero = false;
    spec.series = {{"runs", Token::series1, false, false, Marker::circle, {}, {}}};
    for (int i = 0; i <= 10; ++i)
        spec.series[0].points.push_back({static_cast<double>(i), 100.0 + i, {}, {}, {}, QString::number(i), {}});
    return spec;
}

TEST(ChartKeys, ZoomAroundTheMiddleAndMove)
{
    XYChart chart;
    chart.setSpec(elevenPoints());
    const AxisRange allX = chart.rangeX(), allY = chart.rangeY();
    QTest::keyClick(&chart, Qt::Key_Right);
    EXPECT_EQ(chart.rangeX().low, allX.low) << "all is shown";
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(&chart, i == 0 ? Qt::Key_Equal : Qt::Key_Plus);
    const AxisRange x = chart.rangeX(), y = chart.rangeY();
    const double spanX = x.high - x.low, spanY = y.high - y.low;
    EXPECT_NEAR(spanX, (allX.high - allX.low) / std::pow(1.25, 3), 1e-9);
    EXPECT_NEAR(x.low + x.high, allX.low + allX.high, 1e-9) << "in the middle";
    EXPECT_NEAR(y.low + y.high, allY.low + allY.high, 1e-9);
    QTest::keyClick(&chart, Qt::Key_Right);
    EXPECT_NEAR(chart.rangeX().low, x.low + 0.1 * spanX, 1e-9);
    EXPECT_NEAR(chart.rangeY().low, y.low, 1e-9);
    QTest::keyClick(&chart, Qt::Key_Left);
    EXPECT_NEAR(chart.rangeX().low, x.low, 1e-9);
    QTest::keyClick(&chart, Qt::Key_Up);
    EXPECT_NEAR(chart.rangeY().low, y.low + 0.1 * spanY, 1e-9);
    QTest::keyClick(&chart, Qt::Key_Down);
    QTest::keyClick(&chart, Qt::Key_Down);
    EXPECT_NEAR(chart.rangeY().low, y.low - 0.1 * spanY, 1e-9);
    QTest::keyClick(&chart, Qt::Key_Minus);
    EXPECT_NEAR(chart.rangeX().high - chart.rangeX().low, spanX * 1.25, 1e-9);
    QTest::keyClick(&chart, Qt::Key_0);
    EXPECT_FALSE(chart.isZoomed());
    EXPECT_EQ(chart.rangeY().high, allY.high);
}

TEST(ChartPoints, AreOpenedByTheirIdAndHoverElsewhere)
{
    XYChart chart;
    XYSpec spec = elevenPoints();
    spec.series.push_back(spec.series[0]);
    spec.series[1].points = {{3, 104, {}, {}, "tip", "other", {}}, {5, 101, {}, {}, "no id", {}, {}}};
    chart.setSpec(spec);
    const QSignalSpy picked(&chart, &ChartBody::picked), opened(&chart, &ChartBody::opened);
    std::vector<QScatterSeries*> dots;
    for (QAbstractSeries* series : chart.findChild<QChartView*>()->chart()->series())
        if (auto* one = qobject_cast<QScatterSeries*>(series))
            dots.push_back(one);
    ASSERT_EQ(dots.size(), 2U);
    emit dots[0]->clicked({4, 104});
    emit dots[1]->clicked({3, 104});
    emit dots[1]->clicked({5, 101});
    ASSERT_EQ(picked.count(), 3);
    EXPECT_EQ(picked[0][0].toInt(), 0);
    EXPECT_EQ(picked[1][0].toInt(), 1);
    ASSERT_EQ(opened.count(), 2) << "one of no id opens nothing";
    EXPECT_EQ(opened[0][0].toString(), "4");
    EXPECT_EQ(opened[1][0].toString(), "other");
    emit dots[1]->hovered({3, 104}, true);
    EXPECT_EQ(LinkedHover::instance().id(), "other");
    emit dots[1]->hovered({3, 104}, false);
    EXPECT_EQ(LinkedHover::instance().id(), "");
}

TEST(ChartAxes, HaveAWidthAlsoForOneValueAndForNames)
{
    XYChart chart;
    XYSpec spec = elevenPoints();
    spec.x.min = 7;
    spec.x.max = 7;
    chart.setSpec(spec);
    EXPECT_EQ(chart.rangeX().low, 7);
    EXPECT_EQ(chart.rangeX().high, 8);
    spec = elevenPoints();
    spec.x.categories = {"a", "b", "c"};
    chart.setSpec(spec);
    EXPECT_EQ(chart.rangeX().low, -0.5);
    EXPECT_EQ(chart.rangeX().high, 2.5);
    EXPECT_EQ(chart.table().rows[1][1], "b");
    EXPECT_EQ(chart.table().rows[3][1], "3") << "there is no fourth name";
    spec.series[0].points = {{-1, 1, {}, {}, {}}};
    chart.setSpec(spec);
    EXPECT_EQ(chart.table().rows[0][1], "-1");
}

TEST(ChartLegends, HaveEachLookOnceAndWhyASeriesIsEmpty)
{
    XYChart chart;
    XYSpec spec = elevenPoints();
    spec.series[0].line = true;
    spec.series.push_back(spec.series[0]);
    XYSeries dashed = spec.series[0];
    dashed.dashed = true;
    spec.series.push_back(dashed);
    XYSeries markers = spec.series[0];
    markers.line = false;
    markers.points.clear();
    spec.series.push_back(markers);
    XYSeries nameless = markers;
    nameless.name.clear();
    spec.series.push_back(nameless);
    chart.setSpec(spec);
    const auto legend = chart.legend();
    ASSERT_EQ(legend.size(), 3U);
    EXPECT_EQ(legend[0].swatch, Swatch::line);
    EXPECT_EQ(legend[1].swatch, Swatch::dashed);
    EXPECT_EQ(legend[2].swatch, Swatch::marker);
    EXPECT_TRUE(legend[2].name.startsWith("runs (")) << "with why it is empty: " << legend[2].name.toStdString();
    EXPECT_EQ(chart.drawnPoints(), 33);
    EXPECT_TRUE(chart.emptyReason().isEmpty());
    spec.series = {markers};
    chart.setSpec(spec);
    EXPECT_FALSE(chart.emptyReason().isEmpty());
    spec.emptyReason = "none was measured";
    chart.setSpec(spec);
    EXPECT_EQ(chart.emptyReason(), "none was measured");
}

TEST(ChartLegends, SnapshotOfWhatChartsSay)
{
    XYChart chart;
    XYSpec spec = elevenPoints();
    spec.series[0].points.clear();
    chart.setSpec(spec);
    QStringList lines{chart.legend()[0].name, chart.emptyReason()};
    WaterfallChart fall;
    fall.setSteps({{"a", 12.0, 60.0}}, "none");
    showAt(fall, {500, 140});
    lines << saidAt(fall, {100, 10}) << saidAt(fall, {100, 26 + 10});
    for (const LegendItem& item : fall.legend())
        lines << item.name;
    test::expectSnapshot("ui/chart-words.txt", utf8(lines.join('\n') + u'\n'));
}

TEST(TimelineTips, SayRoleKindPlaceAndLength)
{
    TimelineReport report;
    report.spanCycles = 1000;
    report.roles.resize(1);
    report.roles[0].name = "producer";
    report.roles[0].segments = {{0, 400, SegmentKind::work, "copy", 7}, {400, 1000, SegmentKind::wait, "mbarrier", 0}};
    TimelineBars bars;
    bars.setReport(report);
    showAt(bars, {628, 60});
    const QString work = saidAt(bars, {128 + 100, 15});
    EXPECT_TRUE(work.startsWith("producer: ") && work.contains(", copy, line 7")) << work.toStdString();
    EXPECT_TRUE(work.contains("400 "));
    const QString wait = saidAt(bars, {128 + 300, 15});
    EXPECT_TRUE(wait.startsWith("producer: ") && wait.contains(", mbarrier\n")) << wait.toStdString();
    EXPECT_TRUE(wait.contains("600 "));
    EXPECT_EQ(saidAt(bars, {50, 15}), "");
    EXPECT_EQ(bars.legend().size(), 2U) << "copy, waits";
    bars.setReport(report);
    EXPECT_EQ(bars.legend().size(), 2U);
    report.roles[0].segments[0].label = "load";
    bars.setReport(report);
    ASSERT_EQ(bars.legend().size(), 2U) << "nothing of the report before";
    EXPECT_EQ(bars.legend()[0].name, "load");
    QTest::keyClick(&bars, Qt::Key_Plus);
    EXPECT_NEAR(bars.range().low, 100, 1e-9) << "a fifth less, around the middle";
    EXPECT_NEAR(bars.range().high, 900, 1e-9);
    QTest::keyClick(&bars, Qt::Key_Right);
    EXPECT_NEAR(bars.range().low, 180, 1e-9);
    QTest::keyClick(&bars, Qt::Key_Left);
    EXPECT_NEAR(bars.range().low, 100, 1e-9);
    QTest::keyClick(&bars, Qt::Key_Equal);
    QTest::keyClick(&bars, Qt::Key_Minus);
    EXPECT_NEAR(bars.range().high - bars.range().low, 800, 1e-6);
    QTest::mouseDClick(&bars, Qt::LeftButton, {}, {300, 15});
    EXPECT_FALSE(bars.isZoomed());
    QTest::keyClick(&bars, Qt::Key_Plus);
    QTest::keyClick(&bars, Qt::Key_0);
    EXPECT_FALSE(bars.isZoomed());
}

} // namespace
} // namespace kl::ui
