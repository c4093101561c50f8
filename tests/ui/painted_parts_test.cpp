// SPDX-License-Identifier: MIT
// What the charts of the pages draw: words, lines and areas with their colors.
#include "core/base/format.h"
#include "core/model/kernel_code.h"
#include "tests/support/snapshot.h"
#include "ui/models/code_table_model.h"
#include "ui/pages/diagnose/memory_chart_view.h"
#include "ui/pages/diagnose/tree_view.h"
#include "ui/pages/patterns/flow_view.h"
#include "ui/pages/search/funnel_chart.h"
#include "ui/pages/search/parallel_chart.h"
#include "ui/pages/session/slope_chart.h"
#include "ui/pages/shared/code_table.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QPainterPath>
#include <gtest/gtest.h>

#include <QHelpEvent>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QRegularExpression>
#include <QStyledItemDelegate>
#include <QTest>
#include <QToolTip>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

namespace kl::ui {
namespace {

struct InkText {
    QString words;
    QPointF at;
    QColor color;
};

struct InkLine {
    QPointF from, to;
    QColor color;
    double width = 0;
};

struct InkArea {
    QRectF rect;
    QColor color;
};

/// Keeps what is drawn instead of drawing it.
class InkEngine : public QPaintEngine {
public:
    InkEngine() : QPaintEngine(QPaintEngine::AllFeatures) {}
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }
    void updateState(const QPaintEngineState& changed) override
    {
        if (changed.state() & DirtyPen)
            pen = changed.pen();
        if (changed.state() & DirtyBrush)
            brush = changed.brush();
        if (changed.state() & DirtyTransform)
            transform = changed.transform();
    }
    void drawTextItem(const QPointF& at, const QTextItem& item) override
    {
        if (!item.text().trimmed().isEmpty())
            texts.push_back({item.text().trimmed(), transform.map(at), pen.color()});
    }
    void drawLines(const QLineF* drawn, int count) override
    {
        for (int i = 0; i < count; ++i)
            lines.push_back({transform.map(drawn[i].p1()), transform.map(drawn[i].p2()), pen.color(), pen.widthF()});
    }
    void drawRects(const QRectF* drawn, int count) override
    {
        for (int i = 0; i < count; ++i)
            areas.push_back({transform.mapRect(drawn[i]), brush.color()});
    }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override
    {
        std::vector<QPointF> way;
        for (int i = 0; i < count; ++i)
            way.push_back(transform.map(points[i]));
        if (mode == PolylineMode)
            ways.emplace_back(way, pen);
        else
            heads.push_back(way);
    }
    void drawPath(const QPainterPath& path) override { frames.emplace_back(transform.mapRect(path.boundingRect()), pen); }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}

    QPen pen;
    QBrush brush;
    QTransform transform;
    std::vector<InkText> texts;
    std::vector<InkLine> lines;
    std::vector<InkArea> areas;
    std::vector<std::pair<std::vector<QPointF>, QPen>> ways;
    std::vector<std::vector<QPointF>> heads;
    std::vector<std::pair<QRectF, QPen>> frames; ///< rounded boxes and circles
};

class Ink : public QPaintDevice {
public:
    Ink(QSize size, const std::function<void(QPainter&)>& draw) : size_(size)
    {
        QPainter painter(this);
        draw(painter);
    }
    explicit Ink(ChartBody& chart) : Ink(chart.size(), [&](QPainter& painter) { chart.draw(painter, QRectF(QPointF(), chart.size())); }) {}
    QPaintEngine* paintEngine() const override { return &engine; }
    QStringList words() const
    {
        QStringList all;
        for (const InkText& text : engine.texts)
            all << text.words;
        return all;
    }
    const InkText* find(const QString& words) const
    {
        const auto found = std::ranges::find(engine.texts, words, &InkText::words);
        return found == engine.texts.end() ? nullptr : &*found;
    }
    std::vector<InkArea> findAreas(const QColor& wanted) const
    {
        std::vector<InkArea> found;
        for (const InkArea& area : engine.areas)
            if (area.color == wanted)
                found.push_back(area);
        return found;
    }

