// SPDX-License-Identifier: MIT
#include "sessions/session/session_model.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/session/checks.h"
#include "sessions/session/claims.h"
#include "sessions/session/gate.h"
#include "sessions/session/rules.h"
#include "sessions/session/stale_evidence.h"
#include "sessions/session/suggestions.h"
#include "sessions/session/waiver.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline session {
namespace {

/// Loads the run that an event names; an empty id leaves nothing.
Status loadRun(const Store& store, const RunId& id, std::optional<RunRecord>& target)
{
    if (id.empty())
        return {};
    KL_ASSIGN(RunRecord run, store.runWithoutCode(id));
    target = std::move(run);
    return {};
}

Status loadEvidence(const Store& store, SessionView& view)
{
    using enum Evidence;
    for (const auto& [kind, target] :
         {std::pair{smallest, &view.smallestRun}, std::pair{startSuite, &view.startRun}, std::pair{baseline, &view.baselineRun},
          std::pair{profile, &view.profileRun}, std::pair{failingCase, &view.failingRun}, std::pair{minimalCase, &view.minimalRun},
          std::pair{candidate, &view.candidateRun}})
        if (const auto id = view.runs.find(kind); id != view.runs.end())
            KL_TRY(loadRun(store, id->second, *target));
    if (view.comparison.empty())
        return {};
    KL_ASSIGN(Comparison comparison, store.comparison(view.comparison));
    view.evaluation = std::move(comparison);
    return {};
}

/// The phase in whose time an event falls, empty for those that belong to whichever phase is current.
std::string findEventPhase(const SessionTemplate& plan, const std::string& type)
{
    const auto id = [](const SessionTemplate::Phase* phase) { return phase ? phase->id : std::string(); };
    if (const std::optional<Evidence> kind = findEventEvidence(type))
        return id(plan.lookUpPhase(*kind));
    if (type == event::kFixChosen || type == event::kEditBegun)
        return id(plan.lookUpPhase(plan.asksFor(Evidence::minimalCase) ? Evidence::minimalCase : Evidence::candidate));
    if (type == event::kKept || type == event::kReverted || type == event::kParked || type == event::kIterationClosed ||
        type == event::kUndone)
        return id(plan.lookUpPhase(plan.asksFor(Evidence::evaluation) ? Evidence::evaluation : Evidence::candidate));
    return type == event::kDocumented && !plan.phases.empty() ? plan.phases.back().id : std::string();
}

/// Working time: the gap before each event belongs to the phase in which the event falls; what fits no phase, to the next one that
/// does. A gap longer than the template's idle time is not counted, nor is the one before a session is resumed. Finishing records the
/// time until then: nothing is added after it.
void addTimes(const SessionTemplate& plan, SessionView& view)
{
    double pending = 0;
    std::string last = view.phases.empty() ? std::string() : view.phases.front().id;
    const auto add = [&](const std::string& phase, double minutes) {
        for (PhaseView& item : view.phases)
            if (item.id == phase)
                item.elapsedMinutes += minutes;
    };
    for (std::size_t i = 1; i < view.events.size() && view.events[i].type != event::kFinished; ++i) {
        const std::optional<TimePoint> from = parseIsoTime(view.events[i - 1].at);
        const std::optional<TimePoint> to = parseIsoTime(view.events[i].at);
        const double gap = from && to ? std::chrono::duration<double, std::ratio<60>>(*to - *from).count() : 0;
        if (gap > 0 && gap <= plan.idleAfterMinutes && view.events[i].type != event::kResumed)
            pending += gap;
        if (const std::string phase = findEventPhase(plan, view.events[i].type); !phase.empty()) {
            last = phase;
            add(phase, pending);
            view.minutes += pending;
            pending = 0;
        }
    }
    add(last, pending);
    view.minutes += pending;
}

/// What the open iteration's fix has come to, in words; the row of a closed one carries it.
void fillResult(SessionView& view, bool kept)
{
    if (view.iterations.empty() || !view.iterations.back().result.empty())
        return;
    std::string& result = view.iterations.back().result;
    const auto right = [](const RunRecord& run) {
        return run.status == ResultStatus::ok && run.correctness.result == CorrectnessResult::correct;
    };
    if (view.minimalRun)
        result = fmt::format("{} at {}", right(*view.minimalRun) ? "correct" : "still incorrect", toText(view.minimalRun->problem));
    if (view.candidateRun)
        result += right(*view.candidateRun) ? ", correct at every size" : ", incorrect at another size";
    if (kept)
        result += "; kept";
}

/// Speedup of the current variant: the candidate's once kept, else the start's.
std::optional<double> currentSpeedup(const SessionView& view)
{
    if (view.kept && view.candidateRun)
        return view.candidateRun->speedup;
    if (view.baselineRun)
        return view.baselineRun->speedup;
    return view.finishedSpeedup;
}

/// What a claim is compared with: one about the kernel with the kept variant, once there is one; one about the baseline with its own run.
const std::optional<RunRecord>& chooseJudgedRun(const Claim& claim, const SessionView& view)
{
    return claim.about == "kernel" && view.kept && view.candidateRun ? view.candidateRun : view.baselineRun;
}

} // namespace

