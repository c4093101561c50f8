// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/run.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kl {

/// A catalogue variant that mends a class of the profiled one: becomes the first fix of the finding.
struct LadderFix {
    std::string address; ///< "transpose/tiled"
    std::string title;   ///< imperative
    std::string mends;   ///< class planted in the profiled variant
};

/// The diagnosis tree as data (resources/diagnosis-tree.json): order of the nodes, thresholds, texts, fixes, over the closed
/// registry of computed quantities. Immutable; validated on load.
class DiagnosisTree {
public:
    /// The tree that the program carries. Error badInput names the node and field that is wrong.
    static Result<DiagnosisTree> embedded();
    static Result<DiagnosisTree> parse(std::string_view json, std::string_view where);

    DiagnosisTree(DiagnosisTree&&) noexcept;
    DiagnosisTree& operator=(DiagnosisTree&&) noexcept;
    ~DiagnosisTree();

    /// What limits the run. Uses its metrics, launch facts, timing, correctness and formulas; a question whose metric is
    /// missing is recorded in the path with no value and not taken. Without any metrics the finding is `inferred`.
    Diagnosis diagnose(const RunRecord& run, const std::vector<LadderFix>& ladder) const;

    /// Nodes in the order they are asked, for drawing: id, title, class it leads to.
    struct Node {
        std::string id;
        std::string title;
        std::string klass;
        std::string help;
    };
    const std::vector<Node>& nodes() const noexcept;

private:
    struct Data;
    explicit DiagnosisTree(std::unique_ptr<Data> data);
    std::unique_ptr<Data> data_;
};

} // namespace kl
