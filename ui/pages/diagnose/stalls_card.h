// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_card.h"

#include <QStringList>

#include <vector>

class QLabel;

namespace kl {
struct RunRecord;
}

namespace kl::ui {

class StackedBar;
struct PinnedRun;

/// The stall reasons of a run and its family as stacked bars, with what the largest ones mean.
class StallsCard : public ChartCard {
    Q_OBJECT
public:
    explicit StallsCard(QWidget* parent = nullptr);
    /// The first run is the one that is diagnosed, the baselines are among the others. Hides the card when no run has stall reasons;
    /// missing() then says why.
    void setRuns(const std::vector<const RunRecord*>& runs, const std::vector<PinnedRun>& baselines);
    QString missing() const;
    /// Names and order of the parts, for other charts that show the same stalls in the same colors.
    const QStringList& parts() const { return parts_; }

private:
    StallsCard(StackedBar* bars, QWidget* parent);

    QStringList parts_;
    StackedBar* bars_ = nullptr;
    QLabel* meanings_ = nullptr;
};

} // namespace kl::ui
