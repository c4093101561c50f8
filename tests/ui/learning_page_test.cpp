// SPDX-License-Identifier: MIT
#include "sessions/learning/money.h"
#include "sessions/learning/regressions.h"
#include "sessions/learning/roadmap.h"
#include "sessions/patterns/pattern_body.h"
#include "sessions/patterns/pattern_library.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/geometry/labels.h"
#include "ui/charts/xy_chart.h"
#include "ui/models/session_table_model.h"
#include "ui/pages/compare/time_bars.h"
#include "ui/pages/history_charts.h"
#include "ui/pages/patterns/flow_view.h"
#include "ui/tour/tour_steps.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/key_figure.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace kl::ui {
namespace {

/// A window on a database of one's own, with one session on the recording.
class LearningPages : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open(utf8(dir.filePath("own.db")), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        NewSession request;
        request.name = "N+6";
        request.objective = "Coalesce the stores";
        request.kernel = "transpose";
        const auto session = context->engine()->sessions.create(request);
        ASSERT_TRUE(session) << session.error().message;
        id = session->header.id;
        context->setCurrentSession(id, "N+6", "transpose");
        window = std::make_unique<MainWindow>(*context);
        window->resize(1280, 800);
        window->show();
        ASSERT_TRUE(waitForJobs());
    }
    Page* page(const QString& name)
    {
        window->showPage(name);
        EXPECT_TRUE(waitForJobs());
        return window->page(name);
    }
    void click(Page* on, const char* name)
    {
        auto* button = on->findChild<QPushButton*>(name);
        ASSERT_NE(button, nullptr) << name;
        ASSERT_TRUE(button->isEnabled()) << name;
        QTest::mouseClick(button, Qt::LeftButton);
        ASSERT_TRUE(waitForJobs());
    }
    static bool says(Page* on, const QString& words)
    {
        for (const QLabel* label : on->findChildren<QLabel*>())
            if (label->isVisibleTo(on) && label->text().contains(words))
                return true;
        return false;
    }

    QTemporaryDir dir;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    SessionId id;
};

TEST_F(LearningPages, PatternsSuitTheSessionAndAreApplied)
{
    Page* patterns = page("patterns");
    EXPECT_TRUE(patterns->findChild<QPushButton*>("suggestion-baseline-first"));
    click(patterns, "applyPattern");
    const auto uses = context->store().applications();
    ASSERT_EQ(uses->size(), 1U);
    EXPECT_EQ(uses->at(0).pattern, "baseline-first");
    EXPECT_FALSE(uses->at(0).measuredMinutes);
    EXPECT_TRUE(patterns->findChild<QLabel*>("patternUses")->text().contains("N+6"));
}

TEST_F(LearningPages, APatternIsDraftedRewordedAndSaved)
{
    Page* patterns = page("patterns");
    click(patterns, "addPattern");
    auto* title = patterns->findChild<QLineEdit*>("patternTitle");
    ASSERT_TRUE(title->isVisible());
    EXPECT_TRUE(says(patterns, "N+6"));
    EXPECT_EQ(patterns->findChild<QPlainTextEdit*>("patternProblem")->toPlainText(), "Coalesce the stores");
    title->setText("Look at the stores first");
    patterns->findChild<QPlainTextEdit*>("patternAdvice")->setPlainText("Count sectors per request.");
    click(patterns, "savePattern");
    EXPECT_TRUE(says(patterns, "Look at the stores first"));
    const auto slugs = context->store().searchPatterns("sectors request");
    ASSERT_TRUE(slugs);
    EXPECT_EQ(*slugs, std::vector<std::string>{"look-at-the-stores-first"});
}

