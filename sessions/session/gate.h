// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/checks.h"

namespace kl::inline session {

/// One gate, evaluated: its rows, the result (fail where a required row fails, unknown where one is not known yet), the progress
/// and a sentence that explains the result. A waiver holds until newer evidence, another candidate or another device; evidence
/// is valid until what it depends on changes (SessionView::stale).
GateView evaluateGate(const SessionTemplate::Gate& gate, const GateInput& input);

/// Gate 5's option cumulative: the change is measurably faster (its interval is above 1, and the effect above the noise), but by less
/// than a keep requires.
bool canPark(const SessionView& view) noexcept;

/// Whether the next phase is open: with valid evidence no row blocks, or the gate is waived with a reason. G2 below speedup_min fails and
/// does not block: the next phase, the profile, is the way on.
bool satisfied(const GateView& gate) noexcept;

/// A gate's state in one word: "pass", "fail", "unknown", "waived", "stale".
const char* outcomeWord(const GateView& gate) noexcept;

/// G2's level of a speedup: "critical", "high", "medium", "success".
std::string chooseLevel(double speedup, const SessionTemplate& plan);
/// The recommended action at that level, one sentence.
std::string composeAdvice(const std::string& level, double speedup, const SessionTemplate& plan);

} // namespace kl::inline session
