// SPDX-License-Identifier: MIT
#pragma once

#include "ui/style/theme.h"

class QToolButton;
class QWidget;

namespace kl {

/// A button whose menu switches between light, dark and what the system has, at once and for the next starts.
QToolButton* makeThemeMenu(QWidget* parent);

/// What was chosen in the menu; automatic before that.
ThemeChoice loadTheme();

} // namespace kl
