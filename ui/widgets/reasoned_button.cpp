// SPDX-License-Identifier: MIT
#include "ui/widgets/reasoned_button.h"

#include "ui/style/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace kl::ui {

QPushButton* makeButton(const QString& text, bool primary, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setProperty("primary", primary);
    button->setCursor(Qt::PointingHandCursor);
    button->setAutoDefault(true); // Enter presses it, like Space
    return button;
}

QPushButton* makeLinkButton(const QString& text, QWidget* parent)
{
    auto* button = makeButton(text, false, parent);
    button->setProperty("flat", true);
    return button;
}

ReasonedButton::ReasonedButton(const QString& text, bool primary, QWidget* parent) : QWidget(parent)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGapInside);
    button_ = makeButton(text, primary, this);
    reason_ = makeLabel({}, TextRole::caption, this);
    reason_->setWordWrap(true);
    reason_->hide();
    row->addWidget(button_);
    row->addWidget(reason_, 1);
    row->addStretch(0); // without a reason the button keeps its own width
    connect(button_, &QPushButton::clicked, this, &ReasonedButton::clicked);
}

void ReasonedButton::setReason(const QString& reason)
{
    button_->setEnabled(reason.isEmpty());
    reason_->setText(reason);
    reason_->setVisible(!reason.isEmpty());
    button_->setAccessibleDescription(reason);
}

void ReasonedButton::setReasonBelow()
{
    auto* box = qobject_cast<QBoxLayout*>(layout());
    box->setDirection(QBoxLayout::TopToBottom);
    box->setAlignment(button_, Qt::AlignLeft);
}

void ReasonedButton::setText(const QString& text)
{
    button_->setText(text);
}

} // namespace kl::ui
