// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/decision_card.h"

#include "ui/pages/diagnose/help_line.h"
#include "ui/pages/diagnose/tree_view.h"
#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {
namespace {

/// "Is DRAM the limit? Yes: DRAM throughput 91 % ≥ 70 %. The 6 questions before it did not apply."
QString describeAnswer(const std::vector<DiagnosisTree::Node>& nodes, const Finding& finding)
{
    constexpr double kAnyWidth = 600; // the boxes are not drawn
    const std::vector<TreeBox> boxes = layoutTree(nodes, finding.path, kAnyWidth, {}, finding.classId).boxes;
    const auto taken = std::ranges::find(boxes, TreeState::taken, &TreeBox::state);
    if (taken == boxes.end())
        return DecisionCard::tr("No question of the decision tree applies.");
    const auto before = std::count_if(boxes.begin(), taken, [](const TreeBox& box) { return box.state != TreeState::notReached; });
    QString text = q(taken->title) + u' ';
    text += taken->words.empty() ? DecisionCard::tr("Yes.") : DecisionCard::tr("Yes: %1 %2.").arg(q(taken->quantity), q(taken->words));
    if (before > 0)
        text += u' ' + (before == 1 ? DecisionCard::tr("The question before it did not apply.")
                                    : DecisionCard::tr("The %1 questions before it did not apply.").arg(before));
    return text;
}

} // namespace

DecisionCard::DecisionCard(QWidget* parent) : Card({}, parent), tree_(new TreeView(this)), help_(makeHelpLine(this))
{
    auto* line = new QHBoxLayout;
    line->setSpacing(kGapInside);
    answer_ = makeLabel({}, TextRole::body, this);
    answer_->setObjectName(QStringLiteral("decidingQuestion"));
    answer_->setWordWrap(true);
    whole_ = makeLinkButton({}, this);
    whole_->setObjectName(QStringLiteral("wholeTree"));
    connect(whole_, &QPushButton::clicked, this, [this] { showTree(tree_->isHidden()); });
    line->addWidget(answer_, 1);
    line->addWidget(whole_, 0, Qt::AlignTop);
    body()->addLayout(line);
    help_->setObjectName(QStringLiteral("questionHelp"));
    help_->setTextFormat(Qt::RichText);
    body()->addWidget(tree_);
    body()->addWidget(help_);
    connect(tree_, &TreeView::explained, help_, [this](const QString& html) { showHelp(help_, html); });
    showTree(false);
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
    answer_->setText(describeAnswer(nodes, finding));
    showHelp(help_, {});
}

void DecisionCard::showTree(bool shown)
{
    tree_->setVisible(shown);
    whole_->setText(shown ? tr("Hide decision tree") : tr("Show decision tree"));
    if (!shown)
        showHelp(help_, {});
}

} // namespace kl::ui
