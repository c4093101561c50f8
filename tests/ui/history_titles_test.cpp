// SPDX-License-Identifier: MIT
// What the page History says of a history without a database: titles and series of its charts, stories of sessions, mistakes, plans.
#include "core/base/format.h"
#include "tests/support/snapshot.h"
#include "tests/ui/support/label_texts.h"
#include "ui/charts/xy_chart.h"
#include "ui/pages/history/mistakes_card.h"
#include "ui/pages/history/session_story.h"
#include "ui/pages/history_charts.h"
#include "ui/pages/shared/dashboard_card.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

namespace kl::ui {
namespace {

HistoryRow sessionRow(const char* name, std::optional<double> speedup)
{
    HistoryRow row;
    row.id = std::string("id of ") + name;
    row.name = name;
    if (speedup)
        row.speedup = {{*speedup, FigureKind::measured, ""}};
    return row;
}

TEST(HistoryTitles, SayTheFirstAboveTheBaselineElseTheBest)
{
    History history;
    EXPECT_EQ(bestSession(history), nullptr);
    EXPECT_FALSE(speedupChart(history, false).title.isEmpty());
    history.rows = {sessionRow("A", 0.4), sessionRow("B", 0.8), sessionRow("C", {})};
    EXPECT_TRUE(speedupChart(history, false).title.contains(q(formatRatio(0.8)))) << speedupChart(history, false).title.toStdString();
    EXPECT_TRUE(speedupChart(history, false).title.endsWith("B"));
    history.rows.push_back(sessionRow("D", 1.0));
    history.rows.push_back(sessionRow("E", 2.0));
    EXPECT_TRUE(speedupChart(history, false).title.endsWith("D")) << "1.0 is level with it";
    EXPECT_EQ(bestSession(history)->name, "E");
    ASSERT_EQ(speedupChart(history, false).spec.references.size(), 2U);
    EXPECT_EQ(speedupChart(history, false).spec.references[0].y, 1.0);
    EXPECT_GT(speedupChart(history, false).spec.references[1].y, 1.0);
}

TEST(HistoryTitles, TheExpectedTrajectoryIsAtTheSessionsOfItsNames)
{
    History history;
    history.rows = {sessionRow("N", 0.5), sessionRow("N+1", 0.6)};
    history.expected = {{"N+3", 3, 100, 1.5}, {"N+1", 1, 200, 0.7}, {"N", 0, 300, 0.1}};
    const XYSpec with = speedupChart(history, true).spec;
    EXPECT_EQ(with.x.categories, (QStringList{"N", "N+1", "N+3"}));
    const XYSeries& expected = with.series.back();
    ASSERT_EQ(expected.points.size(), 3U);
    EXPECT_TRUE(expected.dashed);
    EXPECT_EQ(expected.points[0].x, 0);
    EXPECT_EQ(expected.points[0].y, 0.1);
    EXPECT_EQ(expected.points[2].x, 2);
    EXPECT_EQ(expected.points[2].y, 1.5);
    const XYSpec without = speedupChart(history, false).spec;
    EXPECT_EQ(without.x.categories, (QStringList{"N", "N+1"}));
    EXPECT_EQ(without.series.size(), 1U);
    EXPECT_EQ(minutesChart(history).spec.series.back().points[2].y, 100);
}

TEST(HistoryTitles, MinutesSayHowFarTheExpertIs)
{
    History history;
    EXPECT_FALSE(minutesChart(history).title.isEmpty());
    HistoryRow row = sessionRow("A", {});
    row.minutes = {{50, FigureKind::measured, ""}};
    history.rows = {row, sessionRow("B", {})};
    EXPECT_EQ(minutesChart(history).title, q("A took " + formatMinutes(50))) << "the last one with a time";
    EXPECT_EQ(minutesChart(history).spec.references.size(), 1U);
    history.rows[0].kind = history.rows[1].kind = "optimize, scripted";
    EXPECT_TRUE(minutesChart(history).spec.references.empty()) << "a script is not compared with people";
    history.convergence.trend = {{0, 40, 30, 50}};
    const QString slower = minutesChart(history).title;
    history.convergence.sessions = 0;
    const QString there = minutesChart(history).title;
    history.convergence.sessions = 7;
    history.convergence.low = 3;
    const QString open = minutesChart(history).title;
    EXPECT_TRUE(open.contains(" 7 ") && open.contains("3 to never")) << open.toStdString();
    history.convergence.high = 12;
    EXPECT_TRUE(minutesChart(history).title.contains("3 to 12"));
    EXPECT_NE(slower, there);
    EXPECT_NE(there, open);
}

TEST(HistoryTitles, TheFitIsDrawnAtFinishedSessionsOfItsKindAlone)
{
    History history;
    const auto add = [&](const char* name, double minutes) -> HistoryRow& {
        HistoryRow& row = history.rows.emplace_back(sessionRow(name, {}));
        row.kind = "optimize";
        row.status = SessionStatus::complete;
        row.minutes = {{minutes, FigureKind::measured, ""}};
        return row;
    };
    add("sample", 400).sample = true;
    add("A", 300);
    add("open", 10).status = SessionStatus::open;
    add("other", 10).kind = "debug";
    add("replayed", 10).replayed = true;
    add("none", 0);
    add("B", 200);
    history.convergenceKind = "optimize";
    history.convergence.trend = {{0, 310, 250, 350}, {1, 190, 150, 240}};
    const XYSpec spec = minutesChart(history).spec;
    const auto fit = std::ranges::find_if(spec.series, [](const XYSeries& series) { return series.token == Token::series5; });
    ASSERT_NE(fit, spec.series.end());
    ASSERT_EQ(fit->points.size(), 2U);
    EXPECT_EQ(fit->points[0].x, 1);
    EXPECT_EQ(fit->points[1].x, 6);
    EXPECT_EQ(fit->points[1].y, 190);
    EXPECT_EQ((fit + 1)->points[0].y, 250);
    EXPECT_EQ((fit + 2)->points[0].y, 350);
}

TEST(HistoryTitles, ADerivedSavingIsNeverPlotted)
{
    History history;
    HistoryRow row = sessionRow("N", {});
    row.sample = true;
    row.savedMinutes = {{30, FigureKind::derived, ""}, {0, FigureKind::quoted, ""}};
    history.rows = {row};
    EXPECT_TRUE(listSavingSteps(history).empty());
    history.rows[0].savedMinutes = {{30, FigureKind::quoted, ""}};
    ASSERT_EQ(listSavingSteps(history).size(), 1U);
    EXPECT_EQ(listSavingSteps(history)[0].quoted, 30.0);
    EXPECT_FALSE(listSavingSteps(history)[0].measured);
}

TEST(HistoryTitles, CostsOfTheSampleAndOnesOwnAreSeriesOfTheirOwn)
{
    History history;
    history.sessionCostTarget = 5;
    history.rows = {sessionRow("N", {}), sessionRow("A", {}), sessionRow("B", {})};
    history.rows[0].sample = true;
    EXPECT_EQ(costChart(history).spec.series.size(), 2U) << "empty ones say why";
    EXPECT_EQ(costChart(history).spec.references.size(), 1U);
    history.rows[0].money.gpu = {{5, FigureKind::entered, ""}};
    history.rows[2].money.gpu = {{2, FigureKind::entered, ""}};
    history.rows[2].money.assistant = {{1, FigureKind::entered, ""}};
    const XYSpec spec = costChart(history).spec;
    ASSERT_EQ(spec.series.size(), 2U);
    EXPECT_EQ(spec.series[0].token, Token::series1);
    EXPECT_EQ(spec.series[0].points[0].x, 0);
    EXPECT_EQ(spec.series[1].points[0].x, 2);
    EXPECT_EQ(spec.series[1].points[0].y, 3);
    EXPECT_TRUE(costChart(history).title.contains("N")) << "5 is not over the target of 5: " << costChart(history).title.toStdString();
    history.rows[0].money.gpu.clear();
    EXPECT_EQ(costChart(history).spec.series.size(), 1U);
}

TEST(SessionStories, ShowNothingOfTheSessionBefore)
{
    HistoryRow full = sessionRow("A", {});
    full.objective = "first";
    full.grade = {"B", "because", FigureKind::measured};
    full.statusText = "kept";
    full.insights = {"an insight"};
    full.nextTime = {"next time"};
    full.patterns = {"slug"};
    SessionStory story;
    QSignalSpy requested(&story, &SessionStory::patternRequested);
    PatternReturn known;
    known.slug = "slug";
    known.title = "Pad the tile";
    story.show(&full, {known});
    auto* link = story.findChild<QPushButton*>("storyPattern-slug");
    ASSERT_TRUE(link);
    EXPECT_EQ(link->text(), "Pad the tile");
    link->click();
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].toString(), "slug");
    QStringList texts = labelsIn(story);
    for (const char* text : {"A: first", "Grade B: because · kept", "• an insight", "• next time"})
        EXPECT_TRUE(texts.contains(q(text))) << text << " is not in " << texts.join('|').toStdString();
    HistoryRow bare = sessionRow("B", {});
    story.show(&bare, {});
    texts = labelsIn(story);
    EXPECT_FALSE(texts.contains(q("• an insight")));
    EXPECT_FALSE(story.isHidden());
    EXPECT_EQ(texts.filter("Grade").size(), 0);
    EXPECT_EQ(texts.size(), 2) << "its name, and that nothing is written: " << texts.join('|').toStdString();
    story.show(&full, {});
    settleLayout();
    EXPECT_EQ(story.findChild<QPushButton*>("storyPattern-slug")->text(), "slug") << "without a title its slug";
}

