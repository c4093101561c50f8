// SPDX-License-Identifier: MIT
// The points of a search by themselves: the funnel of the gates, their list, one point, what was measured.
#include "core/base/format.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/pages/search/funnel_chart.h"
#include "ui/pages/search/funnel_stages.h"
#include "ui/pages/search/measured_view.h"
#include "ui/pages/search/point_card.h"
#include "ui/pages/search/points_view.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace kl::ui {
namespace {

SpacePoint makePoint(std::int64_t tile, std::optional<std::size_t> rejectedBy)
{
    SpacePoint point;
    point.tunables = {{"TILE", ParamValue(tile)}};
    point.rejectedBy = rejectedBy;
    for (std::size_t i = 0; i < kSpaceGates.size(); ++i)
        point.verdicts[i] = {kSpaceGates[i],
                             true,
                             i != rejectedBy,
                             10.0 + static_cast<double>(i),
                             20.0 + static_cast<double>(i),
                             "reason " + std::to_string(i)};
    return point;
}

TEST(Funnels, EachStageHasWhatItsGateLeavesHereAndThere)
{
    SearchSpace space;
    space.total = 10;
    space.rejected = {3, 0, 2, 0, 0, 1};
    space.points = {makePoint(8, 2), makePoint(16, {})};
    space.points[0].verdicts[2].reason = "too little";
    for (SpacePoint& point : space.points)
        point.verdicts[4] = {SpaceGate::coalescing, false, true, {}, {}, "nothing is known"};
    SearchSpace other = space;
    other.rejected = {0, 0, 0, 4, 0, 0};
    const std::vector<FunnelStage> stages = funnelStages(space, other);
    ASSERT_EQ(stages.size(), 7U);
    std::vector<std::size_t> left, rejected, there;
    for (const FunnelStage& stage : stages) {
        left.push_back(stage.left);
        rejected.push_back(stage.rejected);
        there.push_back(stage.other.value_or(99));
    }
    EXPECT_EQ(left, (std::vector<std::size_t>{10, 7, 7, 5, 5, 5, 4}));
    EXPECT_EQ(rejected, (std::vector<std::size_t>{0, 3, 0, 2, 0, 0, 1}));
    EXPECT_EQ(there, (std::vector<std::size_t>{10, 10, 10, 10, 6, 6, 6}));
    EXPECT_EQ(stages[3].name, q(titleFor(SpaceGate::occupancy)));
    EXPECT_TRUE(stages[3].help.endsWith("too little")) << stages[3].help.toStdString();
    EXPECT_TRUE(stages[3].judged);
    EXPECT_TRUE(stages[2].help.isEmpty()) << "it rejects nothing";
    EXPECT_FALSE(stages[5].judged);
    EXPECT_EQ(stages[5].help, "nothing is known");
    EXPECT_FALSE(funnelStages(space, {}).back().other) << "there is no other GPU";
}

TEST(Funnels, TheTableAndTheLegendHaveTheOtherGpuWhereThereIsOne)
{
    FunnelChart chart;
    EXPECT_FALSE(chart.emptyReason().isEmpty());
    std::vector<FunnelStage> stages(2);
    stages[0] = {"All", 0, 9, 9, {}, true};
    stages[1] = {"Threads", 4, 5, 7, {}, true};
    chart.setStages(stages, "T4");
    EXPECT_TRUE(chart.emptyReason().isEmpty());
    EXPECT_EQ(chart.table().rows[1], (QStringList{"Threads", "4", "5", "7"}));
    EXPECT_TRUE(chart.table().header.last().contains("T4"));
    EXPECT_EQ(chart.legend().size(), 3U);
    chart.setStages(stages, {});
    EXPECT_EQ(chart.table().rows[1], (QStringList{"Threads", "4", "5"}));
    EXPECT_EQ(chart.table().header.size(), 3);
    EXPECT_EQ(chart.legend().size(), 2U);
    chart.resize(560, 80);
    QStringList colors;
    const QImage image = chart.grab().toImage();
    EXPECT_NE(image.pixelColor(image.width() / 2, image.height() / 4), image.pixelColor(2, image.height() - 2)) << "a bar is drawn";
}

SpaceRow spaceRow(std::int64_t tile, std::optional<std::size_t> rejectedBy)
{
    SpaceRow row;
    row.point = makePoint(tile, rejectedBy);
    row.changed = row.point.tunables;
    return row;
}

class PointList : public testing::Test {
protected:
    PointList()
    {
        view.setRows({spaceRow(1, {}), spaceRow(2, 0), spaceRow(4, 2), spaceRow(8, {}), spaceRow(16, 2), spaceRow(32, 5)});
        view.resize(900, 400);
        view.show();
    }
    QStringList shown() const
    {
        QStringList points;
        const QAbstractItemModel* model = table()->model();
        for (int row = 0; row < model->rowCount(); ++row)
            points << model->index(row, SpaceTableModel::Point).data().toString().section('=', 1);
        return points;
    }
    DataTable* table() const { return view.findChild<DataTable*>("spacePoints"); }
    QComboBox* choice() const { return view.findChild<QComboBox*>("shown"); }