    mutable InkEngine engine;

protected:
    int metric(PaintDeviceMetric metric) const override
    {
        switch (metric) {
        case PdmWidth: return size_.width();
        case PdmHeight: return size_.height();
        case PdmWidthMM: return size_.width() / 4;
        case PdmHeightMM: return size_.height() / 4;
        case PdmNumColors: return 1 << 24;
        case PdmDepth: return 32;
        case PdmDevicePixelRatio: return 1;
        case PdmDevicePixelRatioScaled: return static_cast<int>(devicePixelRatioFScale());
        default: return 96; // dots per inch
        }
    }

private:
    QSize size_;
};

QString tipOver(QWidget& widget, const QPoint& at)
{
    QHelpEvent help(QEvent::ToolTip, at, widget.mapToGlobal(at));
    QCoreApplication::sendEvent(&widget, &help);
    return QToolTip::text();
}

MemoryChart makeTraffic(std::vector<MemoryFlow> flows)
{
    MemoryChart chart;
    for (const char* id : {"sm", "l1", "shared", "l2", "dram"})
        chart.units.push_back({id, std::string("Unit ") + id, {{"busy", 50.0, "%", "", ""}}});
    chart.flows = std::move(flows);
    return chart;
}

MemoryFlow makeLoads(std::optional<double> requests, double peak)
{
    return {"l1",
            "sm",
            "loads",
            {{"requests", requests, "count", "", "not counted"},
             {"sectors per request", 4.0, "", "", ""},
             {"bytes", 64e6, "bytes", "", ""},
             {"rate", 248e9, "byte/s", "", ""},
             {"of peak", peak, "%", "", ""}}};
}

Ink drawMemory(MemoryChart chart, std::vector<MemoryBaseline> before = {})
{
    MemoryChartView view;
    view.setChart(std::move(chart), std::move(before));
    view.resize(1200, view.sizeHint().height());
    return Ink(view);
}

TEST(PaintedMemory, AnArrowHasEachFigureUnderItsName)
{
    const QStringList words = drawMemory(makeTraffic({makeLoads(2.5e6, 70)})).words();
    for (const QString& part : {QStringLiteral("loads"), q(formatNumber(2.5)) + q("\u202fM requests"),
                                q(formatWithUnit(4, "")) + QStringLiteral(" sectors/request"), q(formatWithUnit(64e6, "bytes")),
                                q(formatWithUnit(248e9, "byte/s")), q(formatWithUnit(70, "%")) + QStringLiteral(" of peak")})
        EXPECT_EQ(words.count(part), 1) << part.toStdString() << " in " << words.join('|').toStdString();
    EXPECT_EQ(words.count(q(formatWithUnit(50, "%"))), 5) << "each unit's own";
    for (const char* unit : {"Unit sm", "Unit l1", "Unit shared", "Unit l2", "Unit dram"})
        EXPECT_EQ(words.count(unit), 1) << unit;
}

TEST(PaintedMemory, LargeCountsAreShortened)
{
    const auto requests = [](double count) {
        const QStringList words = drawMemory(makeTraffic({makeLoads(count, 70)})).words().filter(" requests");
        return words.value(0).section(" requests", 0, 0);
    };
    EXPECT_EQ(requests(9999), q(formatWithUnit(9999, "count")));
    EXPECT_EQ(requests(10000), q(formatNumber(10)) + q("\u202fk"));
    EXPECT_EQ(requests(1e6), q(formatNumber(1)) + q("\u202fM"));
    MemoryFlow one = makeLoads(10, 70);
    one.figures[1].value = 1.0;
    const QStringList words = drawMemory(makeTraffic({one})).words();
    EXPECT_EQ(words.filter(" sector/request").size(), 1) << "of one there is no plural";
    one.figures[1].value = 0.0;
    EXPECT_TRUE(drawMemory(makeTraffic({one})).words().filter("/request").isEmpty());
}