TEST(Mistakes, AreThoseOfTheHistoryShownLast)
{
    History history;
    history.mistakes = {{"blind", "Optimized blindly", "", "rule 1"}, {"large", "Began large", "", "rule 2"}};
    history.rows = {sessionRow("A", {})};
    history.rows[0].mistakes = {{"blind", 2, 1, 0, "how"}, {"large", 3, 0, 1, "how"}};
    history.own.sessions = 1;
    history.own.mistakes = 5;
    history.own.repeated = 2;
    history.own.blind = 4;
    MistakesCard card;
    card.show(history);
    EXPECT_EQ(card.findChild<QLabel*>("made-blind")->text(), "2");
    EXPECT_EQ(card.findChild<QLabel*>("made-large")->text(), "3");
    EXPECT_TRUE(card.title().startsWith("5 ") && card.title().contains(" 2 ")) << card.title().toStdString();
    EXPECT_FALSE(labelsIn(card).filter("rule 2").isEmpty());
    EXPECT_FALSE(labelsIn(card).filter(": 4 ").isEmpty()) << "blind ones";
    history.rows.clear();
    history.own = {};
    card.show(history);
    settleLayout();
    EXPECT_EQ(card.findChildren<QLabel*>("made-blind").size(), 1);
    EXPECT_EQ(card.findChild<QLabel*>("made-blind")->text(), "0");
    EXPECT_FALSE(card.title().contains('5'));
}

