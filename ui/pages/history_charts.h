// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/history.h"
#include "ui/charts/geometry/bars.h"
#include "ui/charts/xy_chart.h"

namespace kl {

/// The session with the highest speedup, whatever its kind: the one that the chart of speedups names. Null where none has a figure.
const HistoryRow* bestSession(const History& history);

/// Speedup over the sessions, with the 1.0 line and the target; the expected trajectory behind it where asked. The finding is the
/// chart's title: the best one, or the first that passed 1.0.
struct HistoryChart {
    QString title;
    XYSpec spec;
};
HistoryChart speedupChart(const History& history, bool withExpected);

/// Minutes a session against the expected trajectory and, once there are enough sessions, the fit with its 95 % band, which says when
/// the expert's time is met.
HistoryChart minutesChart(const History& history);

/// What each session cost, GPU, assistant and other together, against the target.
HistoryChart costChart(const History& history);

/// Savings of the shipped history and of this database by pattern: measured from applications here, quoted from the patterns learned.
std::vector<SavingStep> savingSteps(const History& history);

} // namespace kl
