// SPDX-License-Identifier: MIT
#include "ui/pages/session/plan_card.h"

#include "ui/style/tokens.h"
#include "ui/widgets/reasoned_button.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace kl::ui {

PlanCard::PlanCard(QWidget* parent) : Card(tr("Plan"), parent), text_(new QTextBrowser(this)), fold_(makeLinkButton({}, this))
{
    setCaption(tr("Stages, gates, fixes to choose from, and what the document asks. Save it to edit and check off."));
    text_->setObjectName(QStringLiteral("plan"));
    text_->setAccessibleName(tr("Plan of the session"));
    text_->setFrameShape(QFrame::NoFrame);
    text_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // the page scrolls
    text_->setTabChangesFocus(true);
    fold_->setObjectName(QStringLiteral("foldPlan"));
    QPushButton* save = makeButton(tr("Save plan…"), false, this);
    save->setObjectName(QStringLiteral("savePlan"));
    tools()->addWidget(fold_);
    tools()->addWidget(save);
    body()->addWidget(text_);
    connect(save, &QPushButton::clicked, this, &PlanCard::saveRequested);
    connect(fold_, &QPushButton::clicked, this, [this] {
        touched_ = true;
        unfold(text_->isHidden());
    });
    unfold(false);
}

void PlanCard::unfold(bool open)
{
    text_->setVisible(open);
    fold_->setText(open ? tr("Hide") : tr("Show"));
    fold_->setAccessibleName(open ? tr("Hide the plan") : tr("Show the plan"));
    showText();
}

void PlanCard::setPlan(const QString& markdown, bool fresh)
{
    markdown_ = markdown;
    if (touched_)
        showText();
    else
        unfold(fresh);
}

void PlanCard::showText()
{
    if (text_->isHidden())
        return;
    if (shown_ != markdown_) {
        shown_ = markdown_;
        text_->setMarkdown(markdown_);
    }
    fitHeight();
}

void PlanCard::resizeEvent(QResizeEvent* event)
{
    Card::resizeEvent(event);
    if (!text_->isHidden())
        fitHeight();
}

void PlanCard::fitHeight()
{
    text_->document()->setTextWidth(text_->viewport()->width());
    text_->setFixedHeight(static_cast<int>(text_->document()->size().height()) + kGapInside);
}

} // namespace kl::ui
