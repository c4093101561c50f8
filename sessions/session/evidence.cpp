// SPDX-License-Identifier: MIT
#include "sessions/session/evidence.h"

#include "sessions/session/events.h"

#include <algorithm>

namespace kl::inline session {

const std::vector<EvidenceKind>& evidenceTable()
{
    using enum Evidence;
    static const std::vector<EvidenceKind> table{
        {environment, SessionAction::checkEnvironment, event::kEnvironmentChecked, "the environment check"},
        {build, SessionAction::validateBuild, event::kBuildValidated, "the build validation"},
        {smallest, SessionAction::verifySmallest, event::kSmallestVerified, "the run at the smallest size"},
        {startSuite, SessionAction::verifyStart, event::kStartVerified, "the suite of the start variant"},
        {baseline, SessionAction::measureBaseline, event::kBaselineMeasured, "the baseline"},
        {profile, SessionAction::profile, event::kProfiled, "the profile"},
        {hypothesis, SessionAction::hypothesis, event::kHypothesis, "the hypothesis"},
        {instrument, SessionAction::instrument, event::kInstrumented, "the instrument"},
        {failingCase, SessionAction::findFailing, event::kFailingCaseFound, "the minimal failing case"},
        {analysis, SessionAction::analyze, event::kAnalyzed, "the analysis"},
        {minimalCase, SessionAction::verifyMinimal, event::kMinimalVerified, "the failing case on the candidate"},
        {candidate, SessionAction::verifySuite, event::kCandidateVerified, "the suite of the candidate"},
        {memory, SessionAction::checkMemory, event::kMemoryChecked, "the memory check"},
        {evaluation, SessionAction::evaluate, event::kEvaluated, "old against new"},
    };
    return table;
}

const EvidenceKind& lookUpRow(Evidence evidence)
{
    return evidenceTable()[static_cast<std::size_t>(evidence)]; // in the enumeration's order; a test holds it so
}

std::optional<Evidence> findActionEvidence(SessionAction action)
{
    const auto& table = evidenceTable();
    const auto found = std::find_if(table.begin(), table.end(), [&](const EvidenceKind& row) { return action == row.action; });
    return found == table.end() ? std::nullopt : std::optional(found->evidence);
}

std::optional<Evidence> findEventEvidence(const std::string& type)
{
    const auto& table = evidenceTable();
    const auto found = std::find_if(table.begin(), table.end(), [&](const EvidenceKind& row) { return type == row.event; });
    return found == table.end() ? std::nullopt : std::optional(found->evidence);
}

bool aboutCandidate(Evidence evidence) noexcept
{
    return evidence == Evidence::minimalCase || evidence == Evidence::candidate || evidence == Evidence::memory ||
           evidence == Evidence::evaluation;
}

bool aboutIteration(Evidence evidence) noexcept
{
    return evidence == Evidence::hypothesis || evidence == Evidence::instrument || evidence == Evidence::failingCase ||
           evidence == Evidence::analysis;
}

} // namespace kl::inline session
