// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_card.h"

#include <vector>

namespace kl {
struct RunRecord;
}

namespace kl::ui {

class MemoryChartView;
struct PinnedRun;

/// The memory chart of a run in its card.
class MemoryCard : public ChartCard {
    Q_OBJECT
public:
    explicit MemoryCard(QWidget* parent = nullptr);
    /// Hides the card when no figure of it was measured; missing() then says why.
    void setRun(const RunRecord& run, const std::vector<PinnedRun>& baselines);
    QString missing() const;

private:
    MemoryCard(MemoryChartView* view, QWidget* parent);

    MemoryChartView* view_ = nullptr;
};

} // namespace kl::ui
