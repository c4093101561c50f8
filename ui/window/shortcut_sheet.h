// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/dialog.h"

#include <utility>
#include <vector>

namespace kl::ui {

class WindowActions;

/// All shortcuts: those of the window's actions by menu, then those of tables and lists.
class ShortcutSheet : public Dialog {
    Q_OBJECT
public:
    ShortcutSheet(const WindowActions& actions, QWidget* parent);
};

} // namespace kl::ui
