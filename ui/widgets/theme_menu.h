// SPDX-License-Identifier: MIT
#pragma once

#include "ui/style/theme.h"

class QToolButton;
class QWidget;

namespace kl {

/// A button whose menu switches between light, dark and the system's theme, immediately and for later starts.
QToolButton* makeThemeMenu(QWidget* parent);

/// The choice in the menu; automatic by default.
ThemeChoice loadTheme();

} // namespace kl
