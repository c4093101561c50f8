// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl {

/// A metric that a rule of another tool points at.
struct RuleFocus {
    std::string metric;
    std::optional<double> value;
    std::string info; ///< what the tool would change: "Decrease the bank conflicts"

    bool operator==(const RuleFocus&) const = default;
};

/// A source line that a rule of another tool marks.
struct RulePlace {
    std::string file;
    int line = 0;     ///< from 1
    std::string text; ///< why: "87.50% of this line's global accesses are excessive."

    bool operator==(const RulePlace&) const = default;
};

/// One message of a rule of another tool, word for word. A rule with several messages appears once for each.
struct RuleResult {
    std::string section; ///< "WarpStateStats"; empty when the file does not say
    std::string rule;    ///< identifier: "CPIStall"
    std::string title;   ///< of the message, or of the rule: "High Pipe Utilization"
    std::string kind;    ///< "ok", "info", "warning", "error", "optimization"
    std::string text;
    std::optional<double> speedupPercent; ///< the tool's estimate; unset when it gave none
    std::string speedupScope;             ///< "global": of the whole kernel; "local": of the part the rule is about; empty with no estimate
    std::vector<RuleFocus> focus;
    std::vector<RulePlace> places; ///< with the rule's first message

    bool operator==(const RuleResult&) const = default;
};

/// Additional data of a run from another tool's file. Figures of that tool are kept, never recomputed.
struct ImportFacts {
    std::string file;       ///< its name without folders
    std::string fileHash;   ///< SHA-1 of its bytes
    int index = 0;          ///< of the result in the file, from 0
    std::string format;     ///< "ncu-rep", "ncu-csv-raw", "ncu-csv-details"
    std::string tool;       ///< "Nsight Compute 2025.3.1.0"; empty when the file does not say
    std::string kind;       ///< "kernel", "range", "graph", "command list"
    std::string kernel;     ///< name in the file, demangled if possible
    std::string mangled;    ///< empty when the file does not say
    std::string process;    ///< name of the program
    std::int64_t pid = 0;   ///< 0 when not known
    std::string host;       ///< it ran on
    std::string command;    ///< with its arguments; empty when the file does not say
    std::vector<int> grid;  ///< blocks in x, y, z; empty for what is not a launch
    std::vector<int> block; ///< threads in x, y, z
    std::int64_t context = 0;
    std::int64_t stream = 0;
    std::vector<std::string> ranges;          ///< NVTX ranges open at the launch
    std::map<std::string, std::string> texts; ///< metrics whose value is a text
    std::vector<RuleResult> rules;            ///< in the tool's order

    bool operator==(const ImportFacts&) const = default;
};

} // namespace kl
