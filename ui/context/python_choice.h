// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace kl::ui {

/// The Python interpreter chosen in the window: $KLOOP_PYTHON, else what was chosen at an earlier start; empty: python3.
QString pythonChoice();

/// Workers that are started from now on use it, and so do later starts of the window; empty: python3.
void setPythonChoice(const QString& interpreter);

/// Hands the remembered choice on to workers. An interpreter in the environment takes precedence. Call at the start.
void applyPythonChoice();

} // namespace kl::ui
