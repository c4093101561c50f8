// SPDX-License-Identifier: MIT
#pragma once

namespace kl::ui {

class AppContext;

/// Scrolls 100,000 instructions beside their source, 1280 x 800, by three rows, by pages and as by the bar, and prints how long a frame
/// of each kept the thread of the window busy, in ms: median and slowest. The instructions are those of the newest run with machine code,
/// repeated; without such a run it says so.
void printScrollTimes(AppContext& context);

} // namespace kl::ui