    PointsView view;
};

TEST_F(PointList, ListsSurvivorsAllRejectedOrThoseOfOneGate)
{
    EXPECT_EQ(shown(), (QStringList{"1", "8"})) << "survivors first";
    EXPECT_TRUE(table()->isColumnHidden(SpaceTableModel::Limit)) << "they are below every limit";
    EXPECT_TRUE(wordsOn(view).contains("2 points"));
    choice()->setCurrentIndex(0);
    EXPECT_EQ(shown(), (QStringList{"1", "2", "4", "8", "16", "32"}));
    EXPECT_FALSE(table()->isColumnHidden(SpaceTableModel::Limit));
    choice()->setCurrentIndex(2);
    EXPECT_EQ(shown(), (QStringList{"2", "4", "16", "32"}));
    view.pick(1);
    EXPECT_EQ(shown(), (QStringList{"2"})) << "the first gate";
    view.pick(3);
    EXPECT_EQ(shown(), (QStringList{"4", "16"}));
    view.pick(6);
    EXPECT_EQ(shown(), (QStringList{"32"})) << "the last gate";
    EXPECT_TRUE(wordsOn(view).contains("1 points"));
    view.pick(0);
    EXPECT_EQ(shown().size(), 6);
}

TEST_F(PointList, ThePointThatIsChosenIsTheOneThatIsShown)
{
    view.pick(3);
    const QSignalSpy chosen(&view, &PointsView::chosen);
    QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(table()->model()->index(1, 0)).center());
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen[0][0].value<SpaceRow>().point.tunables, (Params{{"TILE", ParamValue(std::int64_t{16})}}));
    EXPECT_EQ(table()->sourceRow(), 1);
    view.clearChoice();
    EXPECT_EQ(table()->sourceRow(), -1);
}

TEST_F(PointList, WhatTheCompilerSaysIsOfThatPointAndOfThisSpace)
{
    std::vector<CompiledPoint> built(2);
    built[0].index = 0;
    built[0].verdict = {false, "spills", "96 bytes"};
    built[0].built.ok = true;
    built[0].built.launches.push_back({"f", 64, 255, 96, 0, 0, 0, 0, 0, {}});
    built[1].index = 3;
    built[1].built.ok = true;
    built[1].built.launches.push_back({"f", 64, 40, 0, 0, 0, 0, 0, 0, {}});
    EXPECT_TRUE(table()->isColumnHidden(SpaceTableModel::Registers));
    EXPECT_TRUE(table()->isColumnHidden(SpaceTableModel::Local));
    view.setCompiled(built);
    EXPECT_FALSE(table()->isColumnHidden(SpaceTableModel::Registers));
    EXPECT_FALSE(table()->isColumnHidden(SpaceTableModel::Local));
    EXPECT_EQ(shown(), (QStringList{"8"}));
    EXPECT_EQ(table()->model()->index(0, SpaceTableModel::Registers).data().toString(), "40");
    choice()->setCurrentIndex(2);
    EXPECT_TRUE(shown().contains("1")) << "the compiler rejects it";
    view.setRows({spaceRow(1, {})});
    EXPECT_TRUE(table()->isColumnHidden(SpaceTableModel::Registers)) << "nothing of this space is compiled";
    choice()->setCurrentIndex(1);
    EXPECT_EQ(shown(), (QStringList{"1"}));
}

TEST(PointCards, HaveEachGatesFiguresHereAndThere)
{
    PointCard card;
    SpaceRow row = spaceRow(16, 2);
    SpacePoint there = makePoint(16, 0);
    card.show(row, "H200", nullptr, "T4");
    QStringList texts = seenOn(card);
    EXPECT_TRUE(card.title().contains("TILE=16"));
    EXPECT_TRUE(texts.filter("H200").join(' ').contains(q(titleFor(SpaceGate::occupancy)).toLower())) << texts.join('|').toStdString();
    EXPECT_TRUE(texts.filter("T4").isEmpty()) << "no other GPU is chosen";
    for (int i = 0; i < 6; ++i)
        EXPECT_EQ(texts.count(QStringLiteral("reason %1").arg(i)), 1) << i;
    const auto marks = card.findChildren<MarkLabel*>();
    ASSERT_EQ(marks.size(), 6);
    EXPECT_EQ(marks[1]->text(), markSign(Mark::pass) + " 11 of 21");
    EXPECT_TRUE(marks[2]->text().startsWith(markSign(Mark::fail)));
    EXPECT_TRUE(marks[2]->text().contains("12") && marks[2]->text().contains("22"));
    EXPECT_EQ(marks[2]->toolTip(), "reason 2");
    EXPECT_EQ(marks[5]->text(), markSign(Mark::pass) + " 15-way") << "a conflict has no limit";
    row.point.verdicts[3] = {SpaceGate::registers, false, true, {}, {}, "not estimated"};
    there.verdicts[0].reason = "too much there";
    there.verdicts[2].reason = "too little there";
    card.show(row, "H200", &there, "T4");
    texts = seenOn(card);
    EXPECT_FALSE(texts.filter("T4").isEmpty());
    EXPECT_TRUE(texts.contains("too much there")) << "what fails there alone";
    EXPECT_TRUE(texts.contains("reason 2")) << "what fails here";
    EXPECT_FALSE(texts.contains("too little there"));
    EXPECT_FALSE(texts.contains("reason 1")) << "what passes on both has its reason in the tooltip";
    QStringList signs;
    for (const QString& text : texts)
        if (text.startsWith(markSign(Mark::none)))
            signs << text;
    EXPECT_EQ(signs.size(), 1) << "what was not judged";
}

