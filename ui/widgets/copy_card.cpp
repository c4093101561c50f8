// SPDX-License-Identifier: MIT
#include "ui/widgets/copy_card.h"

#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"

#include <QApplication>
#include <QClipboard>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kLeastTextLines = 3;
constexpr int kMostTextLines = 16; ///< before it scrolls

} // namespace

CopyCard::CopyCard(const QString& title, const QString& name, QWidget* parent) : Card(title, parent), text_(new QPlainTextEdit(this))
{
    text_->setObjectName(name);
    text_->setReadOnly(true);
    text_->setFont(makeFont(TextRole::code));
    text_->setAccessibleName(title);
    text_->setTabChangesFocus(true);
    body()->addWidget(text_);
    QPushButton* copy = makeButton(tr("Copy"), false, this);
    copy->setObjectName(name + QStringLiteral("Copy"));
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(text_->toPlainText()); });
    tools()->addWidget(copy);
}

void CopyCard::setText(const QString& text)
{
    text_->setPlainText(text);
    const int lines = std::clamp(static_cast<int>(text.count(u'\n')) + 2, kLeastTextLines, kMostTextLines);
    text_->setFixedHeight(lines * text_->fontMetrics().lineSpacing() + kGapBetween);
}

} // namespace kl::ui
