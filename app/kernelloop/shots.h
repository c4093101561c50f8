// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace kl::ui {

class AppContext;
class MainWindow;

/// A picture of the window as it is now, after all jobs are done. False when the file cannot be written.
bool shoot(MainWindow& window, const QString& file);

/// A picture of every page at 1280 × 800, 1920 × 1080 and 2560 × 1440, light and dark, in the folder (created if missing). The exit status.
int takeShots(AppContext& context, MainWindow& window, const QString& folder);

/// A picture per step of the tour, tour-1.png and so on, at 1280 × 800. The exit status.
int shootTour(MainWindow& window, const QString& folder);

} // namespace kl::ui