TEST(PaintedMemory, WhatWasNotMeasuredSaysSoOnce)
{
    MemoryFlow unknown = makeLoads({}, 70);
    const QStringList some = drawMemory(makeTraffic({unknown})).words();
    EXPECT_TRUE(some.filter(" requests").isEmpty());
    EXPECT_TRUE(some.contains(q(formatWithUnit(64e6, "bytes")))) << "the bytes are known all the same";
    unknown.figures.clear();
    const QStringList bare = drawMemory(makeTraffic({unknown})).words();
    const auto added = [&] {
        QStringList words = drawMemory(makeTraffic({unknown})).words();
        for (const QString& word : bare)
            words.removeOne(word);
        return words;
    };
    unknown.figures = {{"requests", {}, "count", "", "not counted"}};
    const QStringList without = added();
    ASSERT_EQ(without.size(), 1) << without.join('|').toStdString();
    EXPECT_FALSE(without[0].contains(QRegularExpression("[0-9]"))) << without[0].toStdString();
    EXPECT_FALSE(some.contains(without[0]));
    unknown.figures = {{"bytes", {}, "bytes", "", "not counted"}};
    EXPECT_EQ(added(), without);
    MemoryChart chart = makeTraffic({makeLoads(10, 70)});
    chart.units[4].figures[0].value.reset();
    EXPECT_EQ(drawMemory(chart).words().count(q("–")), 1) << "how busy DRAM was";
}

TEST(PaintedMemory, AnArrowLeadsWhereTheDataGoesAndIsAsThickAsItIsBusy)
{
    const auto arrow = [](const MemoryFlow& flow) {
        const Ink ink = drawMemory(makeTraffic({flow}));
        EXPECT_EQ(ink.engine.heads.size(), 1U);
        for (const InkLine& line : ink.engine.lines)
            if (line.color == color(Token::accent))
                return std::tuple(ink.engine.heads.empty() ? 0 : ink.engine.heads[0][0].x(), std::max(line.from.x(), line.to.x()),
                                  line.width);
        return std::tuple(0.0, 0.0, 0.0);
    };
    MemoryFlow flow = makeLoads(10, 100);
    const auto [leftTip, leftEnd, thick] = arrow(flow);
    EXPECT_LT(leftTip, leftEnd) << "to the multiprocessors";
    EXPECT_DOUBLE_EQ(thick, 7);
    std::swap(flow.from, flow.to);
    flow.figures.back().value = 50.0;
    const auto [rightTip, rightEnd, half] = arrow(flow);
    EXPECT_GT(rightTip, rightEnd) << "away from them";
    EXPECT_DOUBLE_EQ(half, 4);
    flow.figures.pop_back();
    EXPECT_DOUBLE_EQ(std::get<2>(arrow(flow)), 1) << "nothing is known of its peak";
    EXPECT_GT(std::get<0>(arrow({"l2", "dram", "writes", {{"bytes", 5.0, "bytes", "", ""}}})), 900) << "at the right";
    EXPECT_LT(std::get<0>(arrow({"l2", "l1", "reads", {{"bytes", 5.0, "bytes", "", ""}}})), 600) << "in the middle";
}

TEST(PaintedMemory, ABoxIsFilledAsFarAsItsUnitIsBusy)
{
    MemoryChart chart = makeTraffic({makeLoads(10, 70)});
    const double busy[] = {10, 20, 40, 80, 100};
    for (std::size_t i = 0; i < chart.units.size(); ++i)
        chart.units[i].figures[0].value = busy[i];
    QColor fill = color(Token::accent);
    fill.setAlphaF(0.22F);
    const Ink ink = drawMemory(chart);
    const std::vector<InkArea> fills = ink.findAreas(fill);
    ASSERT_EQ(fills.size(), 5U);
    EXPECT_NEAR(fills[3].rect.height() / fills[1].rect.height(), 4, 0.01) << "80 and 20 %, of boxes of one height";
    EXPECT_DOUBLE_EQ(fills[3].rect.bottom(), fills[1].rect.bottom()) << "from the bottom";
    EXPECT_LT(fills[1].rect.left(), fills[3].rect.left());
    EXPECT_GT(fills[2].rect.top(), fills[1].rect.bottom()) << "shared memory is below L1";
    EXPECT_DOUBLE_EQ(fills[2].rect.left(), fills[1].rect.left());
    chart.units[0].figures[0].value.reset();
    EXPECT_EQ(drawMemory(chart).findAreas(fill).size(), 4U);
}

