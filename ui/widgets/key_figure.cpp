// SPDX-License-Identifier: MIT
#include "ui/widgets/key_figure.h"

#include "ui/style/theme.h"

#include <QLabel>
#include <QVBoxLayout>

namespace kl::ui {

KeyFigure::KeyFigure(const QString& name, QWidget* parent) : QWidget(parent), name_(name)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    value_ = makeLabel(QStringLiteral("–"), TextRole::figure, this);
    note_ = makeLabel({}, TextRole::caption, this);
    note_->setWordWrap(true);
    note_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* nameLabel = makeLabel(name, TextRole::caption, this);
    nameLabel->setWordWrap(true); // four beside one another have little room in a small window
    layout->addWidget(nameLabel);
    layout->addWidget(value_);
    layout->addWidget(note_, 1);
}

void KeyFigure::set(const QString& value, const QString& note, Token token)
{
    value_->setText(value);
    setTextToken(value_, token);
    note_->setText(note);
    setAccessibleName(name_ + QStringLiteral(": ") + value + (note.isEmpty() ? QString() : QStringLiteral(", ") + note));
}

} // namespace kl::ui
