// SPDX-License-Identifier: MIT
#include "ui/charts/chart_card.h"
#include "ui/charts/evidence_bars.h"
#include "ui/charts/geometry/bars.h"
#include "ui/charts/geometry/ticks.h"
#include "ui/charts/heat_strip.h"
#include "ui/charts/hot_line_bars.h"
#include "ui/charts/limit_bars.h"
#include "ui/charts/stacked_bar.h"
#include "ui/charts/waterfall_chart.h"
#include "ui/charts/xy_chart.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QtCharts>

#include <cmath>
#include <limits>

namespace kl::ui {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Ticks, AreRoundAndInside)
{
    EXPECT_EQ(niceTicks(0, 100, 5), (std::vector<double>{0, 20, 40, 60, 80, 100}));
    EXPECT_TRUE(niceTicks(3, 3, 5).empty());
}

TEST(Ticks, AreInStepsOfOneTwoOrFive)
{
    EXPECT_EQ(niceTicks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
    EXPECT_EQ(niceTicks(0, 30, 5), (std::vector<double>{0, 5, 10, 15, 20, 25, 30}));
    EXPECT_EQ(linearRange(std::vector<double>{7}, true).low, 0) << "one value, from 0 on";
    EXPECT_NEAR(logRange(std::vector<double>{10}).high, 100, 1e-9) << "one power of ten is a decade";
}

TEST(Ticks, LinearRangeHoldsAllValuesAndIgnoresNan)
{
    const std::vector<double> values{0.09, kNan, 1.27};
    const AxisRange range = linearRange(values, true);
    EXPECT_EQ(range.low, 0);
    EXPECT_GE(range.high, 1.27);
    EXPECT_LT(range.high, 2);
    const AxisRange nothing = linearRange({}, true);
    EXPECT_LT(nothing.low, nothing.high);
}

TEST(Ticks, LogRangeTakesWholeDecadesOfPositiveValues)
{
    const std::vector<double> values{0, -3, kNan, 0.3, 42};
    const AxisRange range = logRange(values);
    EXPECT_NEAR(range.low, 0.1, 1e-12);
    EXPECT_NEAR(range.high, 100, 1e-9);
}

TEST(Ticks, ZeroAndNanCannotBeDrawnOnALogAxis)
{
    EXPECT_FALSE(drawable(0, true));
    EXPECT_TRUE(drawable(0, false));
    EXPECT_FALSE(drawable(kNan, false));
    EXPECT_FALSE(drawable(std::numeric_limits<double>::infinity(), true));
}

TEST(Ticks, PositionsOnBothScales)
{
    EXPECT_NEAR(axisPosition(50, {0, 100}, 200, false), 100, 1e-9);
    EXPECT_NEAR(axisPosition(10, {1, 100}, 200, true), 100, 1e-9);
}

TEST(Bars, EvidenceStandsOnAScaleThatHoldsValueAndThreshold)
{
    const EvidenceSpan sectors = evidenceSpan(32, 4, false);
    ASSERT_TRUE(sectors.bar && sectors.tick);
    EXPECT_GT(sectors.bar->to, *sectors.tick);
    EXPECT_LE(sectors.bar->to, 1);
    EXPECT_NEAR(*evidenceSpan(42, 70, true).tick, 0.7, 1e-12);
}

TEST(Bars, MissingEvidenceHasNoBar)
{
    const EvidenceSpan span = evidenceSpan({}, 70, true);
    EXPECT_FALSE(span.bar);
    EXPECT_TRUE(span.tick);
}

TEST(Bars, StackFillsTheWholeAndSkipsNonsense)
{
    const auto spans = stackSpans({1, kNan, -2, 3});
    EXPECT_NEAR(spans[0].to, 0.25, 1e-12);
    EXPECT_EQ(spans[1].from, spans[1].to);
    EXPECT_NEAR(spans[3].to, 1, 1e-12);
    EXPECT_EQ(stackSpans({0, 0})[1].to, 0);
}

TEST(Bars, WaterfallKeepsMeasuredAndQuotedApart)
{
    const Waterfall shape = waterfall({{"a", 10, 60}, {"b", {}, 30}, {"c", 5, {}}});
    EXPECT_EQ(shape.measuredTotal, 15);
    EXPECT_EQ(shape.quotedTotal, 90);
    EXPECT_EQ(shape.steps[2].measured->from, 10);
    EXPECT_FALSE(shape.steps[1].measured);
    EXPECT_EQ(shape.steps[1].quoted->from, 60);
}

XYSpec makeSpec(std::vector<XYPoint> points, bool log)
{
    XYSpec spec;
    spec.x.log = spec.y.log = log;
    spec.y.title = "time, µs";
    spec.series = {{"runs", Token::series1, true, false, Marker::circle, std::move(points), "not measured"}};
    return spec;
}

TEST(XYChart, LeavesOutWhatALogAxisCannotShow)
{
    XYChart chart;
    chart.setSpec(makeSpec({{1, 0, {}, {}, {}}, {2, kNan, {}, {}, {}}, {3, 30, {}, {}, {}}, {4, 40, {}, {}, {}}}, true));
    EXPECT_EQ(chart.drawnPoints(), 2);
    EXPECT_EQ(chart.table().rows.size(), 4u);
    EXPECT_TRUE(chart.emptyReason().isEmpty());
}

TEST(XYChart, AnEmptySeriesSaysWhy)
{
    XYChart chart;
    chart.setSpec(makeSpec({}, false));
    EXPECT_FALSE(chart.emptyReason().isEmpty());
    ASSERT_EQ(chart.legend().size(), 1u);
    EXPECT_TRUE(chart.legend()[0].name.contains("not measured"));
}

TEST(XYChart, WithoutAPointAndANamedPlaceTheAxisHasNoLabels)
{
    const auto isLabeled = [](const XYSpec& spec) {
        XYChart chart;
        chart.setSpec(spec);
        return chart.findChild<QChartView*>()->chart()->axes(Qt::Horizontal).front()->labelsVisible();
    };
    EXPECT_FALSE(isLabeled(makeSpec({}, false)));
    EXPECT_TRUE(isLabeled(makeSpec({{1, 2, {}, {}, {}}}, false)));
    XYSpec named = makeSpec({}, false);
    named.x.categories = {"N", "N+1"};
    EXPECT_TRUE(isLabeled(named));
}

class ShownChartCard : public testing::Test {
protected:
    ShownChartCard() : chart(new XYChart), card("Speedup passed 1.0 in N+7", chart)
    {
        card.resize(600, 400);
        chart->setSpec(makeSpec({{0, 0.5, 0.4, 0.6, "N, n = 10"}, {1, 1.3, {}, {}, "a \"quoted\", note"}}, false));
    }
    QTemporaryDir dir;
    XYChart* chart;
    ChartCard card;
};

TEST_F(ShownChartCard, HasASentenceAsItsName)
{
    EXPECT_EQ(chart->accessibleName(), "Speedup passed 1.0 in N+7");
    card.setFinding("Title", "A whole sentence.");
    EXPECT_EQ(chart->accessibleName(), "A whole sentence.");
    EXPECT_EQ(card.title(), "Title");
}

TEST_F(ShownChartCard, CsvQuotesWhatNeedsIt)
{
    const QStringList lines = card.csv().split('\n');
    ASSERT_GE(lines.size(), 3);
    EXPECT_TRUE(lines[1].contains("\"N, n = 10\""));
    EXPECT_TRUE(lines[2].contains("\"a \"\"quoted\"\", note\""));
}

TEST_F(ShownChartCard, ItsTableIsCopiedAsTabbedText)
{
    card.showAsTable(true);
    auto* table = card.findChild<QTableWidget*>();
    const QStringList all = card.tsv().split('\n');
    EXPECT_EQ(all.size(), table->rowCount() + 1);
    EXPECT_EQ(all[0].split('\t').size(), table->columnCount());
    table->selectRow(0);
    EXPECT_EQ(card.tsv().split('\n'), all.mid(0, 2));
    ASSERT_EQ(table->actions().size(), 1);
    table->actions().front()->trigger();
    EXPECT_EQ(QApplication::clipboard()->text(), card.tsv());
}

TEST(XYChart, ManyMarkersAreSmallAndNoneIsCutAtTheBottom)
{
    XYSpec spec;
    XYSeries few{"few", Token::series1, false, false, Marker::circle, {{0, 0.01, {}, {}, {}}, {1, 2, {}, {}, {}}}, {}};
    spec.series.push_back(few);
    XYSeries many = few;
    for (int i = 0; i < 300; ++i)
        many.points.push_back({static_cast<double>(i), 1, {}, {}, {}});
    spec.series.push_back(many);
    XYChart chart;
    chart.setSpec(spec);
    const auto* view = chart.findChild<QChartView*>();
    std::vector<double> sizes;
    for (const QAbstractSeries* series : view->chart()->series())
        if (const auto* dots = qobject_cast<const QScatterSeries*>(series))
            sizes.push_back(dots->markerSize());
    ASSERT_EQ(sizes.size(), 2U);
    EXPECT_LT(sizes[1], sizes[0]);
    const auto* y = qobject_cast<const QValueAxis*>(view->chart()->axes(Qt::Vertical).value(0));
    ASSERT_NE(y, nullptr);
    EXPECT_LT(y->min(), 0) << "a marker at 0.01 of 2 keeps its lower half";
}

TEST_F(ShownChartCard, SavesEveryFormat)
{
    EXPECT_TRUE(card.savePng(dir.filePath("a.png")));
    EXPECT_FALSE(QImage(dir.filePath("a.png")).isNull());
    EXPECT_TRUE(card.saveSvg(dir.filePath("a.svg")));
    QFile svg(dir.filePath("a.svg"));
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    EXPECT_TRUE(svg.readAll().contains("<svg"));
    EXPECT_TRUE(card.saveCsv(dir.filePath("a.csv")));
    EXPECT_FALSE(card.saveCsv(dir.filePath("missing/a.csv")));
}

TEST_F(ShownChartCard, ShowsItsFiguresAsATable)
{
    EXPECT_FALSE(card.showsTable());
    card.showAsTable(true);
    EXPECT_TRUE(card.showsTable());
}

TEST(PaintedCharts, DrawInkAndNameEmptiness)
{
    EvidenceBars bars;
    EXPECT_FALSE(bars.emptyReason().isEmpty());
    bars.setRows({{"sectors per request", 32, 4, "≥", "32", "4", false, true, {}}});
    StackedBar stack;
    stack.setRows({"long scoreboard", "barrier"}, {{"naive", {3, 1}}}, "warps per issue", "no stalls");
    HeatStrip strip;
    strip.setCells({"G1", "G2"}, {"N"}, {{Mark::pass}, {Mark::fail}}, "none");
    WaterfallChart fall;
    fall.setSteps({{"baseline-first", 12.0, 60.0}}, "none");
    for (ChartBody* chart : std::initializer_list<ChartBody*>{&bars, &stack, &strip, &fall}) {
        chart->resize(500, 200);
        EXPECT_TRUE(chart->emptyReason().isEmpty());
        EXPECT_FALSE(chart->table().rows.empty());
        QImage image(500, 200, QImage::Format_ARGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        chart->draw(painter, QRectF(0, 0, 500, 200));
        painter.end();
        QImage blank(500, 200, QImage::Format_ARGB32);
        blank.fill(Qt::white);
        EXPECT_NE(image, blank);
    }
}

TEST(HeatStrip, DrawsTheNewestColumnsThatHaveRoomForASign)
{
    QStringList columns;
    for (int i = 0; i < 1000; ++i)
        columns << QString::number(i);
    HeatStrip strip;
    strip.setCells({"G1"}, columns, {std::vector<Mark>(1000, Mark::pass)}, "none");
    strip.resize(512, 60);
    strip.show();
    QCoreApplication::processEvents();
    const QSignalSpy picked(&strip, &ChartBody::picked);
    QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(512 - 8, 15));
    QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(112 + 4, 15));
    ASSERT_EQ(picked.count(), 2);
    EXPECT_EQ(picked[0][0].toInt(), 999);
    EXPECT_EQ(picked[1][0].toInt(), 1000 - (512 - 112) / 16);
    EXPECT_EQ(strip.table().rows.front().size(), 1001) << "all are in the table";
}