TEST(PaintedMemory, ABaselinesChangeStandsBesideEachFigure)
{
    MemoryChart before = makeTraffic({makeLoads(5e6, 35)});
    before.units[0].figures[0].value = 30.0;
    const Ink ink = drawMemory(makeTraffic({makeLoads(2.5e6, 70)}), {{before, Token::series5}});
    QStringList changes;
    for (const InkText& text : ink.engine.texts)
        if (text.color == color(Token::series5))
            changes << text.words;
    EXPECT_TRUE(changes.contains(q("+20\u202fpts"))) << "the busy multiprocessors: " << changes.join('|').toStdString();
    EXPECT_TRUE(changes.contains(q("+35\u202fpts"))) << "the share of the peak";
    EXPECT_TRUE(changes.contains(q("\u221250\u202f%"))) << "half as many requests";
}

TEST(PaintedMemory, ArrowsAreBelowEachOtherAndAChangeIsOfTheSameTraffic)
{
    MemoryFlow stores = makeLoads(20, 30);
    stores.what = "stores";
    const Ink ink = drawMemory(makeTraffic({makeLoads(10, 70), stores}));
    ASSERT_TRUE(ink.find("loads") && ink.find("stores"));
    EXPECT_GT(ink.find("stores")->at.y(), ink.find("loads")->at.y() + 5 * 15) << "below the figures of the first";
    const MemoryFlow here{"l2", "l1", "traffic", {{"bytes", 100.0, "bytes", "", ""}}};
    MemoryFlow beside = here, behind = here, back = here;
    beside.what = "other traffic";
    behind.to = "sm";
    back.from = "dram";
    for (MemoryFlow* flow : {&beside, &behind, &back})
        flow->figures[0].value = 300.0;
    MemoryFlow before = here;
    before.figures[0].value = 50.0;
    MemoryChartView view;
    view.setChart(makeTraffic({here}), {{makeTraffic({beside, behind, back, before}), Token::series5}});
    EXPECT_EQ(view.table().rows.back().last(), q("Δ ×2"));
    MemoryChart units = makeTraffic({});
    EXPECT_FALSE(MemoryChartView().emptyReason().isEmpty());
    view.setChart(units);
    EXPECT_TRUE(view.emptyReason().isEmpty()) << "the units were measured";
}

TEST(PaintedMemory, ItIsAsHighAsTheMostArrowsBesideEachOther)
{
    MemoryChartView view;
    const int empty = view.sizeHint().height();
    view.setChart(makeTraffic({makeLoads(10, 70)}));
    const int one = view.sizeHint().height();
    EXPECT_GT(one, empty);
    std::vector<MemoryFlow> flows(3, makeLoads(10, 70));
    view.setChart(makeTraffic(flows));
    EXPECT_GT(view.sizeHint().height(), one);
    EXPECT_EQ(view.maximumHeight(), view.sizeHint().height());
    EXPECT_EQ(view.minimumSizeHint().height(), view.sizeHint().height());
    for (MemoryFlow& flow : flows)
        flow.figures = {{"requests", 0.0, "count", "", ""}, {"bytes", 0.0, "bytes", "", ""}};
    view.setChart(makeTraffic(flows));
    EXPECT_EQ(view.sizeHint().height(), one) << "idle ones are not drawn";
}

