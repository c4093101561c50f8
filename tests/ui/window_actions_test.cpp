// SPDX-License-Identifier: MIT
// The one list of actions behind menus, shortcuts and Ctrl+K; back and forward; find in page; the dialogs of the Help and File menus.
#include "ui/pages/shared/kernel_table.h"
#include "ui/style/theme.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme_menu.h"
#include "ui/window/about_box.h"
#include "ui/window/find_bar.h"
#include "ui/window/help_window.h"
#include "ui/window/mainwindow.h"
#include "ui/window/page_trail.h"
#include "ui/window/preferences_dialog.h"
#include "ui/window/shortcut_sheet.h"
#include "ui/window/title_line.h"
#include "ui/window/window_actions.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTest>
#include <QTreeWidget>

#include <set>

namespace kl::ui {
namespace {

class Actions : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        auto opened = AppContext::open(":sample:", DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = opened->release();
        window = new MainWindow(*context);
        window->show();
        ASSERT_TRUE(waitForJobs());
    }
    static void TearDownTestSuite()
    {
        delete window;
        delete context;
    }
    static void trigger(const char* name) { window->findChild<QAction*>(name)->trigger(); }
    static AppContext* context;
    static MainWindow* window;
};
AppContext* Actions::context = nullptr;
MainWindow* Actions::window = nullptr;

TEST_F(Actions, EachIsInAMenuOnceWithItsOwnKeysAndMnemonic)
{
    std::set<QString> names;
    std::set<QString> keys;
    for (const QAction* top : window->titleLine()->menus()->actions()) {
        EXPECT_TRUE(top->text().contains('&')) << top->text().toStdString();
        std::set<QChar> mnemonics;
        for (const QAction* action : top->menu()->actions()) {
            if (action->isSeparator())
                continue;
            EXPECT_TRUE(names.insert(action->objectName()).second) << action->objectName().toStdString();
            for (const QKeySequence& key : action->shortcuts())
                EXPECT_TRUE(keys.insert(key.toString()).second) << key.toString().toStdString();
            if (const qsizetype at = action->text().indexOf('&'); at >= 0) {
                EXPECT_TRUE(mnemonics.insert(action->text()[at + 1].toLower()).second) << action->text().toStdString();
            }
        }
    }
    EXPECT_EQ(names.size(), windowActionTable().size() + window->entries().size());
    for (const char* key : {"Ctrl+K", "Ctrl+F", "Ctrl+O", "Ctrl+W", "Ctrl+Q", "Alt+Left", "Alt+Right", "?", "Ctrl+1", "Ctrl+9"})
        EXPECT_TRUE(keys.contains(key)) << key;
}

TEST_F(Actions, AnActionThatIsNotPossibleSaysWhy)
{
    const auto* run = window->findChild<QAction*>("run-kernel");
    EXPECT_FALSE(run->isEnabled());
    EXPECT_EQ(run->toolTip(), context->explainUnmeasurable());
}

TEST_F(Actions, CtrlKFindsActionsSettingsAndMetrics)
{
    const auto find = [&](const QString& text) {
        trigger("find-anything");
        EXPECT_TRUE(waitForJobs());
        auto* field = window->findChild<QLineEdit*>("finderText");
        QTest::keyClicks(field, text);
        const auto* list = window->findChild<QTreeWidget*>("finderList");
        const QString first = list->topLevelItemCount() > 0 ? list->topLevelItem(0)->text(0) : QString();
        QTest::keyClick(field, Qt::Key_Return);
        EXPECT_TRUE(waitForJobs());
        return first;
    };
    const auto readName = [&](WindowAction action) { return withoutMnemonic(window->commands().of(action)->text()); };
    EXPECT_EQ(find(readName(WindowAction::darkTheme).toLower()), readName(WindowAction::darkTheme));
    EXPECT_EQ(Theme::instance().choice(), ThemeChoice::dark);
    EXPECT_FALSE(readName(WindowAction::lightTheme).contains("appearance"));
    EXPECT_EQ(find("appearance light"), readName(WindowAction::lightTheme)) << "by a word that is not in its name";
    EXPECT_EQ(Theme::instance().choice(), ThemeChoice::light);
    EXPECT_TRUE(find("metric occupancy").contains("occupancy"));
    EXPECT_EQ(window->currentPage(), "diagnose");
}

TEST_F(Actions, BackAndForwardRetraceThePages)
{
    for (const char* id : {"home", "kernels", "patterns"})
        window->showPage(id);
    trigger("back");
    EXPECT_EQ(window->currentPage(), "kernels");
    trigger("back");
    EXPECT_EQ(window->currentPage(), "home");
    trigger("forward");
    EXPECT_EQ(window->currentPage(), "kernels");
    window->showPage("history");
    EXPECT_FALSE(window->findChild<QAction*>("forward")->isEnabled()) << "going elsewhere drops what lay ahead";
    ASSERT_TRUE(waitForJobs());
}

TEST_F(Actions, CtrlFGoesToThePagesFilterWhereItHasOne)
{
    window->showPage("kernels");
    ASSERT_TRUE(waitForJobs());
    trigger("find-in-page");
    EXPECT_EQ(window->focusWidget()->objectName(), "kernelFilter");
    EXPECT_FALSE(window->findChild<FindBar*>()->isVisible());
}

TEST_F(Actions, CtrlFFindsTextsOfAPageAndStepsThroughThem)
{
    window->showPage("history");
    ASSERT_TRUE(waitForJobs());
    trigger("find-in-page");
    auto* bar = window->findChild<FindBar*>();
    ASSERT_TRUE(bar->isVisible());
    auto* text = window->findChild<QLineEdit*>("findInPage");
    QTest::keyClicks(text, "session");
    ASSERT_GT(bar->hits(), 2);
    EXPECT_EQ(bar->current(), 0);
    QTest::keyClick(text, Qt::Key_Return);
    EXPECT_EQ(bar->current(), 1);
    QTest::keyClick(text, Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClick(text, Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(bar->current(), bar->hits() - 1) << "before the first comes the last";
    const auto* mark = window->findChild<QFrame*>("foundMark");
    EXPECT_TRUE(mark && mark->isVisible());
    text->setText("zzzz");
    EXPECT_EQ(bar->hits(), 0);
    QTest::keyClick(text, Qt::Key_Escape);
    EXPECT_FALSE(bar->isVisible());
    EXPECT_EQ(window->findChild<QFrame*>("foundMark"), nullptr);
}

TEST_F(Actions, ShortcutsAreListed)
{
    trigger("shortcuts");
    auto* sheet = window->findChild<ShortcutSheet*>();
    ASSERT_TRUE(sheet && sheet->isVisible());
    QStringList texts;
    for (const QLabel* label : sheet->findChildren<QLabel*>())
        texts << label->text();
    for (const QAction* action : window->commands().all())
        if (!action->shortcut().isEmpty()) {
            EXPECT_TRUE(texts.contains(withoutMnemonic(action->text()))) << action->text().toStdString();
        }
    QCoreApplication::processEvents();
    const auto place = [&](const QString& text) {
        for (const QLabel* label : sheet->findChildren<QLabel*>())
            if (label->text() == text)
                return label->mapTo(sheet, QPoint(0, 0)).y();
        return -1;
    };
    EXPECT_LT(place("Home") - place("Pages"), 2 * (place("Sessions") - place("Home"))) << "a title is next to its rows";
    delete sheet;
}

TEST_F(Actions, HelpAndPreferencesOpenInWindowsOfTheirOwn)
{
    trigger("about");
    auto* about = window->findChild<AboutBox*>();
    ASSERT_TRUE(about && about->isVisible());
    EXPECT_TRUE(about->findChild<QLabel*>("aboutFacts")->text().contains(context->deviceName()));
    delete about;
    trigger("quick-reference");
    auto* reference = window->findChild<HelpWindow*>();
    ASSERT_TRUE(reference && reference->isVisible());
    delete reference;
    trigger("preferences");
    auto* preferences = window->findChild<PreferencesDialog*>();
    ASSERT_TRUE(preferences && preferences->isVisible());
    auto* theme = preferences->findChild<QComboBox*>("themeChoice");
    theme->setCurrentIndex(theme->findData(static_cast<int>(ThemeChoice::dark)));
    EXPECT_EQ(loadTheme(), ThemeChoice::dark);
    theme->setCurrentIndex(theme->findData(static_cast<int>(ThemeChoice::light)));
    EXPECT_FALSE(preferences->findChild<QWidget*>("engineerRate")->isEnabled()) << "the sample is read-only";
    delete preferences;
}

TEST_F(Actions, MessagesLieOverThePageAndMoveNothing)
{
    window->showPage("home");
    ASSERT_TRUE(waitForJobs());
    QCoreApplication::processEvents();
    const QRect before = window->page("home")->geometry();
    context->post({MessageLevel::success, "saved", {}, {}});
    context->post({MessageLevel::error, "not saved", {}, {}});
    QCoreApplication::processEvents();
    EXPECT_EQ(window->page("home")->geometry(), before);
    EXPECT_TRUE(window->messages()->parentWidget()->rect().contains(window->messages()->geometry()));
    window->showPage("patterns");
    EXPECT_EQ(window->messages()->count(), 1) << "a success is done with on the next page; an error stays";
    window->messages()->clear();
    ASSERT_TRUE(waitForJobs());
}

TEST(PageActions, NineHaveKeysInTheirOrderAndEachShowsItsPage)
{
    QWidget window;
    std::vector<PageEntry> entries;
    for (int i = 1; i <= 10; ++i)
        entries.push_back({QStringLiteral("p%1").arg(i), QStringLiteral("Page %1").arg(i), "home", {}});
    QStringList shown;
    const WindowActions actions(
        &window, entries, [](WindowAction) {}, [&](const QString& page) { shown << page; });
    for (int i = 0; i < 10; ++i) {
        QAction* action = actions.all()[static_cast<std::size_t>(i)];
        EXPECT_EQ(action->objectName(), "page-" + entries[static_cast<std::size_t>(i)].id);
        EXPECT_EQ(action->text(), entries[static_cast<std::size_t>(i)].word);
        EXPECT_EQ(action->shortcut(), i < 9 ? QKeySequence(QStringLiteral("Ctrl+%1").arg(i + 1)) : QKeySequence()) << i;
        EXPECT_TRUE(window.actions().contains(action)) << i;
        action->trigger();
        EXPECT_EQ(shown.value(i), entries[static_cast<std::size_t>(i)].id);
    }
}

TEST(PageTrail, IsBoundedAndSkipsRepetitions)
{
    PageTrail trail;
    EXPECT_FALSE(trail.back());
    for (int i = 0; i < 300; ++i) {
        trail.visit({QString::number(i), {}});
        trail.visit({QString::number(i), {}});
    }
    int steps = 0;
    while (trail.back())
        ++steps;
    EXPECT_EQ(steps, 99);
    EXPECT_EQ(trail.forward()->page, "201");
}

TEST(PageTrail, AnotherWayReplacesThePagesAhead)
{
    PageTrail trail;
    for (const char* page : {"home", "kernels", "diagnose"})
        trail.visit({page, {}});
    EXPECT_EQ(trail.back()->page, "kernels");
    trail.visit({"compare", {}});
    EXPECT_FALSE(trail.hasForward());
    EXPECT_EQ(trail.back()->page, "kernels");
    EXPECT_EQ(trail.back()->page, "home");
    EXPECT_FALSE(trail.hasBack());
}

} // namespace
} // namespace kl::ui
