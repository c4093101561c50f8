// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kl {

/// What a session can have evidence of. A gate rests on the kinds that its checks look at (gates/checks.h); an action of the session
/// gathers each. The closed list that templates draw their steps from.
enum class Evidence {
    environment,
    build,       ///< verbose build of the start variant
    smallest,    ///< start variant on the smallest size
    startSuite,  ///< start variant on every size of the suite
    baseline,    ///< start variant and baseline in one run
    profile,     ///< hardware metrics of the variant that stands
    hypothesis,  ///< of a debugging iteration, as the three below
    instrument,  ///< how the hypothesis is looked at
    failingCase, ///< smallest size on which the start variant fails
    analysis,    ///< what was seen
    minimalCase, ///< candidate on the failing size
    candidate,   ///< candidate on every size of the suite
    memory,      ///< candidate under compute-sanitizer's memcheck and initcheck, where a GPU runs it
    evaluation,  ///< variant that stands against the candidate
};

/// One kind of evidence: the action that gathers it, the event that tells of it.
struct EvidenceKind {
    Evidence evidence;
    const char* action;
    const char* event;
    const char* title; ///< what an unfinished step is called: "the profile"
};

/// All kinds in the method's order.
const std::vector<EvidenceKind>& evidenceTable();
const EvidenceKind& rowOf(Evidence evidence);
std::optional<Evidence> evidenceOfAction(const std::string& action);
std::optional<Evidence> evidenceOfEvent(const std::string& type);

/// Whether evidence is about a change that is being tried: choosing another one makes it void.
bool aboutCandidate(Evidence evidence) noexcept;
/// Whether evidence belongs to one pass through the debugging loop.
bool aboutIteration(Evidence evidence) noexcept;

} // namespace kl
