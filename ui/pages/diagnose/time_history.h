// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/xy_chart.h"
#include "ui/context/app_context.h"

#include <QWidget>

#include <vector>

namespace kl::ui {

class ChartCard;

/// The runs of one kernel on one problem and device, and how much their times differ anyway.
struct TimeSeries {
    std::vector<RunSummary> runs; ///< usable and timed, oldest first
    double noise = 0;             ///< the device's calibrated A/A noise for this kernel, else its largest, a fraction; 0: not calibrated
};

/// Time over runs, by day, with the level of the present segment and a band of max(1 %, 2 × noise) around it, as a verdict needs
/// (docs/dev/decisions/0005-verdicts-need-twice-the-noise.md). A slow-down that findRegression() sees is marked where it began, with the
/// source that it began with.
struct TimeChart {
    XYSpec spec;
    QString title;
};
TimeChart timeChart(const TimeSeries& series);

/// The series that a run is in: the newest 500 of its kernel, problem and device. Errors: the store's.
Result<TimeSeries> readTimeSeries(const Store& store, const RunRecord& run);

/// The chart of the run that is diagnosed; a click on a point opens that run. Reads when it is shown.
class TimeHistory : public QWidget {
    Q_OBJECT
public:
    explicit TimeHistory(AppContext& context, QWidget* parent = nullptr);
    void setRun(const RunRecord& run);

signals:
    void opened(const QString& id);

private:
    AppContext& context_;
    BackgroundJob reading_;
    XYChart* chart_;
    ChartCard* card_;
};

} // namespace kl::ui
