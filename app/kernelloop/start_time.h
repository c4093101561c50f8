// SPDX-License-Identifier: MIT
#pragma once

namespace kl::ui {

class MainWindow;

/// Waits until the window is painted and its page filled, and prints how long each took from the start of the process, in ms. Returns the
/// exit status.
int printStartTime(MainWindow& window);

} // namespace kl::ui
