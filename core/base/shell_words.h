// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace kl {

/// The words of a command line as a shell reads them, by POSIX' rules for quotes and backslashes: the inverse of shellLine(). Nothing is
/// expanded: no variables, no wildcards, no pipes. Error badInput: a quote that is never closed.
Result<std::vector<std::string>> splitShellLine(std::string_view line);

} // namespace kl
