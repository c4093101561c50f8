// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline live {

/// A variable in global memory that lives as long as the module: `__device__`, also static ones of a function.
struct ModuleVariable {
    std::string name; ///< as in the symbol table, mangled: what cuModuleGetGlobal takes
    std::uint64_t bytes = 0;

    bool operator==(const ModuleVariable&) const = default;
};

/// Those of a cubin, by name. Empty for an image that is not a 64-bit ELF file. `__constant__` ones are not listed: launches cannot
/// change them.
std::vector<ModuleVariable> moduleVariables(std::string_view cubin);

} // namespace kl::inline live