TEST(XYChart, ADenseOneIsDrawnAgainWhenItChanges)
{
    XYSpec spec;
    XYSeries many{"many", Token::series1, false, false, Marker::circle, {}, {}};
    for (int i = 0; i < 300; ++i)
        many.points.push_back({static_cast<double>(i), 1.0 + i % 7, {}, {}, {}});
    spec.series.push_back(many);
    QStackedWidget pages;
    XYChart chart;
    pages.addWidget(&chart);
    pages.addWidget(new QWidget);
    pages.resize(400, 200);
    chart.setSpec(spec);
    pages.show();
    const auto seen = [&] {
        for (int turn = 0; turn < 3; ++turn)
            QCoreApplication::processEvents();
        return chart.grab().toImage();
    };
    const QImage first = seen();
    EXPECT_EQ(seen(), first);
    const QSignalSpy changed(chart.findChild<QChartView*>()->scene(), &QGraphicsScene::changed);
    pages.setCurrentIndex(1);
    pages.setCurrentIndex(0);
    EXPECT_EQ(seen(), first);
    EXPECT_EQ(changed.count(), 0) << "a page that is left and visited again";
    chart.zoom({0.5, 0.5}, 0.25);
    const QImage zoomed = seen();
    EXPECT_NE(zoomed, first);
    chart.resetZoom();
    const QRect points = chart.findChild<QChartView*>()->chart()->plotArea().toRect().adjusted(1, 1, -1, -1); // a tick may be a pixel off
    EXPECT_EQ(seen().copy(points), first.copy(points));
    pages.resize(500, 200);
    EXPECT_EQ(seen().width(), 500);
    spec.series.front().points.resize(200);
    chart.setSpec(spec);
    pages.resize(400, 200);
    EXPECT_NE(seen(), first);
}