TEST(PaintedSlopes, GoDownInTheColorOfWhatTheyMean)
{
    SlopeChart chart;
    chart.resize(600, 300);
    const auto slope = [&](double before, double after) {
        chart.setTimes("old", Summary{before, before - 10, before + 10, 5}, "new", Summary{after, after - 10, after + 10, 5});
        const Ink ink(chart);
        for (const InkLine& line : ink.engine.lines)
            if (line.color == color(Token::better) || line.color == color(Token::worse))
                return line;
        return InkLine();
    };
    const InkLine faster = slope(200, 100);
    EXPECT_EQ(faster.color, color(Token::better));
    EXPECT_LT(faster.from.x(), faster.to.x());
    EXPECT_LT(faster.from.y(), faster.to.y()) << "less time is further down";
    EXPECT_EQ(slope(100, 200).color, color(Token::worse));
    EXPECT_EQ(slope(100, 100).color, color(Token::better)) << "it is not slower";
    chart.setTimes("old", Summary{200, 190, 220, 5}, "new", Summary{100, 95, 105, 6});
    const Ink ink(chart);
    ASSERT_TRUE(ink.find("old") && ink.find("new") && ink.find(q(formatTime(200))) && ink.find(q(formatTime(100))));
    EXPECT_LT(ink.find("old")->at.x(), ink.find("new")->at.x());
    EXPECT_LT(ink.find(q(formatTime(200)))->at.x(), ink.find(q(formatTime(100)))->at.x());
    EXPECT_LT(ink.find(q(formatTime(200)))->at.y(), ink.find(q(formatTime(100)))->at.y());
    std::vector<double> bars;
    for (const InkLine& line : ink.engine.lines)
        if (line.from.x() == line.to.x())
            bars.push_back(std::abs(line.from.y() - line.to.y()));
    ASSERT_EQ(bars.size(), 2U) << "an interval on each side";
    EXPECT_NEAR(bars[0] / bars[1], 3, 0.01) << "30 and 10 ns";
    EXPECT_LT(chart.accessibleName().indexOf(q(formatTime(200))), chart.accessibleName().indexOf("new"));
    EXPECT_GT(chart.accessibleName().indexOf(q(formatTime(100))), chart.accessibleName().indexOf("new"));
}

TEST(PaintedSlopes, SnapshotOfWhatWasNotMeasured)
{
    SlopeChart chart;
    chart.resize(600, 300);
    chart.setTimes("old", Summary{200, 190, 220, 5}, "new", {});
    QStringList lines{chart.accessibleName(), Ink(chart).words().join(" | ")};
    MemoryFlow unknown = makeLoads({}, 70);
    unknown.figures = {{"requests", {}, "count", "", "not counted"}};
    lines << drawMemory(makeTraffic({unknown})).words().join(" | ");
    chart.setTimes("old", {}, "new", {});
    lines << chart.emptyReason();
    test::expectSnapshot("ui/painted-words.txt", utf8(lines.join('\n') + u'\n'));
}

TEST(PaintedSlopes, ASideThatWasNotMeasuredHasNoTime)
{
    SlopeChart chart;
    chart.resize(600, 300);
    chart.setTimes("old", Summary{200, 190, 220, 5}, "new", {});
    EXPECT_TRUE(chart.emptyReason().isEmpty());
    const Ink ink(chart);
    QStringList rest = ink.words();
    for (const QString& known : {QStringLiteral("old"), QStringLiteral("new"), q(formatTime(200))})
        EXPECT_EQ(rest.removeAll(known), 1) << known.toStdString();
    ASSERT_EQ(rest.size(), 1) << "words in place of a time: " << rest.join('|').toStdString();
    EXPECT_FALSE(rest[0].contains(QRegularExpression("[0-9]"))) << rest[0].toStdString();
    EXPECT_GT(ink.find(rest[0])->at.x(), ink.find("old")->at.x());
    EXPECT_TRUE(chart.accessibleName().endsWith(rest[0])) << chart.accessibleName().toStdString();
    for (const InkLine& line : ink.engine.lines)
        EXPECT_TRUE(line.color != color(Token::better) && line.color != color(Token::worse)) << "there is nothing to compare with";
    EXPECT_EQ(chart.table().rows.size(), 1U);
    chart.setTimes("old", {}, "new", {});
    EXPECT_FALSE(chart.emptyReason().isEmpty());
}

