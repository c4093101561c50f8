// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_action.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline session {

/// Kinds of evidence of a session. A gate depends on the kinds that its checks use (gates/checks.h); an action of the session
/// gathers each. The closed list of steps for templates.
enum class Evidence {
    environment,
    build,       ///< verbose build of the start variant
    smallest,    ///< start variant on the smallest size
    startSuite,  ///< start variant on every size in the suite
    baseline,    ///< start variant and baseline in one run
    profile,     ///< hardware metrics of the current variant
    hypothesis,  ///< of a debugging iteration, as the three below
    instrument,  ///< how the hypothesis is checked
    failingCase, ///< smallest size on which the start variant fails
    analysis,    ///< the observation
    minimalCase, ///< candidate on the failing size
    candidate,   ///< candidate on every size in the suite
    memory,      ///< candidate under compute-sanitizer, on a GPU
    evaluation,  ///< current variant versus the candidate
};

/// One kind of evidence: the action that gathers it, the event that records it.
struct EvidenceKind {
    Evidence evidence;
    SessionAction action;
    const char* event;
    const char* title; ///< what an unfinished step is called: "the profile"
};

/// All kinds in the method's order.
const std::vector<EvidenceKind>& evidenceTable();
const EvidenceKind& lookUpRow(Evidence evidence);
/// What an action gathers; unset for one that gathers none.
std::optional<Evidence> findActionEvidence(SessionAction action);
std::optional<Evidence> findEventEvidence(const std::string& type);

/// Whether evidence is about the candidate: choosing another one invalidates it.
bool aboutCandidate(Evidence evidence) noexcept;
/// Whether evidence belongs to one debugging iteration.
bool aboutIteration(Evidence evidence) noexcept;

} // namespace kl::inline session
