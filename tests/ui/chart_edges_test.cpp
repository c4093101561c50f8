// SPDX-License-Identifier: MIT
// Charts at their edges: labels below a plot, drags between places, marks of what is true, keys without an item.
#include "core/base/format.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"
#include "ui/charts/evidence_bars.h"
#include "ui/charts/geometry/labels.h"
#include "ui/charts/geometry/parallel_axes.h"
#include "ui/charts/geometry/zoom.h"
#include "ui/charts/heat_strip.h"
#include "ui/pages/compare/time_bars.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QHelpEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

namespace kl::ui {
namespace {

QString edgeTipAt(QWidget& chart, const QPoint& at)
{
    const QString before = QStringLiteral("of before"); // it stays while it fades
    QToolTip::showText(chart.mapToGlobal(at), before, &chart);
    QHelpEvent help(QEvent::ToolTip, at, chart.mapToGlobal(at));
    QApplication::sendEvent(&chart, &help);
    return QToolTip::text() == before ? QString() : QToolTip::text();
}

void exposeAt(QWidget& chart, const QSize& size)
{
    chart.resize(size);
    chart.show();
    QCoreApplication::processEvents();
}

/// True for another question, not true, and true for the finding's own.
std::vector<EvidenceRow> makeThreeAnswers()
{
    return {{"other question", 32, 4, "≥", "32", "4", false, false, {}, {}, true},
            {"not true", 2, 4, "≥", "2", "4", false, false, {}, {}, false},
            {"changed", 8, 4, "≥", "8", "4", false, true, "help", {{2, "×4", Token::series5}}, true}};
}

TEST(EvidenceMarks, AreOfWhatIsTrueWhicheverQuestionItBelongsTo)
{
    EvidenceBars bars;
    bars.setRows(makeThreeAnswers());
    exposeAt(bars, {400, 120});
    EXPECT_EQ(edgeTipAt(bars, {200, 10}), q("other question\n32  (≥ 4 ✓)"));
    EXPECT_EQ(edgeTipAt(bars, {200, 38 + 10}), q("not true\n2  (≥ 4)"));
    EXPECT_EQ(edgeTipAt(bars, {200, 2 * 38 + 10}), q("changed\n8 ×4  (≥ 4 ✓)\nhelp")) << "with its change";
    const ChartTable table = bars.table();
    ASSERT_EQ(table.header.size(), 6) << "one is compared";
    EXPECT_EQ(table.rows[0].mid(0, 4), (QStringList{"other question", "32", q("≥"), "4"}));
    EXPECT_EQ(table.rows[0][5], "");
    EXPECT_EQ(table.rows[2][5], q("Δ ×4"));
    QStringList answers{table.rows[0][4], table.rows[1][4], table.rows[2][4]};
    EXPECT_EQ(answers.removeDuplicates(), 0) << answers.join('|').toStdString();
    EXPECT_FALSE(answers.contains(QString()));
    bars.setRows({{"not true", 2, 4, "≥", "2", "4", false, false, {}, {}, false}});
    EXPECT_EQ(bars.table().header.size(), 5);
    EXPECT_EQ(bars.table().rows[0].size(), 5);
}

TEST(EvidenceMarks, SnapshotOfTheirTable)
{
    EvidenceBars bars;
    bars.setRows(makeThreeAnswers());
    const ChartTable table = bars.table();
    QString text = table.header.join(" | ") + u'\n';
    for (const QStringList& row : table.rows)
        text += row.join(" | ") + u'\n';
    test::expectSnapshot("ui/evidence-table.txt", utf8(text));
}

TEST(EvidenceMarks, ReasonsAndHeightsFollowTheRows)
{
    EvidenceBars bars;
    const QString plain = bars.emptyReason();
    EXPECT_FALSE(plain.isEmpty());
    bars.setRows({}, "no counters");
    EXPECT_EQ(bars.emptyReason(), "no counters");
    const QSignalSpy changed(&bars, &ChartBody::changed);
    const EvidenceRow row{"a", 1, 2, "≥", "1", "2", false, true, {}, {}, true};
    bars.resize(400, 300);
    bars.setRows({row});
    EXPECT_EQ(changed.count(), 1);
    EXPECT_TRUE(bars.emptyReason().isEmpty());
    const int one = bars.sizeHint().height();
    bars.setRows({row, row, row});
    EXPECT_EQ(bars.sizeHint().height(), 3 * 38 + 4);
    EXPECT_EQ(one, 2 * 38 + 4) << "there is room for two at least";
    EvidenceRow wide = row;
    wide.name = QString(80, 'w');
    bars.setRows({row, row, wide});
    EXPECT_EQ(bars.sizeHint().height(), 3 * 38 + 4 + 16) << "a long name has a line of its own";
    EXPECT_EQ(bars.minimumSizeHint().height(), bars.sizeHint().height());
}

TEST(PickKeys, StayAtTheEndsAndNeedAChartThatIsPickable)
{
    HeatStrip strip;
    strip.setCells({"G1"}, {"a", "b"}, {{Mark::pass, Mark::fail}}, "none");
    exposeAt(strip, {400, 60});
    const QSignalSpy picked(&strip, &ChartBody::picked);
    QTest::keyClick(&strip, Qt::Key_Return);
    EXPECT_EQ(picked.count(), 0) << "it takes no keys";
    strip.setPickable();
    EXPECT_EQ(strip.focusPolicy(), Qt::StrongFocus);
    QTest::keyClick(&strip, Qt::Key_Left);
    EXPECT_EQ(picked.count(), 0) << "before the first there is none";
    QTest::keyClick(&strip, Qt::Key_Right);
    QTest::keyClick(&strip, Qt::Key_Right);
    ASSERT_EQ(picked.count(), 1) << "nor behind the last";
    EXPECT_EQ(picked[0][0].toInt(), 1);
    QTest::keyClick(&strip, Qt::Key_Space);
    QTest::keyClick(&strip, Qt::Key_Enter);
    ASSERT_EQ(picked.count(), 3);
    EXPECT_EQ(picked[2][0].toInt(), 1);
    QTest::keyClick(&strip, Qt::Key_Left);
    QTest::keyClick(&strip, Qt::Key_A);
    ASSERT_EQ(picked.count(), 4);
    EXPECT_EQ(picked[3][0].toInt(), 0);
    QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(20, 10));
    EXPECT_EQ(picked.count(), 4) << "beside the cells";
    EXPECT_EQ(edgeTipAt(strip, {20, 10}), "");
}

TEST(HeatCells, OfTheNewestColumnsKeepTheirNamesAndPlaces)
{
    QStringList columns;
    std::vector<std::vector<Mark>> cells(2);
    for (int i = 0; i < 40; ++i) {
        columns << QStringLiteral("s%1").arg(i);
        cells[0].push_back(i == 39 ? Mark::fail : Mark::pass);
        cells[1].push_back(Mark::waived);
    }
    HeatStrip strip;
    EXPECT_EQ(strip.sizeHint().height(), 2 * 30 + 22);
    strip.setCells({"G1", "G2"}, columns, cells, "none");
    exposeAt(strip, {512, 90});
    EXPECT_EQ(edgeTipAt(strip, {112 + 4, 10}), q("s15 · G1: pass")) << "25 of 16 pixels";
    EXPECT_EQ(edgeTipAt(strip, {512 - 8, 10}), q("s39 · G1: fail"));
    EXPECT_EQ(edgeTipAt(strip, {512 - 8, 40}), q("s39 · G2: waived"));
    EXPECT_TRUE(strip.emptyReason().isEmpty());
    EXPECT_EQ(strip.table().header.mid(1), columns);
    EXPECT_EQ(strip.table().rows[1].mid(0, 2), (QStringList{"G2", markWord(Mark::waived)}));
    QStringList legend;
    for (const LegendItem& item : strip.legend())
        legend << item.name.left(1);
    EXPECT_EQ(legend, (QStringList{markSign(Mark::pass), markSign(Mark::fail), markSign(Mark::waived), markSign(Mark::stale),
                                   markSign(Mark::none)}));
    EXPECT_EQ(strip.legend()[1].token, markToken(Mark::fail));
    strip.setCells({"G1", "G2", "G3"}, {}, {{}, {}, {}}, "no sessions");
    EXPECT_EQ(strip.emptyReason(), "no sessions");
    EXPECT_EQ(strip.sizeHint().height(), 3 * 30 + 22);
}

TEST(PlacedLabelEdges, ALabelStaysAboveTheLowerEdge)
{
    const QRectF plot(0, 0, 400, 200);
    const std::vector<QLineF> above{{104, 185, 154, 185}};
    EXPECT_EQ(placeLabels({{{100, 195}, 50, false}}, above, plot)[0], QRectF(46, 195 - 2 - kLabelHeight, 50, kLabelHeight))
        << "left of it, where below there is no room";
    EXPECT_EQ(placeLabels({{{100, 183}, 50, false}}, {{104, 175, 154, 175}}, plot)[0].top(), 185) << "it may end with the plot";
    EXPECT_EQ(placeLabels({{{5, 100}, 500, false}}, {}, plot)[0].left(), 2) << "one that is too wide begins inside";
}

TEST(PlacedLabelEdges, PointsComeBeforeLinesAndMarkersBeforeThoseThatCross)
{
    const QRectF plot(0, 0, 400, 200);
    const auto boxes = placeLabels({{{0, 100}, 80, true}, {{0, 100}, 50, false}}, {}, plot);
    EXPECT_EQ(boxes[1].top(), 100 - 2 - kLabelHeight) << "a point has fewer places";
    EXPECT_EQ(boxes[0].top(), 102);
    const QRectF low(0, 0, 400, 34);
    const std::vector<QLineF> lines{{20, 7, 20, 7}, {10, 21, 50, 21}, {10, 25, 50, 25}, {10, 29, 50, 29}};
    EXPECT_EQ(placeLabels({{{2, 17}, 50, false}}, lines, low)[0].top(), 19) << "three lines are better than a hidden marker";
    const auto near = placeLabels({{{0, 100}, 80, true}, {{200, 110}, 80, true}}, {}, plot);
    EXPECT_EQ(near[0], QRectF(4, 100 - 2 - kLabelHeight, 80, kLabelHeight));
    EXPECT_EQ(near[1], QRectF(204, 112, 80, kLabelHeight)) << "beside the line above it would be read as that line's";
}

TEST(ParallelDrags, TakeThePlaceWhereTheyEnd)
{
    const ParallelAxes axes{100, 400, 20, 220, 4}; // places at 220, 170, 120, 70 and 20
    using Places = std::pair<std::size_t, std::size_t>;
    EXPECT_EQ(axes.placesBetween(200, 180, 5), Places(1, 1)) << "170, not the 220 near its begin";
    EXPECT_EQ(axes.placesBetween(180, 205, 5), Places(0, 0));
    EXPECT_EQ(axes.placesBetween(40, 90, 5), Places(3, 3));
    EXPECT_EQ(axes.placesBetween(90, 40, 5), Places(3, 4)) << "both that it passes and that at its end";
    EXPECT_EQ(axes.placesBetween(120, 120, 5), Places(2, 2)) << "a click";
}

TEST(ZoomEdges, OnALogAxisAreOfItsDecades)
{
    const AxisRange in = zoomRange({10, 1000}, 0.5, 0.5, true, {1, 10000});
    EXPECT_NEAR(in.low, std::pow(10, 1.5), 1e-9);
    EXPECT_NEAR(in.high, std::pow(10, 2.5), 1e-9);
    const AxisRange held = zoomRange({10, 1000}, 1, 0.5, true, {1, 10000});
    EXPECT_NEAR(held.low, 100, 1e-9);
    EXPECT_NEAR(held.high, 1000, 1e-9) << "what is under the pointer stays";
    const AxisRange out = zoomRange({10, 1000}, 0.5, 100, true, {1, 10000});
    EXPECT_NEAR(out.low, 1, 1e-9);
    EXPECT_NEAR(out.high, 10000, 1e-6);
    const AxisRange left = panRange({20, 40}, -9, false, {10, 100});
    EXPECT_DOUBLE_EQ(left.low, 10) << "never beyond the begin";
    EXPECT_DOUBLE_EQ(left.high, 30) << "and as wide as before";
    const AxisRange right = panRange({10, 100}, 9, true, {1, 10000});
    EXPECT_NEAR(right.low, 1000, 1e-9);
    EXPECT_NEAR(right.high, 10000, 1e-6);
}

TEST(TimeBarFindings, CompareTheSameWorkAlone)
{
    RunRecord slow = support::timedRun("a", "naive", "2026-03-01T09:00:00.000Z", 2000);
    RunRecord fast = support::timedRun("b", "tiled", "2026-03-01T09:00:00.000Z", 500);
    TimeBars bars;
    const auto finding = [&](const RunRecord& a, const RunRecord& b, bool interleaved = false) {
        bars.setRuns({&a, &b}, interleaved);
        return bars.finding();
    };
    const QString compared = finding(slow, fast);
    EXPECT_LT(compared.indexOf("transpose/tiled"), compared.indexOf(q(formatTime(500)))) << compared.toStdString();
    EXPECT_LT(compared.indexOf(q(formatTime(500))), compared.indexOf(q("4.00×")));
    EXPECT_LT(compared.indexOf(q("4.00×")), compared.indexOf("transpose/naive")) << compared.toStdString();
    const QString plain = finding(slow, fast, true);
    EXPECT_FALSE(plain.contains(q("×")));
    EXPECT_LT(plain.indexOf("transpose/naive"), plain.indexOf(q(formatTime(2000))));
    EXPECT_LT(plain.indexOf(q(formatTime(2000))), plain.indexOf("transpose/tiled"));
    EXPECT_LT(plain.indexOf("transpose/tiled"), plain.indexOf(q(formatTime(500)))) << plain.toStdString();
    RunRecord other = fast;
    other.kernel.family = "copy";
    const QString none = finding(slow, other);
    EXPECT_FALSE(none.contains(q("×"))) << "another kernel does other work";
    EXPECT_EQ(finding(slow, other, true), none);
    RunRecord still = fast;
    still.timing->gpu.median = 0;
    EXPECT_EQ(finding(slow, still), none);
    EXPECT_EQ(finding(still, slow), none);
    Summary single{1500, 1500, 1500, 1}, many{1500, 1400, 1600, 50};
    EXPECT_TRUE(timeFigures(single).startsWith(q(formatTime(1500))));
    EXPECT_FALSE(timeFigures(single).contains("95"));
    EXPECT_TRUE(timeFigures(many).contains("95") && timeFigures(many).contains("50")) << timeFigures(many).toStdString();
    EXPECT_LT(timeFigures(many).indexOf(q(formatTime(1500))), timeFigures(many).indexOf("95"));
}

TEST(EvidenceTicks, StandAtTheBaselinesValueAndWithinTheBar)
{
    EvidenceBars bars;
    bars.setRows(
        {{"share", 50, 80, "≥", "50 %", "80 %", true, true, {}, {{25, "+25", Token::series5}, {1000, "−95", Token::series6}}, true},
         {"plain", 50, 80, "≥", "50 %", "80 %", true, true, {}, {{{}, "n/a", Token::series5}}, true}});
    exposeAt(bars, {400, 120});
    const QImage image = bars.grab().toImage();
    constexpr int kAboveTheBar = 18;
    EXPECT_EQ(image.pixelColor(100, kAboveTheBar), color(Token::series5)) << "a quarter of the scale";
    EXPECT_EQ(image.pixelColor(399, kAboveTheBar), color(Token::series6)) << "beyond the scale, at its end";
    EXPECT_EQ(image.pixelColor(320, kAboveTheBar), color(Token::text)) << "the threshold";
    EXPECT_EQ(image.pixelColor(150, 24), color(Token::accent));
    EXPECT_EQ(image.pixelColor(250, 24), color(Token::raised)) << "it ends at a half";
    int ticks = 0;
    for (int x = 0; x < image.width(); ++x)
        ticks += image.pixelColor(x, 38 + kAboveTheBar) == color(Token::series5);
    EXPECT_EQ(ticks, 0) << "it was not measured there";
}

} // namespace
} // namespace kl::ui
