// SPDX-License-Identifier: MIT
#include "sessions/engine/stale_evidence.h"

#include <fmt/format.h>

namespace kl {
namespace {

/// The hash that the catalogue's source of a variant has now; empty when it no longer has it.
std::string hashNow(const Catalogue& catalogue, const RunRecord& run)
{
    const Result<WorkSpec> work = catalogue.work(run.kernel, run.problem);
    return work ? work->sourceHash : std::string();
}

std::string changedSource(const RunRecord& run, const SessionFacts& facts, bool candidate, const Catalogue& catalogue)
{
    // While the candidate is an edit of the source, the catalogue holds the edited text: the variant that stands is the text before it.
    if (!candidate && (facts.editing || facts.sourceChange)) {
        const std::string& before = facts.editing ? facts.editing->before : facts.sourceChange->before;
        if (run.kernel != facts.standing() || before == run.sourceHash)
            return {};
    }
    if (candidate && facts.sourceChange && facts.reverted && run.sourceHash == facts.sourceChange->after)
        return {};
    const std::string now = hashNow(catalogue, run);
    if (now.empty() || run.sourceHash.empty() || now == run.sourceHash)
        return {};
    return fmt::format("The source of {} has changed since it was measured.", toText(run.kernel));
}

} // namespace

std::map<Evidence, std::string> staleEvidence(const SessionFacts& facts, const SessionView& view, const Catalogue& catalogue)
{
    std::map<Evidence, std::string> stale;
    if (facts.finished)
        return stale;
    for (const auto& [kind, seq] : facts.evidence)
        if (seq < facts.conditionsSeq && kind != Evidence::hypothesis && kind != Evidence::instrument && kind != Evidence::analysis)
            stale[kind] = facts.conditionsChanged;
    using enum Evidence;
    for (const auto& [kind, run] :
         {std::pair{smallest, &view.smallestRun}, std::pair{startSuite, &view.startRun}, std::pair{baseline, &view.baselineRun},
          std::pair{profile, &view.profileRun}, std::pair{failingCase, &view.failingRun}, std::pair{minimalCase, &view.minimalRun},
          std::pair{candidate, &view.candidateRun}}) {
        if (!*run || !facts.has(kind) || stale.contains(kind))
            continue;
        if (view.header.source == Source::live)
            if (std::string why = changedSource(**run, facts, aboutCandidate(kind), catalogue); !why.empty())
                stale[kind] = std::move(why);
        if (kind == profile && (*run)->kernel != view.standing && !stale.contains(kind))
            stale[kind] = fmt::format("It was about {}; {} stands now.", toText((*run)->kernel), toText(view.standing));
    }
    if (facts.has(evaluation) && stale.contains(candidate))
        stale[evaluation] = stale[candidate];
    return stale;
}

} // namespace kl
