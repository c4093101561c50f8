// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/decision_card.h"

#include "ui/pages/diagnose/help_line.h"
#include "ui/pages/diagnose/tree_view.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace kl {

DecisionCard::DecisionCard(QWidget* parent) : Card(tr("Decision path"), parent), tree_(new TreeView(this)), help_(makeHelpLine(this))
{
    help_->setObjectName(QStringLiteral("questionHelp"));
    help_->setTextFormat(Qt::RichText);
    body()->addWidget(tree_);
    body()->addWidget(help_);
    connect(tree_, &TreeView::explained, help_, [this](const QString& html) { showHelp(help_, html); });
}

void DecisionCard::setFinding(const DiagnosisTree& tree, const Finding& finding)
{
    const std::vector<DiagnosisTree::Node>& nodes = tree.nodes();
    const bool known = std::ranges::all_of(finding.path, [&](const PathEntry& entry) {
        return std::ranges::find(nodes, entry.node, &DiagnosisTree::Node::id) != nodes.end();
    });
    setCaption(
        known ? QString()
              : tr("This diagnosis was made with a different decision tree. Questions that the current tree does not have are not shown."));
    tree_->setTree(nodes, finding);
    showHelp(help_, {});
}

} // namespace kl
