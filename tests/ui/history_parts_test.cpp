// SPDX-License-Identifier: MIT
// What the pages make of a history: which sessions are in which series, what the titles name, and what belongs to which session.
#include "sessions/learning/history.h"
#include "ui/charts/xy_chart.h"
#include "ui/pages/history/mistakes_card.h"
#include "ui/pages/history/session_story.h"
#include "ui/pages/history_charts.h"
#include "ui/pages/patterns/patterns_data.h"
#include "ui/pages/shared/dashboard_card.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QLabel>
#include <QPushButton>

namespace kl::ui {
namespace {

HistoryRow makeRow(const char* name, std::optional<double> speedup)
{
    HistoryRow row;
    row.id = std::string("id-") + name;
    row.name = name;
    row.kind = "optimize";
    row.status = SessionStatus::complete;
    if (speedup)
        row.speedup = {{*speedup, FigureKind::measured, ""}};
    return row;
}

History threeKinds()
{
    History history;
    history.rows = {makeRow("N", 0.5), makeRow("A", 1.1), makeRow("B", 1.3), makeRow("C", 1.3)};
    history.rows[0].sample = true;
    history.rows[2].replayed = true;
    return history;
}

QStringList readTexts(const QWidget& widget)
{
    QCoreApplication::processEvents(); // which shows what was added
    QStringList texts;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        if (!label->isHidden())
            texts << label->text();
    return texts;
}

TEST(HistoryParts, SampleOwnAndReplayedSessionsAreSeriesOfTheirOwn)
{
    const HistoryChart chart = speedupChart(threeKinds(), false);
    std::map<Token, std::vector<double>> places;
    for (const XYSeries& series : chart.spec.series)
        for (const XYPoint& point : series.points)
            places[series.token].push_back(point.x);
    EXPECT_EQ(places[Token::series1], (std::vector<double>{0}));
    EXPECT_EQ(places[Token::series2], (std::vector<double>{1, 3}));
    EXPECT_EQ(places[Token::series3], (std::vector<double>{2}));
    EXPECT_TRUE(chart.title.contains("A")) << "the first above the baseline: " << chart.title.toStdString();
    ASSERT_NE(bestSession(threeKinds()), nullptr);
    EXPECT_EQ(bestSession(threeKinds())->name, "B") << "the first of two that are as good";
}

TEST(HistoryParts, CostsAreComparedWithTheTarget)
{
    History history = threeKinds();
    history.sessionCostTarget = 10;
    const auto title = [&](std::initializer_list<double> costs) {
        std::size_t at = 1;
        for (const double cost : costs)
            history.rows[at++].money.gpu = {{cost, FigureKind::measured, ""}};
        return costChart(history).title;
    };
    EXPECT_TRUE(title({2, 9, 3}).contains("B")) << "the most expensive one";
    EXPECT_EQ(costChart(history).spec.references.size(), 1U);
    EXPECT_TRUE(title({20, 30, 3}).startsWith("2 ")) << "two are over it";
    title({0.2, 0.3, 0.1});
    EXPECT_TRUE(costChart(history).spec.references.empty()) << "far below it, all points would lie on the axis";
}

TEST(HistoryParts, MeasuredSavingsComeFirst)
{
    History history = threeKinds();
    const auto add = [&](const char* slug, std::optional<double> measured, std::optional<double> quoted) {
        PatternReturn& row = history.patterns.emplace_back();
        row.slug = slug;
        row.measuredMinutes = measured;
        row.quotedMinutes = quoted;
    };
    add("quoted", {}, 90);
    add("small", 1, 5);
    add("large", 2, 5);
    add("none", {}, {});
    history.rows[0].savedMinutes = {{30, FigureKind::quoted, ""}};
    history.rows[1].savedMinutes = {{40, FigureKind::quoted, ""}};
    QStringList names;
    for (const SavingStep& step : listSavingSteps(history))
        names << q(step.name);
    EXPECT_EQ(names, (QStringList{"large", "small", "quoted", "N"})) << "only the sample's sessions have quoted savings";
}

TEST(HistoryParts, MistakesOfReplayedSessionsAreNotOnesOwn)
{
    History history = threeKinds();
    history.mistakes = {{"blind", "Optimized blindly", "", "rule 1"}};
    for (HistoryRow& row : history.rows)
        row.mistakes = {{"blind", 2, 1, 0, "seen in " + row.name}};
    MistakesCard card;
    card.show(history);
    const QStringList texts = readTexts(card);
    EXPECT_EQ(texts.count("4"), 1) << "two each in A and C: " << texts.join('|').toStdString();
    EXPECT_EQ(texts.count("2"), 1) << "one of each was caught";
    bool last = false;
    for (const QLabel* label : card.findChildren<QLabel*>())
        last = last || label->toolTip().contains("seen in C");
    EXPECT_TRUE(last) << "the evidence is that of the newest session";
}

TEST(HistoryParts, AStoryIsThatOfItsSession)
{
    HistoryRow row = makeRow("A", {});
    row.patterns = {"applied"};
    row.learned = {"learned"};
    row.worked = {"it worked"};
    row.failed = {"it failed"};
    SessionStory story;
    story.show(&row, {});
    EXPECT_TRUE(story.findChild<QPushButton*>("storyPattern-applied"));
    EXPECT_TRUE(story.findChild<QPushButton*>("storyPattern-learned"));
    EXPECT_EQ(readTexts(story).filter("it worked").size(), 1);
    EXPECT_EQ(readTexts(story).filter("it failed").size(), 1);
    story.show(nullptr, {});
    EXPECT_TRUE(story.isHidden());
}

TEST(HistoryParts, UsesAreThoseOfThePattern)
{
    History history = threeKinds();
    const auto add = [&](const char* pattern, const char* session, std::optional<double> minutes) {
        PatternApplication& use = history.applications.emplace_back();
        use.pattern = pattern;
        use.session = session;
        use.at = "2026-01-01T00:00:00.000Z";
        use.measuredMinutes = minutes;
    };
    add("mine", "id-A", 5);
    add("other", "id-B", 7);
    history.savings = {{"id-A", "other", "", {}, 0, 0, "why of the other"}, {"id-A", "mine", "", 5, 0, 0, "why of mine"}};
    const QString uses = describeUses(history, "mine");
    EXPECT_EQ(uses.count('\n'), 0) << "one use: " << uses.toStdString();
    EXPECT_TRUE(uses.startsWith("A"));
    EXPECT_TRUE(uses.contains("why of mine"));
}

TEST(HistoryParts, OwnFiguresStandBesideQuotedOnesAndPlansTellWhatBecameOfThem)
{
    History history;
    history.sampleOrigin = "notes";
    history.dashboard = {{"time-saved", "Time saved", "quoted 60 min", "", "own 5 min"}};
    history.planned.resize(2);
    history.planned[0].name = "P1";
    history.planned[1].name = "P2";
    history.planned[1].became = "session A";
    DashboardCard dashboard;
    dashboard.show(history);
    EXPECT_EQ(dashboard.findChild<QLabel*>("own-time-saved")->text(), "own 5 min");
    EXPECT_EQ(dashboard.findChild<QLabel*>("quoted-time-saved")->text(), "quoted 60 min");
    PlannedCard planned;
    planned.show(history);
    EXPECT_FALSE(planned.findChild<QLabel*>("planned-P1")->text().contains("session A"));
    EXPECT_TRUE(planned.findChild<QLabel*>("planned-P2")->text().contains("session A"));
}

} // namespace
} // namespace kl::ui
