// SPDX-License-Identifier: MIT
// What each action of the window does, with which keys, and what makes a page be read again.
#include "sessions/store/store.h"
#include "tests/support/set_variable.h"
#include "tests/support/store_support.h"
#include "tests/ui/support/file_answer.h"
#include "ui/context/app_context.h"
#include "ui/context/baselines.h"
#include "ui/jobs/job.h"
#include "ui/pages/page.h"
#include "ui/style/theme.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme_menu.h"
#include "ui/window/about_box.h"
#include "ui/window/find_bar.h"
#include "ui/window/finder.h"
#include "ui/window/help_window.h"
#include "ui/window/idle_pages.h"
#include "ui/window/mainwindow.h"
#include "ui/window/preferences_dialog.h"
#include "ui/window/shortcut_sheet.h"
#include "ui/window/tools/bisect_dialog.h"
#include "ui/window/tools/calibrate_dialog.h"
#include "ui/window/tools/export_dialog.h"

#include <QFocusEvent>
#include <gtest/gtest.h>

#include <QAction>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <memory>
#include <set>

namespace kl::ui {
namespace {

TEST(ActionKeys, AreThoseThatPeopleKnow)
{
    const std::pair<WindowAction, const char*> keys[] = {{WindowAction::newSession, "Ctrl+N"},
                                                         {WindowAction::newWindow, "Ctrl+Shift+N"},
                                                         {WindowAction::openReport, "Ctrl+O"},
                                                         {WindowAction::openDatabase, "Ctrl+Shift+O"},
                                                         {WindowAction::preferences, "Ctrl+,"},
                                                         {WindowAction::closeWindow, "Ctrl+W"},
                                                         {WindowAction::quit, "Ctrl+Q"},
                                                         {WindowAction::back, "Alt+Left"},
                                                         {WindowAction::forward, "Alt+Right"},
                                                         {WindowAction::find, "Ctrl+K"},
                                                         {WindowAction::findInPage, "Ctrl+F"},
                                                         {WindowAction::findNext, "F3"},
                                                         {WindowAction::refresh, "Ctrl+R"},
                                                         {WindowAction::dismiss, "Esc"},
                                                         {WindowAction::runKernel, "F5"},
                                                         {WindowAction::profileKernel, "F6"},
                                                         {WindowAction::help, "F1"},
                                                         {WindowAction::shortcuts, "?"}};
    std::map<WindowAction, std::string> known(std::begin(keys), std::end(keys));
    std::set<WindowAction> measuring, settings;
    for (const WindowActionRow& row : windowActionTable()) {
        EXPECT_EQ(row.keys, known[row.action]) << row.name;
        if (row.need == ActionNeed::measuring)
            measuring.insert(row.action);
        if (row.setting)
            settings.insert(row.action);
        EXPECT_EQ(row.need == ActionNeed::earlierPage, row.action == WindowAction::back) << row.name;
        EXPECT_EQ(row.need == ActionNeed::laterPage, row.action == WindowAction::forward) << row.name;
    }
    EXPECT_EQ(measuring, (std::set{WindowAction::runKernel, WindowAction::profileKernel}));
    EXPECT_EQ(settings,
              (std::set{WindowAction::preferences, WindowAction::lightTheme, WindowAction::darkTheme, WindowAction::systemTheme}));
}

/// A window on a database of its own, which measures on the recording.
class WindowDoings : public testing::Test {
protected:
    void SetUp() override
    {
        QSettings().remove("window");
        QSettings().remove("baselines");
        auto opened = AppContext::open((folder / "own.db").string(), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->show();
        ASSERT_TRUE(waitForJobs());
    }
    void TearDown() override
    {
        waitForJobs();
        window.reset();
        context.reset();
        QSettings().remove("window");
        QSettings().remove("baselines");
    }
    void perform(WindowAction action) const
    {
        window->perform(action);
        EXPECT_TRUE(waitForJobs());
    }
    /// Whether the visit of a page reads anything.
    bool reads(const char* page) const
    {
        int jobs = 0;
        QObject counted;
        QObject::connect(&JobMonitor::instance(), &JobMonitor::started, &counted, [&] { ++jobs; });
        window->showPage(QString::fromLatin1(page));
        EXPECT_TRUE(waitForJobs());
        return jobs > 0;
    }
    QString shownHelp() const
    {
        const auto* help = window->findChild<HelpWindow*>();
        return help ? help->pages()[static_cast<std::size_t>(help->findChild<QListWidget*>("helpPages")->currentRow())].id : QString();
    }
    support::TempDir folder;
    const std::string path = folder.path().string();
    support::SetVariable data{"XDG_DATA_HOME", path.c_str()};
    support::SetVariable config{"XDG_CONFIG_HOME", path.c_str()};
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
};

TEST_F(WindowDoings, EachDialogIsItsActionsOwn)
{
    const auto opens = [&]<class Dialog>(WindowAction action, Dialog*) {
        EXPECT_EQ(window->findChild<Dialog*>(), nullptr);
        perform(action);
        auto* dialog = window->findChild<Dialog*>();
        const bool shown = dialog && dialog->isVisible();
        delete dialog;
        return shown;
    };
    EXPECT_TRUE(opens(WindowAction::preferences, static_cast<PreferencesDialog*>(nullptr)));
    EXPECT_TRUE(opens(WindowAction::bisect, static_cast<BisectDialog*>(nullptr)));
    EXPECT_TRUE(opens(WindowAction::calibrate, static_cast<CalibrateDialog*>(nullptr)));
    EXPECT_TRUE(opens(WindowAction::exportRuns, static_cast<ExportDialog*>(nullptr)));
    EXPECT_TRUE(opens(WindowAction::shortcuts, static_cast<ShortcutSheet*>(nullptr)));
    EXPECT_TRUE(opens(WindowAction::about, static_cast<AboutBox*>(nullptr)));
    for (const auto& [action, page] :
         {std::pair(WindowAction::help, "start"), {WindowAction::questions, "faq"}, {WindowAction::quickReference, "quick-reference"}}) {
        perform(action);
        EXPECT_EQ(shownHelp(), page);
    }
}

TEST_F(WindowDoings, ThemesAreThoseOfTheirActions)
{
    perform(WindowAction::darkTheme);
    EXPECT_EQ(Theme::instance().choice(), ThemeChoice::dark);
    EXPECT_EQ(loadTheme(), ThemeChoice::dark) << "kept";
    perform(WindowAction::systemTheme);
    EXPECT_EQ(Theme::instance().choice(), ThemeChoice::automatic);
    perform(WindowAction::lightTheme);
    EXPECT_EQ(Theme::instance().choice(), ThemeChoice::light);
    QSettings().remove("theme");
}

TEST_F(WindowDoings, FindingGoesOnAndEndsBeforeAMessageDoes)
{
    window->showPage("history");
    ASSERT_TRUE(waitForJobs());
    window->messages()->clear();
    context->post({MessageLevel::error, "failed", {}, {}});
    auto* bar = window->findChild<FindBar*>();
    perform(WindowAction::findNext);
    ASSERT_TRUE(bar->isVisible()) << "begins with asking for words";
    window->findChild<QLineEdit*>("findInPage")->setText("session");
    ASSERT_GT(bar->hits(), 1);
    perform(WindowAction::findNext);
    EXPECT_EQ(bar->current(), 1);
    perform(WindowAction::dismiss);
    EXPECT_FALSE(bar->isVisible());
    EXPECT_EQ(window->messages()->count(), 1);
    perform(WindowAction::dismiss);
    EXPECT_EQ(window->messages()->count(), 0);
    perform(WindowAction::findInPage);
    EXPECT_TRUE(bar->isVisible());
    window->showPage("home");
    EXPECT_FALSE(bar->isVisible()) << "it is of its page";
    ASSERT_TRUE(waitForJobs());
    perform(WindowAction::find);
    EXPECT_TRUE(window->findChild<Finder*>()->isVisible());
}

TEST_F(WindowDoings, AKernelIsRunOrProfiledFromAnyPage)
{
    window->showPage("history");
    ASSERT_TRUE(waitForJobs());
    perform(WindowAction::runKernel);
    EXPECT_EQ(window->currentPage(), "kernels");
    auto runs = *context->store().runs({});
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_TRUE(runs[0].classId.empty()) << "timed";
    window->showPage("home");
    ASSERT_TRUE(waitForJobs());
    perform(WindowAction::profileKernel);
    runs = *context->store().runs({});
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_FALSE(runs[0].classId.empty()) << "profiled";
}

TEST_F(WindowDoings, DatabasesAndReportsAreChosenInADialog)
{
    QSignalSpy reports(context.get(), &AppContext::reportsRequested);
    for (const WindowAction action : {WindowAction::openReport, WindowAction::importRuns}) {
        const FileAnswer canceled{QString()};
        perform(action);
        EXPECT_TRUE(canceled.seen());
    }
    EXPECT_EQ(reports.count(), 2);
    EXPECT_EQ(window->currentPage(), "home");
    const QString other = q((folder / "other.db").string());
    ASSERT_TRUE(Store::open(utf8(other)));
    {
        const FileAnswer canceled{QString()};
        perform(WindowAction::openDatabase);
        EXPECT_TRUE(context->location().endsWith("own.db"));
    }
    {
        const FileAnswer answer(other);
        perform(WindowAction::openDatabase);
        EXPECT_EQ(context->location(), other);
    }
    perform(WindowAction::useSample);
    EXPECT_EQ(context->location(), ":sample:");
    window->messages()->clear();
    perform(WindowAction::useOwnDatabase);
    EXPECT_EQ(context->location(), q(Store::defaultLocation()));
    ASSERT_EQ(window->messages()->count(), 1);
    EXPECT_EQ(window->messages()->layout()->itemAt(0)->widget()->property("level"), "success");
    const FileAnswer answer(q((folder / "copy.db").string()));
    perform(WindowAction::backUpDatabase);
    EXPECT_EQ(answer.name(), "kernelloop-backup.db");
    EXPECT_TRUE(std::filesystem::exists(folder / "copy.db"));
    window->messages()->clear();
    perform(WindowAction::checkDatabase);
    ASSERT_EQ(window->messages()->count(), 1);
    EXPECT_EQ(window->messages()->layout()->itemAt(0)->widget()->property("level"), "success") << "it is intact";
}

TEST_F(WindowDoings, APageIsReadAgainWhereWhatItShowsIsAnother)
{
    window->showPage("compare");
    ASSERT_TRUE(waitForJobs());
    window->showPage("home");
    ASSERT_TRUE(waitForJobs());
    reads("compare");
    if (reads("home") || reads("compare")) // the minute changed
        reads("home");
    EXPECT_FALSE(reads("home"));
    context->setCurrentSession({"s"}, "N", "transpose");
    EXPECT_TRUE(reads("compare")) << "another session";
    EXPECT_FALSE(reads("compare"));
    context->keepOpened({support::timedRun("a", "naive", "2026-03-01T09:00:00.000Z", 5)});
    EXPECT_TRUE(reads("compare")) << "a report was opened";
    Baselines::instance().pin(context->location(), {"a"}, true);
    EXPECT_TRUE(reads("compare")) << "a baseline was pinned";
    EXPECT_FALSE(reads("compare"));
    context->useDevice(DeviceSpec::sample());
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(reads("home")) << "another device";
    QSignalSpy started(&JobMonitor::instance(), &JobMonitor::started);
    perform(WindowAction::refresh);
    EXPECT_GT(started.count(), 0) << "on request always";
}

TEST_F(WindowDoings, TheRailNamesTheKeysOfNinePages)
{
    int named = 0, without = 0;
    for (const QToolButton* button : window->findChildren<QToolButton*>())
        if (button->isCheckable() && !button->accessibleName().isEmpty())
            ++(button->toolTip().startsWith(button->accessibleName() + " (Ctrl+") ? named : without);
    EXPECT_EQ(named, 9);
    EXPECT_EQ(without, static_cast<int>(window->entries().size()) - 9);
}

TEST_F(WindowDoings, ALongTitleIsCutAndToldWhole)
{
    window->resize(960, 600);
    window->showPage("calculate");
    ASSERT_TRUE(waitForJobs());
    QLabel* title = nullptr;
    for (QLabel* label : window->findChildren<QLabel*>())
        if (label->isVisible() && label->accessibleName() == window->page("calculate")->title() &&
            label->font() == makeFont(TextRole::page))
            title = label;
    ASSERT_TRUE(title);
    EXPECT_TRUE(title->toolTip().isEmpty());
    title->setMinimumWidth(0);
    title->resize(20, title->height());
    EXPECT_NE(title->text(), title->accessibleName());
    EXPECT_EQ(title->toolTip(), title->accessibleName());
}

TEST_F(WindowDoings, WorkThatStallsIsNamedOrCalledWork)
{
    window->messages()->clear();
    JobMonitor::instance().stall({}, "no answer");
    ASSERT_EQ(window->messages()->count(), 1);
    const QWidget* message = window->messages()->layout()->itemAt(0)->widget();
    EXPECT_EQ(message->property("level"), "warning");
    EXPECT_FALSE(message->accessibleName().startsWith(' ')) << "though it has no title";
}

TEST_F(WindowDoings, DiagnoseIsMadeAheadFirst)
{
    IdlePages ahead(*window);
    ASSERT_FALSE(window->wasShown("diagnose"));
    ASSERT_TRUE(ahead.step());
    ASSERT_TRUE(ahead.step());
    EXPECT_TRUE(window->wasShown("diagnose"));
    ASSERT_TRUE(waitForJobs());
    int filled = 0;
    for (const PageEntry& entry : window->entries())
        filled += window->wasShown(entry.id);
    EXPECT_EQ(filled, 2) << "and the one that is shown";
}

TEST_F(WindowDoings, AboutIsCopiedWithWhereItMeasures)
{
    AboutBox box(*context, window.get());
    for (QPushButton* button : box.findChildren<QPushButton*>())
        if (button->text() == "Copy")
            button->click();
    const QStringList lines = QApplication::clipboard()->text().split('\n');
    ASSERT_EQ(lines.size(), 5) << "a title, version, Qt, device, database";
    EXPECT_TRUE(lines[3].endsWith(context->deviceName()));
    EXPECT_TRUE(lines[4].endsWith(context->location()));
    context->useDevice(DeviceSpec::local("GPU-00000000"));
    ASSERT_TRUE(waitForJobs());
    const AboutBox other(*context, window.get());
    EXPECT_TRUE(other.findChild<QLabel*>("aboutFacts")->text().split('\n').contains(context->deviceReason())) << "why there is none";
}

TEST_F(WindowDoings, TheFinderClosesWhereTheMouseGoesElsewhere)
{
    perform(WindowAction::find);
    auto* finder = window->findChild<Finder*>();
    auto* text = window->findChild<QLineEdit*>("finderText");
    QFocusEvent other(QEvent::FocusOut, Qt::ActiveWindowFocusReason);
    QApplication::sendEvent(text, &other);
    EXPECT_TRUE(finder->isVisible()) << "another window came";
    QFocusEvent mouse(QEvent::FocusOut, Qt::MouseFocusReason);
    QApplication::sendEvent(text, &mouse);
    EXPECT_FALSE(finder->isVisible());
}

TEST_F(WindowDoings, ShortcutsAreListedBesideTheirActionByMenu)
{
    const ShortcutSheet sheet(window->commands(), window.get());
    QStringList texts;
    for (const QLabel* label : sheet.findChildren<QLabel*>())
        texts << label->text();
    for (const auto& [what, keys] : {std::pair("Run kernel", "F5"), {"Find anything…", "Ctrl+K"}, {"Home", "Ctrl+1"}, {"Quit", "Ctrl+Q"}})
        EXPECT_EQ(texts.value(texts.indexOf(q(what)) + 1), QLatin1String(keys)) << what;
    EXPECT_LT(texts.indexOf("File"), texts.indexOf("Quit"));
    EXPECT_LT(texts.indexOf("Quit"), texts.indexOf("View"));
    EXPECT_LT(texts.indexOf("View"), texts.indexOf("Run"));
    EXPECT_EQ(texts.indexOf("Check database"), -1) << "it has no keys";
}

TEST_F(WindowDoings, MenusOfTheSystemKnowTheirActions)
{
    const WindowActions& actions = window->commands();
    EXPECT_EQ(actions.of(WindowAction::about)->menuRole(), QAction::AboutRole);
    EXPECT_EQ(actions.of(WindowAction::quit)->menuRole(), QAction::QuitRole);
    EXPECT_EQ(actions.of(WindowAction::preferences)->menuRole(), QAction::PreferencesRole);
    EXPECT_EQ(actions.of(WindowAction::help)->menuRole(), QAction::NoRole);
    EXPECT_EQ(withoutMnemonic("&Open &it"), "Open it");
}

} // namespace
} // namespace kl::ui
