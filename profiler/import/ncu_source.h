// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/source_profile.h"
#include "profiler/import/result_layout.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kl::ncu {

struct NameTable;

/// A module of a report's program, as views of the file's bytes.
struct Module {
    std::string_view cubin;                         ///< empty where the report has none
    std::map<std::string, std::uint64_t> functions; ///< mangled name to the address it was loaded at
    std::map<std::string, std::string> texts;       ///< source files by name without folder, recorded with --import-source
};

/// The modules of a report by id. A module is described in several messages: its cubin in the first, functions as they are used.
class Modules {
public:
    /// Takes a Source message; false when it is not one.
    bool add(std::string_view message);
    /// Null for an unknown id.
    const Module* find(std::uint64_t id) const;

private:
    std::map<std::uint64_t, Module> modules_;
};

/// Samples, executions and memory accesses of each instruction of a kernel, with its code; unset where the result has neither. `module`:
/// the kernel's, null when not known.
std::optional<SourceProfile> readSource(const RawResult& kernel, const NameTable& table, const Module* module);

} // namespace kl::ncu
