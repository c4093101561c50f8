// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/gates/checks.h"

namespace kl {

/// One gate, evaluated: its rows, the result (fail where a required row fails, unknown where one is not known yet), the progress
/// and the sentence that says what the result means.
GateView evaluateGate(const SessionTemplate::Gate& gate, const GateInput& input);

/// Whether the next phase is open: passed, or waived with a reason.
bool satisfied(const GateView& gate) noexcept;

/// G2's words for a speedup (spec, Gates): "critical", "high", "medium", "success".
std::string levelOf(double speedup, const SessionTemplate& plan);
/// What the method says to do at that level, one sentence.
std::string adviceOf(const std::string& level, double speedup, const SessionTemplate& plan);

} // namespace kl
