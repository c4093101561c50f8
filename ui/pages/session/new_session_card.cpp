// SPDX-License-Identifier: MIT
#include "ui/pages/session/new_session_card.h"

#include "ui/style/tokens.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>

namespace kl {
namespace {

struct Question {
    const char* id;
    const char* label;
    const char* hint;
};

constexpr Question kQuestions[] = {
    {"target-gpu", QT_TRANSLATE_NOOP("kl::NewSessionCard", "Target GPU"), QT_TRANSLATE_NOOP("kl::NewSessionCard", "the device in use")},
    {"baseline", QT_TRANSLATE_NOOP("kl::NewSessionCard", "Baseline to beat, and whose claim is tested"),
     QT_TRANSLATE_NOOP("kl::NewSessionCard", "the kernel's own baseline")},
    {"tools", QT_TRANSLATE_NOOP("kl::NewSessionCard", "Profiling tools present"),
     QT_TRANSLATE_NOOP("kl::NewSessionCard", "what the environment check finds")},
    {"smallest-size", QT_TRANSLATE_NOOP("kl::NewSessionCard", "Smallest testable size"),
     QT_TRANSLATE_NOOP("kl::NewSessionCard", "the kernel's smallest problem")},
    {"success-criteria", QT_TRANSLATE_NOOP("kl::NewSessionCard", "Success: correctness, speedup, memory"),
     QT_TRANSLATE_NOOP("kl::NewSessionCard", "right on the suite, at least 20 % faster, at most twice the baseline's memory")},
};

} // namespace

NewSessionCard::NewSessionCard(QWidget* parent)
    : Card(tr("New session"), parent), name_(new QLineEdit(this)), objective_(new QLineEdit(this)), kernel_(new QComboBox(this)),
      open_(new ReasonedButton(tr("Open the session"), true, this))
{
    setCaption(tr("One objective, one kernel, one fix. The questions are kept with the session; an empty answer takes the default."));
    setTone(QStringLiteral("accent"));
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->setVerticalSpacing(kGapTight);
    name_->setObjectName(QStringLiteral("sessionName"));
    objective_->setObjectName(QStringLiteral("sessionObjective"));
    kernel_->setObjectName(QStringLiteral("sessionKernel"));
    objective_->setPlaceholderText(tr("What should be better at the end?"));
    form->addRow(tr("Kernel"), kernel_);
    form->addRow(tr("Objective"), objective_);
    form->addRow(tr("Name"), name_);
    for (const Question& question : kQuestions) {
        auto* answer = new QLineEdit(this);
        answer->setPlaceholderText(tr(question.hint));
        form->addRow(tr(question.label), answer);
        answers_.emplace_back(question.id, answer);
    }
    body()->addLayout(form);
    body()->addWidget(open_);
    open_->button()->setObjectName(QStringLiteral("openSession"));
    connect(open_, &ReasonedButton::clicked, this, &NewSessionCard::submit);
    connect(objective_, &QLineEdit::returnPressed, this, &NewSessionCard::submit);
}

void NewSessionCard::setKernels(const Catalogue& catalogue)
{
    const QString present = kernel_->currentData().toString();
    kernel_->clear();
    for (const KernelFamily& family : catalogue.families())
        kernel_->addItem(QStringLiteral("%1 · %2").arg(q(family.id), q(family.title)), q(family.id));
    const int again = kernel_->findData(present.isEmpty() ? QStringLiteral("transpose") : present);
    kernel_->setCurrentIndex(again < 0 ? 0 : again);
}

void NewSessionCard::setName(const QString& name)
{
    name_->setText(name);
}

void NewSessionCard::setLocked(const QString& reason)
{
    open_->setReason(reason);
}

void NewSessionCard::submit()
{
    if (!open_->button()->isEnabled())
        return;
    NewSession session;
    session.name = utf8(name_->text().trimmed());
    session.kernel = utf8(kernel_->currentData().toString());
    session.objective = utf8(objective_->text().trimmed());
    if (session.objective.empty())
        session.objective = "Make " + session.kernel + " faster";
    for (const auto& [id, answer] : answers_)
        if (!answer->text().trimmed().isEmpty())
            session.answers[id] = utf8(answer->text().trimmed());
    emit requested(session);
}

} // namespace kl
