// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/checks.h"

/// The checks of the closed list, one function each; see checks.cpp for their ids. Pure.
namespace kl::inline session::checks {

// G1
std::vector<CheckRow> environment(const GateInput& input);

// Build, and the start variant by itself
std::vector<CheckRow> buildClean(const GateInput& input);
std::vector<CheckRow> buildWarnings(const GateInput& input);
std::vector<CheckRow> buildResources(const GateInput& input);
std::vector<CheckRow> moduleLoads(const GateInput& input);
std::vector<CheckRow> smoke(const GateInput& input);
std::vector<CheckRow> smallestDifference(const GateInput& input);
std::vector<CheckRow> startCorrect(const GateInput& input);
std::vector<CheckRow> startFinite(const GateInput& input);
std::vector<CheckRow> startWritten(const GateInput& input);

// The debugging loop
std::vector<CheckRow> failingCaseFixed(const GateInput& input);

// G2
std::vector<CheckRow> smallestCorrect(const GateInput& input);
std::vector<CheckRow> kernelCorrect(const GateInput& input);
std::vector<CheckRow> baselineMeasured(const GateInput& input);
std::vector<CheckRow> speedupLevel(const GateInput& input);
std::vector<CheckRow> speedupTarget(const GateInput& input);

// G3
std::vector<CheckRow> profileTaken(const GateInput& input);
std::vector<CheckRow> metricsMeasured(const GateInput& input);
std::vector<CheckRow> passesComplete(const GateInput& input);
std::vector<CheckRow> findingClassified(const GateInput& input);

// The five metrics of a profile against the session's thresholds; see core/diagnosis/targets.h
std::vector<CheckRow> memoryBandwidth(const GateInput& input);
std::vector<CheckRow> occupancy(const GateInput& input);
std::vector<CheckRow> kernelDuration(const GateInput& input);
std::vector<CheckRow> warpEfficiency(const GateInput& input);
std::vector<CheckRow> bankConflicts(const GateInput& input);

// The plain limits of a difference: max_abs_diff and gross_error
std::vector<CheckRow> kernelMaxDifference(const GateInput& input);
std::vector<CheckRow> kernelGrossError(const GateInput& input);
std::vector<CheckRow> smallestGrossError(const GateInput& input);
std::vector<CheckRow> startMaxDifference(const GateInput& input);
std::vector<CheckRow> startGrossError(const GateInput& input);
std::vector<CheckRow> maxDifference(const GateInput& input);
std::vector<CheckRow> grossError(const GateInput& input);

// G4
std::vector<CheckRow> oneVariable(const GateInput& input);
std::vector<CheckRow> sharedMemory(const GateInput& input);
std::vector<CheckRow> suiteCorrect(const GateInput& input);
std::vector<CheckRow> finite(const GateInput& input);
std::vector<CheckRow> written(const GateInput& input);
std::vector<CheckRow> memoryClean(const GateInput& input);
std::vector<CheckRow> peakMemory(const GateInput& input);
std::vector<CheckRow> peakMemoryBaseline(const GateInput& input);

// G5
std::vector<CheckRow> bothCorrect(const GateInput& input);
std::vector<CheckRow> comparable(const GateInput& input);
std::vector<CheckRow> improvement(const GateInput& input);

} // namespace kl::inline session::checks