TEST_F(LearningPages, AnOwnPatternIsWrittenWholeEditedRetiredAndRestored)
{
    Page* patterns = page("patterns");
    click(patterns, "newPattern");
    const auto write = [&](const char* field, const QString& text) { patterns->findChild<QPlainTextEdit*>(field)->setPlainText(text); };
    patterns->findChild<QLineEdit*>("patternTitle")->setText("Pad the tile");
    write("patternProblem", "Columns share a bank.");
    write("patternAdvice", "Add a word to each row.");
    write("patternWhyField", "32 banks, 32 columns.");
    write("patternStepsField", "Profile.\n\nPad.");
    write("patternBefore", "tile[32][32]");
    write("patternAfter", "tile[32][33]");
    click(patterns, "savePattern");
    auto body = patternBody(context->store(), "pad-the-tile");
    ASSERT_TRUE(body);
    EXPECT_EQ(body->steps, (std::vector<std::string>{"Profile.", "Pad."}));
    EXPECT_EQ(patterns->findChild<QLabel*>("patternWhy")->text(), "32 banks, 32 columns.");
    EXPECT_EQ(patterns->findChild<QPlainTextEdit*>("codeAfter")->toPlainText(), "tile[32][33]");
    click(patterns, "editPattern");
    EXPECT_EQ(patterns->findChild<QPlainTextEdit*>("patternStepsField")->toPlainText(), "Profile.\nPad.");
    write("patternWhyField", "");
    click(patterns, "savePattern");
    body = patternBody(context->store(), "pad-the-tile");
    EXPECT_EQ(body->why, "") << "what is emptied is gone";
    EXPECT_EQ(body->after, "tile[32][33]");
    click(patterns, "retirePattern");
    EXPECT_TRUE(isRetired(context->store(), "pad-the-tile"));
    click(patterns, "retirePattern");
    EXPECT_FALSE(isRetired(context->store(), "pad-the-tile"));
}

TEST_F(LearningPages, AShippedPatternIsWholeAndCopiedNotChanged)
{
    window->showPage("patterns", "static-assertions");
    ASSERT_TRUE(waitForJobs());
    Page* patterns = window->page("patterns");
    for (const char* part : {"patternWhenText", "patternProblemText", "patternAdviceText", "patternWhy", "patternEvidence", "patternSteps",
                             "patternChecklist"})
        EXPECT_FALSE(patterns->findChild<QLabel*>(part)->text().isEmpty()) << part;
    EXPECT_TRUE(patterns->findChild<QPlainTextEdit*>("codeBefore")->isVisible());
    EXPECT_FALSE(patterns->findChild<QPushButton*>("retirePattern")->isVisible());
    click(patterns, "editPattern");
    click(patterns, "savePattern");
    const auto all = context->store().patterns();
    EXPECT_EQ(std::ranges::count(*all, "own", &Pattern::kind), 1);
    EXPECT_EQ(std::ranges::find(*all, "static-assertions", &Pattern::slug)->kind, "operational");
}

TEST_F(LearningPages, TheFlowShowsTheNextPatternAndLeadsToIt)
{
    Page* patterns = page("patterns");
    auto* flow = patterns->findChild<FlowView*>();
    ASSERT_TRUE(flow->flow().next());
    EXPECT_EQ(flow->flow().next()->id, "environment") << "the session has just begun";
    ASSERT_TRUE(context->engine()->sessions.act(id, SessionAction::checkEnvironment));
    context->pollData();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(flow->flow().next()->id, "baseline");
    const FlowPlan plan = layoutFlow(flow->flow(), flow->width());
    const auto box = std::ranges::find(plan.boxes, "debug", [](const FlowBox& b) { return b.node.id; });
    QTest::mouseClick(flow, Qt::LeftButton, {}, box->place.center().toPoint());
    EXPECT_TRUE(patterns->findChild<QLabel*>("patternSteps")->text().startsWith("1. Hypothesis"));
    for (const FlowBox& one : plan.boxes)
        for (const FlowBox& other : plan.boxes)
            EXPECT_TRUE(&one == &other || !one.place.intersects(other.place)) << one.node.id << " and " << other.node.id;
}

TEST_F(LearningPages, TheBuildRecipeIsFilledInFromTheCheck)
{
    window->showPage("patterns", "single-compilation-unit");
    ASSERT_TRUE(waitForJobs());
    Page* patterns = window->page("patterns");
    click(patterns, "fillRecipe");
    EXPECT_TRUE(patterns->findChild<QPlainTextEdit*>("patternRecipe")->toPlainText().contains("[x]"));
}

