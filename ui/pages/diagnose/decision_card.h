// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/card.h"

class QLabel;
class QPushButton;

namespace kl {
struct Finding;
}

namespace kl::inline diagnosis {
class DiagnosisTree;
}

namespace kl::ui {

class TreeView;

/// The path through the decision tree that led to a finding: the deciding question in one line, the whole tree on request. A click on a
/// question explains it below the tree.
class DecisionCard : public Card {
    Q_OBJECT
public:
    explicit DecisionCard(QWidget* parent = nullptr);
    void setFinding(const DiagnosisTree& tree, const Finding& finding);

private:
    void showTree(bool shown);

    QLabel* answer_ = nullptr;
    QPushButton* whole_ = nullptr; ///< shows and hides the tree
    TreeView* tree_ = nullptr;
    QLabel* help_ = nullptr;
};

} // namespace kl::ui
