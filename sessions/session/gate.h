// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/checks.h"

namespace kl {

/// One gate, evaluated: its rows, the result (fail where a required row fails, unknown where one is not known yet), the progress
/// and the sentence that says what the result means. A waiver holds until newer evidence, another candidate or another device; evidence
/// counts until what it rests on changes (SessionView::stale).
GateView evaluateGate(const SessionTemplate::Gate& gate, const GateInput& input);

/// Gate 5's option cumulative: the change is surely faster (its interval lies above 1, and the effect above the noise), though by less
/// than a keep asks for.
bool canPark(const SessionView& view) noexcept;

/// Whether the next phase is open: passed with evidence that still counts, or waived with a reason.
bool satisfied(const GateView& gate) noexcept;

/// G2's words for a speedup (spec, Gates): "critical", "high", "medium", "success".
std::string levelOf(double speedup, const SessionTemplate& plan);
/// What the method says to do at that level, one sentence.
std::string adviceOf(const std::string& level, double speedup, const SessionTemplate& plan);

} // namespace kl