TEST_F(ShownChartCard, ATextOfSeveralLinesStaysOneCell)
{
    chart->setSpec(makeSpec({{0, 1, {}, {}, "two\nlines"}}, false));
    EXPECT_TRUE(card.csv().contains("\"two\nlines\""));
    EXPECT_EQ(card.tsv().split('\n').size(), 2);
}

TEST_F(ShownChartCard, TableAndLegendFollowTheChart)
{
    card.show();
    card.showAsTable(true);
    const auto* table = card.findChild<QTableWidget*>();
    ASSERT_EQ(table->rowCount(), 2);
    XYSpec other = makeSpec({{0, 7, {}, {}, {}}, {1, 8, 2, 9, {}}, {2, 9, {}, {}, {}}}, false);
    XYSeries second = other.series.front();
    second.name = "others";
    other.series.push_back(second);
    other.x.categories = {"N", "N+1", "N+2"};
    chart->setSpec(other);
    ASSERT_EQ(table->rowCount(), 6);
    EXPECT_EQ(table->item(1, 1)->text(), "N+1") << "a place by its name";
    EXPECT_EQ(table->item(1, 3)->text(), "2");
    EXPECT_EQ(table->item(1, 4)->text(), "9");
    const auto legend = [&] {
        QCoreApplication::processEvents(); // which shows what was added
        QStringList names;
        for (const QLabel* label : card.findChildren<QLabel*>())
            if (label->isVisible() && (label->text() == "runs" || label->text() == "others"))
                names << label->text();
        return names;
    };
    EXPECT_EQ(legend(), (QStringList{"runs", "others"}));
    other.series.pop_back();
    chart->setSpec(other);
    EXPECT_TRUE(legend().isEmpty()) << "one series needs no names";
}

