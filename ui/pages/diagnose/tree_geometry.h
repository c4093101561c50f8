// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/tree.h"

#include <functional>
#include <string>
#include <vector>

namespace kl {

enum class TreeState { passed, taken, unknown, notAsked };

/// One question of the tree, placed. Pixels.
struct TreeBox {
    std::string node;
    std::string title;
    std::string words;    ///< "32 ≥ 4.8", "not measured", empty when not asked
    std::string quantity; ///< whose value the words give: "sectors per request"; empty when not asked
    std::string help;
    std::string classId;                  ///< what the question leads to
    std::vector<std::string> comparisons; ///< every one that was made: "waves: 0.97 < 1"; without any, what it would ask
    TreeState state = TreeState::notAsked;
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;

    bool operator==(const TreeBox&) const = default;
};

/// Left and right of a box's words together.
inline constexpr double kTreeBoxMargins = 14;

struct TreeLayout {
    std::vector<TreeBox> boxes; ///< in the order of asking
    double height = 0;
};

/// Whether a question stands on one line of so many pixels, inside its box.
using TitleFits = std::function<bool(const std::string& title, double width)>;

/// Places the questions that were asked left to right in rows of equal boxes that fill `width`, each row read from the left; under them,
/// as small chips, those that were not reached. A node with several
/// comparisons shows the one that decided: the main one of the way taken, else the first that failed, else the first that is missing.
/// A row in which a title does not fit its line is a line higher. `classId`: the finding's. The question taken is the last one asked where
/// its way held, else the next one that leads to that class: the tree's last resort.
TreeLayout layoutTree(const std::vector<DiagnosisTree::Node>& nodes, const std::vector<PathEntry>& path, double width,
                      const TitleFits& fits = {}, const std::string& classId = {});

} // namespace kl