/// One with everything, which is still to come, and one that became a session.
History makeTwoPlannedSessions()
{
    History history;
    history.planned.resize(2);
    history.planned[0] = {"P1", "first", 60, 60, 1.5, "10 of 10", "a document", ""};
    history.planned[1] = {"P2", "second", 60, 120, {}, "", "", "session A"};
    return history;
}

TEST(PlannedSessions, SnapshotOfTheirCard)
{
    PlannedCard card;
    card.show(makeTwoPlannedSessions());
    test::expectSnapshot("ui/planned-sessions.txt", utf8(labelsIn(card).join('\n') + u'\n'));
}

TEST(PlannedSessions, HaveTheirTimesSpeedupAndWhatBecameOfThem)
{
    PlannedCard card;
    card.show(makeTwoPlannedSessions());
    const QStringList first = card.findChild<QLabel*>("planned-P1")->text().split(q(" · "));
    const QStringList second = card.findChild<QLabel*>("planned-P2")->text().split(q(" · "));
    ASSERT_EQ(first.size(), 4) << first.join('|').toStdString();
    EXPECT_EQ(first.mid(0, 2), (QStringList{q(formatMinutes(60)), q("1.50×")}));
    EXPECT_TRUE(first[2].endsWith("10 of 10")) << first[2].toStdString();
    EXPECT_FALSE(first[3].isEmpty() || first[3].contains(':')) << "it did not become one: " << first[3].toStdString();
    ASSERT_EQ(second.size(), 2) << second.join('|').toStdString();
    EXPECT_TRUE(second[0].startsWith(q(formatMinutes(60))) && second[0].endsWith(q(formatMinutes(120)))) << second[0].toStdString();
    EXPECT_TRUE(second[1].endsWith(": session A")) << second[1].toStdString();
    EXPECT_TRUE(labelsIn(card).contains("second"));
    card.show({});
    settleLayout();
    EXPECT_TRUE(card.isHidden());
    EXPECT_EQ(card.findChild<QLabel*>("planned-P1"), nullptr);
}

} // namespace
} // namespace kl::ui
