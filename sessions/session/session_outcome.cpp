// SPDX-License-Identifier: MIT
#include "sessions/session/session_outcome.h"

#include "core/base/format.h"
#include "core/stats/ratio_text.h"
#include "sessions/session/gate.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline session {

std::string nameOutcome(const SessionModel& model)
{
    if (model.view.kept)
        return "kept";
    if (model.view.reverted)
        return "reverted";
    if (model.debugs())
        return model.view.has(Evidence::failingCase) && !model.view.failingProblem ? "nothing to fix" : "abandoned";
    if (!model.plan.asksFor(Evidence::candidate)) {
        const bool all = std::all_of(model.view.gates.begin(), model.view.gates.end(), satisfied);
        return !all ? "abandoned" : model.plan.asksFor(Evidence::profile) ? "profiled" : "baseline measured";
    }
    return model.view.profileRun && model.open(Evidence::profile) && model.readyFixes().empty() ? "nothing to fix" : "abandoned";
}

std::string composeRetrospective(const SessionModel& model)
{
    const SessionView& view = model.view;
    std::string text = fmt::format("Objective: {}.", view.header.objective.empty() ? "none given" : view.header.objective);
    if (view.baselineRun && view.baselineRun->speedup)
        text += fmt::format("\nStart: {} at {} the baseline's speed.", toText(view.start), formatRatio(*view.baselineRun->speedup));
    if (view.profileRun && view.profileRun->diagnosis)
        text += fmt::format("\nObserved: {}", view.profileRun->diagnosis->finding.title);
    for (const ClaimView& row : view.claims)
        text += fmt::format("\nClaimed by {}: {}; {}{}.", row.claim.source, row.claim.figure,
                            row.measured.empty() ? "" : fmt::format("measured {}, ", row.measured), row.verdict);
    for (const DebugIteration& row : view.iterations)
        text += fmt::format("\nIteration {}: hypothesis: {} Observed: {} {}", row.number, row.believed, row.seen,
                            row.learned.empty() ? row.result : "Learned: " + row.learned);
    for (const ParkedStep& step : view.parked)
        text += fmt::format("\nParked: {} ({}), {}.", step.title, toText(step.to), formatRatio(step.ratio.value));
    if (view.candidate && !view.fixTitle.empty())
        text += fmt::format("\nTried: {} ({}).", view.fixTitle, toText(*view.candidate));
    if (view.evaluation && view.evaluation->ratio)
        text += fmt::format("\nMeasured improvement: {}.", ratioText(*view.evaluation->ratio));
    text += fmt::format("\nOutcome: {}.", nameOutcome(model));
    if (!view.commit.empty())
        text += fmt::format("\nCommitted as {}.", view.commit);
    if (view.refusals > 0)
        text += fmt::format("\nActions refused by a rule: {}.", view.refusals);
    return text;
}

} // namespace kl::inline session