TEST(PaintedFunnels, ABarIsAsLongAsItsStageLeaves)
{
    FunnelChart chart;
    chart.resize(800, 120);
    std::vector<FunnelStage> stages(3);
    stages[0] = {"All", 0, 1000, 1000, {}, true};
    stages[1] = {"Threads", 500, 500, 250, "because", true};
    stages[2] = {"Banks", 0, 500, 250, "unknown", false};
    chart.setStages(stages, "T4");
    const Ink ink(chart);
    const std::vector<InkArea> left = ink.findAreas(color(Token::accent)), whole = ink.findAreas(color(Token::raised)),
                               last = ink.findAreas(color(Token::better)), ticks = ink.findAreas(color(Token::series2));
    ASSERT_EQ(left.size(), 2U);
    ASSERT_EQ(last.size(), 1U) << "what is left in the end";
    ASSERT_EQ(whole.size(), 3U);
    ASSERT_EQ(ticks.size(), 3U);
    EXPECT_DOUBLE_EQ(left[1].rect.width(), left[0].rect.width() / 2);
    EXPECT_DOUBLE_EQ(whole[1].rect.width(), left[0].rect.width()) << "with what was rejected";
    EXPECT_DOUBLE_EQ(last[0].rect.width(), left[1].rect.width());
    EXPECT_NEAR(ticks[1].rect.center().x() - left[1].rect.left(), left[0].rect.width() / 4, 0.01);
    EXPECT_LT(left[0].rect.top(), left[1].rect.top());
    QStringList worse;
    for (const InkText& text : ink.engine.texts)
        if (text.color == color(Token::worse))
            worse << text.words;
    ASSERT_EQ(worse.size(), 1) << ink.words().join('|').toStdString();
    EXPECT_TRUE(worse[0].startsWith("500"));
    EXPECT_EQ(ink.words().count("500"), 2) << "left, twice";
    EXPECT_EQ(ink.words().count(q(formatCount(1000))), 1);
    ASSERT_TRUE(ink.find("Banks") && ink.find("Threads"));
    EXPECT_EQ(ink.find("Banks")->color, color(Token::muted)) << "it was not judged";
    EXPECT_EQ(ink.find("Threads")->color, color(Token::text));
    chart.grab();
    const QString tip = tipOver(chart, QPoint(300, 50));
    EXPECT_TRUE(tip.startsWith("Threads: 500")) << tip.toStdString();
    EXPECT_TRUE(tip.contains("250") && tip.contains("T4") && tip.endsWith("\nbecause")) << tip.toStdString();
    stages[1].other.reset();
    chart.setStages(stages, {});
    EXPECT_EQ(Ink(chart).findAreas(color(Token::series2)).size(), 2U);
}

TEST(PaintedParameters, PointsThatAreNotKeptFadeAndTheFastestStandOut)
{
    SearchRecord record;
    for (int i = 0; i < 40; ++i) {
        SearchTrial& trial = record.trials.emplace_back();
        trial.tunables = "TILE=" + std::to_string(i % 2 == 0 ? 8 : 16);
        trial.ns = 1000 + 10 * i;
    }
    ParallelChart chart;
    chart.resize(400, 300);
    chart.setTrials(record, 40);
    const auto inks = [&] {
        std::map<QString, int> counts;
        for (const auto& [way, pen] : Ink(chart).engine.ways)
            ++counts[pen.color().alphaF() < 0.1 ? "faded" : pen.color().rgb() == color(Token::series2).rgb() ? "fast" : "other"];
        return counts;
    };
    EXPECT_EQ(inks(), (std::map<QString, int>{{"fast", 2}, {"other", 38}})) << "the fastest 5 %";
    chart.brush(0, {0});
    EXPECT_EQ(inks(), (std::map<QString, int>{{"faded", 20}, {"fast", 1}, {"other", 19}}));
    const Ink ink(chart);
    ASSERT_TRUE(ink.find("TILE") && ink.find("8") && ink.find("16"));
    EXPECT_EQ(ink.find("TILE")->color, color(Token::text)) << "it is brushed";
    EXPECT_EQ(ink.find("8")->color, color(Token::text));
    EXPECT_EQ(ink.find("16")->color, color(Token::muted)) << "it is left out";
    EXPECT_GT(ink.find("8")->at.y(), ink.find("16")->at.y()) << "the least at the foot";
    chart.grab();
    const int x = static_cast<int>(ink.find("8")->at.x()), y = static_cast<int>(ink.find("8")->at.y()) - 4;
    const QString kept = tipOver(chart, {x, y});
    EXPECT_TRUE(kept.startsWith("TILE = 8")) << kept.toStdString();
    chart.clearBrushes();
    chart.grab();
    EXPECT_NE(tipOver(chart, {x, y}), kept) << "what a click would do";
}

