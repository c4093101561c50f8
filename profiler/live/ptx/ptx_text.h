// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/trimmed.h"

#include <string>
#include <string_view>
#include <vector>

namespace kl::inline live {

std::vector<std::string_view> splitOn(std::string_view text, char separator);
std::string_view firstWord(std::string_view text);
/// ".shared .align 4 .b8 tile" gives "tile".
std::string lastName(std::string_view text);
/// Operands at commas outside brackets and braces.
std::vector<std::string_view> splitOperands(std::string_view text);
/// Statements without comments and the braces of scopes, ".loc 1 12 5" among them; a label stays before its statement.
std::vector<std::string> splitStatements(std::string_view text);
/// %tid.x, %laneid, %ctaid.y …
bool isSpecialRegister(std::string_view name);

/// The number, as text, by which .loc directives refer to the file whose path ends with `name`; may be empty.
std::string_view fileNumber(std::string_view ptx, std::string_view name);

struct PtxEntryText {
    std::string_view before; ///< of the module, up to the entry
    std::vector<std::string> params;
    std::string_view body; ///< between its braces; empty when there is no such entry
};
PtxEntryText entryText(std::string_view ptx, std::string_view entry);

} // namespace kl::inline live
