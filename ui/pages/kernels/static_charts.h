// SPDX-License-Identifier: MIT
#pragma once

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "profiler/protocol/build_messages.h"
#endif
#include "ui/charts/limit_bars.h"
#include "ui/charts/stacked_bar.h"
#include "ui/widgets/code_view.h"

#include <map>

namespace kl::ui {

/// Names of the architectures of the device table, in its order.
std::vector<std::string> listArchs();

/// Instructions of each launch by class, for StackedBar: the most common classes of all launches, and "rest".
struct InstructionRows {
    QStringList classes;
    std::vector<StackedRow> rows;
};
InstructionRows instructionRows(const std::vector<CompiledLaunch>& launches);

/// The most common class of all launches with its share, each PTX instruction counted once: "Most common in the PTX: cvt, 31 %". Where two
/// are equally common, both.
QString describeMix(const std::vector<CompiledLaunch>& launches);

/// Occupancy of code compiled for each of listArchs(): one bar per architecture with GPUs, with their names.
struct OccupancyBars {
    std::vector<LimitBar> bars;
    double best = 0; ///< percent
};
OccupancyBars occupancyBars(const std::vector<BuiltPoint>& points);

/// Each line's share of all instructions, loop bodies counted once, for CodeView.
std::map<int, LineHeat> instructionHeat(const std::vector<CompiledLaunch>& launches);

/// "Line 42 has 31 % of the instructions, mostly setp"; empty without line information.
QString busiestLine(const std::vector<CompiledLaunch>& launches);

} // namespace kl::ui
