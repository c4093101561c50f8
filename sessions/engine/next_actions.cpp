// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "sessions/engine/rules.h"
#include "sessions/engine/session_model.h"
#include "sessions/gates/gate.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl {
namespace {

/// Writes the suggestions of one session: the first is `session step`, the others name their action.
class Suggestions {
public:
    Suggestions(SessionModel& model, std::string location) : model_(model), location_(std::move(location)) {}

    void add(const std::string& action, const std::string& title, const std::string& argument = {}, const std::string& locked = {})
    {
        NextAction next;
        next.action = action;
        next.argument = argument;
        next.title = title;
        next.enabled = locked.empty();
        next.reason = locked;
        next.argv = {"kloop", "session"};
        if (model_.view.next.empty()) {
            next.argv.push_back("step");
        } else {
            next.argv.insert(next.argv.end(), {"act", action});
            if (!argument.empty())
                next.argv.push_back(argument);
        }
        finish(next);
    }

    void addWaiver(const std::string& gate)
    {
        NextAction next;
        next.action = "waive";
        next.argument = gate;
        next.title = fmt::format("Waive {} with a reason that is kept", gate);
        next.argv = {"kloop", "session", "waive", gate, "--reason", "REASON"};
        finish(next);
    }

private:
    void finish(NextAction& next)
    {
        const SessionHeader& header = model_.view.header;
        next.argv.insert(next.argv.end(), {"--session", header.id.text});
        if (header.source == Source::sample)
            next.argv.insert(next.argv.end(), {"--on", "sample"});
        if (location_ != Store::defaultLocation())
            next.argv.insert(next.argv.end(), {"--db", location_});
        for (const std::string& word : next.argv) {
            const bool quote = word.empty() || word.find_first_of(" \t\"'$&;|()<>*?\\") != std::string::npos;
            next.command += (next.command.empty() ? "" : " ") + (quote ? '\'' + word + '\'' : word);
        }
        next.argv.push_back("--json");
        model_.view.next.push_back(std::move(next));
    }

    SessionModel& model_;
    std::string location_;
};

bool decided(const SessionFacts& facts)
{
    return facts.kept || (facts.candidate && facts.reverted);
}

/// The phase that the facts have reached.
std::string phaseOf(const SessionModel& model)
{
    const SessionFacts& facts = model.facts;
    if (facts.finished)
        return "done";
    if (decided(facts))
        return "document";
    if (!model.open("G1"))
        return facts.documented ? "document" : "environment";
    if (!model.open("G2"))
        return facts.documented ? "document" : "baseline";
    if (!model.open("G3"))
        return facts.documented ? "document" : "profile";
    if (!facts.candidate)
        return facts.documented || model.readyFixes().empty() ? "document" : "fix";
    return model.open("G4") ? "evaluate" : "fix";
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
            bool evidence = phase->id == "document";
            for (const std::string& gate : phase->gates)
                evidence = evidence || model.facts.evidence.contains(gate);
            phase->state = evidence ? PhaseState::done : PhaseState::skipped;
        }
    }
}

/// The gate that stands in the way now; at the end, the last one that was evaluated.
std::string currentGate(const SessionModel& model)
{
    for (const SessionTemplate::Phase& phase : model.plan.phases)
        if (phase.id == model.view.phase && !phase.gates.empty())
            return phase.gates.front();
    std::string last = model.plan.gates.front().id;
    for (const SessionTemplate::Gate& gate : model.plan.gates)
        if (model.facts.evidence.contains(gate.id))
            last = gate.id;
    return last;
}

void environmentPhase(SessionModel& model, Suggestions& next)
{
    if (!model.facts.environment) {
        model.view.why = "Nothing has been checked yet.";
        next.add("check-environment", "Check the environment");
        return;
    }
    model.view.why = model.gate("G1")->verdict;
    // The second failure in a row is not mended by asking again: the way on is to end the session, or to waive.
    const bool again = model.facts.failedEnvironments < 2;
    if (again)
        next.add("check-environment", "Check the environment again, once the fixes are made");
    next.add("document", "Document and end the session: the environment is not ready");
    if (!again)
        next.add("check-environment", "Check the environment again, once the fixes are made");
    next.addWaiver("G1");
}

void baselinePhase(SessionModel& model, Suggestions& next)
{
    SessionView& view = model.view;
    const bool smallestRight =
        view.smallestRun && view.smallestRun->status == ResultStatus::ok && view.smallestRun->correctness.result == CorrectnessResult::pass;
    const std::string smallest = model.family ? toText(model.family->smallest) : std::string("the smallest size");
    if (!view.smallestRun) {
        view.why = fmt::format("{} has not been measured on its smallest size yet.", toText(view.start));
        next.add("verify-smallest", fmt::format("Run {} on {}, its smallest size", toText(view.start), smallest));
    } else if (smallestRight && !view.baselineRun) {
        view.why = "The baseline has not been measured yet.";
        next.add("measure-baseline", fmt::format("Measure {} and its baseline on {}", toText(view.start), toText(view.problem)));
    } else {
        view.why = model.gate("G2")->verdict;
        next.add("document", "Document and end the session: there is no valid figure to start from");
        next.add(smallestRight ? "measure-baseline" : "verify-smallest", "Measure again, once it is mended");
        next.addWaiver("G2");
    }
}

