// SPDX-License-Identifier: MIT
#pragma once

#include "ui/style/theme.h"

#include <utility>
#include <vector>

class QToolButton;
class QWidget;

namespace kl::ui {

/// A button whose menu switches between light, dark and the system's theme, immediately and for later starts.
QToolButton* makeThemeMenu(QWidget* parent);

/// Every choice with its text, in the order of the menu.
std::vector<std::pair<ThemeChoice, QString>> themeChoices();

/// Switches the theme and remembers it.
void chooseTheme(ThemeChoice choice);

/// The remembered choice; automatic by default.
ThemeChoice loadTheme();

} // namespace kl::ui
