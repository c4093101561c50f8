// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/command.h"

#include <string>

namespace kl::inline patterns {
struct PatternBody;
}

namespace kl::cli {

/// Why, evidence, steps, code and checklist, one below the other.
std::string renderPatternBody(const PatternBody& body);

// Commands of `kloop patterns` that add, edit, retire, apply and suggest.
Runner addPatternsEdit(CLI::App& app);
Runner addPatternsRetire(CLI::App& app);
Runner addPatternsAdd(CLI::App& app);
Runner addPatternsApply(CLI::App& app);
Runner addPatternsSuggest(CLI::App& app);

} // namespace kl::cli