void profilePhase(SessionModel& model, Suggestions& next)
{
    SessionView& view = model.view;
    const std::string title = fmt::format("Profile {} on {}", toText(view.start), toText(view.problem));
    if (!view.profileRun) {
        const std::optional<double> speedup = view.baselineRun ? view.baselineRun->speedup : std::nullopt;
        const bool stop = speedup && *speedup < model.plan.threshold("speedup_min");
        view.rule = stop ? rule::kStopBelowHalf : rule::kProfileFirst;
        view.why =
            speedup ? adviceOf(levelOf(*speedup, model.plan), *speedup, model.plan) : "Nothing is known yet about what limits the kernel.";
        next.add("profile", title);
        return;
    }
    view.why = model.gate("G3")->verdict;
    next.add("document", "Document and end the session: no finding to act on");
    next.add("profile", title + " again");
    next.addWaiver("G3");
}

void fixPhase(SessionModel& model, Suggestions& next)
{
    SessionView& view = model.view;
    if (!view.candidate) {
        const std::vector<Fix> ready = model.readyFixes();
        const Finding& finding = view.profileRun->diagnosis->finding;
        view.why = fmt::format("{} Choose one fix.", finding.title);
        for (const Fix& fix : ready)
            next.add("choose-fix", fix.title, fix.id);
        for (const Fix& fix : finding.fixes)
            if (fix.variant.empty())
                next.add("choose-fix", fix.title, fix.id, "No ready variant: it needs an edit of the source.");
        next.add("document", "Document and end the session without a change");
    } else if (!view.candidateRun) {
        view.why = fmt::format("{} has not been proven right yet.", toText(*view.candidate));
        next.add("verify-suite", fmt::format("Run {} on every size of the suite", toText(*view.candidate)));
        next.add("revert", fmt::format("Drop {} without measuring it", toText(*view.candidate)));
    } else {
        view.rule = rule::kCorrectnessFirst;
        view.why = model.gate("G4")->verdict;
        next.add("revert", fmt::format("Revert to {}", toText(view.start)));
        next.add("verify-suite", "Run the suite again");
        next.addWaiver("G4");
    }
}

void evaluatePhase(SessionModel& model, Suggestions& next)
{
    SessionView& view = model.view;
    if (!view.evaluation) {
        view.why = fmt::format("{} has not been measured against {} yet.", toText(*view.candidate), toText(view.start));
        next.add("evaluate", fmt::format("Measure {} against {} in alternating blocks", toText(view.start), toText(*view.candidate)));
        next.add("revert", fmt::format("Drop {} without measuring it", toText(*view.candidate)));
        return;
    }
    view.why = model.gate("G5")->verdict;
    const std::string keep = fmt::format("Keep {}", toText(*view.candidate));
    const std::string revert = fmt::format("Revert to {}", toText(view.start));
    if (model.open("G5")) {
        next.add("keep", keep);
        next.add("revert", revert);
    } else {
        next.add("revert", revert);
        next.add("keep", keep, {}, model.gate("G5")->verdict);
        next.add("evaluate", "Measure again");
        next.addWaiver("G5");
    }
}

void documentPhase(SessionModel& model, Suggestions& next)
{
    SessionView& view = model.view;
    const SessionFacts& facts = model.facts;
    if (facts.kept)
        view.why = fmt::format("{} is kept.", toText(*view.candidate));
    else if (facts.candidate && facts.reverted)
        view.why = fmt::format("{} was reverted; {} stands.", toText(*view.candidate), toText(view.start));
    else if (view.profileRun && model.open("G3"))
        view.why = fmt::format("Nothing to fix: no ready change mends what limits {}.", toText(view.start));
    else
        view.why = "The session ends here, without a finding.";
    if (facts.documented)
        next.add("finish", "Finish the session");
    else
        next.add("document", "Write the report and what was learned");
    if (facts.documented || !facts.kept)
        for (const Fix& fix : facts.kept ? std::vector<Fix>{} : model.readyFixes())
            next.add("choose-fix", "Try instead: " + fix.title, fix.id);
}

} // namespace

void decideNext(SessionModel& model, const std::string& databaseLocation)
{
    SessionView& view = model.view;
    view.phase = phaseOf(model);
    markPhases(model);
    if (view.phase == "done") {
        view.why = fmt::format("Finished: {}.", view.outcome);
        return;
    }
    view.gate = currentGate(model);
    Suggestions next(model, databaseLocation);
    if (view.phase == "environment")
        environmentPhase(model, next);
    else if (view.phase == "baseline")
        baselinePhase(model, next);
    else if (view.phase == "profile")
        profilePhase(model, next);
    else if (view.phase == "fix")
        fixPhase(model, next);
    else if (view.phase == "evaluate")
        evaluatePhase(model, next);
    else
        documentPhase(model, next);
    // A gate blocks once there is evidence and it does not pass; a gate that nobody has asked yet is merely ahead. In G2 the smallest
    // size comes before the rest of the evidence.
    const GateView* gate = model.gate(view.gate);
    const bool failed = gate && gate->result == GateResult::fail;
    const bool open = gate && gate->result == GateResult::unknown && view.gate == "G5" && view.evaluation;
    view.blocked = view.phase != "document" && gate && !satisfied(*gate) && (failed || open);
}

} // namespace kl
