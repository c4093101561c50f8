// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/estimates.h"
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/tree.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline diagnosis {

enum class Sense { less, lessEqual, greater, greaterEqual };

/// One comparison of the tree: quantity sense threshold.
struct Condition {
    const Quantity* quantity = nullptr;
    Sense sense = Sense::less;
    double threshold = 0;
};

/// One way into a node: all its conditions hold; they are tested in order until one fails.
struct Alternative {
    std::vector<Condition> conditions;
    std::vector<Condition> unless;    ///< tested last: a condition that holds closes this way; a missing one does not
    bool inferred = false;            ///< tested only for a run without hardware counters; others only for a run with them, unless `always`
    bool always = false;              ///< tested for both: reads no counters
    bool secondaryOnly = false;       ///< never the verdict, only a secondary finding
    std::string finding;              ///< sentence; empty: the node's
    std::optional<double> confidence; ///< unset: the node's
};

struct GenericFix {
    std::string id;
    std::string title;
    std::optional<std::string> pattern;
    double confidence = 0;
    std::string why;
    std::vector<Condition> when; ///< offered unless one of them is known not to hold
    bool isChange = true;        ///< false: an action that does not change the kernel
};

struct TreeNode {
    DiagnosisTree::Node shown;
    std::string finding; ///< template: {quantity_id} and {fact_id} are replaced
    int priority = 0;    ///< of the verdict: 0 is P0
    double confidence = 0.8;
    bool asSecondary = true; ///< may appear among the secondary findings
    EstimateFormula estimate = nullptr;
    std::vector<Alternative> alternatives; ///< the last node's last one has no conditions: every run gets a class
    std::vector<GenericFix> fixes;
};

struct DiagnosisTree::Data {
    Data(std::vector<TreeNode> read, std::string_view text);

    std::vector<TreeNode> nodes;
    std::vector<Node> shown;
    std::string source;
    std::string version;
};

const char* toString(Sense sense) noexcept;
Sense opposite(Sense sense) noexcept;
bool holds(double value, Sense sense, double threshold) noexcept;

/// The sentence with its figures; a figure that is not known is a dash.
std::string fillTemplate(const std::string& text, const RunFacts& facts);
/// The first placeholder that is neither a quantity nor a fact; empty when all are known.
std::string unknownPlaceholder(const std::string& text);

/// Whether a field that appears twice in its object is an error. To look for them takes two fifths of the time to parse.
enum class Duplicates { rejected, notSought };

/// Reads and checks the data file.
Result<std::vector<TreeNode>> parseTree(std::string_view json, std::string_view where, Duplicates duplicates);

} // namespace kl::inline diagnosis