TEST_F(LearningPages, ASessionOnTheRecordingHasNoFiguresOfOnesOwn)
{
    const QList<KeyFigure*> figures = page("home")->findChildren<KeyFigure*>();
    ASSERT_EQ(figures.size(), 6);
    const auto note = [&](int figure) { return figures[figure]->findChildren<QLabel*>().at(1)->text(); }; // below the value
    EXPECT_FALSE(note(2).isEmpty());
    EXPECT_EQ(note(4), note(2)) << "mistakes, like time saved, are those of live sessions, and there are none yet";
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

TEST_F(LearningPages, TheTimesBesideAnInterleavedVerdictGiveNoRatioOfTheirOwn)
{
    ASSERT_TRUE(context->switchTo(":sample:"));
    window->showPage("compare", findTourSubject(TourSubject::comparison, context->store()));
    ASSERT_TRUE(waitForJobs());
    const auto* bars = window->page("compare")->findChild<TimeBars*>();
    ASSERT_TRUE(bars);
    EXPECT_FALSE(bars->finding().contains(QStringLiteral("×"))) << utf8(bars->finding());
}

TEST_F(LearningPages, NothingOfOneDatabaseStaysOpenInAnother)
{
    const std::string own = utf8(context->location());
    ASSERT_TRUE(context->switchTo(":sample:"));
    window->resize(960, 600);
    auto* sessions = page("session");
    auto* bar = sessions->findChild<QScrollArea*>()->verticalScrollBar();
    for (int i = 0; i < 100 && bar->maximum() == 0; ++i)
        QTest::qWait(10); // until it is laid out
    ASSERT_GT(bar->maximum(), 0);
    bar->setValue(bar->maximum());
    window->showPage("session", findTourSubject(TourSubject::session, context->store()));
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(sessions->findChild<QWidget*>("gateCard")->isVisible()) << "of the stage that was asked for";
    EXPECT_EQ(bar->value(), 0) << "where the list was scrolled to says nothing of a session";
    window->showPage("compare", findTourSubject(TourSubject::comparison, context->store()));
    ASSERT_TRUE(waitForJobs());
    const auto* verdict = page("compare")->findChild<QLabel*>("verdictSentence");
    EXPECT_TRUE(verdict->isVisible());
    const auto* searches = page("search")->findChild<QComboBox*>("watched");
    EXPECT_GE(searches->count(), 4);

    ASSERT_TRUE(context->switchTo(own));
    QSignalSpy posted(context.get(), &AppContext::messagePosted);
    for (const char* name : {"session", "compare", "search"})
        page(name);
    EXPECT_EQ(posted.size(), 0) << "nothing of the other database was looked for";
    EXPECT_FALSE(verdict->isVisible());
    EXPECT_EQ(searches->count(), 0);
    ASSERT_TRUE(context->switchTo(":sample:"));
    page("search");
    EXPECT_GE(searches->count(), 4);
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

TEST_F(LearningPages, AWideWindowShowsAllCalculators)
{
    window->resize(1280, 800);
    Page* calculate = page("calculate");
    EXPECT_FALSE(calculate->findChild<QWidget*>("launches")->isVisible());
    window->resize(2560, 1440);
    QCoreApplication::processEvents();
    for (const char* name : {"shared-memory", "occupancy", "memory", "launches"})
        EXPECT_TRUE(calculate->findChild<QWidget*>(name)->isVisible()) << name;
    window->resize(1280, 800);
    QCoreApplication::processEvents();
    EXPECT_TRUE(calculate->findChild<QWidget*>("shared-memory")->isVisible());
    EXPECT_FALSE(calculate->findChild<QWidget*>("launches")->isVisible());
}

TEST_F(LearningPages, ASearchWithAnEndingStillFinds)
{
    Page* patterns = page("patterns");
    patterns->findChild<QLineEdit*>()->setText("environments validated");
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(patterns->findChild<DataTable*>()->tsv(false).contains("Validate the environment"));
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
    EXPECT_DOUBLE_EQ(priceOf(*gpuPrices(context->store()), "NVIDIA H200")->dollarsPerHour, 4.25);
    EXPECT_DOUBLE_EQ(engineerRate(context->store()), 50);
}

TEST_F(LearningPages, TheRoadmapIsEdited)
{
    Page* history = page("history");
    auto* title = history->findChild<QLineEdit*>("stepTitle");
    title->setText("Write the paper");
    click(history, "addStep");
    Roadmap roadmap = *loadRoadmap(context->store());
    ASSERT_TRUE(stepOf(roadmap, "write-the-paper"));
    auto* row = history->findChild<QLineEdit*>("step-write-the-paper");
    ASSERT_NE(row, nullptr);
    row->setText("Write it up");
    QTest::keyClick(row, Qt::Key_Return);
    ASSERT_TRUE(waitForJobs());
    roadmap = *loadRoadmap(context->store());
    EXPECT_EQ((*stepOf(roadmap, "write-the-paper"))->title, "Write it up");
    EXPECT_TRUE(says(page("home"), q(roadmap.steps.front().title))) << "Home shows the next steps";
}

TEST_F(LearningPages, MistakesAndBlindOptimizationsAreShown)
{
    ASSERT_FALSE(context->engine()->sessions.act(id, SessionAction::verifySmallest));
    Page* history = page("history");
    EXPECT_TRUE(says(history, "Blind optimizations"));
    EXPECT_TRUE(says(history, "convergence"));
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
