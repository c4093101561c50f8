// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/run.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kl {

/// A catalog variant that fixes a class of the profiled one: becomes the first fix of the finding.
struct CatalogFix {
    std::string address; ///< "transpose/tiled"
    std::string title;   ///< imperative
    std::string fixes;   ///< class expected in the profiled variant
    std::string kind;    ///< of change, as Fix::kind
};

/// The diagnosis tree as data (resources/diagnosis-tree.json): order of the nodes, thresholds, texts, fixes, over the closed
/// registry of computed quantities. Immutable; validated on load.
class DiagnosisTree {
public:
    /// The tree that the program carries. Error badInput names the node and field that is wrong.
    static Result<DiagnosisTree> embedded();
    static Result<DiagnosisTree> parse(std::string_view json, std::string_view where);
    /// A team's own tree: of `file`; of $XDG_CONFIG_HOME/kernelloop/diagnosis-tree.json (~/.config without that variable) where no file is
    /// named; where there is none, the program's. Errors badInput: not readable; not a tree, with file, line, column, node and field.
    static Result<DiagnosisTree> configured(const std::string& file = {});

    DiagnosisTree(DiagnosisTree&&) noexcept;
    DiagnosisTree& operator=(DiagnosisTree&&) noexcept;
    ~DiagnosisTree();

    /// What limits the run. Uses its metrics, launch facts, timing, correctness and formulas; a question whose metric is
    /// missing is recorded in the path with no value and not taken. Without any metrics the finding is `inferred`.
    Diagnosis diagnose(const RunRecord& run, const std::vector<CatalogFix>& catalogFixes) const;

    /// Nodes in the order they are asked, for drawing: id, title, class it leads to.
    struct Node {
        std::string id;
        std::string title;
        std::string classId;
        std::string help;
        std::vector<std::string> asks; ///< each way into the node in words: "waves < 1 and busiest unit < 60 %", what is inferred marked
    };
    const std::vector<Node>& nodes() const noexcept;

    /// What the tree calls a fix ("Pad each shared-memory row by one word"), by its id; empty where it knows none such.
    std::string fixTitle(const std::string& id) const;

    /// Whether a kind of fix can apply to the run: false where the tree knows it, and every finding that names it says where it cannot.
    bool mayApply(const std::string& fix, const RunRecord& run) const;

    /// The data file that this tree was read from, word for word.
    const std::string& source() const noexcept;

private:
    struct Data;
    explicit DiagnosisTree(std::unique_ptr<Data> data);
    std::unique_ptr<Data> data_;
};

} // namespace kl
