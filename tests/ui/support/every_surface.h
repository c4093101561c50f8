// SPDX-License-Identifier: MIT
#pragma once

#include "ui/window/mainwindow.h"

#include <functional>

namespace kl::ui {

/// Takes a name ("diagnose / All metrics", "dialog Preferences") and what is shown: a page, or a dialog.
using Look = std::function<void(const QString& name, QWidget& shown)>;

/// Every page on the recorded sample, with each of its tabs, the form of a new session among them.
void visitPages(AppContext& context, MainWindow& window, const Look& look);

/// Every dialog and panel that the window opens: those of its menus, the three forms of Home and Kernels, Ctrl+K, find in page, the picker
/// of runs, a message. Each is closed again.
void visitDialogs(AppContext& context, MainWindow& window, const Look& look);

} // namespace kl::ui
