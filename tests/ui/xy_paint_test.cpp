// SPDX-License-Identifier: MIT
// What an XYChart hands to Qt Charts: lines, markers, axes, labels; and what it makes of the pointer.
#include "tests/ui/support/shown_texts.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/linked_hover.h"
#include "ui/charts/xy_chart.h"
#include "ui/charts/xy_view.h"
#include "ui/style/theme.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QtCharts>

#include <cmath>

namespace kl::ui {
namespace {

template <class Series> std::vector<const Series*> findSeries(const XYChart& chart)
{
    std::vector<const Series*> found;
    for (const QAbstractSeries* series : chart.findChild<QChartView*>()->chart()->series())
        if (const auto* one = qobject_cast<const Series*>(series))
            found.push_back(one);
    return found;
}

XYSpec pointsAt(const std::vector<std::pair<double, double>>& places)
{
    XYSpec spec;
    spec.series = {{"runs", Token::series2, false, false, Marker::circle, {}, {}}};
    for (const auto& [x, y] : places)
        spec.series[0].points.push_back({x, y, {}, {}, {}, {}, {}});
    return spec;
}

QAbstractAxis* findAxis(const XYChart& chart, Qt::Orientation orientation)
{
    return chart.findChild<QChartView*>()->chart()->axes(orientation).value(0);
}

TEST(XYLines, AreWhiskersSeriesAndReferences)
{
    XYSpec spec = pointsAt({{1, 5}, {2, 6}, {3, 7}});
    spec.series[0].points[0].low = 4;
    spec.series[0].points[0].high = 7;
    spec.series[0].points[1].low = 5; // half an interval is none
    spec.references = {{8, "goal", Token::better}};
    XYChart chart;
    chart.setSpec(spec);
    auto lines = findSeries<QLineSeries>(chart);
    ASSERT_EQ(lines.size(), 2U) << "the reference, and one interval";
    EXPECT_EQ(lines[0]->pen().color(), color(Token::better));
    EXPECT_EQ(lines[0]->pen().style(), Qt::DashLine);
    EXPECT_EQ(lines[0]->points(), (QList<QPointF>{{chart.rangeX().low, 8}, {chart.rangeX().high, 8}}));
    EXPECT_EQ(lines[1]->pen().color(), color(Token::series2));
    EXPECT_EQ(lines[1]->pen().style(), Qt::SolidLine);
    EXPECT_EQ(lines[1]->points(), (QList<QPointF>{{1, 4}, {1, 7}}));
    EXPECT_EQ(chart.rangeX().high, 3) << "intervals are of y";
    spec = pointsAt({{1, 5}, {2, 6}});
    spec.series[0].line = true;
    chart.setSpec(spec);
    lines = findSeries<QLineSeries>(chart);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0]->pen().style(), Qt::SolidLine);
    EXPECT_EQ(lines[0]->points(), (QList<QPointF>{{1, 5}, {2, 6}}));
    spec.series[0].dashed = true;
    spec.series[0].marker = Marker::none;
    chart.setSpec(spec);
    EXPECT_EQ(findSeries<QLineSeries>(chart)[0]->pen().style(), Qt::DashLine);
    EXPECT_TRUE(findSeries<QScatterSeries>(chart).empty());
    EXPECT_EQ(chart.drawnPoints(), 2) << "a line without markers is drawn, too";
    spec.series[0].points.pop_back();
    chart.setSpec(spec);
    EXPECT_TRUE(findSeries<QLineSeries>(chart).empty()) << "one point makes no line";
}

