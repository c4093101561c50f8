// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/store/rows.h"

#include <QString>

#include <utility>
#include <vector>

namespace kl {

/// The name of each profile in a list, with its id: kernel, problem, class and GPU time ("not timed" without one). Where two would
/// be the same, also when each was measured, then the start of its id.
std::vector<std::pair<QString, QString>> profileChoices(const std::vector<RunSummary>& profiles);

} // namespace kl
