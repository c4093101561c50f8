// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/stalls_card.h"

#include "core/model/run.h"
#include "ui/charts/stacked_bar.h"
#include "ui/pages/shared/finding_charts.h"
#include "ui/pages/shared/run_deltas.h"
#include "ui/style/theme.h"

#include <QLabel>
#include <QVBoxLayout>

namespace kl::ui {

StallsCard::StallsCard(QWidget* parent) : StallsCard(new StackedBar, parent) {}

StallsCard::StallsCard(StackedBar* bars, QWidget* parent)
    : ChartCard(tr("Stall reasons"), bars, parent), bars_(bars), meanings_(makeLabel({}, TextRole::caption, this))
{
    bars_->setObjectName(QStringLiteral("stallBars"));
    meanings_->setObjectName(QStringLiteral("stallMeanings"));
    meanings_->setWordWrap(true);
    meanings_->setTextFormat(Qt::RichText);
    body()->addWidget(meanings_);
}

void StallsCard::setRuns(const std::vector<const RunRecord*>& runs, const std::vector<PinnedRun>& baselines)
{
    StallBars bars = stallBars(runs);
    addDeltas(bars, runs, baselines);
    parts_ = bars.parts;
    bars_->setRows(bars.parts, std::move(bars.rows), tr("% of a warp's latency"), explainMissingStalls(runs));
    const QString title = stallTitle(*runs.front());
    setFinding(title.isEmpty() ? tr("Stall reasons") : title);
    const QString meanings = stallMeanings(*runs.front());
    meanings_->setText(meanings);
    meanings_->setVisible(!meanings.isEmpty());
    setVisible(missing().isEmpty());
}

QString StallsCard::missing() const
{
    return bars_->emptyReason();
}

} // namespace kl::ui
