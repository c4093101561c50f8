// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/fix_model.h"

#include <string>
#include <vector>

namespace kl::inline learning {

/// The number of cases, and of correct ones.
struct FixRate {
    int right = 0;
    int of = 0;

    double percent() const { return of > 0 ? 100.0 * right / of : 0; }
};

/// The result of the recommender for one family outside its training data.
struct FamilyTrial {
    std::string family;
    int states = 0;
    int cases = 0;
    FixRate offered; ///< the best ranked of the changes measured there is within 10 % of the best of them
    FixRate choice;  ///< the same, of states with two kinds of change and more
    FixRate any;     ///< the best ranked of all kinds there are was measured there, and is within 10 % of the best
};

/// Chances within one tenth, and how often they came true.
struct ReliabilityRow {
    double from = 0; ///< 0 to 1; the row ends 0.1 above
    int cases = 0;
    double predicted = 0; ///< mean chance
    double paid = 0;      ///< part that reached kFixPays
};

/// Cross-validation over whole families: each is judged by a model (scales, cases, calibration) that was trained on all others.
struct FixValidation {
    std::vector<FamilyTrial> families;
    FixRate offered, choice, any;
    FixRate treeOffered, treeChoice, treeAny; ///< the same of the tree's confidence alone, without learning
    std::vector<ReliabilityRow> reliability;  ///< of every measured change
    double ece = 0;    ///< expected calibration error over every measured change: sum of |predicted - paid| over the rows, by cases
    double topEce = 0; ///< the same over the best ranked measured change of each state alone
    int cases = 0;
    double paid = 0; ///< part of all cases that pays
};

/// Deterministic; about a second for 500 cases.
FixValidation crossValidate(const std::vector<FixState>& states);

/// Tables of a markdown document.
std::string validationMarkdown(const FixValidation& validation);

} // namespace kl::inline learning
