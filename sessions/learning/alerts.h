// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/next_step.h"
#include "core/base/result.h"
#include "sessions/store/store.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline learning {

/// A notice for the user, with its subject.
struct Alert {
    std::string code;    ///< "over-budget", "over-cost", "near-cost", "regression", "build-history", "build-time-out"
    std::string text;    ///< one sentence with the figures
    std::string subject; ///< "session:ID" or "run:ID"
    std::optional<NextStep> next;

    bool operator==(const Alert&) const = default;
};

/// The open slow-downs, see regressions.h; one that is acknowledged, fixed or the new normal raises no alarm.
Result<std::vector<Alert>> regressionAlerts(const Store& store);

} // namespace kl::inline learning
