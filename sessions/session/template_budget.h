// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>

namespace kl::inline session {

/// A template's text with another budget, minutes: its stages keep their shares of it. Errors: badInput for a budget that leaves a stage
/// less than a minute, or above a week; a text that is not JSON.
Result<std::string> withBudget(const std::string& templateJson, double minutes);

} // namespace kl::inline session
