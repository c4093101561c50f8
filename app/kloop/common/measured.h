// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/run.h"

#include <string>
#include <utility>
#include <vector>

namespace kl::cli {

class Program;

/// The kernels and sizes that a command line names.
struct SubjectOptions {
    std::vector<std::string> kernels; ///< addresses or paths
    bool all = false;                 ///< every variant of the catalog
    std::vector<std::string> problems;
};

/// A kernel on a problem; an empty one is its default.
using Subject = std::pair<Address, Params>;

/// Each kernel that is named on each --problem; with --all every variant of the catalog, on each of its family's problems where none is
/// named. Error usage when no kernel is named; else as Program::kernel.
Result<std::vector<Subject>> listSubjects(Program& program, const SubjectOptions& options);

/// Every variant of the catalog on every measured problem of its family, profiled. What the device cannot say is left out and named.
Result<std::vector<RunRecord>> profileCatalog(Program& program);

/// Prints runs as one answer, of several a list of results under `schema`; with `explain` in words how the tree came to each finding, too.
/// `missing`: what the recording that answered lacks; it is listed in the answer, and counted on stderr. Exit 1 when a run failed or is
/// incorrect.
Result<int> printRuns(Program& program, const char* schema, const std::vector<RunRecord>& runs, bool explain = false,
                      const std::vector<Subject>& missing = {});

} // namespace kl::cli