TEST(XYMarkers, HaveTheShapeSizeAndColorOfTheirSeries)
{
    const auto dots = [](const XYSpec& spec) {
        auto chart = std::make_unique<XYChart>();
        chart->setSpec(spec);
        const auto found = findSeries<QScatterSeries>(*chart);
        EXPECT_FALSE(found.empty());
        std::vector<std::tuple<QScatterSeries::MarkerShape, double, QColor>> looks;
        for (const QScatterSeries* one : found)
            looks.emplace_back(one->markerShape(), one->markerSize(), one->color());
        return looks;
    };
    XYSpec spec = pointsAt({{1, 5}});
    using Shape = QScatterSeries;
    for (const auto& [marker, shape] : {std::pair(Marker::circle, Shape::MarkerShapeCircle),
                                        {Marker::square, Shape::MarkerShapeRectangle},
                                        {Marker::triangle, Shape::MarkerShapeTriangle},
                                        {Marker::diamond, Shape::MarkerShapeRotatedRectangle}}) {
        spec.series[0].marker = marker;
        EXPECT_EQ(dots(spec)[0], std::tuple(shape, 10.0, color(Token::series2)));
    }
    spec.series[0].points.resize(60, spec.series[0].points[0]);
    EXPECT_EQ(std::get<1>(dots(spec)[0]), 10);
    spec.series[0].points.push_back(spec.series[0].points[0]);
    EXPECT_EQ(std::get<1>(dots(spec)[0]), 5) << "beyond sixty they are small";
    spec = pointsAt({{1, 5}, {2, 5}, {3, 5}, {4, 5}});
    spec.series[0].points[0].area = 0.25;
    spec.series[0].points[1].area = 0;
    spec.series[0].points[2].area = 1;
    spec.series[0].points[3].area = 9;
    const auto areas = dots(spec);
    ASSERT_EQ(areas.size(), 4U);
    EXPECT_EQ(std::get<1>(areas[0]), 44) << "never larger than the largest";
    EXPECT_EQ(std::get<1>(areas[1]), 44);
    EXPECT_EQ(std::get<1>(areas[2]), 22) << "a quarter of the area is half across";
    EXPECT_EQ(std::get<1>(areas[3]), 7) << "and can still be hit";
    EXPECT_LT(std::get<2>(areas[0]).alphaF(), 1) << "they overlap";
}

TEST(XYAxes, HaveTheirTitleTicksAndGrid)
{
    XYSpec spec = pointsAt({{0, 0}, {4, 100}});
    spec.x.title = "a < b";
    spec.y.title = "time, µs";
    XYChart chart;
    chart.setSpec(spec);
    auto* x = findAxis(chart, Qt::Horizontal);
    auto* y = qobject_cast<QValueAxis*>(findAxis(chart, Qt::Vertical));
    ASSERT_TRUE(x && y);
    EXPECT_EQ(x->titleText(), "a &lt; b") << "charts draw markup";
    EXPECT_EQ(y->titleText(), QString::fromUtf8("time, µs"));
    EXPECT_FALSE(x->isGridLineVisible());
    EXPECT_TRUE(y->isGridLineVisible());
    EXPECT_EQ(y->tickInterval(), 20);
    EXPECT_EQ(y->tickType(), QValueAxis::TicksDynamic);
    EXPECT_EQ(std::fmod(y->tickAnchor(), 20), 0);
    EXPECT_EQ(y->max(), chart.rangeY().high);
    chart.zoom({0.5, 0.5}, 0.25);
    EXPECT_EQ(y->tickInterval(), 5);
    EXPECT_EQ(y->min(), chart.rangeY().low);
    chart.resetZoom();
    EXPECT_EQ(y->tickInterval(), 20);
    EXPECT_EQ(y->min(), chart.rangeY().low);
    spec.y.ticks = 2;
    chart.setSpec(spec);
    EXPECT_EQ(qobject_cast<QValueAxis*>(findAxis(chart, Qt::Vertical))->tickInterval(), 50);
    spec.x.log = true;
    spec.series[0].points[0].x = 1;
    spec.series[0].points[1].x = 1000;
    chart.setSpec(spec);
    auto* log = qobject_cast<QLogValueAxis*>(findAxis(chart, Qt::Horizontal));
    ASSERT_TRUE(log);
    EXPECT_TRUE(log->isGridLineVisible());
    EXPECT_EQ(log->base(), 10);
    EXPECT_NEAR(log->max(), 1000, 1e-9);
    chart.zoom({0.5, 0.5}, 0.3);
    EXPECT_EQ(log->base(), 2);
    chart.zoom({0.5, 0.5}, 0.3);
    EXPECT_LT(log->base(), 2);
    EXPECT_EQ(log->labelFormat(), "%.3g");
}

TEST(XYAxes, ARangeThatIsGivenHasLabelsThoughNothingIsDrawn)
{
    XYSpec spec = pointsAt({});
    XYChart chart;
    chart.setSpec(spec);
    EXPECT_FALSE(findAxis(chart, Qt::Horizontal)->labelsVisible());
    spec.x.min = 3;
    chart.setSpec(spec);
    EXPECT_TRUE(findAxis(chart, Qt::Horizontal)->labelsVisible());
    EXPECT_EQ(chart.rangeX().low, 3);
    spec.x.min.reset();
    spec.emptyReason = "none was measured";
    spec.x.categories = {"N", "N+1"};
    QWidget host;
    auto* shown = new XYChart(&host);
    shown->setSpec(spec);
    shown->resize(400, 200);
    host.resize(400, 200);
    host.show();
    const QStringList texts = findShownTexts(host);
    EXPECT_TRUE(texts.contains("none was measured"));
    EXPECT_TRUE(texts.contains("N+1"));
}

