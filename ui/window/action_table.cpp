// SPDX-License-Identifier: MIT
// The table of the window's actions. To add one: a value in action_table.h, a row here, and its case in MainWindow::perform(). Menu,
// shortcut, the list of shortcuts and Ctrl+K follow from the row.
#include "ui/window/action_table.h"

#include <QtGlobal>

namespace kl::ui {
namespace {

using enum WindowAction;

constexpr WindowActionRow kActions[] = {
    {newSession, WindowMenu::file, "new-session", QT_TRANSLATE_NOOP("Actions", "&New session…"), "Ctrl+N", "start optimize"},
    {newKernel, WindowMenu::file, "new-kernel", QT_TRANSLATE_NOOP("Actions", "New &kernel…"), "", "own template cu write"},
    {newWindow, WindowMenu::file, "new-window", QT_TRANSLATE_NOOP("Actions", "New &window"), "Ctrl+Shift+N", "second another database"},
    {openReport, WindowMenu::file, "open-report", QT_TRANSLATE_NOOP("Actions", "&Open report…"), "Ctrl+O",
     "import Nsight Compute ncu-rep csv bundle file", true},
    {openDatabase, WindowMenu::file, "open-database", QT_TRANSLATE_NOOP("Actions", "Open &database…"), "Ctrl+Shift+O", "history file"},
    {useOwnDatabase, WindowMenu::file, "own-database", QT_TRANSLATE_NOOP("Actions", "Open &my own database"), "", "start create"},
    {useSample, WindowMenu::file, "use-sample", QT_TRANSLATE_NOOP("Actions", "Open the &sample"), "", "recorded example demo"},
    {preferences, WindowMenu::file, "preferences", QT_TRANSLATE_NOOP("Actions", "&Preferences…"), "Ctrl+,",
     "settings options theme prices python storage backup", true, ActionNeed::nothing, true},
    {closeWindow, WindowMenu::file, "close-window", QT_TRANSLATE_NOOP("Actions", "&Close window"), "Ctrl+W", "exit", true},
    {quit, WindowMenu::file, "quit", QT_TRANSLATE_NOOP("Actions", "&Quit"), "Ctrl+Q", "exit leave"},

    {back, WindowMenu::view, "back", QT_TRANSLATE_NOOP("Actions", "&Back"), "Alt+Left", "previous page history", true,
     ActionNeed::earlierPage},
    {forward, WindowMenu::view, "forward", QT_TRANSLATE_NOOP("Actions", "&Forward"), "Alt+Right", "next page history", false,
     ActionNeed::laterPage},
    {find, WindowMenu::view, "find-anything", QT_TRANSLATE_NOOP("Actions", "Find &anything…"), "Ctrl+K", "search palette command", true},
    {findInPage, WindowMenu::view, "find-in-page", QT_TRANSLATE_NOOP("Actions", "Find in &page"), "Ctrl+F", "filter search"},
    {findNext, WindowMenu::view, "find-next", QT_TRANSLATE_NOOP("Actions", "Find &next"), "F3", "search"},
    {refresh, WindowMenu::view, "refresh", QT_TRANSLATE_NOOP("Actions", "&Reload page"), "Ctrl+R", "refresh read again"},
    {dismiss, WindowMenu::view, "dismiss", QT_TRANSLATE_NOOP("Actions", "Dismiss newest &message"), "Esc", "close notification"},
    {lightTheme, WindowMenu::view, "light-theme", QT_TRANSLATE_NOOP("Actions", "&Light theme"), "", "colors appearance", true,
     ActionNeed::nothing, true},
    {darkTheme, WindowMenu::view, "dark-theme", QT_TRANSLATE_NOOP("Actions", "&Dark theme"), "", "colors appearance", false,
     ActionNeed::nothing, true},
    {systemTheme, WindowMenu::view, "system-theme", QT_TRANSLATE_NOOP("Actions", "Match system &theme"), "", "colors appearance automatic",
     false, ActionNeed::nothing, true},

    {chooseKernel, WindowMenu::run, "choose-kernel", QT_TRANSLATE_NOOP("Actions", "&Choose a kernel…"), "", "catalog add own cu"},
    {runKernel, WindowMenu::run, "run-kernel", QT_TRANSLATE_NOOP("Actions", "&Run kernel"), "F5", "time measure check", true,
     ActionNeed::measuring},
    {profileKernel, WindowMenu::run, "profile-kernel", QT_TRANSLATE_NOOP("Actions", "&Profile kernel"), "F6", "counters metrics diagnose",
     false, ActionNeed::measuring},
    {profileProgram, WindowMenu::run, "profile-program", QT_TRANSLATE_NOOP("Actions", "Profile a pro&gram…"), "",
     "application script python launches"},
    {compareRuns, WindowMenu::run, "compare-runs", QT_TRANSLATE_NOOP("Actions", "Co&mpare runs"), "", "faster slower interleaved", true},
    {tune, WindowMenu::run, "tune", QT_TRANSLATE_NOOP("Actions", "&Tune parameters"), "", "search autotune"},

    {checkMachine, WindowMenu::tools, "check-machine", QT_TRANSLATE_NOOP("Actions", "Check &environment"), "",
     "machine host driver torch numpy devices fix"},
    {calibrate, WindowMenu::tools, "calibrate", QT_TRANSLATE_NOOP("Actions", "&Calibrate A/A noise…"), "", "A/A spread device"},
    {bisect, WindowMenu::tools, "bisect", QT_TRANSLATE_NOOP("Actions", "&Find the commit that broke a kernel…"), "",
     "bisect git regression build"},
    {exportRuns, WindowMenu::tools, "export-runs", QT_TRANSLATE_NOOP("Actions", "E&xport runs…"), "", "bundle json share", true},
    {importRuns, WindowMenu::tools, "import-runs", QT_TRANSLATE_NOOP("Actions", "&Import a bundle…"), "", "runs json"},
    {checkDatabase, WindowMenu::tools, "check-database", QT_TRANSLATE_NOOP("Actions", "Check &database"), "", "integrity damaged", true},
    {backUpDatabase, WindowMenu::tools, "back-up-database", QT_TRANSLATE_NOOP("Actions", "&Back up database…"), "", "copy save"},

    {help, WindowMenu::help, "help", QT_TRANSLATE_NOOP("Actions", "KernelLoop &help"), "F1", "manual roles engineer lead assistant links"},
    {tour, WindowMenu::help, "tour", QT_TRANSLATE_NOOP("Actions", "Take the &tour"), "", "resume start first steps introduction sample"},
    {questions, WindowMenu::help, "questions", QT_TRANSLATE_NOOP("Actions", "Questions and &answers"), "", "faq why help"},
    {shortcuts, WindowMenu::help, "shortcuts", QT_TRANSLATE_NOOP("Actions", "&Keyboard shortcuts"), "?", "keys help"},
    {quickReference, WindowMenu::help, "quick-reference", QT_TRANSLATE_NOOP("Actions", "Quick &reference"), "",
     "method rules thresholds help"},
    {supportBundle, WindowMenu::help, "support-bundle", QT_TRANSLATE_NOOP("Actions", "&Save support bundle"), "",
     "bug problem report logs versions send", true},
    {about, WindowMenu::help, "about", QT_TRANSLATE_NOOP("Actions", "A&bout KernelLoop"), "", "version license"},
};

} // namespace

std::span<const WindowActionRow> windowActionTable()
{
    return kActions;
}

const char* menuTitle(WindowMenu menu)
{
    switch (menu) {
    case WindowMenu::file: return QT_TRANSLATE_NOOP("Actions", "&File");
    case WindowMenu::view: return QT_TRANSLATE_NOOP("Actions", "&View");
    case WindowMenu::run: return QT_TRANSLATE_NOOP("Actions", "&Run");
    case WindowMenu::tools: return QT_TRANSLATE_NOOP("Actions", "&Tools");
    case WindowMenu::help: break;
    }
    return QT_TRANSLATE_NOOP("Actions", "&Help");
}

} // namespace kl::ui
