// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/params.h"
#include "kernels/model/work.h"

#include <map>
#include <string>
#include <vector>

namespace kl::inline targeting {

/// Program and arguments; {NAME} in them stands for a size, {python} for the interpreter (pythonProgram).
using CommandWords = std::vector<std::string>;

/// Which launches of a program are meant: those of one kernel, or everything that an NVTX range launches.
struct LaunchChoice {
    std::string kernel;             ///< regular expression searched in demangled names; empty: a range is chosen
    std::vector<std::string> grid;  ///< formulas over the sizes; empty: any grid, as long as only one occurs
    std::vector<std::string> block; ///< the same of the block
    std::string range;              ///< innermost or outer NVTX range; each entry is one sample

    bool empty() const noexcept { return kernel.empty() && range.empty(); }
    bool operator==(const LaunchChoice&) const = default;
};

/// How the result of a size is checked: one of the two.
struct TargetCheck {
    CommandWords command;   ///< exit status 0: correct
    CommandWords reference; ///< writes the correct outputs to the folder KLOOP_OUTPUT; `run` writes its own there
    Tolerance tolerance;    ///< between the two

    bool operator==(const TargetCheck&) const = default;
};

/// What the target has to beat.
struct TargetRival {
    std::string name;
    LaunchChoice launches;                    ///< of the program, or of `run`
    CommandWords run;                         ///< a second program; empty: the launches are the program's own
    std::map<std::string, std::string> shape; ///< of PyTorch's scaled_dot_product_attention, formulas: B, H, S, D; empty: not that
    std::string type = "f16";                 ///< of its inputs: f16, bf16, f32
    bool causal = false;

    bool operator==(const TargetRival&) const = default;
};

/// A program as the subject of sessions: the part "target" of a kernelloop.json of schema 2.
struct TargetSpec {
    std::string file;     ///< absolute
    std::string fileHash; ///< SHA-256 of its text
    std::string folder;   ///< of the file: where everything runs
    std::string id;
    std::string title;
    std::vector<std::string> sizes;
    std::vector<Params> problems; ///< the first is the default
    Params smallest;
    std::vector<Params> suite; ///< sizes that are checked
    CommandWords build;        ///< empty: nothing to build
    CommandWords run;
    std::map<std::string, std::string> environment; ///< variables of every command
    LaunchChoice kernel;
    int warmup = 10;             ///< launches at the start of a process that are not measured
    int launches = 50;           ///< the least number of launches after them
    double timeoutSeconds = 600; ///< of each command
    TargetCheck check;
    TargetRival rival;
    std::vector<std::string> edit;     ///< files that may be edited, relative to the folder
    std::vector<std::string> leaveOut; ///< names and relative paths that do not belong to the project: data, what the build makes

    bool operator==(const TargetSpec&) const = default;
};

/// Every command that the target names, the build first: what its user allows.
std::vector<CommandWords> commandsIn(const TargetSpec& spec);

} // namespace kl::inline targeting