TEST(XYTables, HaveEachFigureOfAPoint)
{
    XYSpec spec = pointsAt({{0.125, 5}, {2, 6}});
    spec.y.title = "time, µs";
    spec.series[0].points[0].low = 4;
    spec.series[0].points[0].high = 7;
    spec.series[0].points[0].tip = "why";
    XYChart chart;
    chart.setSpec(spec);
    EXPECT_EQ(chart.table().header.mid(1, 2), (QStringList{"x", QString::fromUtf8("time, µs")}));
    EXPECT_EQ(chart.table().rows[0], (QStringList{"runs", "0.125", "5", "4", "7", "why"}));
    EXPECT_EQ(chart.table().rows[1], (QStringList{"runs", "2", "6", "", "", ""}));
    spec.x.title = "size";
    chart.setSpec(spec);
    EXPECT_EQ(chart.table().header[1], "size");
}

TEST(XYLegends, SayNoDataWhereItsOwnAxisCannotShowIt)
{
    XYSpec spec = pointsAt({{0, 5}});
    XYChart chart;
    chart.setSpec(spec);
    EXPECT_EQ(chart.legend()[0].name, "runs") << "0 is a place";
    EXPECT_EQ(chart.legend()[0].marker, Marker::circle);
    EXPECT_EQ(chart.legend()[0].token, Token::series2);
    spec.x.log = true;
    chart.setSpec(spec);
    EXPECT_NE(chart.legend()[0].name, "runs");
    spec.series[0].emptyReason = "not counted";
    chart.setSpec(spec);
    EXPECT_EQ(chart.legend()[0].name, "runs (not counted)");
    EXPECT_EQ(chart.drawnPoints(), 0);
}

TEST(XYPointers, APointSaysWhatItIsAndLeavingTheChartEndsIt)
{
    XYSpec spec = pointsAt({{1, 5}, {2, 6}});
    spec.series[0].points[1].tip = "the second";
    spec.series[0].points[1].id = "two";
    XYChart chart;
    chart.setSpec(spec);
    chart.resize(400, 200);
    chart.show();
    QCoreApplication::processEvents();
    const auto* dots = findSeries<QScatterSeries>(chart)[0];
    QSignalSpy changed(&LinkedHover::instance(), &LinkedHover::changed);
    emit const_cast<QScatterSeries*>(dots)->hovered({2, 6}, true);
    EXPECT_EQ(QToolTip::text(), "the second");
    EXPECT_EQ(LinkedHover::instance().id(), "two");
    emit const_cast<QScatterSeries*>(dots)->hovered({2, 6}, true);
    EXPECT_EQ(changed.count(), 1) << "the same point";
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(chart.findChild<QChartView*>()->viewport(), &leave);
    EXPECT_TRUE(LinkedHover::instance().id().isEmpty());
    EXPECT_EQ(changed.count(), 2);
    QToolTip::hideText();
}

TEST(XYPointers, AClickOpensAndADragDoesNot)
{
    XYSpec spec = pointsAt({{0, 0}, {10, 10}});
    spec.series[0].points[1].id = "ten";
    XYChart chart;
    chart.setSpec(spec);
    chart.resize(400, 200);
    chart.show();
    QCoreApplication::processEvents();
    chart.zoom({0.5, 0.5}, 0.5);
    auto* view = chart.findChild<QChartView*>();
    const QPoint middle = view->chart()->plotArea().center().toPoint();
    const QSignalSpy opened(&chart, &ChartBody::opened), picked(&chart, &ChartBody::picked);
    const auto press = [&](const QPoint& by, Qt::MouseButton with = Qt::LeftButton) {
        QTest::mousePress(view->viewport(), with, {}, middle);
        if (!by.isNull())
            QTest::mouseMove(view->viewport(), middle + by);
        QTest::mouseRelease(view->viewport(), with, {}, middle + by);
        emit const_cast<QScatterSeries*>(findSeries<QScatterSeries>(chart)[0])->clicked({10, 10});
    };
    const AxisRange before = chart.rangeX();
    press({30, 0});
    EXPECT_LT(chart.rangeX().low, before.low) << "dragged to the right, what is left of it appears";
    EXPECT_EQ(picked.count() + opened.count(), 0);
    press({});
    EXPECT_EQ(picked.count(), 1);
    ASSERT_EQ(opened.count(), 1);
    EXPECT_EQ(opened[0][0].toString(), "ten");
    const AxisRange still = chart.rangeX();
    QTest::mouseMove(view->viewport(), middle + QPoint(20, 0));
    EXPECT_EQ(chart.rangeX().low, still.low) << "the button is up";
    press({30, 0}, Qt::RightButton);
    EXPECT_EQ(chart.rangeX().low, still.low) << "only the left button drags";
}

