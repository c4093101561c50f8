// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/codec/json.h"
#include "core/model/run.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace kl::cli {

class Program;

/// What a FILE of measurements may be, for help texts.
inline constexpr const char* kMeasurementFiles =
    "Nsight Compute reports (.ncu-rep, .ncu-repz) or CSV pages (raw, details), bundles, or JSON of run, profile or analyze";

/// The files of measurements that a command line names.
struct FileOptions {
    std::vector<std::string> files;
    std::string kernel;      ///< expression searched in kernel names; empty: every one
    bool noCounters = false; ///< diagnose as if hardware counters were not permitted
};

/// The files of a command line, read.
struct OpenedFiles {
    std::vector<RunRecord> runs;    ///< of all files, in their order; never empty
    std::vector<bool> foreign;      ///< for each of them whether another tool measured it
    std::vector<std::string> notes; ///< "report.ncu-rep: …", already reported on stderr
    std::vector<Error> errors;      ///< of files that could not be read, already reported on stderr
    int exit = 0;                   ///< of the first such file
};

/// The name that --kernel is searched in.
std::string nameFor(const RunRecord& run);

/// The errors where no kernel's name matches, with some of the names that there are, and where none of the files can be read.
Error makeNoKernelError(const std::string& expression, const std::set<std::string>& kernels);
Error makeNoFileReadError();

/// The `notes` and `errors` of an answer about files.
void addTrouble(Json& answer, const OpenedFiles& files);

/// Opens every file or run:ID; one that cannot be read does not keep the others from being answered. Errors: the file's when none can be;
/// usage for an expression that is none; notFound when no kernel's name matches it. `sound`: openFile's. `unmatched`: where to add the
/// names of the kernels that the expression leaves out; may be null.
Result<OpenedFiles> openFiles(Program& program, const FileOptions& options, const std::function<void()>& sound = {},
                              std::set<std::string>* unmatched = nullptr);

} // namespace kl::cli
