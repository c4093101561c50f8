// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "kernels/catalog.h"
#include "profiler/collector.h"
#include "profiler/device/device_spec.h"
#include "sessions/sanitize/sanitizer_report.h"

#include <filesystem>
#include <string>
#include <vector>

namespace kl::inline sanitizer {

/// One tool's run over a kernel.
struct SanitizerCheck {
    std::string tool;
    std::vector<SanitizerFinding> findings;
    std::string trouble; ///< why the kernel did not complete, if no finding explains it; empty otherwise
    std::string log;     ///< everything that the tool wrote
};

/// compute-sanitizer: $KERNELLOOP_SANITIZER, else on PATH, in $CUDA_HOME/bin or in /usr/local/cuda/bin. Error environment where it is not
/// found, with the places and where to get it.
Result<std::filesystem::path> sanitizerProgram();

/// The command that runs another one under a tool, which writes to `log`: the words before the other command.
std::vector<std::string> sanitizerCommand(const std::filesystem::path& program, const std::string& tool, const std::filesystem::path& log);

/// Launches the work once under each of the tools (kSanitizerTools), in a worker of its own that compute-sanitizer starts: every buffer is
/// an allocation of exactly its size, outputs are uninitialized. Places in the work's source carry the name `sourceName` (empty:
/// kSourceFile). Errors: sanitizerProgram's; environment when the worker cannot be started under it; interrupted.
Result<std::vector<SanitizerCheck>> sanitize(const WorkSpec& work, const std::vector<std::string>& tools, const std::string& sourceName,
                                             const DeviceSpec& device, const Job& job = {});

/// The same from a recording. A check that it lacks has the reason as its trouble; error notRecorded where it has none of them.
Result<std::vector<SanitizerCheck>> findRecordedChecks(Collector& recording, const WorkSpec& work, const std::vector<std::string>& tools,
                                                       const std::string& sourceName, const Job& job = {});

/// The file that a variant's source is in, as its descriptor names it: the name used in findings.
std::string chooseSourceName(const Catalog& catalog, const Address& variant);

/// "memcheck: Invalid __global__ write of size 4 bytes at past_the_end, faults.cu:14, by thread (0,0,0) in block (4,0,0)."
std::string describe(const SanitizerFinding& finding);
/// All checks in a sentence or two, for the row of a debugging iteration.
std::string describe(const std::vector<SanitizerCheck>& checks);

/// [{tool, trouble, findings: [{what, kernel, file, line, thread[], block[], address, detail, count, other}]}]; null where nothing is
/// known.
Json toJson(const std::vector<SanitizerCheck>& checks);

} // namespace kl::inline sanitizer
