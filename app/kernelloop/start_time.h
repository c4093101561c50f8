// SPDX-License-Identifier: MIT
#pragma once

namespace kl::ui {

class AppContext;
class MainWindow;

/// Processor time of this thread, in ms.
double busyMilliseconds();

/// Waits until the window is painted and its page filled, and prints how long each took from the start of the process, in ms. Returns the
/// exit status.
int printStartTime();

/// Creates every page in advance, as IdlePages does, then visits each several times, and Diagnose with other runs. Prints the ten slowest
/// steps of the one and the ten slowest visits: how long each kept the thread of the window busy and how long it took until the page was
/// filled, in ms; then the most memory that the process had. Returns the exit status.
int printPageTimes(AppContext& context, MainWindow& window);

} // namespace kl::ui
