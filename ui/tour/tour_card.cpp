// SPDX-License-Identifier: MIT
#include "ui/tour/tour_card.h"

#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"

#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kWidth = 400;

} // namespace

TourCard::TourCard(QWidget* parent)
    : QFrame(parent), place_(makeLabel({}, TextRole::caption, this)), title_(makeLabel({}, TextRole::card, this)),
      text_(makeLabel({}, TextRole::body, this)), leave_(makeLinkButton(tr("Leave the tour"), this)),
      back_(makeButton(tr("Back"), false, this)), next_(makeButton(tr("Next"), true, this))
{
    setObjectName(QStringLiteral("tourCard"));
    setFixedWidth(kWidth);
    leave_->setObjectName(QStringLiteral("tourLeave"));
    leave_->setToolTip(tr("Help → Resume the tour continues here"));
    back_->setObjectName(QStringLiteral("tourBack"));
    next_->setObjectName(QStringLiteral("tourNext"));
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(kGapBetween, kGapBetween, kGapBetween, kGapBetween);
    rows->setSpacing(kGapInside);
    for (QLabel* label : {place_, title_, text_}) {
        label->setWordWrap(true);
        rows->addWidget(label);
    }
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(leave_);
    buttons->addStretch(1);
    buttons->addWidget(back_);
    buttons->addWidget(next_);
    rows->addLayout(buttons);
    connect(leave_, &QPushButton::clicked, this, &TourCard::leaveRequested);
    connect(back_, &QPushButton::clicked, this, &TourCard::backRequested);
    connect(next_, &QPushButton::clicked, this, &TourCard::nextRequested);
}

void TourCard::setStep(int step, int count, const QString& title, const QString& text)
{
    place_->setText(tr("Step %1 of %2").arg(step + 1).arg(count));
    title_->setText(title);
    text_->setText(text);
    back_->setEnabled(step > 0);
    next_->setText(step + 1 == count ? tr("Finish") : tr("Next"));
    setAccessibleName(place_->text() + QStringLiteral(": ") + title);
    next_->setAccessibleDescription(accessibleName() + QStringLiteral(". ") + text); // read aloud with the focus
}

void TourCard::focusNext()
{
    next_->setFocus(Qt::OtherFocusReason);
}

bool TourCard::event(QEvent* event)
{
    const bool pressed = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (!pressed || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape)
        return QFrame::event(event);
    event->accept(); // else it would dismiss a message of the window
    if (event->type() == QEvent::KeyPress)
        emit leaveRequested();
    return true;
}

QRect placeBeside(const QRect& target, const QSize& card, const QRect& room)
{
    const int x = std::clamp(target.left(), room.left(), std::max(room.left(), room.right() + 1 - card.width()));
    const int y = std::clamp(target.top(), room.top(), std::max(room.top(), room.bottom() + 1 - card.height()));
    for (const QPoint corner : {QPoint(x, target.bottom() + 1 + kGapInside), QPoint(x, target.top() - kGapInside - card.height()),
                                QPoint(target.right() + 1 + kGapInside, y), QPoint(target.left() - kGapInside - card.width(), y)})
        if (!target.isEmpty() && room.contains(QRect(corner, card)))
            return {corner, card};
    return {QPoint(room.right() + 1 - card.width(), room.bottom() + 1 - card.height()), card};
}

} // namespace kl::ui
