// SPDX-License-Identifier: MIT
#include "sessions/session/waiver.h"

#include "sessions/session/gate.h"
#include "sessions/session/rules.h"
#include "sessions/session/suggestions.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline session {
namespace {

/// The rule that asks for a measurement first, empty where there is one.
std::string findMeasureFirstRule(const SessionModel& model, const std::string& gate)
{
    const std::vector<Evidence> kinds = model.plan.listEvidence(*model.plan.gate(gate));
    const bool wasMeasured = std::any_of(kinds.begin(), kinds.end(), [&](Evidence kind) { return model.view.has(kind); });
    const bool parked = kinds.back() == Evidence::evaluation && !model.view.parked.empty() && !model.trying();
    if (wasMeasured || parked || kinds.front() == Evidence::environment)
        return {};
    if (aboutCandidate(kinds.front()))
        return rule::kCorrectnessFirst;
    return kinds.front() < Evidence::profile ? rule::kBaselineFirst : rule::kProfileFirst;
}

} // namespace

Status checkWaivable(const SessionModel& model, const GateView& gate)
{
    if (model.view.finished)
        return makeFinishedError(model.view.header);
    if (satisfied(gate) && gate.progress != GateProgress::waived)
        return Error{.code = ErrorCode::badInput,
                     .message = gate.result == GateResult::fail
                                    ? fmt::format("{} failed, which does not block the session: there is nothing to waive.", gate.id)
                                    : fmt::format("{} has passed: there is nothing to waive.", gate.id),
                     .hint = "Go on.",
                     .where = gate.id}
            .leadTo({StepId::stepSession});
    if (const std::string rule = findMeasureFirstRule(model, gate.id); !rule.empty())
        return refusal(rule, fmt::format("{} has not been asked yet.", gate.id), "Measure first.", {{StepId::stepSession}});
    return {};
}

} // namespace kl::inline session
