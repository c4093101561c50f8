// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline protocol {

/// The request `trace`: a program that the worker runs on its host, with the library in it that records its launches. What it writes comes
/// in events of its own while it runs (Job::output). It has no input.
struct TraceProgramRequest {
    std::vector<std::string> command;   ///< looked up on PATH like a shell does
    std::vector<std::string> variables; ///< "NAME=VALUE", before those of the worker
    std::string config;                 ///< what to collect, as encodeTraceConfig() writes it
    bool again = false;                 ///< a second run, of whose output nothing is sent
};

struct TraceProgramAnswer {
    int exitCode = 0;          ///< 128 + signal where one ended it
    std::optional<int> signal; ///< that ended it
    double wallSeconds = 0;
    std::vector<std::string> traces; ///< of each process that started CUDA, in order of start, as parseTrace() reads it
};

/// The body of an `output` event: bytes that the program wrote.
struct ProgramOutput {
    std::string base64;
    bool errors = false; ///< to its standard error
};

// As in message_codec.h.
Json toJsonMessage(const TraceProgramRequest& request);
Json toJsonMessage(const TraceProgramAnswer& answer);
Json toJsonMessage(const ProgramOutput& output);

} // namespace kl::inline protocol
