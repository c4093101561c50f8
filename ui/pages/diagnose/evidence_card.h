// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_card.h"

class QLabel;

namespace kl {
struct Finding;
}

namespace kl::ui {

class EvidenceBars;

/// The values behind a finding against their thresholds. A click on one explains below the chart how it is calculated.
class EvidenceCard : public ChartCard {
    Q_OBJECT
public:
    explicit EvidenceCard(QWidget* parent = nullptr);
    void setEvidence(const Finding& finding);

private:
    EvidenceCard(EvidenceBars* bars, QWidget* parent);

    EvidenceBars* bars_ = nullptr;
    QLabel* help_ = nullptr;
};

} // namespace kl::ui
