// SPDX-License-Identifier: MIT
#include "sessions/session/gate.h"
#include "sessions/session/next_steps.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline session {
namespace {

/// What is blocking now.
struct Situation {
    enum class Kind { done, document, evidence, debugging, fix, edit, proof, evaluation, parked, iterationEnd };
    Kind kind = Kind::document;
    std::string phase;
    Evidence evidence = Evidence::environment;
};

/// The change of a session, once all that comes before it is settled.
Situation assessChange(const SessionModel& model, const SessionTemplate::Phase& phase, Evidence kind)
{
    using K = Situation::Kind;
    const std::string last = model.plan.phases.back().id;
    if (model.view.editing || model.editMoved())
        return {K::edit, phase.id};
    if (!model.trying()) {
        if (model.view.documented)
            return {K::document, last};
        if (!model.readyFixes().empty() || asksForEdit(model))
            return {K::fix, phase.id};
        if (!model.view.parked.empty())
            return {K::parked, model.plan.lookUpPhase(Evidence::evaluation)->id};
        return {K::document, last};
    }
    if (kind == Evidence::evaluation)
        return {K::evaluation, phase.id};
    return {model.settled(kind) ? K::iterationEnd : K::proof, phase.id, kind};
}

/// The method in order: the first open step. A change that is proven correct still has to be evaluated.
Situation assessSituation(const SessionModel& model)
{
    using K = Situation::Kind;
    const SessionFacts& facts = model.view;
    const std::string last = model.plan.phases.back().id;
    if (facts.finished)
        return {K::done, "done"};
    if (model.decided())
        return {K::document, last};
    const bool over = facts.documented && !model.trying() && model.view.parked.empty(); // ended early, with its report written
    const Evidence judged = model.plan.asksFor(Evidence::evaluation) ? Evidence::evaluation
                            : model.plan.asksFor(Evidence::memory)   ? Evidence::memory
                                                                     : Evidence::candidate;
    for (const SessionTemplate::Phase& phase : model.plan.phases)
        for (const Evidence kind : model.plan.listEvidence(phase)) {
            if (aboutCandidate(kind)) {
                if (!model.trying() || kind == judged || !model.settled(kind))
                    return assessChange(model, phase, kind);
                continue;
            }
            if (model.settled(kind)) {
                if (kind == Evidence::failingCase && !model.view.failingProblem)
                    return {K::document, last}; // nothing fails
                continue;
            }
            if (over)
                return {K::document, last};
            return {aboutIteration(kind) ? K::debugging : K::evidence, phase.id, kind};
        }
    return {K::document, last};
}

void markPhases(SessionModel& model)
{
    SessionView& view = model.view;
    const bool done = view.phase == "done";
    const auto reached = std::find_if(view.phases.begin(), view.phases.end(), [&](const PhaseView& item) { return item.id == view.phase; });
    for (auto phase = view.phases.begin(); phase != view.phases.end(); ++phase) {
        if (!done && phase == reached) {
            phase->state = PhaseState::current;
        } else if (done || phase < reached) {
            const bool evidence = phase->evidence.empty() || std::any_of(phase->evidence.begin(), phase->evidence.end(),
                                                                         [&](Evidence kind) { return model.view.has(kind); });
            phase->state = evidence ? PhaseState::done : PhaseState::skipped;
        }
    }
}

/// The gate that is blocking now; if the phase has none, the last one that was evaluated.
std::string currentGate(const SessionModel& model)
{
    for (const SessionTemplate::Phase& phase : model.plan.phases)
        if (phase.id == model.view.phase && !phase.gates.empty()) {
            for (const std::string& gate : phase.gates)
                if (!model.open(gate))
                    return gate;
            return phase.gates.back();
        }
    std::string last = model.plan.gates.front().id;
    for (const SessionTemplate::Gate& gate : model.plan.gates)
        for (const Evidence kind : model.plan.listEvidence(gate))
            if (model.view.has(kind))
                last = gate.id;
    return last;
}

/// A gate blocks once there is evidence and it does not pass; a gate that has not been evaluated, or whose evidence is stale, is merely
/// pending, and a step that can be parked does not block. An inconclusive evaluation does.
bool blocks(const SessionModel& model, const Situation& now)
{
    const GateView* gate = model.gate(model.view.gate);
    if (!gate || now.kind == Situation::Kind::document || now.kind == Situation::Kind::done || satisfied(*gate) ||
        gate->progress == GateProgress::stale)
        return false;
    if (now.kind == Situation::Kind::evaluation && canPark(model.view))
        return false;
    const bool undecided = gate->result == GateResult::unknown && now.kind == Situation::Kind::evaluation && model.view.evaluation;
    return gate->result == GateResult::fail || undecided;
}

void suggest(SessionModel& model, Suggestions& next, const Situation& now)
{
    switch (now.kind) {
    case Situation::Kind::done: return;
    case Situation::Kind::document: return suggestDocument(model, next);
    case Situation::Kind::evidence: return suggestEvidence(model, next, now.evidence);
    case Situation::Kind::debugging: return suggestDebugging(model, next, now.evidence);
    case Situation::Kind::fix: return suggestFix(model, next);
    case Situation::Kind::edit: return suggestEdit(model, next);
    case Situation::Kind::proof: return suggestProof(model, next, now.evidence);
    case Situation::Kind::evaluation: return suggestEvaluation(model, next);
    case Situation::Kind::parked: return suggestParked(model, next);
    case Situation::Kind::iterationEnd: return suggestIterationEnd(model, next);
    }
}

} // namespace

void decideNext(SessionModel& model, const std::string& databaseLocation)
{
    SessionView& view = model.view;
    const Situation now = assessSituation(model);
    view.phase = now.phase;
    markPhases(model);
    if (now.kind == Situation::Kind::done) {
        view.why = fmt::format("Finished: {}.", view.outcome);
        return;
    }
    view.gate = currentGate(model);
    Suggestions next(model, databaseLocation);
    suggest(model, next, now);
    if (const std::optional<LastDecision>& decision = model.view.decision)
        next.add(SessionAction::undo, decision->kept ? "Undo the keep" : "Undo the revert");
    view.blocked = blocks(model, now);
}

} // namespace kl::inline session
