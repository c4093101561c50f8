// SPDX-License-Identifier: MIT
#include "ui/pages/session/session_preview_card.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

QLabel* makePreviewLine(const QString& text, TextRole role, QWidget* parent)
{
    QLabel* label = makeLabel(text, role, parent);
    label->setWordWrap(true);
    return label;
}

} // namespace

SessionPreviewCard::SessionPreviewCard(QWidget* parent)
    : Card(tr("What will happen"), parent), subject_(makePreviewLine({}, TextRole::body, this)),
      caveats_(makePreviewLine({}, TextRole::body, this)), stages_(new QGridLayout)
{
    caveats_->setObjectName(QStringLiteral("previewCaveats"));
    setTextToken(caveats_, Token::stale);
    stages_->setHorizontalSpacing(kGapBetween);
    stages_->setVerticalSpacing(kGapInside);
    stages_->setColumnStretch(1, 1);
    body()->addWidget(subject_);
    body()->addWidget(caveats_);
    body()->addLayout(stages_);
    body()->addStretch(1);
}

void SessionPreviewCard::setPreview(const Result<SessionPreview>& preview)
{
    clearLayout(stages_);
    if (!preview) {
        subject_->setText(q(preview.error().message));
        caveats_->setText(q(preview.error().hint));
        caveats_->setVisible(!preview.error().hint.empty());
        return;
    }
    subject_->setText(tr("%1: %2 at %3, %4, on %5.")
                          .arg(q(preview->title), q(toText(preview->start)), spaceProblem(toText(preview->problem)),
                               q(formatMinutes(preview->budgetMinutes)), q(preview->device)));
    QStringList caveats;
    if (!preview->missing.empty())
        caveats << q(preview->missing);
    for (const std::string& caveat : preview->caveats)
        caveats << q(caveat);
    caveats_->setText(caveats.join(u'\n'));
    caveats_->setVisible(!caveats.isEmpty());
    int row = 0;
    for (const StagePreview& stage : preview->stages)
        addStage(stage, row++);
}

void SessionPreviewCard::addStage(const StagePreview& stage, int row)
{
    auto* head = new QVBoxLayout;
    head->setSpacing(0);
    head->addWidget(makeLabel(q(stage.title), TextRole::card, this));
    head->addWidget(makeLabel(q(formatMinutes(stage.budgetMinutes)), TextRole::caption, this));
    head->addStretch(1);
    stages_->addLayout(head, row, 0);
    auto* lines = new QVBoxLayout;
    lines->setSpacing(2);
    QStringList steps;
    for (const std::string& step : stage.steps)
        steps << q(step);
    QLabel* does = makePreviewLine(steps.join(QStringLiteral(" → ")), TextRole::body, this);
    does->setObjectName(QStringLiteral("previewSteps"));
    does->setToolTip(q(stage.purpose));
    lines->addWidget(does);
    for (const GatePreview& gate : stage.gates) {
        QLabel* rule = makePreviewLine(tr("Gate %1 %2: %3").arg(q(gate.id), q(gate.title), q(gate.rule)), TextRole::caption, this);
        rule->setObjectName(QStringLiteral("previewGate"));
        lines->addWidget(rule);
    }
    stages_->addLayout(lines, row, 1);
}

} // namespace kl::ui