TEST_F(ShownChartCard, ShowingAllIsOfferedOnceAPartIsShown)
{
    auto* reset = card.findChild<QAction*>("resetZoom");
    auto* menu = card.findChild<QToolButton*>("chartMenu")->menu();
    emit menu->aboutToShow();
    EXPECT_FALSE(reset->isVisible());
    chart->zoom({0.5, 0.5}, 0.5);
    emit menu->aboutToShow();
    EXPECT_TRUE(reset->isVisible());
    chart->setSpec(makeSpec({{5, 50, {}, {}, {}}, {6, 60, {}, {}, {}}}, false));
    EXPECT_FALSE(chart->isZoomed()) << "other data is shown whole";
}

TEST(XYChart, ItsAxesHoldEndsReferencesAndWhatTheyAreTold)
{
    XYChart chart;
    XYSpec spec = makeSpec({{0, 5, 1, 90, {}}, {1, 6, {}, {}, {}}}, false);
    spec.references = {{200, "target", Token::better}};
    chart.setSpec(spec);
    EXPECT_GE(chart.rangeY().high, 200) << "a reference is in sight";
    spec.references.clear();
    chart.setSpec(spec);
    EXPECT_GE(chart.rangeY().high, 90) << "so are the ends of an interval";
    EXPECT_LE(chart.rangeY().low, 1);
    spec.y.min = -3;
    spec.y.max = 400;
    chart.setSpec(spec);
    EXPECT_EQ(chart.rangeY().low, -3);
    EXPECT_EQ(chart.rangeY().high, 400);
}

