// SPDX-License-Identifier: MIT
#include "sessions/session/stale_evidence.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline session {
namespace {

/// The hash that the catalog's source of a variant has now; empty when it no longer has it.
std::string hashNow(const Catalog& catalog, const RunRecord& run)
{
    const Result<WorkIdentity> work = catalog.identify(run.kernel, run.problem);
    return work ? work->sourceHash : std::string();
}

/// The source of the current variant while the files hold edits, as recorded in the session: the text before the current edit, or
/// after the last parked one. Empty without edits.
std::string currentHash(const SessionFacts& facts)
{
    if (facts.editing)
        return facts.editing->before;
    if (facts.sourceChange)
        return facts.sourceChange->before;
    for (auto step = facts.parked.rbegin(); step != facts.parked.rend(); ++step)
        if (step->source)
            return step->source->after;
    return {};
}

/// Whether a run of what the session started from is about a text that a parked edit has replaced since.
bool beforeParkedEdit(const RunRecord& run, const SessionFacts& facts)
{
    return std::any_of(facts.parked.begin(), facts.parked.end(), [&](const ParkedStep& step) {
        return step.source && step.to == run.kernel && step.source->before == run.sourceHash;
    });
}

std::string describeChangedSource(const RunRecord& run, const SessionFacts& facts, Evidence kind, const Catalog& catalog)
{
    const bool candidate = aboutCandidate(kind);
    if (!candidate) { // while files hold edits, what was measured before is about the text before them
        const std::string current = currentHash(facts);
        if (!current.empty() && (run.kernel != facts.current || current == run.sourceHash))
            return {};
        if (beforeParkedEdit(run, facts))
            return kind == Evidence::profile ? fmt::format("It describes {} before the edit that was set aside.", toText(run.kernel))
                                             : std::string();
    }
    if (candidate && facts.sourceChange && facts.reverted && run.sourceHash == facts.sourceChange->after)
        return {};
    const std::string now = hashNow(catalog, run);
    if (now.empty() || run.sourceHash.empty() || now == run.sourceHash)
        return {};
    return fmt::format("The source of {} has changed since it was measured.", toText(run.kernel));
}

} // namespace

std::map<Evidence, std::string> staleEvidence(const SessionView& view, const Catalog& catalog)
{
    std::map<Evidence, std::string> stale;
    if (view.finished)
        return stale;
    for (const auto& [kind, seq] : view.evidence)
        if (seq < view.conditionsSeq && kind != Evidence::hypothesis && kind != Evidence::instrument && kind != Evidence::analysis)
            stale[kind] = view.conditionsChanged;
    using enum Evidence;
    for (const auto& [kind, run] :
         {std::pair{smallest, &view.smallestRun}, std::pair{startSuite, &view.startRun}, std::pair{baseline, &view.baselineRun},
          std::pair{profile, &view.profileRun}, std::pair{failingCase, &view.failingRun}, std::pair{minimalCase, &view.minimalRun},
          std::pair{candidate, &view.candidateRun}}) {
        if (!*run || !view.has(kind) || stale.contains(kind))
            continue;
        if (view.header.source == Source::live)
            if (std::string why = describeChangedSource(**run, view, kind, catalog); !why.empty())
                stale[kind] = std::move(why);
        if (kind == profile && (*run)->kernel != view.current && !stale.contains(kind))
            stale[kind] = fmt::format("It describes {}; the current variant is {}.", toText((*run)->kernel), toText(view.current));
    }
    if (view.has(memory) && view.candidateRun && view.candidateRun->sourceHash != view.memoryCheck->sourceHash && !stale.contains(memory))
        stale[memory] = fmt::format("The source of {} has changed since it was checked.", toText(view.candidateRun->kernel));
    if (view.has(memory) && stale.contains(candidate))
        stale[memory] = stale[candidate];
    if (view.has(evaluation) && stale.contains(candidate))
        stale[evaluation] = stale[candidate];
    return stale;
}

} // namespace kl::inline session
