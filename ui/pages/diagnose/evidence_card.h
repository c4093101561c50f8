// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_card.h"

#include <vector>

class QLabel;

namespace kl {
struct Finding;
}

namespace kl::ui {

class EvidenceBars;
struct PinnedRun;

/// The values behind a finding against their thresholds. A click on one explains below the chart how it is calculated.
class EvidenceCard : public ChartCard {
    Q_OBJECT
public:
    explicit EvidenceCard(QWidget* parent = nullptr);
    /// Each value with its change against the baselines.
    void setEvidence(const Finding& finding, const std::vector<PinnedRun>& baselines);

private:
    EvidenceCard(EvidenceBars* bars, QWidget* parent);

    EvidenceBars* bars_ = nullptr;
    QLabel* help_ = nullptr;
};

} // namespace kl::ui