TEST(XYChart, ZeroIsLeftOutWhereItsOwnAxisIsLogarithmic)
{
    XYChart chart;
    XYSpec spec = makeSpec({{1, 0, {}, {}, {}}, {0, 1, {}, {}, {}}, {2, 2, {}, {}, {}}}, false);
    spec.y.log = true;
    chart.setSpec(spec);
    EXPECT_EQ(chart.drawnPoints(), 2) << "0 along the linear axis is a place";
}

TEST(XYChart, NamesAlongAnAxisAreNotZoomed)
{
    XYChart chart;
    XYSpec spec = makeSpec({{0, 5, {}, {}, {}}, {1, 6, {}, {}, {}}}, false);
    spec.x.categories = {"N", "N+1"};
    chart.setSpec(spec);
    const AxisRange before = chart.rangeX();
    chart.zoom({0.5, 0.5}, 0.5);
    EXPECT_EQ(chart.rangeX().low, before.low);
    EXPECT_EQ(chart.rangeX().high, before.high);
    EXPECT_TRUE(chart.isZoomed());
}

TEST(XYChart, SmallAreasLieOnLargeOnes)
{
    XYSpec spec = makeSpec({{1, 1, {}, {}, {}}, {2, 1, {}, {}, {}}, {3, 1, {}, {}, {}}}, false);
    spec.series.front().line = false;
    spec.series.front().points[0].area = 0.1;
    spec.series.front().points[1].area = 1;
    spec.series.front().points[2].area = 0.5;
    XYChart chart;
    chart.setSpec(spec);
    std::vector<double> sizes;
    for (const QAbstractSeries* series : chart.findChild<QChartView*>()->chart()->series())
        if (const auto* dots = qobject_cast<const QScatterSeries*>(series))
            sizes.push_back(dots->markerSize());
    ASSERT_EQ(sizes.size(), 3U);
    EXPECT_TRUE(std::ranges::is_sorted(sizes, std::greater())) << "drawn in this order";
}