std::optional<double> computeGain(const SessionView& view)
{
    if (!view.kept || (!view.evaluation && view.parked.empty()))
        return {};
    const bool measured = view.evaluation && view.evaluation->ratio;
    return computeProduct(view.parked, measured ? view.evaluation->ratio : std::nullopt).value;
}

const GateView* SessionModel::gate(const std::string& id) const
{
    const auto found = std::find_if(view.gates.begin(), view.gates.end(), [&](const GateView& item) { return item.id == id; });
    return found == view.gates.end() ? nullptr : &*found;
}

const GateView* SessionModel::gate(Evidence kind) const
{
    const SessionTemplate::Gate* found = plan.lookUpGate(kind);
    return found ? gate(found->id) : nullptr;
}

bool SessionModel::open(const std::string& id) const
{
    const GateView* found = gate(id);
    return !found || satisfied(*found);
}

bool SessionModel::open(Evidence kind) const
{
    const GateView* found = gate(kind);
    return !found || satisfied(*found);
}

bool SessionModel::settled(Evidence kind) const
{
    if (!plan.asksFor(kind))
        return true;
    if (kind == Evidence::memory && !hasSanitizer(view, family)) // recorded data runs no kernel: its row says so
        return true;
    const GateView* found = gate(kind);
    if (found && found->progress == GateProgress::waived)
        return true;
    if (!view.has(kind) || view.stale.contains(kind))
        return false;
    if (!found)
        return true;
    const GateInput input{plan, view, family};
    for (const std::string& check : plan.lookUpGate(kind)->checks) {
        if (findCheckEvidence(check) != kind)
            continue;
        for (const CheckRow& row : evaluateCheck(check, input))
            if (row.requirement == Requirement::required && row.result != GateResult::pass && row.blocks)
                return false;
    }
    return true;
}

bool SessionModel::editable() const
{
    if (!family || family->origin.empty() || !catalog)
        return false;
    const Result<const Variant*> variant = catalog->variant(view.current);
    return variant && !(*variant)->image && (!(*variant)->source.empty() || !family->image);
}

std::string SessionModel::sourceNow() const
{
    if (!catalog)
        return {};
    const Result<WorkIdentity> work = catalog->identify(view.current, view.problem);
    return work ? work->sourceHash : std::string();
}

bool SessionModel::editMoved() const
{
    const bool parked = !trying() && !decided() && !view.editing && !view.parked.empty();
    const std::optional<SourceChange>& last = parked ? view.parked.back().source : view.sourceChange;
    if (!last || (!parked && !trying()))
        return false;
    const std::string now = sourceNow();
    return !now.empty() && now != last->after;
}

