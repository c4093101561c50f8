// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace kl {

class AppContext;
class MainWindow;

/// A screenshot of the window, with all jobs finished. False when the file cannot be written.
bool shoot(MainWindow& window, const QString& file);

/// A picture of every page at 1280 × 800 and 1920 × 1080, light and dark, in the folder (made when missing). The exit status.
int takeShots(AppContext& context, MainWindow& window, const QString& folder);

} // namespace kl
