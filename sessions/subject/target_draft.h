// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/run.h"
#include "kernels/catalog.h"

#include <array>
#include <string>
#include <vector>

namespace kl::inline subjects {

/// A program as the subject of sessions, as a form holds it before it is written as a kernelloop.json. Commands are lines.
struct TargetDraft {
    enum class Check { command, reference };
    enum class Rival { kernel, range, sdpa };

    std::string folder; ///< of the project, absolute: where everything runs
    std::string id;
    std::string build;      ///< for the shell; empty: nothing to build
    std::string run;        ///< program and arguments, {NAME} for a size
    std::string kernel;     ///< regular expression over demangled names
    bool holdShape = false; ///< only launches with this grid and block
    std::array<int, 3> grid{1, 1, 1};
    std::array<int, 3> block{1, 1, 1};
    std::string problem;            ///< the size that is measured: "N=4096"
    std::vector<std::string> suite; ///< sizes that are checked, smallest first; empty: the one that is measured
    Check check = Check::command;
    std::string checkCommand; ///< for the shell
    Rival rival = Rival::kernel;
    std::string rivalLaunches;     ///< regular expression, NVTX range, or "B=1,H=16,S=512,D=64"
    std::string rivalRun;          ///< for the shell: a second program that launches it; empty: this one does
    std::vector<std::string> edit; ///< files that a session may edit, relative to the folder
};

/// What a profiled kernel of a program says of a target for it: command, kernel and launch shape, and an id that no kernel of the catalog
/// has. The rest is the user's.
TargetDraft proposeTarget(const RunRecord& run, const Catalog& catalog);

/// A regular expression that finds this demangled kernel name, whatever its template arguments and parameters.
std::string makeKernelPattern(const std::string& demangledName);

/// Writes kernelloop.json, of schema 2, and its schema for editors into the folder. Returns the file. Errors badInput: a field that the
/// format refuses, as loadTarget words it; an id of another kernel; an edited file that does not exist; a kernelloop.json that is there
/// already, or a folder that cannot be written. Nothing is left behind then.
Result<std::string> writeTargetFile(const TargetDraft& draft, const Catalog& catalog);

} // namespace kl::inline subjects
