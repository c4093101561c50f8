// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/tree_line.h"

#include "sessions/learning/rediagnose.h"
#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace kl::ui {

TreeLine::TreeLine(QWidget* parent)
    : QWidget(parent), text_(makeLabel({}, TextRole::caption, this)), button_(new ReasonedButton(tr("Diagnose again"), false, this))
{
    text_->setObjectName(QStringLiteral("findingsTree"));
    text_->setWordWrap(true);
    button_->button()->setObjectName(QStringLiteral("diagnoseAgain"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGapInside);
    row->addWidget(text_, 1);
    row->addWidget(button_);
    connect(button_, &ReasonedButton::clicked, this, &TreeLine::againRequested);
    hide();
}

void TreeLine::setDiagnosis(const Diagnosis& diagnosis, const DiagnosisTree& tree)
{
    text_->setText(diagnosis.treeVersion.empty()
                       ? tr("This finding was stored by an earlier version of KernelLoop.")
                       : tr("This finding is of another diagnosis tree (%1; now %2).").arg(q(diagnosis.treeVersion), q(tree.version())));
    button_->show();
    setVisible(isOfAnotherTree(diagnosis, tree));
}

void TreeLine::setUnstored(const QString& reason)
{
    text_->setText(tr("Diagnosed again, not stored: %1").arg(reason));
    button_->hide();
    show();
}

void TreeLine::setReason(const QString& reason)
{
    button_->setReason(reason);
}

} // namespace kl::ui
