// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace kl::ui {

/// What the window can do, besides showing its pages.
enum class WindowAction {
    newSession,
    newKernel,
    newWindow,
    openReport,
    openDatabase,
    useOwnDatabase,
    useSample,
    preferences,
    closeWindow,
    quit,
    back,
    forward,
    find,
    findInPage,
    findNext,
    refresh,
    dismiss,
    lightTheme,
    darkTheme,
    systemTheme,
    runKernel,
    profileKernel,
    profileProgram,
    chooseKernel,
    compareRuns,
    tune,
    bisect,
    calibrate,
    exportRuns,
    importRuns,
    checkDatabase,
    backUpDatabase,
    checkMachine,
    help,
    shortcuts,
    quickReference,
    questions,
    tour,
    supportBundle,
    about,
};

enum class WindowMenu { file, view, run, tools, help };

/// What has to be possible for an action; if it is not, the action is disabled and says why.
enum class ActionNeed { nothing, measuring, earlierPage, laterPage };

/// A row of the one table behind the menus, the shortcuts, their list, and Ctrl+K.
struct WindowActionRow {
    WindowAction action;
    WindowMenu menu;
    const char* name;    ///< object name: "open-report"
    const char* text;    ///< in the menu, with its mnemonic; translated in context "Actions"
    const char* keys;    ///< shortcuts as QKeySequence reads them, separated by spaces; empty without one
    const char* words;   ///< other words that Ctrl+K finds it by
    bool begins = false; ///< a line is drawn above it in the menu
    ActionNeed need = ActionNeed::nothing;
    bool setting = false; ///< Ctrl+K lists it as a setting
};

/// In the order of the menus.
std::span<const WindowActionRow> windowActionTable();

/// Title of a menu with its mnemonic, in context "Actions".
const char* menuTitle(WindowMenu menu);
inline constexpr WindowMenu kWindowMenus[] = {WindowMenu::file, WindowMenu::view, WindowMenu::run, WindowMenu::tools, WindowMenu::help};

} // namespace kl::ui
