// SPDX-License-Identifier: MIT
#include "ui/tour/tour.h"

#include "ui/style/tokens.h"
#include "ui/tour/tour_card.h"

#include <QCoreApplication>
#include <QFrame>
#include <QScrollArea>
#include <QSettings>

#include <algorithm>
#include <chrono>

namespace kl::ui {
namespace {

constexpr auto kFollowing = std::chrono::milliseconds(50);
constexpr int kSettling = 6;                       ///< a page that was filled gives the focus to a field of its own, e.g. a new session
const QString kStep = QStringLiteral("tour/step"); ///< the one it was left at; not there before the start and after the end

QString translate(const char* text)
{
    return QCoreApplication::translate("Tour", text);
}

QWidget* cardAround(QWidget* widget)
{
    for (QWidget* above = widget; above && !above->isWindow(); above = above->parentWidget())
        if (above->objectName() == QStringLiteral("card"))
            return above;
    return widget;
}

/// What of a widget can be seen, in the coordinates of `over`: what it is scrolled out of hides the rest.
QRect visiblePart(const QWidget& widget, const QWidget& over)
{
    QRect part(widget.mapTo(&over, QPoint(0, 0)), widget.size());
    for (const QWidget* above = widget.parentWidget(); above && above != &over; above = above->parentWidget())
        part &= QRect(above->mapTo(&over, QPoint(0, 0)), above->size());
    return part;
}

} // namespace

Tour::Tour(QWidget* over, std::function<QWidget*(const TourStep& step)> show)
    : QObject(over), over_(over), show_(std::move(show)), card_(new TourCard(over)), frame_(new QFrame(over))
{
    frame_->setObjectName(QStringLiteral("tourFrame"));
    frame_->setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
    following_.setInterval(kFollowing);
    connect(&following_, &QTimer::timeout, this, &Tour::follow);
    connect(card_, &TourCard::backRequested, this, [this] { showStep(step_ - 1); });
    connect(card_, &TourCard::nextRequested, this,
            [this] { step_ + 1 < static_cast<int>(tourSteps().size()) ? showStep(step_ + 1) : finish(); });
    connect(card_, &TourCard::leaveRequested, this, &Tour::leave);
}

bool Tour::isBegun()
{
    return QSettings().contains(kStep);
}

bool Tour::isRunning() const
{
    return following_.isActive();
}

void Tour::start()
{
    following_.start();
    showStep(std::clamp(QSettings().value(kStep).toInt(), 0, static_cast<int>(tourSteps().size()) - 1));
    emit changed();
}

void Tour::showStep(int step)
{
    step_ = step;
    scrolled_ = false;
    settling_ = kSettling;
    QSettings().setValue(kStep, step);
    const TourStep& shown = tourSteps()[static_cast<std::size_t>(step)];
    page_ = show_(shown);
    card_->setStep(step, static_cast<int>(tourSteps().size()), translate(shown.title), translate(shown.text));
    follow();
    card_->show();
    card_->focusNext();
}

void Tour::leave()
{
    hide();
    emit changed();
}

void Tour::finish()
{
    QSettings().remove(kStep);
    leave();
}

void Tour::hide()
{
    following_.stop();
    card_->hide();
    frame_->hide();
}

QWidget* Tour::target() const
{
    const std::vector<QWidget*> shown = findShown(tourSteps()[static_cast<std::size_t>(step_)].target);
    return shown.empty() ? nullptr : shown.front();
}

std::vector<QWidget*> Tour::findShown(const char* names) const
{
    std::vector<QWidget*> cards;
    for (const QString& name : QString::fromLatin1(names).split(u' ', Qt::SkipEmptyParts))
        for (QWidget* widget : page_->findChildren<QWidget*>(name))
            if (widget->isVisible())
                cards.push_back(cardAround(widget));
    return cards;
}

void Tour::follow()
{
    QWidget* shown = target();
    for (QWidget* above = shown && !scrolled_ ? shown->parentWidget() : nullptr; above; above = above->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(above)) {
            area->ensureWidgetVisible(shown, kGapPage, kGapPage);
            scrolled_ = true;
        }
    if (shown && settling_ > 0 && --settling_ == 0)
        card_->focusNext();
    const QRect part = shown ? visiblePart(*shown, *over_) : QRect();
    frame_->setVisible(!part.isEmpty());
    frame_->setGeometry(part.adjusted(-kGapTight, -kGapTight, kGapTight, kGapTight));
    frame_->raise();
    std::vector<QRect> kept;
    for (const QWidget* widget : findShown(tourSteps()[static_cast<std::size_t>(step_)].also))
        kept.push_back(visiblePart(*widget, *over_));
    const QSize size(card_->width(), card_->heightForWidth(card_->width()));
    card_->setGeometry(placeBeside(frame_->isVisible() ? frame_->geometry() : QRect(), kept, size,
                                   over_->rect().adjusted(kGapBetween, kGapBetween, -kGapBetween, -kGapBetween)));
    card_->raise();
}

} // namespace kl::ui
