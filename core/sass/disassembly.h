// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline sass {

/// An instruction as nvdisasm prints it.
struct DisassembledLine {
    std::int64_t offset = 0;          ///< bytes from its section's start
    std::string text;                 ///< "@!P0 BRA 0x120": labels of the same section are replaced by their offsets
    std::optional<int> liveRegisters; ///< general-purpose registers that hold a value here

    bool operator==(const DisassembledLine&) const = default;
};

/// The instructions of `nvdisasm -c -lrm count`, by section (".text._Z4tinyPf"; empty for raw instructions), in the order of printing.
/// Everything else is skipped.
std::map<std::string, std::vector<DisassembledLine>> readDisassembly(std::string_view text);

} // namespace kl::inline sass
