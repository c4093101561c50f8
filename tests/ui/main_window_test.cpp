// SPDX-License-Identifier: MIT
// What the window itself does: pages are filled when something changed, actions and messages are those of the page, places those of the
// database.
#include "tests/support/store_support.h"
#include "ui/jobs/job.h"
#include "ui/pages/compare/basket_card.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"
#include "ui/window/title_line.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QDropEvent>
#include <QLabel>
#include <QLayout>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

namespace kl::ui {
namespace {

/// One window on a database of its own with two runs.
class MainWindows : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        folder = new support::TempDir;
        auto opened = AppContext::open((*folder / "own.db").string(), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = opened->release();
        Store& store = *context->engine()->store;
        ASSERT_TRUE(store.saveRun(support::timedRun("a", "naive", "2026-03-01T09:00:01.000Z", 2000)));
        ASSERT_TRUE(store.saveRun(support::timedRun("b", "tiled", "2026-03-01T09:00:02.000Z", 500)));
        window = new MainWindow(*context);
        window->show();
        ASSERT_TRUE(waitForJobs());
    }
    static void TearDownTestSuite()
    {
        delete window;
        delete context;
        delete folder;
    }
    void SetUp() override { window->messages()->clear(); }
    static void show(const char* page)
    {
        window->showPage(QString::fromLatin1(page));
        ASSERT_TRUE(waitForJobs());
    }
    static bool shows(const QString& text)
    {
        return std::ranges::any_of(window->page(window->currentPage())->findChildren<QLabel*>(),
                                   [&](const QLabel* label) { return label->isVisible() && label->text() == text; });
    }
    static support::TempDir* folder;
    static AppContext* context;
    static MainWindow* window;
};
support::TempDir* MainWindows::folder = nullptr;
AppContext* MainWindows::context = nullptr;
MainWindow* MainWindows::window = nullptr;

TEST_F(MainWindows, APageIsFilledAgainWhenSomethingWasWritten)
{
    show("home");
    EXPECT_TRUE(shows("transpose/tiled"));
    EXPECT_FALSE(shows("copy/vector"));
    RunRecord run = support::timedRun("c", "vector", "2026-03-01T09:00:03.000Z", 700);
    run.kernel.family = "copy";
    ASSERT_TRUE(context->engine()->store->saveRun(run));
    context->pollData();
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(shows("copy/vector")) << "while it is shown";
    show("calculate");
    run.id.text = "d";
    run.kernel.variant = "strided";
    run.startedAt = "2026-03-01T09:00:04.000Z";
    ASSERT_TRUE(context->engine()->store->saveRun(run));
    context->pollData();
    show("home");
    EXPECT_TRUE(shows("copy/strided")) << "while another one was";
}

TEST_F(MainWindows, TheHeaderHasTitleAndActionsOfThePage)
{
    for (const char* id : {"compare", "history", "home"}) {
        show(id);
        QCoreApplication::processEvents();
        for (const PageEntry& entry : window->entries()) {
            if (!window->wasShown(entry.id))
                continue;
            const Page* page = window->page(entry.id);
            for (const QWidget* action : page->actions())
                EXPECT_EQ(action->isVisible(), entry.id == QLatin1String(id) && page->offers(action)) << id << ' ' << utf8(entry.id);
        }
        int checked = 0;
        for (const QToolButton* button : window->findChildren<QToolButton*>())
            if (button->isCheckable() && button->isChecked() && !button->accessibleName().isEmpty())
                ++checked;
        EXPECT_EQ(checked, 1) << "one page in the rail";
        bool titled = false;
        for (const QLabel* label : window->findChildren<QLabel*>())
            titled = titled || (label->accessibleName() == window->page(QString::fromLatin1(id))->title() && label->isVisible());
        EXPECT_TRUE(titled) << id;
    }
}

TEST_F(MainWindows, RunsAreAddedToCompareWithoutLeavingThePage)
{
    show("compare");
    show("home");
    context->addToCompare({"b", "a"});
    EXPECT_EQ(window->currentPage(), "home");
    ASSERT_EQ(window->messages()->count(), 1);
    window->messages()->findChild<QPushButton*>("messageAction")->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(window->currentPage(), "compare");
    QStringList removals;
    for (const QPushButton* button : window->page("compare")->findChild<BasketCard*>()->findChildren<QPushButton*>())
        if (button->isVisible() && button->accessibleName().startsWith("Remove "))
            removals << button->accessibleName().mid(7);
    EXPECT_EQ(removals, (QStringList{"transpose/tiled", "transpose/naive"})) << "not the pair that it suggested before";
}

TEST_F(MainWindows, MessagesStayOnTheirPageAndErrorsOnAll)
{
    show("home");
    context->post({MessageLevel::info, "noted", {}, {}});
    context->post({MessageLevel::warning, "slow", {}, {}});
    window->showPage("home");
    EXPECT_EQ(window->messages()->count(), 2) << "the same page";
    show("calculate");
    EXPECT_EQ(window->messages()->count(), 1);
    window->perform(WindowAction::dismiss);
    EXPECT_EQ(window->messages()->count(), 0);
    JobMonitor::instance().stall("Profiling", "no answer for 60 s");
    ASSERT_EQ(window->messages()->count(), 1);
    const auto* label = window->messages()->layout()->itemAt(0)->widget()->findChild<QLabel*>();
    EXPECT_TRUE(label->text().contains("Profiling") && label->text().contains("no answer for 60 s")) << label->text().toStdString();
}

TEST_F(MainWindows, DroppedFilesAreOpenedAndOtherAddressesAreNot)
{
    const QSignalSpy requested(context, &AppContext::reportsRequested);
    const auto drop = [&](const QList<QUrl>& urls) {
        QMimeData data;
        data.setUrls(urls);
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window, &enter);
        QDropEvent event({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window, &event);
        EXPECT_TRUE(waitForJobs());
    };
    drop({QUrl("https://example.org/a.ncu-rep")});
    EXPECT_EQ(requested.count(), 0);
    drop({QUrl("https://example.org/a.ncu-rep"), QUrl::fromLocalFile("/no/a.ncu-rep"), QUrl::fromLocalFile("/no/b.csv")});
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].toStringList(), (QStringList{"/no/a.ncu-rep", "/no/b.csv"}));
    EXPECT_EQ(window->messages()->count(), 2) << "neither is there";
}

