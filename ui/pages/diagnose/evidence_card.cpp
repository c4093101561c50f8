// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/evidence_card.h"

#include "core/model/diagnosis.h"
#include "ui/pages/diagnose/help_line.h"
#include "ui/pages/shared/finding_charts.h"
#include "ui/pages/shared/run_deltas.h"

#include <QLabel>
#include <QVBoxLayout>

namespace kl::ui {

EvidenceCard::EvidenceCard(QWidget* parent) : EvidenceCard(new EvidenceBars, parent) {}

EvidenceCard::EvidenceCard(EvidenceBars* bars, QWidget* parent)
    : ChartCard(tr("Evidence"), bars, parent), bars_(bars), help_(makeHelpLine(this))
{
    bars_->setObjectName(QStringLiteral("evidenceBars"));
    bars_->setPickable();
    help_->setObjectName(QStringLiteral("evidenceHelp"));
    body()->addWidget(help_);
    connect(bars_, &ChartBody::picked, help_, [this](int index) {
        if (const auto at = static_cast<std::size_t>(index); at < bars_->rows().size())
            showHelp(help_, bars_->rows()[at].name + QStringLiteral(": ") + bars_->rows()[at].help);
    });
}

void EvidenceCard::setEvidence(const Finding& finding, const std::vector<PinnedRun>& baselines)
{
    std::vector<EvidenceRow> rows = evidenceRows(finding);
    addDeltas(rows, finding, baselines);
    ChartCard::setFinding(evidenceTitle(finding));
    setCaption(rows.size() < finding.path.size()
                   ? tr("The %1 most relevant comparisons. The decision tree has the others.").arg(rows.size())
                   : QString());
    bars_->setRows(std::move(rows));
    showHelp(help_, {});
}

} // namespace kl::ui
