// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/store/rows.h"

#include <QString>

#include <utility>
#include <vector>

namespace kl {

/// What a list of profiles calls each, with its id: kernel, problem, class and GPU time ("not timed" without), and where two would
/// still read alike, when each was measured, then how its id begins.
std::vector<std::pair<QString, QString>> profileChoices(const std::vector<RunSummary>& profiles);

} // namespace kl
