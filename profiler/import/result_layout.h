// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace kl::ncu {

/// The subject of a result: one launch, or several together.
enum class ResultKind { kernel, range, commandList, graph };

/// "kernel", "range", "command list", "graph".
const char* toWord(ResultKind kind);

/// A metric as stored in a result.
struct RawMetric {
    std::uint64_t name = 0; ///< place in the string table
    std::string_view value; ///< a Value message; empty for one without
    std::string_view whole; ///< the Metric message, with its instances
};

/// The parts of a result that are read, as views of the file's bytes. Numbers are 0, texts and messages empty where it has none.
struct RawResult {
    std::uint32_t thread = 0;
    std::uint64_t created = 0; ///< seconds since 1970
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    float driver = 0;         ///< "580.159" as a number
    std::uint64_t module = 0; ///< of a kernel, the id of the module with its code
    std::string_view mangled;
    std::string_view function;
    std::string_view demangled;
    std::string_view name;  ///< of a command list
    std::string_view grid;  ///< a Size message
    std::string_view block; ///< a Size message
    std::string_view nvtx;  ///< an NvtxState message
    std::vector<RawMetric> metrics;
    std::vector<std::string_view> rules; ///< Rule messages
};

/// Error badInput of bytes that are not a message of their kind.
Error noMessage();

/// Finds the parts of a result's message, by the field numbers of its kind. Error badInput when it is not such a message.
Result<RawResult> findParts(ResultKind kind, std::string_view message);

} // namespace kl::ncu
