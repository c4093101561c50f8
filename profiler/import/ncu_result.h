// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/import/imported_file.h"
#include "profiler/import/result_layout.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kl::ncu {

class Modules;
class Session;

/// The session data of a report, combined from all of its blocks.
struct SessionFacts {
    std::string command;
    std::string tool;        ///< "Nsight Compute 2025.3.1.0"
    std::string toolCommand; ///< ncu's own command line
    int cudaVersion = 0;
    std::map<int, ImportedResult> devices; ///< by the launch's device id: their attributes as metrics

    void add(const Session& part);
};

/// The names of a file's metrics.
struct NameTable {
    explicit NameTable(std::vector<std::string> all);

    std::vector<std::string> names;   ///< as in the string table
    std::vector<std::uint32_t> ranks; ///< of each name in order of the alphabet, from 0; two names alike have two ranks
};

/// A result's message, with the code of its kernel from the file's modules. Error badInput when it is not such a message or uses a name
/// that is not there.
Result<ImportedResult> readResult(ResultKind kind, std::string_view message, const NameTable& table, const Modules& modules);

/// Adds the session data: command, tool, device.
void complete(ImportedResult& result, const SessionFacts& session);

} // namespace kl::ncu
