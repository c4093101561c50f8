// SPDX-License-Identifier: MIT
// What charts paint: where a bar ends, which color is whose, which texts have room.
#include "core/base/format.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/delta.h"
#include "ui/charts/evidence_bars.h"
#include "ui/charts/heat_strip.h"
#include "ui/charts/hot_line_bars.h"
#include "ui/charts/limit_bars.h"
#include "ui/charts/stacked_bar.h"
#include "ui/charts/swatch.h"
#include "ui/charts/timeline_bars.h"
#include "ui/charts/waterfall_chart.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QBuffer>
#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>

#include <array>
#include <cmath>
#include <memory>

namespace kl::ui {
namespace {

QImage paintedImage(QWidget& chart, const QSize& size)
{
    chart.resize(size);
    chart.show();
    QCoreApplication::processEvents();
    return chart.grab().toImage();
}

/// Pixels of exactly this color.
int inkedPixels(const QImage& image, const QRect& area, Token token)
{
    int count = 0;
    for (int y = area.top(); y <= area.bottom(); ++y)
        for (int x = area.left(); x <= area.right(); ++x)
            count += image.pixelColor(x, y) == color(token);
    return count;
}

/// First and last column with this color; −1 without any.
std::pair<int, int> inkedColumns(const QImage& image, const QRect& area, Token token)
{
    int first = -1, last = -1;
    for (int x = area.left(); x <= area.right(); ++x)
        if (inkedPixels(image, {x, area.top(), 1, area.height()}, token) > 0) {
            first = first < 0 ? x : first;
            last = x;
        }
    return {first, last};
}

using Columns = std::pair<int, int>;

/// The texts that a chart draws at this size.
template <class Chart, class Fill> QStringList paintedTexts(const QSize& size, const Fill& fill)
{
    Chart chart;
    chart.resize(size);
    fill(chart);
    QBuffer bytes;
    QSvgGenerator drawing;
    drawing.setOutputDevice(&bytes);
    drawing.setSize(size);
    QPainter painter(&drawing);
    chart.draw(painter, QRectF(QPointF(), size));
    painter.end();
    QStringList texts;
    static const QRegularExpression element(QStringLiteral("<text[^>]*>([^<]*)</text>"));
    const QString svg = QString::fromUtf8(bytes.data());
    for (auto found = element.globalMatch(svg); found.hasNext();)
        texts << found.next().captured(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").trimmed();
    return texts;
}

QString tipUnder(QWidget& chart, const QPoint& at)
{
    const QString before = QStringLiteral("of before"); // it stays while it fades
    QToolTip::showText(chart.mapToGlobal(at), before, &chart);
    QHelpEvent help(QEvent::ToolTip, at, chart.mapToGlobal(at));
    QApplication::sendEvent(&chart, &help);
    return QToolTip::text() == before ? QString() : QToolTip::text();
}

TEST(PaintedEvidence, HasTheColorOfWhatItSupportsAndATickAtTheThreshold)
{
    const EvidenceRow holds{"a", 50, 25, "≥", "50", "25", true, true, {}, {}, true};
    EvidenceRow otherwise = holds;
    otherwise.holds = false;
    EvidenceRow fails = otherwise;
    fails.met = false;
    fails.deltas = {{75, "x", Token::series5}};
    EvidenceRow missing = fails;
    missing.value.reset();
    missing.threshold.reset();
    missing.deltas.clear();
    EvidenceBars bars;
    bars.setRows({holds, otherwise, fails, missing});
    const QImage image = paintedImage(bars, {400, 156});
    const auto lane = [](int row) { return QRect(0, row * 38 + 20, 400, 8); };
    EXPECT_EQ(inkedColumns(image, lane(0), Token::accent), Columns(0, 199)) << "half of 100 %";
    EXPECT_EQ(inkedColumns(image, lane(0), Token::text), Columns(99, 100)) << "the threshold";
    const int hatched = inkedPixels(image, lane(1), Token::accent);
    EXPECT_GT(hatched, 100);
    EXPECT_LT(hatched, 1000) << "true, but for a different question";
    EXPECT_EQ(inkedPixels(image, lane(2), Token::accent), 0);
    EXPECT_EQ(inkedColumns(image, lane(2), Token::neutral), Columns(0, 199));
    EXPECT_EQ(inkedColumns(image, lane(2), Token::series5), Columns(299, 300)) << "what the baseline had";
    EXPECT_EQ(inkedPixels(image, lane(3), Token::raised), 400 * 8) << "neither value nor threshold";
}

TEST(PaintedEvidence, ALongNameHasALineOfItsOwn)
{
    EvidenceBars bars;
    const EvidenceRow brief{"a", 5, 2, "≥", "5", "2", false, true, {}, {{4, "+25 %", Token::series5}}, true};
    EvidenceRow long_ = brief;
    long_.name = QString(200, u'w');
    long_.met = false;
    bars.resize(400, 200);
    bars.setRows({brief, brief, brief});
    const int low = bars.sizeHint().height();
    EXPECT_EQ(bars.minimumSizeHint().height(), low);
    bars.setRows({long_, brief, brief});
    EXPECT_EQ(bars.sizeHint().height(), low + 16);
    bars.show();
    bars.grab();
    EXPECT_TRUE(tipUnder(bars, {200, 45}).startsWith("www")) << "its row is higher";
    EXPECT_TRUE(tipUnder(bars, {200, 45}).endsWith(q("5 +25 %  (≥ 2)"))) << "not met, and changed";
    EXPECT_EQ(tipUnder(bars, {200, 60}), q("a\n5 +25 %  (≥ 2 ✓)"));
    bars.setRows({}, "not counted");
    EXPECT_EQ(bars.emptyReason(), "not counted");
    EXPECT_EQ(bars.sizeHint().height(), 80) << "room for two rows";
}

TEST(PaintedCharts, AnEmptyOneSaysWhyInsteadOfPainting)
{
    EXPECT_TRUE(paintedTexts<StackedBar>({400, 100}, [](StackedBar& bar) {
                    bar.setRows({"a"}, {}, "%", "nothing stalls");
                }).contains("nothing stalls"));
    EXPECT_TRUE(paintedTexts<HotLineBars>({400, 100}, [](HotLineBars& bars) { bars.setRows({"a"}, {}, "no lines"); }).contains("no lines"));
    EXPECT_TRUE(paintedTexts<HeatStrip>({400, 100}, [](HeatStrip& strip) { strip.setCells({}, {}, {}, "none ran"); }).contains("none ran"));
    EXPECT_TRUE(
        paintedTexts<WaterfallChart>({400, 100}, [](WaterfallChart& fall) { fall.setSteps({}, "none saved"); }).contains("none saved"));
    HotLineBars lines;
    lines.setRows({"barrier"}, {}, {});
    EXPECT_TRUE(lines.legend().empty());
    StackedBar stack;
    stack.setRows({"barrier"}, {}, {}, {});
    EXPECT_TRUE(stack.legend().empty()) << "no rows have these parts";
}

TEST(PaintedCharts, AreDrawnWhereTheyAreAskedFor)
{
    StackedBar stack;
    stack.setRows({"barrier"}, {{"a", {1}, {}}}, "%", {});
    QImage image(500, 200, QImage::Format_ARGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    stack.draw(painter, QRectF(100, 50, 300, 100));
    EXPECT_EQ(painter.transform().dx(), 0) << "as it was";
    painter.end();
    EXPECT_EQ(inkedColumns(image, {0, 70, 500, 10}, Token::series1), Columns(100, 398));
    EXPECT_EQ(inkedPixels(image, {0, 0, 500, 60}, Token::series1), 0);
}

TEST(PaintedCharts, AreClickedAsBeforeOnceTheyWereSaved)
{
    auto* stack = new StackedBar;
    stack->setRows({"barrier", "wait"}, {{"a", {1, 1}, {}}}, "%", {});
    ChartCard card("Stalls", stack);
    card.resize(400, 300);
    card.show();
    QCoreApplication::processEvents();
    ASSERT_LT(stack->width(), 640) << "saved larger than it is shown";
    const QSignalSpy picked(stack, &ChartBody::picked);
    const auto click = [&](double share) {
        QTest::mouseClick(stack, Qt::LeftButton, {}, QPoint(static_cast<int>(stack->width() * share), 30));
        return picked.isEmpty() ? -1 : picked.back()[0].toInt();
    };
    EXPECT_EQ(click(0.6), 1);
    EXPECT_EQ(click(0.2), 0);
    EXPECT_FALSE(card.image().isNull());
    EXPECT_EQ(click(0.6), 1);
    EXPECT_EQ(picked.count(), 3);
}

TEST(PaintedCharts, TheChosenRowIsFramedWhileTheKeysAreThere)
{
    EvidenceBars bars;
    bars.setPickable();
    bars.setRows(std::vector<EvidenceRow>(3, {"a", 1, 2, "≥", "1", "2", false, false, {}, {}}));
    bars.resize(400, 120);
    bars.show();
    bars.activateWindow();
    bars.setFocus();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&bars));
    ASSERT_TRUE(bars.hasFocus());
    const auto framed = [&] {
        const QImage image = bars.grab().toImage();
        std::vector<int> rows;
        for (int row = 0; row < 3; ++row)
            if (inkedPixels(image, {0, row * 38 + 8, 1, 20}, Token::accent) == 20)
                rows.push_back(row);
        return rows;
    };
    EXPECT_EQ(framed(), std::vector<int>{0});
    QTest::keyClick(&bars, Qt::Key_Down);
    EXPECT_EQ(framed(), std::vector<int>{1});
    bars.clearFocus();
    EXPECT_EQ(framed(), std::vector<int>{});
}

TEST(PaintedHeat, ACellHasTheColorOfItsMark)
{
    HeatStrip strip;
    strip.setCells({"G1", "G2"}, {"N", "N+1"}, {{Mark::pass, Mark::fail}, {Mark::none, Mark::waived}}, {});
    const QImage image = paintedImage(strip, {400, 90});
    const QColor ground = image.pixelColor(112 + 71, 15);
    const auto tinted = [&](Token token) {
        const auto mix = [](int back, int front) { return back + 0.16 * (front - back); };
        return std::array{mix(ground.red(), color(token).red()), mix(ground.green(), color(token).green()),
                          mix(ground.blue(), color(token).blue())};
    };
    for (const auto& [column, row, token] : {std::tuple(0, 0, Token::better), {1, 0, Token::worse}, {1, 1, Token::waived}}) {
        const QColor seen = image.pixelColor(112 + 72 * column + 3, 30 * row + 4);
        const auto wanted = tinted(token);
        EXPECT_NEAR(seen.red(), wanted[0], 3) << column << row;
        EXPECT_NEAR(seen.green(), wanted[1], 3) << column << row;
        EXPECT_NEAR(seen.blue(), wanted[2], 3) << column << row;
    }
    EXPECT_EQ(image.pixelColor(112 + 3, 34), color(Token::raised)) << "nothing is known";
    EXPECT_EQ(strip.sizeHint().height(), 2 * 30 + 22);
    const auto legend = strip.legend();
    ASSERT_EQ(legend.size(), 5U);
    EXPECT_EQ(legend[1].token, Token::worse);
    EXPECT_TRUE(legend[1].name.startsWith(markSign(Mark::fail)));
}

TEST(PaintedHeat, NamesThatWouldBeCutAreLeftOutAndTheNewestCounted)
{
    const auto texts = [](int columns, const QString& form) {
        return paintedTexts<HeatStrip>({512, 60}, [&](HeatStrip& strip) {
            QStringList names;
            for (int i = 0; i < columns; ++i)
                names << form.arg(i);
            strip.setCells({"G1"}, names, {std::vector<Mark>(static_cast<std::size_t>(columns), Mark::pass)}, {});
        });
    };
    const QStringList few = texts(3, "N+%1");
    for (const char* name : {"N+0", "N+1", "N+2"})
        EXPECT_TRUE(few.contains(QLatin1String(name))) << name;
    EXPECT_TRUE(few.filter("3").isEmpty()) << "all are shown: " << few.join('|').toStdString();
    const QStringList many = texts(40, "session %1");
    EXPECT_EQ(many.filter("25 ").filter("40").size(), 1) << "so many of them: " << many.join('|').toStdString();
    EXPECT_TRUE(many.contains("session 15")) << "the first that is shown";
    EXPECT_FALSE(many.contains("session 16"));
    EXPECT_FALSE(many.contains("session 0"));
}

TEST(PaintedHotLines, AreScaledToTheHottestWithTheColorsOfTheirParts)
{
    HotLineBars lines;
    lines.setRows({"barrier", "wait"},
                  {{"line 7", "x = y;", {}, 0.5, {0.2, 0.3}, "hot"}, {"line 9", "z = x;", {}, 0.25, {0, 0.25}, "warm"}}, {});
    const QImage image = paintedImage(lines, {400, 84});
    const auto bar = [](int row) { return QRect(0, row * 42 + 22, 400, 8); };
    EXPECT_EQ(inkedColumns(image, bar(0), Token::series1), Columns(0, 158));
    EXPECT_EQ(inkedColumns(image, bar(0), Token::series2), Columns(160, 398));
    EXPECT_EQ(inkedColumns(image, bar(1), Token::series1), Columns(-1, -1));
    EXPECT_EQ(inkedColumns(image, bar(1), Token::series2), Columns(0, 198)) << "half as hot";
    EXPECT_EQ(tipUnder(lines, {200, 10}), "hot");
    EXPECT_EQ(tipUnder(lines, {200, 42 + 10}), "warm");
    const QSignalSpy picked(&lines, &ChartBody::picked);
    QTest::mouseClick(&lines, Qt::LeftButton, {}, {200, 42 + 10});
    ASSERT_EQ(picked.count(), 1);
    EXPECT_EQ(picked[0][0].toInt(), 1);
    EXPECT_EQ(lines.legend().at(1).token, Token::series2);
    EXPECT_EQ(lines.sizeHint().height(), 84);
}

TEST(PaintedHotLines, ANoteTakesTheRoomOfTheCode)
{
    const auto texts = [](int width) {
        return paintedTexts<HotLineBars>({width, 84}, [](HotLineBars& lines) {
            lines.setRows({"barrier"}, {{"7", "x = y;", "waits for line 12", 0.5, {0.5}, {}}, {"9", "z;", {}, 0.05, {0.05}, {}}}, {});
        });
    };
    const QStringList wide = texts(600);
    for (const char* text : {"7", "x = y;", "waits for line 12", "50\u202f%", "z;", "5\u202f%"})
        EXPECT_TRUE(wide.contains(QString::fromUtf8(text))) << text;
    const QStringList narrow = texts(240);
    EXPECT_FALSE(narrow.contains("x = y;"));
    EXPECT_FALSE(narrow.filter("waits").isEmpty());
    EXPECT_TRUE(narrow.contains("z;")) << "without a note there is room";
}

TEST(PaintedLimits, TheScaleEndsWithTheLargestLimit)
{
    LimitBars bars;
    bars.setBars({{"a", 25, 100, true, "w", {}}, {"a", 50, {}, true, "w", {}}, {"a", 75, 50, false, "w", {}}}, "bytes", "limit");
    const QImage image = paintedImage(bars, {480, 120});
    const auto line = [](int row) { return QRect(0, row * 40 + 15, 480, 1); }; // of the bar, above the letters
    const Columns all = inkedColumns(image, line(0), Token::raised);
    const int from = inkedColumns(image, line(0), Token::better).first;
    ASSERT_GT(from, 0);
    const double lane = all.second - from;
    EXPECT_NEAR(inkedColumns(image, line(0), Token::better).second - from, lane / 4, 2);
    EXPECT_NEAR(inkedColumns(image, line(1), Token::raised).second, all.second, 2) << "no limit of its own";
    EXPECT_NEAR(inkedColumns(image, line(1), Token::better).second - from, lane / 2, 2);
    EXPECT_NEAR(inkedColumns(image, line(2), Token::worse).second - from, lane * 0.75, 2);
    EXPECT_NEAR(inkedColumns(image, line(2), Token::text).first - from, lane / 2, 3) << "a tick at its limit";
    EXPECT_EQ(inkedColumns(image, line(1), Token::text), Columns(-1, -1));
    const QString block(3, QChar(0x2588)); // letters without edges
    bars.setBars({{"a", 25, 100, true, block, {}}, {"a", 75, 50, false, block, {}}}, "bytes", "limit");
    const QImage words = paintedImage(bars, {480, 80});
    EXPECT_GT(inkedColumns(words, {0, 20, 480, 1}, Token::better).second, 450) << "words in the color of the bar";
    EXPECT_GT(inkedColumns(words, {0, 60, 480, 1}, Token::worse).second, 450);
    EXPECT_EQ(inkedPixels(words, {0, 0, 480, 40}, Token::worse), 0);
    EXPECT_EQ(inkedPixels(words, {0, 40, 480, 40}, Token::better), 0);
    EXPECT_EQ(bars.sizeHint().height(), 18 * 4) << "as four";
    EXPECT_EQ(bars.table().header.mid(1, 2), (QStringList{"bytes", "limit"}));
    EXPECT_EQ(bars.legend()[2].name, "limit");
}

TEST(PaintedStacks, APartKeepsItsColorAndHasItsChange)
{
    StackedBar stack;
    const Deltas more{{40, "+25 %", Token::series5}};
    stack.setRows({"barrier", "wait", "other"}, {{"a", {0, 50, 50}, {{}, more, {}}}, {"b", {50, 0, 50}, {}}}, "warps", {});
    const QImage image = paintedImage(stack, {400, 104});
    EXPECT_EQ(inkedColumns(image, {0, 19, 400, 4}, Token::series2), Columns(0, 198));
    EXPECT_EQ(inkedColumns(image, {0, 19, 400, 4}, Token::series3), Columns(200, 398));
    EXPECT_EQ(inkedColumns(image, {0, 52 + 19, 400, 4}, Token::series1), Columns(0, 198));
    EXPECT_EQ(inkedColumns(image, {0, 52 + 19, 400, 4}, Token::series3), Columns(200, 398));
    EXPECT_EQ(tipUnder(stack, {100, 30}), q("wait: 50 warps (50\u202f%) Δ +25 %"));
    EXPECT_EQ(tipUnder(stack, {300, 30}), q("other: 50 warps (50\u202f%)"));
    EXPECT_EQ(stack.table().header, (QStringList{"Part", "a, warps", "Change", "b, warps"}));
    EXPECT_EQ(stack.table().rows[1], (QStringList{"wait", "50", q("Δ +25 %"), "0"}));
    EXPECT_EQ(stack.sizeHint().height(), 104);
    const auto texts = [&](int width) {
        return paintedTexts<StackedBar>({width, 52}, [&](StackedBar& bar) {
            bar.setRows({"barrier", "wait"}, {{{}, {50, 50}, {{}, more}}}, "warps", {});
            EXPECT_EQ(bar.table().header.at(1), "warps") << "a bar without a name";
        });
    };
    EXPECT_TRUE(texts(400).contains(q("50\u202f%")));
    EXPECT_TRUE(texts(400).contains(q("50\u202f%  +25 %")));
    EXPECT_FALSE(texts(120).contains(q("50\u202f%  +25 %"))) << "no room";
    EXPECT_TRUE(texts(120).contains(q("50\u202f%")));
    EXPECT_FALSE(texts(40).contains(q("50\u202f%")));
}

TimelineReport copyAndMultiply()
{
    TimelineReport report;
    report.spanCycles = 1000;
    report.roles.resize(2);
    report.roles[0].name = "producer";
    report.roles[1].name = "consumer";
    report.roles[0].segments = {{0, 800, SegmentKind::work, "copy", 0}, {800, 1000, SegmentKind::wait, "try_wait", 12}};
    report.roles[1].segments = {{0, 700, SegmentKind::wait, "try_wait", 30},
                                {700, 900, SegmentKind::work, "multiply", 0},
                                {900, 1000, SegmentKind::async, "wgmma", 31}};
    return report;
}

TEST(PaintedTimelines, WorkHasAColorPerSegmentAndIsWhereItsCyclesAre)
{
    TimelineBars bars;
    bars.setReport(copyAndMultiply());
    QImage image = paintedImage(bars, {628, 90});
    const auto at = [&](int x, int y) { return image.pixelColor(128 + x, y); };
    EXPECT_EQ(at(200, 10), color(Token::series1));
    EXPECT_EQ(at(398, 10), color(Token::series1));
    EXPECT_EQ(at(450, 17), color(Token::muted)) << "a wait";
    EXPECT_NE(at(450, 10), color(Token::muted)) << "which is a line";
    EXPECT_EQ(at(200, 34 + 17), color(Token::muted));
    EXPECT_EQ(at(352, 34 + 10), color(Token::series2));
    EXPECT_EQ(at(448, 34 + 10), color(Token::series2));
    EXPECT_EQ(at(475, 34 + 10), color(Token::series8)) << "copies and products of its own";
    EXPECT_NE(at(100, 68 + 2), at(50, 68 + 2)) << "a tick at 200, none at 100";
    EXPECT_NE(at(475, 10), color(Token::series8));
    const auto legend = bars.legend();
    ASSERT_EQ(legend.size(), 4U);
    EXPECT_EQ(legend[0].name, "copy");
    EXPECT_EQ(legend[0].token, Token::series1);
    EXPECT_EQ(legend[1].token, Token::series2);
    EXPECT_EQ(legend[2].token, Token::series8);
    EXPECT_EQ(legend[3].token, Token::muted);
    EXPECT_EQ(bars.table().rows[3].mid(2), (QStringList{"multiply", "700", "900", "200"}));
    EXPECT_EQ(bars.table().rows[3][0], "consumer");
    bars.activateWindow();
    bars.setFocus();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&bars));
    const QPointF end(628, 10);
    QWheelEvent wheel(end, bars.mapToGlobal(end), {}, {0, 5 * 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&bars, &wheel);
    EXPECT_NEAR(bars.range().low, 1000 - 1000 * std::pow(0.8, 5), 1e-6) << "with the focus the wheel alone zooms";
    image = bars.grab().toImage();
    EXPECT_EQ(at(100, 10), color(Token::series1)) << "until 800";
    EXPECT_EQ(at(300, 17), color(Token::muted));
    EXPECT_EQ(at(200, 34 + 10), color(Token::series2));
    EXPECT_EQ(at(20, 34 + 17), color(Token::muted)) << "until 700";
}

TEST(PaintedTimelines, TheAxisIsOfTheCyclesShownAndAPartIsAPartAtTheEdgeToo)
{
    const QStringList whole = paintedTexts<TimelineBars>({628, 90}, [](TimelineBars& bars) { bars.setReport(copyAndMultiply()); });
    for (const char* text : {"producer", "consumer", "0", "200", "800"})
        EXPECT_TRUE(whole.contains(QLatin1String(text))) << text;
    const QStringList part = paintedTexts<TimelineBars>({628, 90}, [](TimelineBars& bars) {
        bars.setReport(copyAndMultiply());
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(&bars, Qt::Key_Plus);
        for (int i = 0; i < 20; ++i)
            QTest::keyClick(&bars, Qt::Key_Left);
        EXPECT_EQ(bars.range().low, 0);
        EXPECT_TRUE(bars.isZoomed()) << "though it begins where all begins";
    });
    EXPECT_TRUE(part.contains("500"));
    EXPECT_FALSE(part.contains("800"));
    paintedTexts<TimelineBars>({628, 90}, [](TimelineBars& bars) {
        bars.setReport(copyAndMultiply());
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(&bars, Qt::Key_Plus);
        for (int i = 0; i < 20; ++i)
            QTest::keyClick(&bars, Qt::Key_Right);
        EXPECT_EQ(bars.range().high, 1000);
        EXPECT_TRUE(bars.isZoomed()) << "though it ends where all ends";
    });
}

TEST(PaintedTimelines, OnlySevenSegmentsHaveAColorOfTheirOwn)
{
    TimelineReport report;
    report.spanCycles = 900;
    report.roles.resize(1);
    for (int i = 0; i < 9; ++i)
        report.roles[0].segments.push_back({100 * i, 100 * (i + 1), SegmentKind::work, "s" + std::to_string(i), 0});
    report.roles[0].segments[3].label.clear();
    report.roles[0].segments[1].label = "s0"; // in one color
    TimelineBars bars;
    bars.setReport(report);
    ASSERT_EQ(bars.legend().size(), 7U) << "the eighth is that of own copies";
    EXPECT_EQ(bars.legend()[1].name, "s2");
    EXPECT_FALSE(bars.legend()[2].name.isEmpty()) << "work without a name";
    const QPointF at(300, 10);
    QMouseEvent hover(QEvent::MouseMove, at, bars.mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QTest::keyClick(&bars, Qt::Key_Plus);
    const double low = bars.range().low;
    QApplication::sendEvent(&bars, &hover);
    EXPECT_EQ(bars.range().low, low) << "without a button nothing is dragged";
}

TEST(PaintedSavings, BriefOnesAreInSeconds)
{
    const auto texts = [](std::optional<double> measured, std::optional<double> quoted) {
        return paintedTexts<WaterfallChart>({600, 140}, [&](WaterfallChart& fall) { fall.setSteps({{"a", measured, quoted}}, {}); });
    };
    EXPECT_TRUE(texts(1, {}).contains("60"));
    EXPECT_TRUE(texts({}, 1).contains("60"));
    EXPECT_FALSE(texts(3, {}).contains("180")) << "three minutes are minutes";
    EXPECT_FALSE(texts(1, 10).contains("600")) << "and so are those beside longer ones";
    EXPECT_TRUE(texts(1, 10).contains("10"));
    const QStringList figures = paintedTexts<WaterfallChart>({600, 140}, [](WaterfallChart& two) {
        two.setSteps({{"a", 5.0, 10.0}, {"b", 15.0, 30.0}}, {});
    });
    for (const double minutes : {5.0, 15.0, 20.0, 10.0, 30.0, 40.0})
        EXPECT_EQ(figures.count(q(formatMinutes(minutes))), 1) << minutes << ": each its own, then the totals";
    WaterfallChart fall;
    fall.setSteps({{"a", 1.0, {}}}, {});
    EXPECT_EQ(fall.table().rows[0], (QStringList{"a", "1", ""})) << "the table is in minutes";
    EXPECT_EQ(fall.legend()[0].token, Token::series1);
    EXPECT_EQ(fall.legend()[1].token, Token::series4);
    EXPECT_EQ(fall.legend()[1].swatch, Swatch::hatched);
    EXPECT_EQ(fall.sizeHint().height(), 26 * 3 + 34);
}

/// The symbol of a legend entry.
QImage grabSymbol(Swatch swatch, Marker marker)
{
    const std::unique_ptr<QWidget> box(makeSwatch({"name", Token::series2, swatch, marker}));
    EXPECT_EQ(box->findChild<QLabel*>()->text(), "name");
    box->show();
    for (QWidget* part : box->findChildren<QWidget*>())
        if (!qobject_cast<QLabel*>(part))
            return part->grab().toImage();
    return {};
}

TEST(Swatches, LookAsTheirSeries)
{
    const auto inked = [](const QImage& image, int x, int y) { return image.pixelColor(x, y) == color(Token::series2); };
    const auto shape = [&](Marker marker) {
        const QImage image = grabSymbol(Swatch::marker, marker);
        EXPECT_TRUE(inked(image, 9, 6));
        return std::tuple(inked(image, 5, 2), inked(image, 6, 3), inked(image, 6, 9));
    };
    EXPECT_EQ(shape(Marker::square), std::tuple(true, true, true));
    EXPECT_EQ(shape(Marker::circle), std::tuple(false, true, false));
    EXPECT_EQ(shape(Marker::triangle), std::tuple(false, false, true));
    EXPECT_EQ(shape(Marker::diamond), std::tuple(false, false, false));
    const QRect all(0, 0, 18, 12), middle(0, 5, 18, 2);
    const int solid = inkedPixels(grabSymbol(Swatch::solid, {}), all, Token::series2);
    const int hatched = inkedPixels(grabSymbol(Swatch::hatched, {}), all, Token::series2);
    EXPECT_EQ(solid, 16 * 10);
    EXPECT_GT(hatched, 0);
    EXPECT_LT(hatched, solid);
    const QImage line = grabSymbol(Swatch::line, {}), dashed = grabSymbol(Swatch::dashed, {});
    EXPECT_EQ(inkedPixels(line, {0, 0, 18, 3}, Token::series2), 0);
    EXPECT_GT(inkedPixels(line, middle, Token::series2), 20);
    EXPECT_GT(inkedPixels(dashed, middle, Token::series2), 0);
    EXPECT_LT(inkedPixels(dashed, middle, Token::series2), inkedPixels(line, middle, Token::series2));
}

TEST(PaintedChanges, StandWhereTheyAreAlignedAndWithinTheirBox)
{
    const auto paint = [](int flags, double width) {
        QImage image(200, 20, QImage::Format_ARGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.setFont(makeFont(TextRole::body));
        const double taken = paintSegments(painter, {0, 0, width, 20}, flags, {{"HHHH", Token::worse}, {"HH", Token::better}});
        painter.end();
        int first = 200, last = -1;
        for (int x = 0; x < 200; ++x)
            for (int y = 0; y < 20; ++y)
                if (image.pixelColor(x, y) != QColor(Qt::white)) {
                    first = std::min(first, x);
                    last = std::max(last, x);
                }
        return std::tuple(taken, first, last, inkedColumns(image, {0, 0, 200, 20}, Token::worse),
                          inkedColumns(image, {0, 0, 200, 20}, Token::better));
    };
    const auto [taken, first, last, worse, better] = paint(Qt::AlignLeft, 200);
    EXPECT_LT(first, 4);
    EXPECT_LT(last, taken);
    EXPECT_LT(worse.second, better.first) << "in their order, each in its color";
    EXPECT_GT(std::get<2>(paint(Qt::AlignRight, 200)), 195);
    EXPECT_NEAR(std::get<1>(paint(Qt::AlignHCenter, 200)), (200 - taken) / 2, 4);
    const auto cut = paint(Qt::AlignRight, taken / 2);
    EXPECT_EQ(std::get<0>(cut), taken / 2);
    EXPECT_LE(std::get<2>(cut), taken / 2 + 2);
}

} // namespace
} // namespace kl::ui
