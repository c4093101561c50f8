// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"

#include <string>

/// The parts of `kloop show`, in words and tables. A value that was not measured is a dash; the reason is below.
namespace kl::cli {

std::string renderRoofline(const RunRecord& run);
std::string renderMemoryChart(const RunRecord& run);
std::string renderStalls(const RunRecord& run);
std::string renderOccupancyWhatIf(const RunRecord& run);
/// What experiments with the launch's shape found; empty for a run without any.
std::string renderExperiments(const RunRecord& run);

} // namespace kl::cli
