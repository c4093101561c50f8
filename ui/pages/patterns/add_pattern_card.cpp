// SPDX-License-Identifier: MIT
#include "ui/pages/patterns/add_pattern_card.h"

#include "sessions/patterns/pattern_library.h"
#include "ui/models/pattern_table_model.h"
#include "ui/style/theme.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kTextLines = 3;
constexpr int kCodeLines = 5;

QString joinLines(const std::vector<std::string>& lines)
{
    QStringList text;
    for (const std::string& line : lines)
        text << exact(line);
    return text.join(u'\n');
}

std::vector<std::string> splitLines(const QPlainTextEdit* text)
{
    std::vector<std::string> lines;
    for (const QString& line : text->toPlainText().split(u'\n'))
        if (!line.trimmed().isEmpty())
            lines.push_back(utf8(line.trimmed()));
    return lines;
}

std::string readWords(const QPlainTextEdit* text)
{
    return utf8(text->toPlainText().trimmed());
}

} // namespace

AddPatternCard::AddPatternCard(QWidget* parent)
    : Card({}, parent), form_(new QFormLayout), title_(new QLineEdit(this)), when_(new QComboBox(this)), minutes_(new NumberBox(this)),
      save_(new ReasonedButton(tr("Save pattern"), true, this))
{
    setTone(QStringLiteral("accent"));
    form_->setRowWrapPolicy(QFormLayout::WrapAllRows);
    body()->addLayout(form_);
    title_->setObjectName(QStringLiteral("patternTitle"));
    form_->addRow(tr("Title"), title_);
    when_->setObjectName(QStringLiteral("patternWhen"));
    for (const std::string& occasion : occasions())
        when_->addItem(occasionText(occasion), q(occasion));
    form_->addRow(tr("When to suggest it"), when_);
    problem_ = addText(tr("Problem it avoids"), "patternProblem");
    advice_ = addText(tr("What to do"), "patternAdvice");
    why_ = addText(tr("Why it holds"), "patternWhyField");
    evidence_ = addText(tr("Evidence: a measurement"), "patternEvidenceField");
    steps_ = addText(tr("Steps, one per line"), "patternStepsField");
    before_ = addText(tr("Code before"), "patternBefore", true);
    after_ = addText(tr("Code after"), "patternAfter", true);
    example_ = addText(tr("Example"), "patternExampleField");
    checklist_ = addText(tr("Checklist, one item per line"), "patternChecklistField");
    minutes_->setObjectName(QStringLiteral("patternMinutes"));
    minutes_->setRange(0, 10000);
    minutes_->setDecimals(0);
    minutes_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    minutes_->setSuffix(tr(" min"));
    minutes_->setSpecialValueText(tr("none claimed"));
    form_->addRow(tr("Minutes saved per use"), minutes_);
    auto* buttons = new QHBoxLayout;
    save_->button()->setObjectName(QStringLiteral("savePattern"));
    auto* cancel = makeButton(tr("Cancel"), false, this);
    buttons->addWidget(save_);
    buttons->addWidget(cancel);
    buttons->addStretch(1);
    body()->addLayout(buttons);
    body()->addStretch(1);
    connect(save_, &ReasonedButton::clicked, this, &AddPatternCard::submit);
    connect(cancel, &QPushButton::clicked, this, &AddPatternCard::canceled);
}

QPlainTextEdit* AddPatternCard::addText(const QString& label, const char* name, bool code)
{
    auto* text = new QPlainTextEdit(this);
    text->setObjectName(QString::fromLatin1(name));
    text->setAccessibleName(label);
    text->setTabChangesFocus(true);
    if (code)
        text->setFont(makeFont(TextRole::code));
    text->setFixedHeight((code ? kCodeLines : kTextLines) * text->fontMetrics().lineSpacing() + kGapBetween);
    form_->addRow(label, text);
    return text;
}

void AddPatternCard::setDraft(const Pattern& draft, const PatternBody& body)
{
    replace_ = false;
    setTitle(tr("Add pattern"));
    setCaption(draft.origin.empty() ? tr("Your own pattern") : tr("Drafted from %1. Edit as needed.").arg(q(draft.origin)));
    fill(draft, body);
}

void AddPatternCard::setEdited(const Pattern& pattern, const PatternBody& body)
{
    replace_ = true;
    setTitle(tr("Edit pattern"));
    setCaption(q(pattern.slug));
    fill(pattern, body);
}

void AddPatternCard::fill(const Pattern& pattern, const PatternBody& body)
{
    draft_ = pattern;
    title_->setText(exact(pattern.title));
    when_->setCurrentIndex(std::max(0, when_->findData(q(pattern.when))));
    for (const auto& [field, text] : {std::pair{problem_, &pattern.problem}, std::pair{advice_, &pattern.advice},
                                      std::pair{why_, &body.why}, std::pair{evidence_, &body.evidence}, std::pair{before_, &body.before},
                                      std::pair{after_, &body.after}, std::pair{example_, &body.example}})
        field->setPlainText(exact(*text));
    steps_->setPlainText(joinLines(body.steps));
    checklist_->setPlainText(joinLines(body.checklist));
    minutes_->setValue(pattern.quotedMinutes.value_or(0));
    title_->setFocus();
}

void AddPatternCard::setLocked(const QString& reason)
{
    save_->setReason(reason);
}

void AddPatternCard::submit()
{
    Pattern pattern = draft_;
    pattern.title = utf8(title_->text().trimmed());
    pattern.problem = readWords(problem_);
    pattern.advice = readWords(advice_);
    pattern.when = utf8(when_->currentData().toString());
    if (!replace_)
        pattern.slug.clear(); // derived from the current title
    pattern.quotedMinutes = minutes_->value() > 0 ? std::optional(minutes_->value()) : std::nullopt;
    PatternBody body;
    body.why = readWords(why_);
    body.evidence = readWords(evidence_);
    body.steps = splitLines(steps_);
    body.before = utf8(before_->toPlainText());
    body.after = utf8(after_->toPlainText());
    body.example = readWords(example_);
    body.checklist = splitLines(checklist_);
    emit saved(pattern, body, replace_);
}

} // namespace kl::ui
