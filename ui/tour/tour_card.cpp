// SPDX-License-Identifier: MIT
#include "ui/tour/tour_card.h"

#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"

#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

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

QRect placeBeside(const QRect& target, const std::vector<QRect>& kept, const QSize& card, const QRect& room)
{
    const int right = std::max(room.left(), room.right() + 1 - card.width());
    const int bottom = std::max(room.top(), room.bottom() + 1 - card.height());
    const int x = std::clamp(target.left(), room.left(), right);
    const int y = std::clamp(target.top(), room.top(), bottom);
    std::vector<QPoint> corners;
    if (!target.isEmpty())
        corners = {QPoint(x, target.bottom() + 1 + kGapInside), QPoint(x, target.top() - kGapInside - card.height()),
                   QPoint(target.right() + 1 + kGapInside, y), QPoint(target.left() - kGapInside - card.width(), y)};
    std::erase_if(corners, [&](const QPoint& corner) { return !room.contains(QRect(corner, card)); });
    for (const QPoint corner : {QPoint(right, bottom), QPoint(room.left(), bottom), QPoint(right, room.top()), room.topLeft()})
        corners.push_back(corner);
    const auto covered = [&](const QPoint& corner) {
        const auto computeArea = [&](const QRect& other) {
            const QRect common = other & QRect(corner, card);
            return common.isEmpty() ? 0 : common.width() * common.height();
        };
        int more = 0;
        for (const QRect& other : kept)
            more += computeArea(other);
        return std::pair(computeArea(target), more);
    };
    return {*std::ranges::min_element(corners, {}, covered), card};
}

} // namespace kl::ui
