// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/tree.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kl::inline diagnosis {

/// A figure that a question of the tree compares with.
struct TreeThreshold {
    std::string place;    ///< in the tree's text: "/nodes/3/any/0/all/1/2"
    std::string node;     ///< id of the question
    std::string question; ///< its title
    std::string classId;  ///< that the question leads to
    std::string quantity; ///< title: "excess sectors"
    std::string how;      ///< formula of the quantity
    std::string sense;    ///< "<", "<=", ">", ">="
    std::string unit;     ///< of the quantity
    bool unless = false;  ///< where the comparison holds, this way into the question is closed
    double value = 0;
};

/// Those of a tree, in the order in which they are tested.
std::vector<TreeThreshold> listThresholds(const DiagnosisTree& tree);

/// The tree with other values at these places. Error badInput: no threshold is there.
Result<DiagnosisTree> withThresholds(const DiagnosisTree& tree, const std::map<std::string, double>& values);

/// Where DiagnosisTree::configured() looks for a team's own tree.
std::filesystem::path teamTreeFile();

/// Makes it the team's tree; the built-in one has no file. Errors: writeFile's.
Status saveTeamTree(const DiagnosisTree& tree);

} // namespace kl::inline diagnosis