TEST(PaintedTrees, AQuestionIsDrawnByWhatBecameOfIt)
{
    TreeView view;
    Finding finding;
    finding.classId = "z";
    finding.path = {
        {"a", "dram_percent", 10.0, 70.0, ">=", false}, {"b", "l2_percent", {}, 70.0, ">=", false}, {"c", "waves", 0.5, 1.0, "<", true}};
    view.setTree({{"a", "A?", "x", ""}, {"b", "B?", "y", ""}, {"c", "C?", "z", ""}, {"d", "D?", "the-class", ""}}, finding);
    view.resize(1200, view.heightForWidth(1200));
    const Ink ink(view.size(), [&](QPainter& painter) { view.render(&painter); });
    const QStringList words = ink.words();
    for (const char* title : {"A?", "B?", "C?"})
        EXPECT_EQ(words.count(title), 1) << title << " in " << words.join('|').toStdString();
    EXPECT_EQ(words.count("the-class"), 1) << "what was not asked is its class";
    EXPECT_FALSE(words.contains("D?"));
    EXPECT_EQ(ink.find("C?")->color, color(Token::accent));
    EXPECT_EQ(ink.find("A?")->color, color(Token::text));
    EXPECT_EQ(words.filter(q(formatPercent(10))).size(), 1);
    std::map<QRgb, int> frames;
    int dashed = 0;
    for (const auto& [rect, pen] : ink.engine.frames) {
        ++frames[pen.color().rgb()];
        dashed += pen.style() == Qt::DashLine;
    }
    EXPECT_EQ(frames[color(Token::accent).rgb()], 1) << "the one that decides";
    EXPECT_EQ(frames[color(Token::stale).rgb()], 1) << "the one without a value";
    EXPECT_EQ(dashed, 1);
}

TEST(PaintedFlows, ABoxSaysWhetherItIsDoneNextOrLeftOut)
{
    PatternFlow flow;
    flow.nodes = {{"a", "First", "slug-a", 0, 0, "12 times", FlowState::done},
                  {"b", "Second", "slug-b", 1, 0, "", FlowState::now},
                  {"c", "Third", "", 1, 1, "", FlowState::skipped},
                  {"d", "Fourth", "", 2, 0, "", FlowState::done}};
    flow.edges = {{"a", "b", "fast"}, {"a", "c", "slow"}, {"b", "d", ""}};
    FlowView view;
    view.setFlow(flow);
    view.resize(900, view.heightForWidth(900));
    const Ink ink(view.size(), [&](QPainter& painter) { view.render(&painter); });
    ASSERT_TRUE(ink.find("12 times") && ink.find(q("✓")) && ink.find("First") && ink.find("Third"));
    EXPECT_EQ(ink.find("12 times")->color, color(Token::better));
    EXPECT_EQ(ink.find("Third")->color, color(Token::muted)) << "it is not on the way";
    EXPECT_EQ(ink.find("First")->color, color(Token::text));
    QStringList accented;
    for (const InkText& text : ink.engine.texts)
        if (text.color == color(Token::accent))
            accented << text.words;
    EXPECT_EQ(accented.size(), 1) << "the next one says so: " << accented.join('|').toStdString();
    int taken = 0, other = 0;
    for (const auto& [way, pen] : ink.engine.ways)
        ++(pen.color() == color(Token::better) ? taken : other);
    EXPECT_EQ(taken, 2);
    EXPECT_EQ(other, 1);
    const auto boxes = layoutFlow(flow, 900).boxes;
    QStringList tips;
    for (const FlowBox& box : boxes)
        tips << tipOver(view, box.place.center().toPoint());
    EXPECT_TRUE(tips[0].startsWith("First: ") && tips[0].endsWith(", 12 times")) << tips[0].toStdString();
    EXPECT_TRUE(tips[1].contains("fast") && !tips[1].contains("slow")) << tips[1].toStdString();
    EXPECT_TRUE(tips[2].contains("slow"));
    EXPECT_EQ(tips[3].section(": ", 1), tips[0].section(": ", 1).section(", ", 0, 0)) << "both are done";
    EXPECT_NE(tips[1].section('\n', 0, 0).section(": ", 1), tips[2].section('\n', 0, 0).section(": ", 1));
}

