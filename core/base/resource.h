// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace kl {

/// A data file embedded in the program at build time, by its path in the source tree ("resources/patterns.json").
/// Error notFound when no such file was embedded.
Result<std::string_view> resource(std::string_view path);

/// Paths of all embedded files that start with prefix, sorted.
std::vector<std::string> resourcesUnder(std::string_view prefix);

} // namespace kl
