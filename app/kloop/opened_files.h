// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/options.h"
#include "core/codec/json.h"
#include "core/model/run.h"

#include <functional>
#include <string>
#include <vector>

namespace kl {

/// The files of a command line, read.
struct OpenedFiles {
    std::vector<RunRecord> runs;    ///< of all files, in their order; never empty
    std::vector<bool> foreign;      ///< for each of them whether another tool measured it
    std::vector<std::string> notes; ///< "report.ncu-rep: …", said on stderr already
    std::vector<Error> errors;      ///< of files that could not be read, said on stderr already
    int exit = 0;                   ///< of the first such file
};

/// The name that --kernel is searched in.
std::string nameFor(const RunRecord& run);

/// The errors of files that say nothing of the kernel that was asked for, and of files of which none can be read.
Error noKernelNamed(const Options& options);
Error noFileRead();

/// The `notes` and `errors` of an answer about files.
void addTrouble(Json& answer, const OpenedFiles& files);

/// Opens every file or run:ID; one that cannot be read does not keep the others from being answered. Errors: the file's when none can be;
/// usage for an expression that is none; notFound when no kernel's name matches it. `sound`: openFile's.
Result<OpenedFiles> openFiles(Program& program, const Options& options, const std::function<void()>& sound = {});

} // namespace kl
