// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/measure/sweep.h"
#include "ui/charts/xy_chart.h"

#include <string>
#include <vector>

namespace kl::ui {

enum class SweepFigure { time, throughput, speedup };

/// A figure of a sweep along one of its sizes: a line per kernel and value of the others. Throughput is FLOP/s where the kernel has a count
/// of them, else bytes per second. Sizes without a run leave a gap in the table only.
XYSpec sweepSpec(const std::vector<SweepRow>& rows, const std::string& axis, SweepFigure figure);

/// Chart title: from where to where the figure goes, of the only line; for several the figure's name.
QString sweepFinding(const std::vector<SweepRow>& rows, const std::string& axis, SweepFigure figure);

} // namespace kl::ui
