// SPDX-License-Identifier: MIT
// The pages History and Home in the window on a database of one's own, the charts of a history, and where labels of lines are placed.
#include "sessions/learning/history.h"
#include "sessions/learning/mistake_count.h"
#include "sessions/learning/money.h"
#include "sessions/learning/regressions.h"
#include "sessions/learning/roadmap.h"
#include "tests/ui/support/learning_pages.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/geometry/labels.h"
#include "ui/charts/xy_chart.h"
#include "ui/models/session_table_model.h"
#include "ui/pages/history/money_card.h"
#include "ui/pages/history_charts.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/key_figure.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

namespace kl::ui {
namespace {

TEST_F(LearningPages, ASessionOnTheRecordingHasNoFiguresOfOnesOwn)
{
    const QList<KeyFigure*> figures = page("home")->findChildren<KeyFigure*>();
    ASSERT_EQ(figures.size(), 6);
    const auto note = [&](int figure) { return figures[figure]->findChildren<QLabel*>().at(1)->text(); }; // below the value
    EXPECT_FALSE(note(2).isEmpty());
    EXPECT_EQ(note(4), note(2)) << "mistakes, like time saved, are those of live sessions, and there are none yet";
}

TEST_F(LearningPages, HistoryOpensAtItsPrices)
{
    const auto showsPrices = [&](const QString& at) {
        window->showPage("history", at);
        EXPECT_TRUE(waitForJobs());
        QTest::qWait(50); // it scrolls once the layout has settled
        const auto* card = window->page("history")->findChild<MoneyCard*>();
        return card != nullptr && !card->visibleRegion().isEmpty();
    };
    EXPECT_FALSE(showsPrices({})) << "they are further down";
    EXPECT_TRUE(showsPrices("money"));
}

TEST_F(LearningPages, ARegressionIsAcknowledgedAndTheMarkUndone)
{
    for (int i = 0; i < 12; ++i) {
        RunRecord run;
        run.id = {"r" + std::to_string(10 + i)};
        run.kernel = {"transpose", "naive", {}};
        run.problem = {{"M", std::int64_t{64}}, {"N", std::int64_t{64}}};
        run.sourceHash = "hash";
        run.device.uuid = "GPU-1";
        run.device.name = "NVIDIA H200";
        run.startedAt = "2026-03-01T09:" + std::to_string(10 + i) + ":00.000Z";
        run.correctness.result = CorrectnessResult::correct;
        run.timing.emplace();
        const double ns = i < 10 ? 100 + 0.1 * (i % 3) : 120;
        run.timing->gpu = {ns, ns, ns, 3};
        ASSERT_TRUE(context->engine()->store->saveRun(run));
    }
    context->pollData();
    Page* history = page("history");
    history->findChild<QLineEdit*>("regressionNote")->setText("a new driver");
    click(history, "acknowledgeRegression");
    const auto state = [&] { return regressions(context->store())->at(0).state; };
    EXPECT_EQ(state(), RegressionState::acknowledged);
    EXPECT_EQ(regressions(context->store())->at(0).note, "a new driver");
    click(history, "undoRegression");
    EXPECT_EQ(state(), RegressionState::open);
    click(history, "newNormalRegression");
    EXPECT_EQ(state(), RegressionState::newNormal);
    click(history, "undoRegression");
    click(history, "fixedRegression");
    EXPECT_EQ(state(), RegressionState::fixed);
}

TEST_F(LearningPages, AnOwnHistoryShowsNothingOfTheDocuments)
{
    Page* history = page("history");
    EXPECT_FALSE(history->findChild<QLabel*>("quoted-time-saved"));
    EXPECT_TRUE(history->findChild<QLabel*>("own-time-saved"));
    EXPECT_FALSE(history->findChild<QLabel*>("planned-N+6"));
    for (const XYChart* chart : history->findChildren<XYChart*>())
        EXPECT_LE(chart->spec().series.size(), 2U) << "neither a trajectory nor a quoted trend";
}

TEST_F(LearningPages, TheSampleShowsPlansDashboardTrendAndWhatEachSessionTells)
{
    ASSERT_TRUE(context->switchTo(":documents:"));
    Page* history = page("history");
    for (const char* name : {"quoted-time-saved", "quoted-cost-saved", "quoted-library", "quoted-sessions", "quoted-average-gain",
                             "quoted-return", "planned-N+6"})
        EXPECT_TRUE(history->findChild<QLabel*>(name)) << name;
    EXPECT_TRUE(history->findChild<QPushButton*>("storyPattern-baseline-first")) << "N taught it";
    for (DataTable* table : history->findChildren<DataTable*>())
        table->selectRow(1);
    EXPECT_TRUE(history->findChild<QPushButton*>("storyPattern-preemptible-detection")) << "N+1 applied it";
    Page* home = page("home");
    EXPECT_TRUE(home->findChild<QLabel*>("quoted-return"));
    EXPECT_TRUE(home->findChild<QLabel*>("planned-N+4"));
}

TEST_F(LearningPages, TheMistakesOfTheDocumentsAreAsManyOnEveryPage)
{
    ASSERT_TRUE(context->switchTo(":documents:"));
    Page* history = page("history");
    int made = 0;
    for (const char* kind : {mistake::kUnvalidatedBuild, mistake::kSharedMemoryAfterCompile, mistake::kBlindChange, mistake::kClaimsAsReal,
                             mistake::kScaledDownDesign, mistake::kLargeSizeFirst, mistake::kTwoVariables}) {
        const auto* count = history->findChild<QLabel*>(QStringLiteral("made-%1").arg(QLatin1String(kind)));
        ASSERT_TRUE(count) << kind;
        made += count->text().toInt();
    }
    EXPECT_EQ(made, 7);
    EXPECT_EQ(page("home")->findChildren<KeyFigure*>().at(4)->findChildren<QLabel*>().at(0)->text(), "7");
}

TEST_F(LearningPages, ADerivedCostIsMarkedOnHome)
{
    ASSERT_TRUE(context->switchTo(":sample:"));
    const QString cost = page("home")->findChildren<KeyFigure*>().at(3)->findChildren<QLabel*>().at(0)->text();
    EXPECT_TRUE(cost.startsWith(QStringLiteral("~$"))) << utf8(cost);
}

TEST_F(LearningPages, LegendsHaveRoomForTheirNamesAfterAnotherHistoryIsShown)
{
    const auto cut = [&] {
        QStringList names;
        Page* history = page("history");
        QTest::qWait(50); // laid out
        for (const ChartCard* card : history->findChildren<ChartCard*>())
            for (const QLabel* label : card->findChildren<QLabel*>())
                if (label->isVisible() && !label->wordWrap() && label->width() < label->sizeHint().width())
                    names << label->text();
        return names.join(u'|').toStdString();
    };
    page("history"); // which is shown while it is filled again
    for (const char* database : {":sample:", ":documents:"}) {
        ASSERT_TRUE(context->switchTo(database));
        ASSERT_TRUE(waitForJobs());
        EXPECT_EQ(cut(), "") << database;
    }
}

TEST_F(LearningPages, OneLinkGoesBetweenTheHistoriesOfTheSample)
{
    auto* link = window->findChild<QPushButton*>("otherHistory");
    EXPECT_FALSE(link->isVisible()) << "only in the sample";
    ASSERT_TRUE(context->switchTo(":sample:"));
    const auto sessions = [&] {
        for (const DataTable* table : page("history")->findChildren<DataTable*>())
            if (table->accessibleName() == "All sessions")
                return table->model()->rowCount();
        return -1;
    };
    const int recorded = sessions();
    EXPECT_GE(recorded, 15);
    for (const XYChart* chart : page("history")->findChildren<XYChart*>()) {
        ASSERT_FALSE(chart->spec().series.empty());
        EXPECT_GE(chart->spec().series.front().points.size(), 15U) << "every chart has something to show";
    }
    EXPECT_FALSE(page("home")->findChild<QLabel*>("planned-N+6"));
    EXPECT_EQ(context->store().patterns()->size(), 24U) << "one was learned in the recorded sessions";

    QTest::mouseClick(link, Qt::LeftButton);
    EXPECT_EQ(context->location(), ":documents:");
    EXPECT_TRUE(context->isSample());
    EXPECT_EQ(window->currentPage(), "home");
    EXPECT_EQ(sessions(), 7);
    EXPECT_TRUE(page("home")->findChild<QLabel*>("planned-N+6"));
    EXPECT_EQ(context->store().patterns()->size(), 23U);

    QTest::mouseClick(link, Qt::LeftButton);
    EXPECT_EQ(context->location(), ":sample:");
    EXPECT_EQ(sessions(), recorded);
}

TEST_F(LearningPages, MoneyIsEnteredAndTakenBack)
{
    Page* history = page("history");
    history->findChild<QDoubleSpinBox*>("costDollars")->setValue(0.85);
    history->findChild<QLineEdit*>("costNote")->setText("help");
    click(history, "addCost");
    ASSERT_EQ(context->store().costs()->size(), 1U);
    EXPECT_EQ(context->store().costs()->at(0).kind, "assistant");
    EXPECT_EQ(context->store().costs()->at(0).session, id.text);
    EXPECT_TRUE(says(history, "$0.85 · help"));
    for (QPushButton* button : history->findChildren<QPushButton*>())
        if (button->objectName() == "removeCost") {
            QTest::mouseClick(button, Qt::LeftButton);
            break;
        }
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(context->store().costs()->empty());
}

TEST_F(LearningPages, PricesAreSet)
{
    Page* history = page("history");
    history->findChild<QComboBox*>("gpuName")->setCurrentText("NVIDIA H200");
    history->findChild<QDoubleSpinBox*>("gpuPrice")->setValue(4.25);
    history->findChild<QDoubleSpinBox*>("engineerRate")->setValue(50);
    history->findChild<QDoubleSpinBox*>("costTarget")->setValue(7);
    click(history, "savePrices");
    EXPECT_DOUBLE_EQ(sessionCostTarget(context->store()), 7);
    EXPECT_DOUBLE_EQ(findPrice(*gpuPrices(context->store()), "NVIDIA H200")->dollarsPerHour, 4.25);
    EXPECT_DOUBLE_EQ(engineerRate(context->store()), 50);
}

TEST_F(LearningPages, TheRoadmapIsEdited)
{
    Page* history = page("history");
    auto* title = history->findChild<QLineEdit*>("stepTitle");
    title->setText("Write the paper");
    click(history, "addStep");
    Roadmap roadmap = *loadRoadmap(context->store());
    ASSERT_TRUE(findRoadmapStep(roadmap, "write-the-paper"));
    auto* row = history->findChild<QLineEdit*>("step-write-the-paper");
    ASSERT_NE(row, nullptr);
    row->setText("Write it up");
    QTest::keyClick(row, Qt::Key_Return);
    ASSERT_TRUE(waitForJobs());
    roadmap = *loadRoadmap(context->store());
    EXPECT_EQ((*findRoadmapStep(roadmap, "write-the-paper"))->title, "Write it up");
    EXPECT_TRUE(says(page("home"), q(roadmap.steps.front().title))) << "Home shows the next steps";
}

TEST_F(LearningPages, MistakesAndBlindOptimizationsAreShown)
{
    ASSERT_FALSE(context->engine()->sessions.act(id, SessionAction::verifySmallest));
    Page* history = page("history");
    const Result<History> learned = loadHistory(context->store());
    ASSERT_TRUE(learned) << learned.error().message;
    ASSERT_FALSE(learned->mistakes.empty());
    for (const MistakeKind& kind : learned->mistakes) {
        const QString count = QString::number(mistakeCount(*learned, kind.id).made);
        bool shown = false;
        for (const QLabel* made : history->findChildren<QLabel*>(QStringLiteral("made-") + q(kind.id)))
            shown = shown || (made->isVisibleTo(history) && made->text() == count);
        EXPECT_TRUE(shown) << kind.id;
        EXPECT_TRUE(says(history, q(kind.text))) << kind.id;
    }
    EXPECT_FALSE(learned->convergence.sessions);
    ASSERT_FALSE(learned->convergence.why.empty());
    EXPECT_TRUE(says(history, q(learned->convergence.why)));
}

TEST_F(LearningPages, AnOpenSessionHasItsGatesWhereverItIsListed)
{
    ASSERT_TRUE(context->engine()->sessions.act(id, SessionAction::checkEnvironment));
    const auto gatesIn = [&](const char* name) {
        for (const DataTable* table : page(name)->findChildren<DataTable*>())
            if (table->model()->columnCount() == SessionTableModel::ColumnCount)
                return table->model()->index(0, SessionTableModel::Gates).data().toString();
        return QString();
    };
    const QString gates = gatesIn("home");
    EXPECT_TRUE(gates.contains(QStringLiteral("✓"))) << utf8(gates);
    EXPECT_EQ(gatesIn("history"), gates);
}

TEST_F(LearningPages, HomeGivesTheObjectiveRoomAtTheSmallestSize)
{
    const auto* table = page("home")->findChild<DataTable*>();
    EXPECT_GE(table->columnWidth(SessionTableModel::Objective), 200);
    window->resize(1920, 1080);
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(table->isColumnHidden(SessionTableModel::Cost)) << "a wide window adds columns";
}

TEST(HistoryCharts, TheQuotedTrendAndGoalAreDrawn)
{
    History history;
    for (const char* name : {"N", "N+1", "N+2"}) {
        HistoryRow row;
        row.name = name;
        row.sample = true;
        history.rows.push_back(row);
    }
    history.trend = QuotedTrend{0.33, 0.45, "", ""};
    history.goal = QuotedGoal{"N+4", 30, "N", 180, 0.83, ""};
    const XYSpec spec = minutesChart(history).spec;
    std::vector<double> ends;
    for (const XYSeries& series : spec.series)
        if (series.dashed)
            ends.push_back(series.points.back().y);
    ASSERT_EQ(ends.size(), 2U);
    EXPECT_NEAR(ends[0], 180 * 0.67 * 0.67, 1e-9);
    EXPECT_NEAR(ends[1], 180 * 0.55 * 0.55, 1e-9);
    EXPECT_EQ(spec.references.back().y, 30);
}

TEST(HistoryCharts, BriefSessionsAreDrawnInSeconds)
{
    History history;
    HistoryRow row;
    row.name = "N";
    row.kind = "optimize, scripted"; // else an expert's two hours are among the lines
    row.minutes = {{0.5, FigureKind::measured, {}}};
    history.rows = {row};
    const auto firstY = [&] { return minutesChart(history).spec.series.front().points.front().y; };
    EXPECT_EQ(firstY(), 30);
    history.rows.front().minutes.front().value = 40;
    EXPECT_EQ(firstY(), 40) << "minutes";
}

TEST(HistoryCharts, FitAndItsBandAreDrawnAtTheirSessions)
{
    History history;
    for (int i = 0; i < 5; ++i) {
        HistoryRow row;
        row.name = "N+" + std::to_string(i);
        row.kind = "optimize";
        row.status = SessionStatus::complete;
        row.minutes = {{400 - 60.0 * i, FigureKind::measured, {}}};
        row.money.gpu = {{i == 0 ? 7.0 : 2.0, FigureKind::measured, {}}};
        history.rows.push_back(row);
    }
    history.convergenceKind = "optimize";
    history.convergence = estimateConvergence({400, 340, 280, 220, 160});
    const HistoryChart minutes = minutesChart(history);
    const auto fit = std::find_if(minutes.spec.series.begin(), minutes.spec.series.end(),
                                  [](const XYSeries& series) { return series.name.contains("95 %"); });
    ASSERT_NE(fit, minutes.spec.series.end());
    ASSERT_EQ(fit->points.size(), 5U);
    EXPECT_LE((fit + 1)->points[2].y, fit->points[2].y);
    EXPECT_GE((fit + 2)->points[2].y, fit->points[2].y);
    EXPECT_TRUE(minutes.title.contains("expert")) << utf8(minutes.title);
    EXPECT_TRUE(costChart(history).title.contains("$5.00")) << utf8(costChart(history).title);
}

TEST(PlaceLabels, DodgeLinesAndEachOther)
{
    const QRectF plot(0, 0, 400, 100);
    // Two reference lines close together, and data that runs up through the left.
    const std::vector<QLineF> lines{{0, 50, 400, 50}, {0, 60, 400, 60}, {0, 100, 100, 0}};
    const auto boxes = placeLabels({{{0, 50}, 80, true}, {{0, 60}, 80, true}}, lines, plot);
    ASSERT_EQ(boxes.size(), 2U);
    EXPECT_FALSE(boxes[0].intersects(boxes[1]));
    EXPECT_LT(boxes[0].bottom(), 50) << "above its own line";
    EXPECT_GT(boxes[1].top(), 60) << "below, since the other line runs above";
    EXPECT_TRUE(plot.contains(boxes[0]));
    const auto edge = placeLabels({{{390, 5}, 80, false}}, {}, plot);
    EXPECT_TRUE(plot.contains(edge[0])) << "inside the plot at its corner";
}

TEST(PlaceLabels, TellWhichOfTwoCloseLinesTheyBelongTo)
{
    const QRectF plot(0, 0, 400, 120);
    for (const double distance : {3.0, 8.0, 12.0, 18.0, 22.0}) {
        const double upper = 50, lower = upper + distance;
        // Data above the upper line, all along it: each place above costs something.
        std::vector<QLineF> lines{{0, upper, 400, upper}, {0, lower, 400, lower}, {0, 40, 400, 40}};
        for (const bool upperFirst : {true, false}) {
            std::vector<LabelWish> wishes{{{0, upper}, 80, true}, {{0, lower}, 80, true}};
            if (!upperFirst)
                std::ranges::reverse(wishes);
            std::vector<QRectF> boxes = placeLabels(wishes, lines, plot);
            if (!upperFirst)
                std::ranges::reverse(boxes);
            EXPECT_LT(boxes[0].bottom(), upper) << distance;
            EXPECT_GT(boxes[1].top(), lower) << distance;
        }
    }
    const auto apart = placeLabels({{{0, 20}, 80, true}, {{0, 80}, 80, true}}, {}, plot);
    EXPECT_LT(apart[1].bottom(), 80) << "above its line, as long as no other line is near";
}

TEST(PlaceLabels, FindTheGapInTheData)
{
    const QRectF plot(0, 0, 700, 100);
    std::vector<QLineF> lines{{0, 50, 700, 50}};
    for (double x = 4; x < 700; x += 30)
        if (x < 430 || x > 520) // a gap of 116 pixels
            lines.emplace_back(x, 0, x + 4, 100);
    const QRectF box = placeLabels({{{0, 50}, 86, true}}, lines, plot)[0];
    for (const QLineF& line : lines)
        EXPECT_FALSE(box.contains(line.center().x(), box.center().y()) && line.x1() != 0) << box.left();
    EXPECT_GT(box.left(), 400);
    EXPECT_LT(box.right(), 540);
}

TEST(PlaceLabels, RatherLieOnALineThanOnAMarker)
{
    const QPointF marker(350, 42);
    std::vector<QLineF> lines{{marker, marker}, {350, 56, 350, 56}}; // above and below the right end
    for (const double x : {20.0, 40.0, 130.0, 150.0, 220.0, 240.0, 270.0, 290.0})
        lines.emplace_back(x, 0, x, 100);
    const auto boxes = placeLabels({{{400, 50}, 100, true}}, lines, {0, 0, 400, 100});
    EXPECT_FALSE(boxes[0].contains(marker));
    EXPECT_FALSE(boxes[0].contains(lines[1].p1()));
}

TEST(PlaceLabels, ManyKernelsInOneRooflineDoNotOverlap)
{
    const QRectF plot(0, 0, 900, 260);
    std::vector<LabelWish> wishes;
    for (int i = 0; i < 13; ++i)
        wishes.push_back({{700.0 + 15 * i, 60.0 + 15 * (i % 7)}, 70, false}); // crowded at the right edge
    wishes.push_back({{0, 94}, 200, true});                                   // a roof through them
    const auto boxes = placeLabels(wishes, {}, plot);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        EXPECT_TRUE(plot.contains(boxes[i])) << i;
        for (std::size_t k = 0; k < i; ++k)
            EXPECT_FALSE(boxes[i].intersects(boxes[k])) << i << " and " << k;
    }
}

} // namespace
} // namespace kl::ui
