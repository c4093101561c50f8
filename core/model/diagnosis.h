// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/next_step.h"

#include <optional>
#include <string>
#include <vector>

namespace kl {

/// One condition that the tree tested. The last entry of a path is the one whose answer gave the class.
struct PathEntry {
    std::string node;   ///< id in the diagnosis tree
    std::string metric; ///< quantity or CUPTI metric compared
    std::optional<double> value;
    std::optional<double> threshold;
    std::string sense; ///< "<", "<=", ">", ">=": value sense threshold is what takes the branch
    bool taken = false;

    bool operator==(const PathEntry&) const = default;
};

/// The expected effect of fixing the finding.
struct Estimate {
    double runtimeReduction = 0; ///< fraction of the current time that would be saved, 0 to 1
    std::string how;             ///< the formula, with its figures

    bool operator==(const Estimate&) const = default;
};

/// A suggested change, best first.
struct Fix {
    std::string id; ///< stable: an address ("transpose/tiled") or a slug ("pad-shared-memory")
    std::string title;
    std::optional<std::string> pattern; ///< slug of the pattern it applies
    double confidence = 0;              ///< 0 to 1
    std::string variant;                ///< address of the catalog's fixed variant; empty when the user must edit
    std::string why;
    std::string kind;                ///< slug of the kind of change ("pad-shared-memory"); empty if unnamed
    int cases = 0;                   ///< similar cases behind the confidence; 0: only the tree's
    std::optional<double> gain;      ///< runtime reduction expected from them, 0 to 1; unset without evidence for a figure
    std::vector<NextStep> next = {}; ///< how to make it or to try it, the best first; none in findings of earlier versions

    bool operator==(const Fix&) const = default;
};

/// A classified bottleneck with its evidence.
struct Finding {
    std::string classId;  ///< one of the classes of the diagnosis tree ("uncoalesced"); "class" in JSON
    std::string title;    ///< one sentence with the figures
    std::string priority; ///< "P0" to "P3"
    double confidence = 0;
    bool inferred = false; ///< reached without hardware counters
    std::vector<PathEntry> path;
    std::optional<Estimate> estimate; ///< unset when no formula applies
    std::vector<Fix> fixes;

    bool operator==(const Finding&) const = default;
};

/// The verdict on one profile: what limits the kernel most, and other findings, ranked.
struct Diagnosis {
    Finding finding;
    std::vector<Finding> secondary;
    std::string treeVersion = {}; ///< DiagnosisTree::version() of the tree that found it; empty where it was not recorded

    bool operator==(const Diagnosis&) const = default;
};

} // namespace kl
