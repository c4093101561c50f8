// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/history.h"
#include "ui/charts/geometry/bars.h"
#include "ui/charts/xy_chart.h"

namespace kl::ui {

/// The session with the highest speedup of any kind, which the speedup chart names. Null if none has a speedup.
const HistoryRow* bestSession(const History& history);

/// Speedup over the sessions, with the 1.0 line and the target, and optionally the expected trajectory. The finding is the
/// chart's title: the best one, or the first above 1.0.
struct HistoryChart {
    QString title;
    XYSpec spec;
};
HistoryChart speedupChart(const History& history, bool withExpected);

/// Minutes per session against the expected trajectory and, with enough sessions, the fit with its 95 % band, which tells when
/// the expert's time is reached.
HistoryChart minutesChart(const History& history);

/// The cost of each session (GPU, assistant and other) against the target.
HistoryChart costChart(const History& history);

/// Savings of the sample history and of this database by pattern: measured from applications here, quoted from the patterns learned.
std::vector<SavingStep> listSavingSteps(const History& history);

} // namespace kl::ui
