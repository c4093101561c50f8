// SPDX-License-Identifier: MIT
#include "ui/widgets/message_bar.h"

#include "ui/style/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/text.h"

#include <QEvent>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {

namespace {

constexpr int kMostShown = 3;
constexpr int kWidest = 760;
constexpr const char* kSettled = "settled"; ///< property of a message that needs no attention

const char* nameLevel(MessageLevel level)
{
    switch (level) {
    case MessageLevel::error: return "error";
    case MessageLevel::warning: return "warning";
    case MessageLevel::success: return "success";
    default: return "info";
    }
}

} // namespace

Message makeMessage(const Error& error, const QString& what)
{
    const QString errorText = q(error.message);
    Message message;
    message.level = error.code == ErrorCode::interrupted ? MessageLevel::info : MessageLevel::error;
    message.what = what.isEmpty() ? errorText : what;
    message.why = what.isEmpty() ? q(error.where) : errorText;
    message.next = q(error.hint);
    if (error.code == ErrorCode::needsConsent) { // the hint is for the command line; the window asks by itself
        message.level = MessageLevel::info;
        message.next = QObject::tr("Nothing was run. Start again to see this prompt again.");
    }
    return message;
}

MessageBar::MessageBar(QWidget* parent) : QWidget(parent), rows_(new QVBoxLayout(this))
{
    rows_->setContentsMargins(0, 0, 0, 0);
    rows_->setSpacing(kGapInside);
    if (parent)
        parent->installEventFilter(this);
    hide();
}

void MessageBar::post(const Message& message)
{
    auto* frame = new QFrame(this);
    frame->setObjectName(QStringLiteral("message"));
    frame->setProperty("level", nameLevel(message.level));
    frame->setProperty(kSettled, message.level == MessageLevel::success || message.level == MessageLevel::info);
    auto* row = new QHBoxLayout(frame);
    row->setContentsMargins(12, kGapInside, kGapInside, kGapInside);
    QStringList parts{QStringLiteral("<b>%1</b>").arg(message.what.toHtmlEscaped())};
    for (const QString& part : {message.why, message.next})
        if (!part.isEmpty())
            parts << part.toHtmlEscaped();
    auto* text = makeLabel(parts.join(QStringLiteral(" · ")), TextRole::body, frame);
    text->setTextFormat(Qt::RichText);
    text->setWordWrap(true);
    frame->setAccessibleName(message.what + u' ' + message.why + u' ' + message.next);
    row->addWidget(text, 1);
    for (const MessageButton& offered : message.buttons) {
        auto* button = new QPushButton(offered.text, frame);
        button->setObjectName(QStringLiteral("messageAction"));
        QObject::connect(button, &QPushButton::clicked, frame, offered.action);
        row->addWidget(button);
    }
    auto* dismiss = new QToolButton(frame);
    dismiss->setIcon(icon(QStringLiteral("close")));
    dismiss->setObjectName(QStringLiteral("dismiss"));
    dismiss->setToolTip(tr("Dismiss"));
    dismiss->setAccessibleName(tr("Dismiss this message"));
    row->addWidget(dismiss, 0, Qt::AlignTop);
    QObject::connect(dismiss, &QToolButton::clicked, this, [this, frame] { remove(frame); });
    rows_->insertWidget(0, frame);
    while (rows_->count() > kMostShown) {
        QLayoutItem* oldest = rows_->takeAt(rows_->count() - 1);
        oldest->widget()->hide();
        oldest->widget()->deleteLater();
        delete oldest;
    }
    frame->show(); // it counts from now on, not from when the loop shows it
    show();
    place();
}

void MessageBar::place()
{
    if (!parentWidget() || isHidden())
        return;
    const int width = std::min(kWidest, parentWidget()->width() - 2 * kGapPage);
    const int height = rows_->hasHeightForWidth() ? rows_->heightForWidth(width) : sizeHint().height();
    setGeometry(parentWidget()->width() - width - kGapPage, parentWidget()->height() - height - bottom_ - kGapBetween, width, height);
    raise();
}

void MessageBar::setBottom(int pixels)
{
    bottom_ = pixels;
    place();
}

bool MessageBar::eventFilter(QObject*, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        place();
    return false;
}

void MessageBar::clearSettled()
{
    for (int i = rows_->count() - 1; i >= 0; --i)
        if (QWidget* frame = rows_->itemAt(i)->widget(); frame->property(kSettled).toBool())
            remove(frame);
}

void MessageBar::remove(QWidget* frame)
{
    rows_->removeWidget(frame);
    frame->hide();
    frame->deleteLater();
    setVisible(rows_->count() > 0);
    place();
}

void MessageBar::dismissNewest()
{
    if (rows_->count() > 0)
        remove(rows_->itemAt(0)->widget());
}

void MessageBar::clear()
{
    clearLayout(rows_);
    hide();
}

int MessageBar::count() const
{
    return rows_->count();
}

} // namespace kl::ui
