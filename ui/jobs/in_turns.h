// SPDX-License-Identifier: MIT
#pragma once

#ifndef Q_MOC_RUN
#include <functional>
#include <vector>
#endif

namespace kl::ui {

class BackgroundJob;

/// Does the parts in their order on the GUI thread, at once for as long as keys can wait, the others in later turns of the event loop.
/// `job` is the one whose answer they show: starting it again leaves out what is not done yet.
void doInTurns(BackgroundJob& job, std::vector<std::function<void()>> parts);

} // namespace kl::ui
