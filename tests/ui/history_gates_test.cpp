// SPDX-License-Identifier: MIT
// Gates on the page History, over sessions of one's own.
#include "tests/ui/support/own_database.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/heat_strip.h"
#include "ui/pages/history/session_story.h"
#include "ui/pages/history_page.h"
#include "ui/widgets/data_table.h"

#include <gtest/gtest.h>

#include <QRegularExpression>

namespace kl::ui {
namespace {

class HistoryGates : public OwnDatabase {
protected:
    SessionId create(const char* name)
    {
        NewSession request;
        request.name = name;
        request.objective = std::string("objective of ") + name;
        request.kernel = "transpose";
        const auto session = context->engine()->sessions.create(request);
        EXPECT_TRUE(session) << session.error().message;
        return session->header.id;
    }
    /// Figures in the title of the card that shows the gates.
    static QStringList readFigures(const HistoryPage& page)
    {
        QStringList figures;
        for (const ChartCard* card : page.findChildren<ChartCard*>())
            if (card->findChild<HeatStrip*>()) {
                auto found = QRegularExpression("[0-9]+").globalMatch(card->title());
                while (found.hasNext())
                    figures << found.next().captured();
            }
        return figures;
    }
};

TEST_F(HistoryGates, AWaivedOneIsJudgedAndNotPassed)
{
    const SessionId first = create("first");
    const auto waived = context->engine()->sessions.waive(first, "G1", "known");
    ASSERT_TRUE(waived) << waived.error().message;
    HistoryPage page(*context);
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    const ChartTable table = page.findChild<HeatStrip*>()->table();
    int shown = 0;
    for (const QStringList& row : table.rows)
        shown += row.value(1) == markWord(Mark::waived);
    EXPECT_EQ(shown, 1);
    EXPECT_EQ(readFigures(page), (QStringList{"0", "1"}));
    const SessionId second = create("second");
    ASSERT_TRUE(context->engine()->sessions.act({second}, SessionAction::checkEnvironment));
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(readFigures(page), (QStringList{"1", "2"}));
}

TEST_F(HistoryGates, WithoutAnyNoneIsCounted)
{
    create("first");
    HistoryPage page(*context);
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(readFigures(page).isEmpty());
}

TEST_F(HistoryGates, TheSessionThatWasAskedForIsSelectedOnce)
{
    create("first");
    const SessionId second = create("second");
    HistoryPage page(*context);
    page.resize(1200, 900);
    page.QWidget::show();
    page.open(QString::fromStdString(second.text));
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(page.findChild<DataTable*>()->sourceRow(), 1);
    const auto* story = page.findChild<SessionStory*>();
    EXPECT_TRUE(story->title().startsWith("second"));
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(story->title().startsWith("first")) << "then the first, as ever";
}

} // namespace
} // namespace kl::ui