TEST(PointCards, KeepNothingOfThePointBefore)
{
    PointCard card;
    SpaceRow row = spaceRow(16, {});
    row.compiled.emplace();
    row.compiled->built.ok = true;
    row.compiled->built.launches.push_back({"f", 64, 40, 128, 0, 0, 0, 0, 0, {}});
    row.compiled->verdict.reason = "it fits";
    card.show(row, "H200", nullptr, {});
    const auto* compiled = card.findChild<QLabel*>("pointCompiled");
    for (const char* part : {"f", "40", "128", "it fits"})
        EXPECT_TRUE(compiled->text().contains(part)) << compiled->text().toStdString();
    EXPECT_FALSE(compiled->isHidden());
    row.compiled->built.ok = false;
    row.compiled->verdict.reason = "an error";
    card.show(row, "H200", nullptr, {});
    EXPECT_TRUE(compiled->text().endsWith("an error"));
    card.showElsewhere("Survives on T4.");
    EXPECT_EQ(card.findChild<QLabel*>("pointElsewhere")->text(), "Survives on T4.");
    row.compiled.reset();
    row.changed.clear();
    card.show(row, "H200", nullptr, {});
    EXPECT_TRUE(compiled->isHidden());
    EXPECT_TRUE(card.findChild<QLabel*>("pointElsewhere")->text().isEmpty());
    EXPECT_FALSE(card.title().contains("TILE")) << "nothing differs from the defaults";
    EXPECT_TRUE(card.toolTip().contains("TILE=16"));
    const QSignalSpy left(&card, &PointCard::left);
    buttonOn(card, "allCombinations")->click();
    EXPECT_EQ(left.count(), 1);
}

TunedRow tunedRow(const char* kernel, double ns)
{
    TunedRow row;
    row.point.kernel = kernel;
    row.point.ns = ns;
    row.times = 1;
    return row;
}

TEST(MeasuredViews, TheBestIsThatOfTheSearchThatIsShown)
{
    MeasuredView view;
    view.showNothing("Nothing", "no GPU");
    EXPECT_FALSE(view.showsContent());
    view.showTimes({tunedRow("a/b@TILE=1", 1000), tunedRow("a/b@TILE=2", 2000)}, "a/b on H200");
    EXPECT_TRUE(view.showsContent());
    EXPECT_EQ(view.findChild<QLabel*>("searchAbout")->text(), "a/b on H200");
    const auto* best = view.findChild<QLabel*>("searchBest");
    EXPECT_TRUE(best->isHidden());
    const auto* model = view.findChild<DataTable*>("tuned")->model();
    ASSERT_EQ(model->rowCount(), 2);
    BestPoint found;
    found.wrong = {{"a/b@TILE=1", "out[3] differs"}};
    view.showBest(found);
    EXPECT_FALSE(best->isHidden());
    EXPECT_FALSE(best->text().contains("href")) << "none is correct";
    EXPECT_TRUE(best->text().contains("a/b@TILE=1") && best->text().contains("out[3] differs"));
    EXPECT_NE(model->index(0, TunedTableModel::How).data().toString(), model->index(1, TunedTableModel::How).data().toString());
    found.run.emplace();
    found.run->id.text = "the-run";
    found.run->kernel = *parseAddress("a/b@TILE=2,WARPS=4");
    found.run->timing.emplace();
    found.run->timing->gpu.median = 2000;
    found.run->speedup = 1.5;
    found.run->baseline.emplace();
    found.run->baseline->name = "cuBLAS";
    found.comparison.emplace();
    found.comparison->sentence = "B is faster.";
    view.showBest(found);
    for (const QString& part : {QStringLiteral("a/b@TILE=2, WARPS=4"), q(formatTime(2000)), q("1.50×"), QStringLiteral("cuBLAS"),
                                QStringLiteral("href=\"the-run\""), QStringLiteral("B is faster.")})
        EXPECT_TRUE(best->text().contains(part)) << part.toStdString() << ": " << best->text().toStdString();
    const QSignalSpy opened(&view, &MeasuredView::runOpened);
    emit view.findChild<QLabel*>("searchBest")->linkActivated("the-run");
    ASSERT_EQ(opened.count(), 1);
    EXPECT_EQ(opened[0][0].toString(), "the-run");
    view.showTimes({tunedRow("a/b@TILE=1", 1000)}, "another");
    EXPECT_TRUE(best->isHidden()) << "of the search before";
    EXPECT_EQ(model->rowCount(), 1);
    view.showNothing("Nothing", "no GPU");
    EXPECT_FALSE(view.showsContent());
    EXPECT_EQ(model->rowCount(), 0);
}

} // namespace
} // namespace kl::ui
