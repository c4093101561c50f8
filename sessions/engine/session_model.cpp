// SPDX-License-Identifier: MIT
#include "sessions/engine/session_model.h"

#include "core/base/format.h"
#include "sessions/engine/rules.h"
#include "sessions/gates/gate.h"

#include <algorithm>

namespace kl {
namespace {

/// Loads the run that an event names; an empty id leaves nothing.
Status loadRun(const Store& store, const RunId& id, std::optional<RunRecord>& target)
{
    if (id.empty())
        return {};
    Result<RunRecord> run = store.run(id);
    if (!run)
        return run.error();
    target = std::move(*run);
    return {};
}

Status loadEvidence(const Store& store, const SessionFacts& facts, SessionView& view)
{
    for (const auto& [id, target] : {std::pair{facts.smallestRun, &view.smallestRun}, std::pair{facts.baselineRun, &view.baselineRun},
                                     std::pair{facts.profileRun, &view.profileRun}, std::pair{facts.candidateRun, &view.candidateRun}})
        if (const Status loaded = loadRun(store, id, *target); !loaded)
            return loaded;
    if (facts.evaluation.empty())
        return {};
    Result<Comparison> comparison = store.comparison(facts.evaluation);
    if (!comparison)
        return comparison.error();
    view.evaluation = std::move(*comparison);
    return {};
}

/// Working time: the gap before each event belongs to the phase in which the event falls; what fits no phase, to the next one that
/// does. A gap longer than the template's idle time is no work.
void addTimes(const SessionTemplate& plan, SessionView& view)
{
    double pending = 0;
    std::string last = view.phases.empty() ? std::string() : view.phases.front().id;
    const auto add = [&](const std::string& phase, double minutes) {
        for (PhaseView& item : view.phases)
            if (item.id == phase)
                item.elapsedMinutes += minutes;
    };
    for (std::size_t i = 1; i < view.events.size(); ++i) {
        const std::optional<TimePoint> from = parseIsoTime(view.events[i - 1].at);
        const std::optional<TimePoint> to = parseIsoTime(view.events[i].at);
        const double gap = from && to ? std::chrono::duration<double, std::ratio<60>>(*to - *from).count() : 0;
        if (gap > 0 && gap <= plan.idleAfterMinutes)
            pending += gap;
        if (const std::string phase = phaseOfEvent(view.events[i].type); !phase.empty()) {
            last = phase;
            add(phase, pending);
            view.minutes += pending;
            pending = 0;
        }
    }
    add(last, pending);
    view.minutes += pending;
}

void takeFacts(const SessionFacts& facts, SessionView& view)
{
    view.start = facts.start;
    view.problem = facts.problem;
    view.fix = facts.fix;
    view.fixTitle = facts.fixTitle;
    view.candidate = facts.candidate;
    view.environment = facts.environment;
    view.answers = facts.answers;
    view.patternsApplied = facts.patterns;
    view.notes = facts.notes;
    view.tried = facts.tried;
    view.retrospective = facts.retrospective;
    view.artifact = facts.artifact;
    view.refusals = facts.refusals;
    view.outcome = facts.outcome;
}

/// Speedup of the variant that stands: the candidate's once kept, else the start's.
std::optional<double> standingSpeedup(const SessionFacts& facts, const SessionView& view)
{
    if (facts.kept && view.candidateRun)
        return view.candidateRun->speedup;
    if (view.baselineRun)
        return view.baselineRun->speedup;
    return facts.speedup;
}

} // namespace

const GateView* SessionModel::gate(const std::string& id) const
{
    const auto found = std::find_if(view.gates.begin(), view.gates.end(), [&](const GateView& item) { return item.id == id; });
    return found == view.gates.end() ? nullptr : &*found;
}

bool SessionModel::open(const std::string& id) const
{
    const GateView* found = gate(id);
    return !found || satisfied(*found); // a template may leave a gate out
}

std::vector<Fix> SessionModel::readyFixes() const
{
    std::vector<Fix> ready;
    if (!view.profileRun || !view.profileRun->diagnosis || !family)
        return ready;
    for (const Fix& fix : view.profileRun->diagnosis->finding.fixes) {
        const Result<Address> address = parseAddress(fix.variant);
        if (fix.variant.empty() || !address || changedVariables(*family, view.start, *address).size() != 1)
            continue;
        if (std::find(view.tried.begin(), view.tried.end(), *address) == view.tried.end())
            ready.push_back(fix);
    }
    return ready;
}

Result<SessionModel> loadSession(const Store& store, const Catalogue& catalogue, const SessionId& id)
{
    Result<SessionHeader> header = store.session(id);
    if (!header)
        return header.error();
    Result<std::vector<SessionEvent>> events = store.events(id);
    if (!events)
        return events.error();
    Result<SessionFacts> facts = foldEvents(*events);
    if (!facts)
        return facts.error();

    SessionModel model;
    model.facts = std::move(*facts);
    SessionView& view = model.view;
    view.header = std::move(*header);
    view.events = std::move(*events);
    takeFacts(model.facts, view);
    if (const Result<const KernelFamily*> family = catalogue.family(view.header.kernel))
        model.family = *family;
    if (view.header.templateJson.empty() || view.header.kind == "sample") { // shipped history: figures without a plan
        view.phase = "done";
        view.speedup = model.facts.speedup;
        view.minutes = model.facts.minutes.value_or(0);
        return model;
    }
    Result<SessionTemplate> plan = parseTemplate(view.header.templateJson, "the session's template");
    if (!plan)
        return plan.error();
    model.plan = std::move(*plan);
    if (const Status loaded = loadEvidence(store, model.facts, view); !loaded)
        return loaded.error();

    view.budgetMinutes = model.plan.budgetMinutes;
    for (const SessionTemplate::Question& question : model.plan.questions)
        view.questions.emplace_back(question.id, question.text);
    for (const SessionTemplate::Phase& phase : model.plan.phases)
        view.phases.push_back(
            {phase.id, phase.title, phase.purpose, phase.budgetMinutes, 0, PhaseState::upcoming, phase.gates, phase.patterns});
    addTimes(model.plan, view);
    view.speedup = standingSpeedup(model.facts, view);
    const GateInput input{model.plan, model.facts, view, model.family};
    std::vector<GateView> gates;
    for (const SessionTemplate::Gate& gate : model.plan.gates)
        gates.push_back(evaluateGate(gate, input));
    view.gates = std::move(gates);
    decideNext(model, store.location());
    return model;
}

} // namespace kl
