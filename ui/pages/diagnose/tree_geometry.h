// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/tree.h"

#include <string>
#include <vector>

namespace kl {

enum class TreeState { passed, taken, unknown, notAsked };

/// One question of the tree, placed. Pixels.
struct TreeBox {
    std::string node;
    std::string title;
    std::string words; ///< "32 ≥ 4.8", "not measured", empty when not asked
    std::string help;
    std::string klass;                    ///< what the question leads to
    std::vector<std::string> comparisons; ///< every one that was made: "waves: 0.97 < 1"; without any, what it would ask
    TreeState state = TreeState::notAsked;
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;

    bool operator==(const TreeBox&) const = default;
};

struct TreeLayout {
    std::vector<TreeBox> boxes; ///< in the order of asking
    double height = 0;
};

/// Places the questions that were asked left to right in rows of equal boxes that fill `width`, each row read from the left; under them,
/// as small chips, those that were not reached. A node with several
/// comparisons shows the one that decided: the main one of the way taken, else the first that failed, else the first that is missing.
TreeLayout layoutTree(const std::vector<DiagnosisTree::Node>& nodes, const std::vector<PathEntry>& path, double width);

} // namespace kl