TEST(XYPointers, TheWheelZoomsWhereItIsAndKeysOfAWholeChartAreThePages)
{
    XYChart chart;
    chart.setSpec(pointsAt({{0, 0}, {10, 10}}));
    chart.resize(400, 200);
    chart.show();
    QCoreApplication::processEvents();
    const auto taken = [&] {
        QKeyEvent key(QEvent::KeyPress, Qt::Key_Right, Qt::NoModifier);
        QApplication::sendEvent(&chart, &key);
        return key.isAccepted();
    };
    EXPECT_FALSE(taken());
    const AxisRange all = chart.rangeX();
    auto* view = chart.findChild<QChartView*>();
    const QRectF plot = view->chart()->plotArea();
    const QPointF left(plot.left(), plot.center().y());
    QWheelEvent wheel(left, view->viewport()->mapToGlobal(left), {}, {0, 240}, Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(view->viewport(), &wheel);
    EXPECT_TRUE(wheel.isAccepted()) << "the page does not scroll, too";
    EXPECT_NEAR(chart.rangeX().low, all.low, 1e-9) << "what is under the pointer stays";
    EXPECT_NEAR(chart.rangeX().high - chart.rangeX().low, (all.high - all.low) / 1.25 / 1.25, 1e-9);
    EXPECT_TRUE(taken());
    QTest::mousePress(view->viewport(), Qt::LeftButton, {}, plot.center().toPoint());
    EXPECT_EQ(chart.focusWidget(), &chart);
}

TEST(XYPointers, NamesStayWhileTheirValuesMove)
{
    XYSpec spec = pointsAt({{0, 0}, {1, 10}, {2, 20}});
    spec.x.categories = {"a", "b", "c"};
    XYChart chart;
    chart.setSpec(spec);
    chart.zoom({0.5, 0.5}, 0.5);
    const AxisRange x = chart.rangeX(), y = chart.rangeY();
    chart.pan({0.2, 0.2});
    EXPECT_EQ(chart.rangeX().low, x.low);
    EXPECT_NEAR(chart.rangeY().low, y.low + 0.2 * (y.high - y.low), 1e-9);
}

TEST(XYNotes, AreShownWithThePartOfThePlotThatHasThem)
{
    XYSpec spec = pointsAt({{0, 0}, {100, 100}});
    spec.notes = {{{10, 10}, "lower left", Token::muted, false}, {{90, 90}, "upper right", Token::muted, false}};
    spec.references = {{50, "halfway", Token::better}};
    QWidget host;
    auto* chart = new XYChart(&host);
    chart->setSpec(spec);
    chart->resize(500, 300);
    host.resize(500, 300);
    host.show();
    QCoreApplication::processEvents();
    QStringList texts = findShownTexts(host);
    for (const char* note : {"lower left", "upper right", "halfway"})
        EXPECT_TRUE(texts.contains(QLatin1String(note))) << note;
    chart->zoom({0, 0}, 0.3);
    texts = findShownTexts(host);
    EXPECT_TRUE(texts.contains("lower left"));
    EXPECT_FALSE(texts.contains("upper right"));
    EXPECT_FALSE(texts.contains("halfway")) << "its line is above";
    chart->resetZoom();
    chart->zoom({0, 1}, 0.3);
    EXPECT_FALSE(findShownTexts(host).contains("halfway")) << "its line is below";
    chart->resetZoom();
    chart->zoom({1, 0.5}, 0.3);
    texts = findShownTexts(host);
    EXPECT_FALSE(texts.contains("lower left"));
    EXPECT_TRUE(texts.contains("halfway")) << "it may be anywhere along its line";
}

TEST(XYRings, AreDrawnInDenseChartsToo)
{
    for (const int count : {3, 150}) {
        XYSpec spec;
        spec.series = {{"runs", Token::series2, false, false, Marker::circle, {}, {}}};
        for (int i = 0; i < count; ++i)
            spec.series[0].points.push_back({static_cast<double>(i), 1.0 + i % 3, {}, {}, {}, QString::number(i), {}});
        XYChart chart;
        chart.setSpec(spec);
        chart.resize(400, 200);
        chart.show();
        const auto seen = [&] {
            for (int turn = 0; turn < 3; ++turn)
                QCoreApplication::processEvents();
            return chart.grab().toImage();
        };
        const QImage before = seen();
        LinkedHover::instance().set("1");
        EXPECT_NE(seen(), before) << count;
        LinkedHover::instance().set("of another chart");
        EXPECT_EQ(seen(), before) << count;
        LinkedHover::instance().set({});
        EXPECT_EQ(seen(), before) << count;
    }
}

} // namespace
} // namespace kl::ui
