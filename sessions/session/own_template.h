// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <map>
#include <string>

namespace kl::inline session {

/// Writes a kind of session with other thresholds into the folder of a team's own kinds: as a kind of its own, or over the own kind of
/// that name. Errors badInput: `as` is a built-in kind, or no name; a threshold that nothing reads; writeFile's.
Status saveOwnTemplate(const std::string& kind, const std::string& as, const std::map<std::string, double>& thresholds);

} // namespace kl::inline session