TEST_F(MainWindows, AnotherDatabaseHasItsTitleBannerAndNoPlacesOfTheFirst)
{
    show("calculate");
    show("home");
    EXPECT_TRUE(window->findChild<QAction*>("back")->isEnabled());
    EXPECT_TRUE(window->windowTitle().contains("own.db"));
    EXPECT_FALSE(window->findChild<QWidget*>("banner")->isVisible());
    EXPECT_TRUE(window->findChild<QAction*>("run-kernel")->isEnabled());
    const auto showsOwnRuns = [&] { return shows("transpose/tiled") || shows("copy/strided"); };
    EXPECT_TRUE(showsOwnRuns());
    const std::string own = utf8(context->location());
    ASSERT_TRUE(context->switchTo(":documents:"));
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(window->findChild<QAction*>("back")->isEnabled()) << "its runs are not in this one";
    EXPECT_TRUE(window->findChild<QWidget*>("banner")->isVisible());
    EXPECT_FALSE(window->windowTitle().contains("own.db"));
    EXPECT_FALSE(window->findChild<QAction*>("run-kernel")->isEnabled()) << "read-only";
    EXPECT_FALSE(showsOwnRuns());
    ASSERT_TRUE(context->switchTo(own));
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(window->findChild<QWidget*>("banner")->isVisible());
    EXPECT_TRUE(window->findChild<QAction*>("run-kernel")->isEnabled());
    EXPECT_TRUE(showsOwnRuns());
    context->setCurrentSession({"s"}, "N+6", "transpose");
    EXPECT_TRUE(window->windowTitle().contains(q("N+6 · transpose")));
    context->setCurrentSession({}, {}, {});
    EXPECT_FALSE(window->windowTitle().contains("N+6"));
}

TEST_F(MainWindows, ActionsLeadToTheirPages)
{
    const std::pair<WindowAction, const char*> pages[] = {{WindowAction::newSession, "session"},
                                                          {WindowAction::chooseKernel, "kernels"},
                                                          {WindowAction::compareRuns, "compare"},
                                                          {WindowAction::tune, "search"},
                                                          {WindowAction::checkMachine, "environment"}};
    for (const auto& [action, page] : pages) {
        window->perform(action);
        ASSERT_TRUE(waitForJobs());
        EXPECT_EQ(window->currentPage(), page);
    }
    window->perform(WindowAction::back);
    EXPECT_EQ(window->currentPage(), "search");
    window->perform(WindowAction::forward);
    EXPECT_EQ(window->currentPage(), "environment");
    ASSERT_TRUE(waitForJobs());
    window->showPage("nosuch");
    EXPECT_EQ(window->currentPage(), "environment");
}

TEST_F(MainWindows, AnActionThatAPageDoesNotOfferNowIsNotShown)
{
    const auto visible = [](const char* name) {
        const auto* button = window->findChild<QPushButton*>(QString::fromLatin1(name));
        return button && button->isVisible();
    };
    window->showPage("session", "list");
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(visible("newSession"));
    EXPECT_FALSE(visible("allSessions")) << "they are shown";
    window->showPage("session", "new");
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(visible("newSession")) << "its form is there";
    EXPECT_TRUE(visible("allSessions"));
    show("home");
    EXPECT_FALSE(visible("allSessions"));
    show("session");
    EXPECT_TRUE(visible("allSessions")) << "as it was left";
    EXPECT_FALSE(visible("newSession"));
    window->showPage("session", "list");
    ASSERT_TRUE(waitForJobs());
}

} // namespace
} // namespace kl::ui
