// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace kl {

/// A record of a CSV file (RFC 4180) with its line end. Texts are cleaned; one that a spreadsheet would read as a formula is prefixed with
/// an apostrophe.
std::string csvLine(const std::vector<std::string>& cells);

} // namespace kl