/// What the table paints of one cell, 150 pixels wide.
Ink drawCell(const CodeTable& table, int row, int column, bool selected = false)
{
    QStyleOptionViewItem option;
    option.rect = QRect(0, 0, 150, 20);
    option.state.setFlag(QStyle::State_Selected, selected);
    return Ink(option.rect.size(),
               [&](QPainter& painter) { table.itemDelegate()->paint(&painter, option, table.model()->index(row, column)); });
}

TEST(PaintedCode, ABarIsAsLongAsItsSamplesAgainstTheHottestRow)
{
    KernelCode code;
    code.language = CodeLanguage::sass;
    code.files = {"a.cu"};
    code.stalls = {"long_scoreboard", "selected"};
    const std::int64_t stalls[][2] = {{60, 20}, {20, 0}, {0, 0}};
    for (int i = 0; i < 3; ++i) {
        CodeInstruction& one = code.instructions.emplace_back();
        one.offset = 16 * i;
        one.file = 0;
        one.line = i + 1;
        one.text = "FFMA";
        one.stalls = {stalls[i][0], stalls[i][1]};
        one.samples = stalls[i][0] + stalls[i][1];
    }
    CodeTableModel model;
    CodeTable table(&model);
    model.setCode(SharedCode(std::move(code)));
    const Ink hottest = drawCell(table, 0, CodeTableModel::Samples), other = drawCell(table, 1, CodeTableModel::Samples);
    ASSERT_EQ(hottest.engine.areas.size(), 2U);
    EXPECT_NEAR(hottest.engine.areas[0].rect.width() / hottest.engine.areas[1].rect.width(), 3, 0.01);
    EXPECT_NEAR(hottest.engine.areas[1].rect.left(), hottest.engine.areas[0].rect.right(), 0.01) << "beside each other";
    EXPECT_NE(hottest.engine.areas[0].color, hottest.engine.areas[1].color);
    ASSERT_EQ(other.engine.areas.size(), 1U);
    EXPECT_NEAR(other.engine.areas[0].rect.width() / hottest.engine.areas[0].rect.width(), 1.0 / 3, 0.01);
    EXPECT_EQ(other.engine.areas[0].color, hottest.engine.areas[0].color);
    EXPECT_TRUE(other.find(q(formatPercent(20)))) << other.words().join('|').toStdString();
    EXPECT_TRUE(drawCell(table, 2, CodeTableModel::Samples).engine.areas.empty());
    model.setMarked(0, 2);
    EXPECT_EQ(drawCell(table, 1, CodeTableModel::Text).engine.areas.size(), 1U) << "the rows of the chosen line are marked";
    EXPECT_TRUE(drawCell(table, 0, CodeTableModel::Text).engine.areas.empty());
    EXPECT_EQ(drawCell(table, 1, CodeTableModel::Text, true).findAreas(color(Token::border)).size(), 1U) << "a selected row more so";
    EXPECT_TRUE(drawCell(table, 0, CodeTableModel::Text).find("FFMA"));
}

} // namespace
} // namespace kl::ui