std::vector<Fix> SessionModel::readyFixes() const
{
    std::vector<Fix> ready;
    if (!family)
        return ready;
    std::vector<Fix> fixes;
    if (debugs() && catalog) {
        const std::optional<Chip> chip = view.baselineRun ? std::optional(toChip(view.baselineRun->device)) : std::nullopt;
        for (const Address& address : catalog->fixesFor(view.current, chip, view.problem))
            if (const Result<const Variant*> variant = catalog->variant(address))
                fixes.push_back({toText(address), (*variant)->fixTitle, {}, 0, toText(address), (*variant)->summary});
    } else if (view.profileRun && view.profileRun->diagnosis) {
        fixes = view.profileRun->diagnosis->finding.fixes;
    }
    for (const Fix& fix : fixes) {
        const Result<Address> address = parseAddress(fix.variant);
        if (fix.variant.empty() || !address || listChangedVariables(*family, view.current, *address).size() != 1)
            continue;
        if (std::find(view.tried.begin(), view.tried.end(), *address) == view.tried.end())
            ready.push_back(fix);
    }
    return ready;
}

Result<SessionModel> loadSession(const Store& store, const Catalog& catalog, const SessionId& id)
{
    KL_ASSIGN(SessionHeader header, store.session(id));
    KL_ASSIGN(std::vector<SessionEvent> events, store.events(id));
    KL_ASSIGN(SessionFacts facts, foldEvents(events));

    SessionModel model;
    model.catalog = &catalog;
    SessionView& view = model.view;
    static_cast<SessionFacts&>(view) = std::move(facts);
    view.header = std::move(header);
    view.events = std::move(events);
    if (!view.parked.empty())
        view.parkedRatio = computeProduct(view.parked, {});
    if (const Result<const KernelFamily*> family = catalog.family(view.header.kernel))
        model.family = *family;
    if (view.header.templateJson.empty() || view.header.isShipped()) { // figures without a plan
        view.phase = "done";
        view.speedup = view.finishedSpeedup;
        view.minutes = view.finishedMinutes.value_or(0);
        return model;
    }
    KL_ASSIGN(SessionTemplate plan, parseTemplate(view.header.templateJson, "the session's template"));
    model.plan = std::move(plan);
    KL_TRY(loadEvidence(store, view));

    view.budgetMinutes = model.plan.budgetMinutes;
    for (const SessionTemplate::Question& question : model.plan.questions)
        view.questions.emplace_back(question.id, question.text);
    for (const SessionTemplate::Phase& phase : model.plan.phases)
        view.phases.push_back({phase.id, phase.title, phase.purpose, phase.budgetMinutes, 0, PhaseState::upcoming, phase.gates,
                               phase.patterns, model.plan.listEvidence(phase)});
    addTimes(model.plan, view);
    fillResult(view, view.kept);
    for (const Claim& claim : view.claimsMade)
        view.claims.push_back(makeClaimView(claim, chooseJudgedRun(claim, view)));
    view.stale = staleEvidence(view, catalog);
    view.speedup = currentSpeedup(view);
    const GateInput input{model.plan, view, model.family};
    std::vector<GateView> gates;
    for (const SessionTemplate::Gate& gate : model.plan.gates)
        gates.push_back(evaluateGate(gate, input));
    if (view.finished) // nobody waits any more
        for (GateView& gate : gates)
            if (gate.progress == GateProgress::running)
                gate.progress = GateProgress::done;
    view.gates = std::move(gates);
    decideNext(model, store.location());
    for (GateView& gate : view.gates) {
        gate.canBeWaived = gate.progress != GateProgress::waived && checkWaivable(model, gate);
        for (CheckRow& row : gate.checks)
            nameSession(row.next, view.header, store.location());
    }
    view.checklist = makeChecklist(model);
    for (ChecklistItem& item : view.checklist)
        if (item.next) {
            std::vector<NextStep> step{std::move(*item.next)};
            nameSession(step, view.header, store.location());
            item.next = std::move(step.front());
        }
    if (view.finished)
        view.afterwards = {openNext(view.header)};
    return model;
}

} // namespace kl::inline session
