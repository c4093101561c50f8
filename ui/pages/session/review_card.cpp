// SPDX-License-Identifier: MIT
#include "ui/pages/session/review_card.h"

#include "ui/style/theme.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr int kAuthorWidth = 140;

QLineEdit* field(const QString& prompt, const char* name, QWidget* parent)
{
    auto* line = new QLineEdit(parent);
    line->setPlaceholderText(prompt);
    line->setAccessibleName(prompt);
    line->setObjectName(QLatin1String(name));
    return line;
}

QLabel* makeWrapped(const QString& text, TextRole role, QWidget* parent)
{
    QLabel* label = makeLabel(text, role, parent);
    label->setTextFormat(Qt::PlainText); // a reviewer's text is never markup
    label->setWordWrap(true);
    return label;
}

} // namespace

ReviewCard::ReviewCard(QWidget* parent) : Card(tr("Review"), parent), rows_(new QVBoxLayout)
{
    rows_->setSpacing(kGapInside);
    body()->addLayout(rows_);
    target_ = new QComboBox(this);
    target_->setAccessibleName(tr("Subject of the comment"));
    author_ = field(tr("Your name"), "reviewAuthor", this);
    text_ = field(tr("Comment (press Enter to add)"), "reviewText", this);
    add_ = makeButton(tr("Comment"), false, this);
    add_->setObjectName(QStringLiteral("reviewAdd"));
    target_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    target_->setMinimumContentsLength(12);
    author_->setFixedWidth(kAuthorWidth);
    auto* line = new QHBoxLayout;
    line->addWidget(target_);
    line->addWidget(author_);
    line->addWidget(text_, 1);
    line->addWidget(add_);
    body()->addLayout(line);
    auto* files = new FlowLayout(nullptr, kGapInside, kGapInside);
    QPushButton* out = makeButton(tr("Export for review…"), false, this);
    import_ = makeButton(tr("Import review…"), false, this);
    out->setObjectName(QStringLiteral("reviewExport"));
    import_->setObjectName(QStringLiteral("reviewImport"));
    files->addWidget(out);
    files->addWidget(import_);
    body()->addLayout(files);
    connect(out, &QPushButton::clicked, this, &ReviewCard::exportRequested);
    connect(import_, &QPushButton::clicked, this, &ReviewCard::importRequested);
    connect(add_, &QPushButton::clicked, this, &ReviewCard::send);
    connect(text_, &QLineEdit::returnPressed, this, &ReviewCard::send);
}

void ReviewCard::send()
{
    if (author_->text().trimmed().isEmpty()) {
        author_->setFocus();
        return;
    }
    if (text_->text().trimmed().isEmpty()) {
        text_->setFocus();
        return;
    }
    emit commented(target_->currentData().toString(), author_->text().trimmed(), text_->text().trimmed());
    text_->clear();
}

void ReviewCard::setReview(const SessionView& view, const std::vector<ReviewComment>& comments)
{
    const QVariant chosen = target_->currentData();
    target_->clear();
    for (const ReviewTarget& target : reviewTargets(view))
        target_->addItem(q(target.title), q(target.id));
    target_->setCurrentIndex(std::max(0, target_->findData(chosen)));
    showComments(comments);
}

void ReviewCard::showComments(const std::vector<ReviewComment>& comments)
{
    clearLayout(rows_);
    for (const ReviewComment& comment : comments) {
        rows_->addWidget(makeWrapped(QStringLiteral("%1 · %2 · %3").arg(q(comment.target), q(comment.author), relative(comment.at)),
                                     TextRole::caption, this));
        rows_->addWidget(makeWrapped(q(comment.text), TextRole::body, this));
    }
    if (comments.empty())
        rows_->addWidget(makeWrapped(tr("No comments yet."), TextRole::caption, this));
}

void ReviewCard::setBusy(const QString& reason)
{
    for (QWidget* part : {static_cast<QWidget*>(target_), static_cast<QWidget*>(author_), static_cast<QWidget*>(text_),
                          static_cast<QWidget*>(add_), static_cast<QWidget*>(import_)}) {
        part->setEnabled(reason.isEmpty());
        part->setToolTip(reason);
    }
    text_->setPlaceholderText(reason.isEmpty() ? tr("Comment (press Enter to add)") : reason);
}

} // namespace kl::ui
