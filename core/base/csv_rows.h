// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kl {

/// A record of comma-separated values and its first line.
struct CsvRow {
    std::size_t line = 0; ///< from 1
    std::vector<std::string> fields;
};

/// Every record of a text, as in RFC 4180: quotes around fields, doubled inside, line breaks in quotes; empty lines are left out. A
/// single quote inside is taken as one, too, where no comma or line's end follows: ncu does not double those of NVTX names.
/// `firstLine`: the text's first line in its file. Error badInput where a quote is never closed.
Result<std::vector<CsvRow>> csvRows(std::string_view text, std::size_t firstLine, const std::string& where);

} // namespace kl
