// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/memory_card.h"

#include "core/model/run.h"
#include "ui/pages/diagnose/memory_chart_view.h"
#include "ui/pages/shared/run_deltas.h"

namespace kl::ui {

MemoryCard::MemoryCard(QWidget* parent) : MemoryCard(new MemoryChartView, parent) {}

MemoryCard::MemoryCard(MemoryChartView* view, QWidget* parent) : ChartCard(tr("Memory"), view, parent), view_(view)
{
    view_->setObjectName(QStringLiteral("memoryChart"));
}

void MemoryCard::setRun(const RunRecord& run, const std::vector<PinnedRun>& baselines)
{
    MemoryChart chart = memoryChart(run);
    std::vector<MemoryBaseline> before;
    for (const PinnedRun& baseline : baselines)
        before.push_back({memoryChart(*baseline.run), baseline.token});
    const QString title = memoryTitle(chart);
    setFinding(title.isEmpty() ? tr("Memory") : title);
    setCaption(explainMissingMemory(chart));
    view_->setChart(std::move(chart), std::move(before));
    setVisible(missing().isEmpty());
}

QString MemoryCard::missing() const
{
    return view_->emptyReason();
}

} // namespace kl::ui
