// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace kl::ui {

class AppContext;
class MainWindow;

/// What only a GPU shows, with a picture of each at 1280 × 800: `program` profiled by its dialog, the machine code of a kernel with its
/// samples, metrics over its duration, a kernel beside a pinned baseline, and a session walked with the Return key alone. The exit status;
/// 1 when something of it could not be done, which is printed.
int driveLive(AppContext& context, MainWindow& window, const QString& program, const QString& folder);

} // namespace kl::ui
