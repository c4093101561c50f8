// SPDX-License-Identifier: MIT
#include "ui/pages/session/finding_card.h"

#include "core/diagnosis/estimate_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace kl::ui {

FindingCard::FindingCard(QWidget* parent)
    : Card(tr("Bottleneck"), parent), chips_(makeLabel({}, TextRole::caption, this)), title_(makeLabel({}, TextRole::card, this)),
      estimate_(makeLabel({}, TextRole::body, this))
{
    for (QLabel* label : {title_, estimate_}) {
        label->setWordWrap(true);
        body()->addWidget(label);
    }
    body()->insertWidget(0, chips_);
    QPushButton* link = makeLinkButton(tr("Show full diagnosis"), this);
    link->setObjectName(QStringLiteral("seeDiagnosis"));
    tools()->addWidget(link);
    connect(link, &QPushButton::clicked, this, [this] { emit diagnoseRequested(run_); });
}

void FindingCard::setRun(const std::optional<RunRecord>& run)
{
    setVisible(run && run->diagnosis);
    if (!run || !run->diagnosis)
        return;
    const Finding& finding = run->diagnosis->finding;
    run_ = q(run->id.text);
    chips_->setText(
        tr("%1 · %2 · confidence %3 %").arg(q(finding.priority), q(finding.classId), QString::number(finding.confidence * 100, 'f', 0)));
    title_->setText(q(finding.title));
    estimate_->setText(q(estimateText(finding)));
}

} // namespace kl::ui
