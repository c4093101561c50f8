// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_card.h"

namespace kl {
struct PmSampling;
struct RunRecord;
}

namespace kl::ui {

class XYChart;
struct XYSpec;

/// Metrics over the duration of a launch, by PM sampling: time on the x axis, percent of the peak on the y axis.
XYSpec durationChart(const PmSampling& sampling);

/// That chart of a run. Hidden without samples; missing() then says why, if sampling was requested.
class DurationCard : public ChartCard {
    Q_OBJECT
public:
    explicit DurationCard(QWidget* parent = nullptr);
    void setRun(const RunRecord& run);
    QString missing() const { return missing_; }

private:
    DurationCard(XYChart* chart, QWidget* parent);

    XYChart* chart_;
    QString missing_;
};

} // namespace kl::ui
