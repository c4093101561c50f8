// SPDX-License-Identifier: MIT
// The page Patterns in the window on a database of one's own, and what the pages Calculate, Compare, Search and Session show there.
#include "sessions/patterns/pattern_body.h"
#include "tests/ui/support/learning_pages.h"
#include "ui/pages/compare/time_bars.h"
#include "ui/pages/patterns/flow_view.h"
#include "ui/tour/tour_steps.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

namespace kl::ui {
namespace {

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
    const auto all = context->store().patterns();
    ASSERT_TRUE(all);
    const auto wanted = std::ranges::find(*all, "environment-validation", &Pattern::slug);
    ASSERT_NE(wanted, all->end());
    EXPECT_TRUE(patterns->findChild<DataTable*>()->tsv(false).contains(q(wanted->title)));
}

} // namespace
} // namespace kl::ui
