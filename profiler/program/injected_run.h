// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/protocol/program_messages.h"
#include "profiler/protocol/program_trace.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <sys/types.h>
#include <vector>

namespace kl::inline program_runs {

/// A program to run with the injected library in it.
struct InjectedRun {
    std::vector<std::string> command; ///< looked up on PATH like a shell does
    TraceConfig config;
    bool outputToErrors = false; ///< its standard output goes to ours for messages, which keeps ours free for data
    bool again = false;          ///< a second run: nothing of what it writes is shown, and its input is that of the first if it can be
                                 ///< read again, else empty
    std::string folder = {};     ///< where it runs; empty: here
    std::vector<std::string> variables = {}; ///< "NAME=VALUE", before those of this program
    std::optional<int> output = {}; ///< a descriptor that gets what it writes: it runs in the background then, without input, in a process
                                    ///< group of its own, which ends with it. Unset: in the foreground, with our three standard streams
    std::optional<int> errors = {}; ///< in the background, what it writes to standard error; unset: to `output`, too
};

/// Who follows a run. In the foreground, `started` gets the program's id, and 0 when it has ended.
struct RunWatch {
    std::function<void(pid_t program)> started = {};
    std::stop_token stop = {}; ///< of a run in the background: SIGTERM, and SIGKILL three seconds later
    std::function<bool(double seconds)> waiting =
        {}; ///< called many times per second while a run in the background lasts; false ends it, too
    std::function<void(const std::string& step)> locked = {}; ///< before the run, while another measurement has the GPU: who has it
};

/// How it ended and what its processes left.
struct InjectedEnd {
    int exitCode = 0; ///< 128 + signal where it was killed
    std::optional<int> signal;
    double wallSeconds = 0;
    std::string host = {};               ///< name of the machine that it ran on
    std::vector<ProcessTrace> processes; ///< those that started CUDA, in order of start
};

/// libkloop-inject.so: $KERNELLOOP_INJECT, else ../lib or the folder of this program. Error environment where there is none.
Result<std::filesystem::path> findInjectedLibrary();

/// The detail of the notFound Error for a program that is not there at all.
inline constexpr const char* kNoSuchProgram = "no such program";

/// Whether the program can read the same standard input in a second run: it is a file, empty, or a terminal, but no pipe.
bool canReadInputAgain();

/// Runs it; LD_LIBRARY_PATH is the user's own. Errors: environment without the library or when another tool is injected already; notFound
/// for a program that does not exist or cannot be executed. A trace that is damaged says so itself.
Result<InjectedEnd> runInjected(const InjectedRun& run, const RunWatch& watch = {});

/// The same, with the files of its processes as they are, in order of start.
Result<TraceProgramAnswer> runForTraces(const InjectedRun& run, const RunWatch& watch = {});

/// What such an answer says; `host`: where it is from.
InjectedEnd readAnswer(const TraceProgramAnswer& answer, const std::string& host);

} // namespace kl::inline program_runs
