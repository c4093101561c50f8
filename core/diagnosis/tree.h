// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/run.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline diagnosis {

/// A catalog variant that fixes a class of the profiled one: becomes the first fix of the finding.
struct CatalogFix {
    std::string address; ///< "transpose/tiled"
    std::string title;   ///< imperative
    std::string fixes;   ///< class that it fixes, expected in the profiled variant
    std::string kind;    ///< of change, as Fix::kind
};

/// The diagnosis tree as data (resources/diagnosis-tree.json): order of the nodes, thresholds, texts, fixes, over the closed
/// registry of computed quantities. Immutable; validated on load.
class DiagnosisTree {
public:
    /// The built-in tree. Error badInput names the faulty node and field.
    static Result<DiagnosisTree> loadEmbedded();
    static Result<DiagnosisTree> parse(std::string_view json, std::string_view where);
    /// A team's own tree: of `file`; of $XDG_CONFIG_HOME/kernelloop/diagnosis-tree.json (~/.config without that variable) where no file is
    /// named; if there is none, the built-in one. Errors badInput: not readable; not a tree, with file, line, column, node and field.
    static Result<DiagnosisTree> loadConfigured(const std::string& file = {});

    DiagnosisTree(DiagnosisTree&&) noexcept;
    DiagnosisTree& operator=(DiagnosisTree&&) noexcept;
    ~DiagnosisTree();

    /// What limits the run. Uses its metrics, launch facts, timing, correctness and formulas; a condition whose metric is
    /// missing is recorded in the path without a value and not taken. Without any metrics the finding is `inferred`. With some, a question
    /// that other comparisons do not answer and whose counters were not read is skipped: the finding's title names what was not measured,
    /// and its confidence is multiplied by the share of the questions up to the finding that were answered.
    /// `ownSource`: the kernel is the user's, who can make any change; without it, only changes that a variant has get a step.
    Diagnosis diagnose(const RunRecord& run, const std::vector<CatalogFix>& catalogFixes, bool ownSource = false) const;

    /// Nodes in the order in which they are tested, for drawing: id, title, class it leads to.
    struct Node {
        std::string id;
        std::string title;
        std::string classId;
        std::string help;
        std::vector<std::string> asks; ///< each way into the node as text: "waves < 1 and busiest unit < 60 %", inferred ones marked
    };
    const std::vector<Node>& nodes() const noexcept;

    /// The title of a fix ("Pad each shared-memory row by one word"), by its id; empty if unknown.
    std::string fixTitle(const std::string& id) const;

    /// Whether a kind of fix can apply to the run: false if every finding with this fix excludes it.
    bool mayApply(const std::string& fix, const RunRecord& run) const;

    /// The data file that this tree was read from, verbatim.
    const std::string& source() const noexcept;

    /// Which tree this is: the first 12 hexadecimal digits of the SHA-256 of source(). Findings carry it, so that one of an older tree is
    /// known as such.
    const std::string& version() const noexcept;

private:
    struct Data;
    explicit DiagnosisTree(std::unique_ptr<Data> data);
    std::unique_ptr<Data> data_;
};

} // namespace kl::inline diagnosis
