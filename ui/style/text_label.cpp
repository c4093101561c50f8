// SPDX-License-Identifier: MIT
#include "ui/style/text_label.h"

#include <QEvent>

namespace kl::ui {

TextLabel::TextLabel(const QString& text, QWidget* parent) : QLabel(text, parent)
{
    setCursor(Qt::IBeamCursor);
}

void TextLabel::forgetOther() const
{
    if (std::tuple now(text(), font(), margin(), indent(), wordWrap()); now != measured_) {
        measured_ = std::move(now);
        heights_.clear();
        hint_ = {};
        least_ = {};
    }
}

int TextLabel::heightForWidth(int width) const
{
    forgetOther();
    const auto [place, isNew] = heights_.try_emplace(width, 0);
    if (isNew)
        place->second = QLabel::heightForWidth(width);
    return place->second;
}

QSize TextLabel::sizeHint() const
{
    forgetOther();
    if (!hint_.isValid())
        hint_ = QLabel::sizeHint();
    return hint_;
}

QSize TextLabel::minimumSizeHint() const
{
    forgetOther();
    if (!least_.isValid())
        least_ = QLabel::minimumSizeHint();
    return least_;
}

bool TextLabel::event(QEvent* event)
{
    if (event->type() == QEvent::MouseButtonPress && textInteractionFlags() == Qt::LinksAccessibleByMouse) // what a label begins with
        setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::Polish)
        measured_ = {}; // a style sheet has paddings
    return QLabel::event(event);
}

} // namespace kl::ui