TEST(ChartTables, HaveTheFiguresOfTheirRows)
{
    EvidenceBars bars;
    EvidenceRow holds{"sectors", 32, 4, "≥", "32", "4", false, true, {}, {}};
    EvidenceRow fails{"waves", 1, 2, "<", "1", "2", false, false, {}, {}};
    bars.setRows({holds, fails});
    EXPECT_EQ(bars.table().header.size(), 5) << "nothing is compared";
    const QStringList yes = bars.table().rows[0], no = bars.table().rows[1];
    EXPECT_EQ(yes.mid(0, 4), (QStringList{"sectors", "32", "≥", "4"}));
    EXPECT_NE(yes[4], no[4]);
    holds.deltas = {{16, "×2", Token::series5}};
    bars.setRows({holds, fails});
    EXPECT_EQ(bars.table().header.size(), 6);
    EXPECT_TRUE(bars.table().rows[0][5].contains("×2"));

    HotLineBars lines;
    lines.setRows({"barrier", "other"}, {{"line 7", "x = y;", "waits", 0.5, {0.125, 0.375}, {}}}, {});
    EXPECT_EQ(lines.table().rows[0], (QStringList{"line 7", "50", "12.5", "37.5", "waits", "x = y;"}));

    LimitBars limits;
    limits.setBars({{"H200", 4096, 8192, true, "fits", {}}, {"T4", 1, {}, true, "fits", {}}}, "bytes", "limit");
    EXPECT_EQ(limits.table().rows[0], (QStringList{"H200", "4096", "8192", "fits"}));
    EXPECT_EQ(limits.table().rows[1][2], "");

    StackedBar stack;
    StackedRow row{"naive", {3, 1}, {{{2, "+1", Token::series5}}, {{1, "=", Token::series5}}}};
    stack.setRows({"long scoreboard", "barrier"}, {row}, "%", {});
    ASSERT_EQ(stack.table().rows.size(), 2U);
    EXPECT_EQ(stack.table().rows[0].mid(0, 2), (QStringList{"long scoreboard", "3"}));
    EXPECT_EQ(stack.table().rows[1].mid(0, 2), (QStringList{"barrier", "1"}));
    EXPECT_TRUE(stack.table().rows[0][2].contains("+1"));
    EXPECT_TRUE(stack.table().rows[1][2].contains("="));

    HeatStrip strip;
    strip.setCells({"G1"}, {"N", "N+1"}, {{Mark::pass, Mark::fail}}, {});
    EXPECT_EQ(strip.table().rows[0], (QStringList{"G1", markWord(Mark::pass), markWord(Mark::fail)}));

    WaterfallChart fall;
    fall.setSteps({{"a", 12.0, 60.0}, {"b", {}, 30.0}}, {});
    EXPECT_EQ(fall.table().rows[0], (QStringList{"a", "12", "60"}));
    EXPECT_EQ(fall.table().rows[1], (QStringList{"b", "", "30"}));
    EXPECT_EQ(fall.table().rows[2].mid(1), (QStringList{"12", "90"}));
}

TEST(PaintedCharts, KeysGoFromRowToRowAndAClickTakesTheRowUnderIt)
{
    EvidenceBars bars;
    bars.setPickable();
    const auto rows = [](int count) {
        return std::vector<EvidenceRow>(static_cast<std::size_t>(count), {"a", 1, 2, "≥", "1", "2", false, true, {}, {}});
    };
    bars.setRows(rows(3));
    bars.resize(400, 200);
    bars.show();
    QCoreApplication::processEvents();
    const QSignalSpy picked(&bars, &ChartBody::picked);
    QTest::keyClick(&bars, Qt::Key_Down);
    QTest::keyClick(&bars, Qt::Key_Down);
    QTest::keyClick(&bars, Qt::Key_Up);
    QTest::mouseClick(&bars, Qt::LeftButton, {}, QPoint(200, 38 * 2 + 10));
    ASSERT_EQ(picked.count(), 4);
    EXPECT_EQ(picked[0][0].toInt(), 1);
    EXPECT_EQ(picked[1][0].toInt(), 2);
    EXPECT_EQ(picked[2][0].toInt(), 1);
    EXPECT_EQ(picked[3][0].toInt(), 2);
    bars.setRows(rows(3));
    bars.repaint();
    QTest::keyClick(&bars, Qt::Key_Return);
    ASSERT_EQ(picked.count(), 5);
    EXPECT_EQ(picked[4][0].toInt(), 0) << "other rows begin with the first";
}

} // namespace
} // namespace kl::ui
