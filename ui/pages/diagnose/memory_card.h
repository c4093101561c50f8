// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_card.h"

namespace kl {
struct RunRecord;
}

namespace kl::ui {

class MemoryChartView;

/// The memory chart of a run in its card.
class MemoryCard : public ChartCard {
    Q_OBJECT
public:
    explicit MemoryCard(QWidget* parent = nullptr);
    /// Hides the card when no figure of it was measured; missing() then says why.
    void setRun(const RunRecord& run);
    QString missing() const;

private:
    MemoryCard(MemoryChartView* view, QWidget* parent);

    MemoryChartView* view_ = nullptr;
};

} // namespace kl::ui
