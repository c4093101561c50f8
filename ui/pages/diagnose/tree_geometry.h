// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/tree.h"

#include <functional>
#include <string>
#include <vector>

namespace kl::ui {

enum class TreeState { passed, taken, unknown, notReached };

/// One question of the tree, placed. Pixels.
struct TreeBox {
    std::string node;
    std::string title;
    std::string words;    ///< "32 ≥ 4.8", "not measured", empty when not asked
    std::string quantity; ///< the quantity whose value `words` shows: "sectors per request"; empty when not asked
    std::string help;
    std::string classId;                  ///< the class that the question leads to
    std::vector<std::string> comparisons; ///< all that were evaluated: "waves: 0.97 < 1"; if none, those of the node
    TreeState state = TreeState::notReached;
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;

    bool operator==(const TreeBox&) const = default;
};

/// Left plus right margin of a box's text.
inline constexpr double kTreeBoxMargins = 14;

struct TreeLayout {
    std::vector<TreeBox> boxes; ///< in the order of the questions
    double height = 0;
};

/// Whether a question fits on one line of a box with this width in pixels.
using TitleFits = std::function<bool(const std::string& title, double width)>;

/// Places the questions that were asked left to right in rows of equal boxes that fill `width`, each row read from the left; under them,
/// as small chips, those that were not reached. Of a node with several
/// comparisons, shows the deciding one: the main one of the way taken, else the first that failed, else the first that is missing.
/// A row with a title that does not fit on one line is one line higher. `classId`: the finding's. The question taken is the last one if
/// its way holds, else the next one that leads to that class (the tree's fallback).
TreeLayout layoutTree(const std::vector<DiagnosisTree::Node>& nodes, const std::vector<PathEntry>& path, double width,
                      const TitleFits& fits = {}, const std::string& classId = {});

} // namespace kl::ui
