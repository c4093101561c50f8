// SPDX-License-Identifier: MIT
#include "ui/pages/session/new_session_card.h"

#include "core/base/format.h"
#include "sessions/session/template_library.h"
#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/tab_order.h"
#include "ui/widgets/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace kl::ui {
namespace {

constexpr int kNameWidth = 58;

struct Question {
    const char* id;
    const char* label;
    const char* hint;
};

constexpr Question kQuestions[] = {
    {"target-gpu", QT_TRANSLATE_NOOP("kl::ui::NewSessionCard", "Target GPU"),
     QT_TRANSLATE_NOOP("kl::ui::NewSessionCard", "current device")},
    {"baseline", QT_TRANSLATE_NOOP("kl::ui::NewSessionCard", "Baseline to beat"),
     QT_TRANSLATE_NOOP("kl::ui::NewSessionCard", "the kernel's default baseline")},
    {"tools", QT_TRANSLATE_NOOP("kl::ui::NewSessionCard", "Profiling tools"),
     QT_TRANSLATE_NOOP("kl::ui::NewSessionCard", "detected by the environment check")},
    {"smallest-size", QT_TRANSLATE_NOOP("kl::ui::NewSessionCard", "Smallest problem"),
     QT_TRANSLATE_NOOP("kl::ui::NewSessionCard", "the kernel's smallest problem")},
    {"success-criteria", QT_TRANSLATE_NOOP("kl::ui::NewSessionCard", "Success criteria"),
     QT_TRANSLATE_NOOP("kl::ui::NewSessionCard", "correct, ≥ 20 % faster, ≤ 2× memory")},
};

} // namespace

NewSessionCard::NewSessionCard(QWidget* parent)
    : Card(tr("New session"), parent), name_(new QLineEdit(this)), objective_(new QLineEdit(this)), kernel_(new QComboBox(this)),
      kind_(new QComboBox(this)), kindWords_(makeLabel({}, TextRole::caption, this)),
      cumulative_(new QCheckBox(tr("Cumulative: accept small, certain gains"), this)), claimSource_(new QLineEdit(this)),
      claimFigure_(new QLineEdit(this)), open_(new ReasonedButton(tr("Open session"), true, this))
{
    setCaption(tr("Leave a field empty to use its default."));
    setTone(QStringLiteral("accent"));
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->setVerticalSpacing(kGapTight);
    name_->setObjectName(QStringLiteral("sessionName"));
    objective_->setObjectName(QStringLiteral("sessionObjective"));
    kernel_->setObjectName(QStringLiteral("sessionKernel"));
    setFocusProxy(objective_);
    objective_->setPlaceholderText(tr("e.g. make transpose as fast as a copy"));
    kind_->setObjectName(QStringLiteral("sessionKind"));
    kindWords_->setWordWrap(true);
    cumulative_->setObjectName(QStringLiteral("sessionCumulative"));
    claimSource_->setObjectName(QStringLiteral("sessionClaimSource"));
    claimFigure_->setObjectName(QStringLiteral("sessionClaimFigure"));
    claimSource_->setPlaceholderText(tr("source"));
    claimFigure_->setPlaceholderText(tr("e.g. 1.5x"));
    form->addRow(tr("Kind"), kind_);
    form->addRow(kindWords_);
    form->addRow(cumulative_);
    connect(kind_, &QComboBox::currentIndexChanged, this, &NewSessionCard::describeKind);
    form->addRow(tr("Objective"), objective_);
    kernel_->setAccessibleName(tr("Kernel"));
    name_->setAccessibleName(tr("Session name"));
    // The form gives a row without a label too little height, which would clip both fields.
    auto* subject = new QHBoxLayout;
    subject->setSpacing(kGapInside);
    subject->addWidget(kernel_, 3);
    subject->addWidget(name_, 1);
    name_->setMinimumWidth(kNameWidth);
    form->addRow(tr("Kernel and session name"), subject);
    for (const Question& question : kQuestions) {
        auto* answer = new QLineEdit(this);
        answer->setPlaceholderText(tr(question.hint));
        form->addRow(tr(question.label), answer);
        answers_.emplace_back(question.id, answer);
    }
    auto* claim = new QHBoxLayout;
    claim->setSpacing(kGapInside);
    claim->addWidget(claimSource_, 3);
    claim->addWidget(claimFigure_, 2);
    form->addRow(tr("Claim to test"), claim);
    body()->addLayout(form);
    body()->addWidget(open_);
    open_->setReasonBelow(); // next to the button it would be a narrow column
    open_->button()->setObjectName(QStringLiteral("openSession"));
    connect(open_, &ReasonedButton::clicked, this, &NewSessionCard::submit);
    connect(objective_, &QLineEdit::returnPressed, this, &NewSessionCard::submit);
    tabByLayout(this);
}

void NewSessionCard::setKernels(const Catalog& catalog)
{
    const QString present = kernel_->currentData().toString();
    kernel_->clear();
    for (const KernelFamily& family : catalog.families())
        kernel_->addItem(QStringLiteral("%1 · %2").arg(q(family.id), q(family.title)), q(family.id));
    const int again = kernel_->findData(present.isEmpty() ? QStringLiteral("transpose") : present);
    kernel_->setCurrentIndex(again < 0 ? 0 : again);
}

void NewSessionCard::setKinds()
{
    const QString present = kind_->currentData().toString();
    kind_->clear();
    for (const KindRow& row : sessionKinds()) {
        if (row.broken)
            continue;
        kind_->addItem(QStringLiteral("%1 · %2").arg(q(row.kind), q(formatMinutes(row.budgetMinutes))), q(row.kind));
        kind_->setItemData(kind_->count() - 1, q(row.title), Qt::ToolTipRole);
    }
    const int again = kind_->findData(present.isEmpty() ? QStringLiteral("optimize") : present);
    kind_->setCurrentIndex(again < 0 ? 0 : again);
    describeKind();
}

void NewSessionCard::describeKind()
{
    kindWords_->setText(kind_->currentData(Qt::ToolTipRole).toString());
    const QString kind = kind_->currentData().toString();
    const bool changes = kind != QStringLiteral("baseline") && kind != QStringLiteral("debug");
    cumulative_->setVisible(changes);
    if (!changes)
        cumulative_->setChecked(false);
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
    session.kind = utf8(kind_->currentData().toString());
    session.cumulative = cumulative_->isChecked();
    if (!claimSource_->text().trimmed().isEmpty() && !claimFigure_->text().trimmed().isEmpty())
        session.claims.push_back({utf8(claimSource_->text().trimmed()), utf8(claimFigure_->text().trimmed())});
    session.objective = utf8(objective_->text().trimmed());
    if (session.objective.empty())
        session.objective = "Make " + session.kernel + " faster";
    for (const auto& [id, answer] : answers_)
        if (!answer->text().trimmed().isEmpty())
            session.answers[id] = utf8(answer->text().trimmed());
    emit requested(session);
}

} // namespace kl::ui
