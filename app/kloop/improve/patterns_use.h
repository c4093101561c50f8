// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/command.h"

namespace kl {

// Commands of `kloop patterns` that add, apply and suggest.
Runner addPatternsAdd(CLI::App& app);
Runner addPatternsApply(CLI::App& app);
Runner addPatternsSuggest(CLI::App& app);

} // namespace kl
