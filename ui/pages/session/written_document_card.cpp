// SPDX-License-Identifier: MIT
#include "ui/pages/session/written_document_card.h"

#include "sessions/session/session_document.h"
#include "ui/style/theme.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr int kShortestField = 2;
constexpr int kTallestField = 6;

} // namespace

WrittenDocumentCard::WrittenDocumentCard(QWidget* parent)
    : Card(tr("Document"), parent), save_(new ReasonedButton(tr("Save document"), false, this)),
      lesson_(makeButton(tr("Send lesson to Patterns"), false, this)),
      nextStep_(makeButton(tr("Put next step on the roadmap"), false, this)), pattern_(makeLinkButton({}, this)),
      roadmap_(makeLinkButton(tr("On the roadmap"), this))
{
    setCaption(tr("Drafted from what happened. Edit it in your own words; it becomes part of the report."));
    for (const DocumentQuestion& question : kDocumentQuestions) {
        auto* head = new QHBoxLayout;
        QLabel* title = makeLabel(q(question.title), TextRole::body, this);
        QLabel* origin = makeLabel({}, TextRole::caption, this);
        head->addWidget(title);
        head->addWidget(origin);
        head->addStretch(1);
        auto* text = new QPlainTextEdit(this);
        text->setObjectName(QStringLiteral("document-%1").arg(q(question.id)));
        text->setAccessibleName(q(question.text));
        text->setPlaceholderText(q(question.text));
        text->setTabChangesFocus(true);
        text->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
        title->setBuddy(text);
        body()->addLayout(head);
        body()->addWidget(text);
        fields_.push_back({std::string(question.id), text, origin, {}, true});
        connect(text, &QPlainTextEdit::textChanged, this, [this, text] {
            fitHeight(text);
            showReason();
        });
    }
    save_->button()->setObjectName(QStringLiteral("saveDocument"));
    lesson_->setObjectName(QStringLiteral("sendLesson"));
    nextStep_->setObjectName(QStringLiteral("sendNextStep"));
    pattern_->setObjectName(QStringLiteral("openLesson"));
    roadmap_->setObjectName(QStringLiteral("openRoadmap"));
    auto* row = new FlowLayout(nullptr, kGapInside, kGapInside);
    for (QWidget* widget : {static_cast<QWidget*>(save_), static_cast<QWidget*>(lesson_), static_cast<QWidget*>(pattern_),
                            static_cast<QWidget*>(nextStep_), static_cast<QWidget*>(roadmap_)})
        row->addWidget(widget);
    body()->addLayout(row);
    connect(save_, &ReasonedButton::clicked, this, &WrittenDocumentCard::saveRequested);
    connect(lesson_, &QPushButton::clicked, this, &WrittenDocumentCard::lessonRequested);
    connect(nextStep_, &QPushButton::clicked, this, &WrittenDocumentCard::nextStepRequested);
    connect(pattern_, &QPushButton::clicked, this, [this] { emit patternRequested(sent_.pattern); });
    connect(roadmap_, &QPushButton::clicked, this, &WrittenDocumentCard::roadmapRequested);
}

void WrittenDocumentCard::fitHeight(QPlainTextEdit* text)
{
    const int lines = qBound(kShortestField, static_cast<int>(text->document()->size().height()), kTallestField);
    text->setFixedHeight(lines * text->fontMetrics().lineSpacing() + 2 * static_cast<int>(text->document()->documentMargin()) +
                         2 * text->frameWidth() + kGapInside);
}

void WrittenDocumentCard::setView(const SessionView& view, const SentOn& sent)
{
    sent_ = sent;
    const bool other = session_ != view.header.id.text;
    session_ = view.header.id.text;
    const std::vector<DocumentAnswer> answers = composeDocument(view);
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        Field& field = fields_[i];
        const QString now = exact(answers[i].text);
        const QString there = field.text->toPlainText();
        if (there != now && (other || there == field.shown)) // to set it again would move the cursor of who is typing
            field.text->setPlainText(now);
        field.shown = now;
        field.drafted = answers[i].drafted;
        field.origin->setText(field.drafted ? tr("drafted") : tr("✓ written"));
        fitHeight(field.text);
    }
    lesson_->setText(sent_.pattern.isEmpty() ? tr("Send lesson to Patterns") : tr("Update the lesson in Patterns"));
    pattern_->setText(tr("✓ Pattern %1").arg(sent_.pattern));
    pattern_->setVisible(!sent_.pattern.isEmpty());
    nextStep_->setVisible(sent_.step.isEmpty());
    roadmap_->setText(tr("✓ On the roadmap"));
    roadmap_->setVisible(!sent_.step.isEmpty());
    showReason();
}

void WrittenDocumentCard::setBusy(const QString& reason)
{
    locked_ = reason;
    for (Field& field : fields_)
        field.text->setReadOnly(!reason.isEmpty());
    lesson_->setEnabled(reason.isEmpty());
    nextStep_->setEnabled(reason.isEmpty());
    showReason();
}

void WrittenDocumentCard::showReason()
{
    save_->setReason(!locked_.isEmpty() ? locked_ : answers().empty() ? tr("Everything is saved.") : QString());
}

std::map<std::string, std::string> WrittenDocumentCard::answers() const
{
    std::map<std::string, std::string> changed;
    for (const Field& field : fields_) {
        const QString text = field.text->toPlainText().trimmed();
        if (!text.isEmpty() && (field.drafted || text != field.shown.trimmed()))
            changed[field.id] = utf8(text);
    }
    return changed;
}

} // namespace kl::ui
