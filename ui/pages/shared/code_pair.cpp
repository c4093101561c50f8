// SPDX-License-Identifier: MIT
#include "ui/pages/shared/code_pair.h"

#include "ui/style/theme.h"
#include "ui/widgets/code_view.h"

#include <QLabel>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr int kBothSides = 900; ///< pixels from which both fit next to each other
constexpr int kMostCodeLines = 14;

void setSide(CodeView* view, const QString& code)
{
    view->setCode(code);
    view->parentWidget()->setVisible(!code.isEmpty());
    const int lines = std::min(kMostCodeLines, static_cast<int>(code.count(u'\n')) + 1);
    view->setFixedHeight((lines + 1) * view->fontMetrics().lineSpacing() + kGapBetween);
}

} // namespace

CodePair::CodePair(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapTight);
    sides_ = new QBoxLayout(QBoxLayout::TopToBottom);
    sides_->setSpacing(kGapInside);
    column->addLayout(sides_);
    before_ = addSide(tr("Before"), "codeBefore");
    after_ = addSide(tr("After"), "codeAfter");
    note_ = makeLabel({}, TextRole::caption, this);
    note_->setWordWrap(true);
    column->addWidget(note_);
}

CodeView* CodePair::addSide(const QString& heading, const char* name)
{
    auto* side = new QWidget(this);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(makeLabel(heading, TextRole::caption, side));
    auto* view = new CodeView(side);
    view->setObjectName(QString::fromLatin1(name));
    view->setAccessibleName(heading);
    view->setTabChangesFocus(true);
    column->addWidget(view);
    column->addStretch(1); // the sides may have different numbers of lines
    sides_->addWidget(side, 1);
    return view;
}

void CodePair::setCode(const QString& before, const QString& after, const QString& note)
{
    setSide(before_, before);
    setSide(after_, after);
    note_->setText(note);
    note_->setVisible(!note.isEmpty());
    setVisible(!before.isEmpty() || !after.isEmpty());
}

void CodePair::resizeEvent(QResizeEvent* event)
{
    sides_->setDirection(width() >= kBothSides ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    QWidget::resizeEvent(event);
}

} // namespace kl::ui
