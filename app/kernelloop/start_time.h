// SPDX-License-Identifier: MIT
#pragma once

namespace kl::ui {

class MainWindow;

/// Waits until the window is painted and its page filled, and prints how long each took from the start of the process, in ms. Returns the
/// exit status.
int printStartTime();

/// Visits every page twice and prints, slowest first, how long each visit kept the thread of the window busy and how long it took until
/// the page was filled, in ms; then the most memory that the process had. Returns the exit status.
int printPageTimes(MainWindow& window);

} // namespace kl::ui
