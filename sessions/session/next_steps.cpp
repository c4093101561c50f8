// SPDX-License-Identifier: MIT
#include "sessions/session/next_steps.h"

#include "core/base/format.h"
#include "core/stats/ratio_text.h"
#include "sessions/session/action_arguments.h"
#include "sessions/session/gate.h"
#include "sessions/session/rules.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline session {
namespace {

std::string titleFor(const SessionModel& model, Evidence kind)
{
    const SessionView& view = model.view;
    const std::string smallest = model.family ? toText(model.family->smallest) : std::string("the smallest size");
    switch (kind) {
    case Evidence::environment: return "Check the environment";
    case Evidence::build: return fmt::format("Build {} verbosely and keep the log", toText(view.start));
    case Evidence::smallest: return fmt::format("Run {} at {}, its smallest size", toText(view.start), smallest);
    case Evidence::startSuite: return fmt::format("Run {} at every size in the suite", toText(view.start));
    case Evidence::baseline: return fmt::format("Measure {} and its baseline at {}", toText(view.start), toText(view.problem));
    default: return fmt::format("Profile {} at {}", toText(view.current), toText(view.problem));
    }
}

void suggestEnvironment(SessionModel& model, Suggestions& next)
{
    model.view.why = model.gate(Evidence::environment)->verdict;
    // Repeating does not fix a second failure in a row: end the session, or waive.
    const bool again = model.view.failedEnvironments < 2;
    if (again)
        next.add(SessionAction::checkEnvironment, "Check the environment again, once the fixes are made");
    next.add(SessionAction::document, "Document and end the session: the environment is not ready");
    if (!again)
        next.add(SessionAction::checkEnvironment, "Check the environment again, once the fixes are made");
    next.addWaiver(*model.gate(Evidence::environment));
}

void beforeProfile(SessionModel& model)
{
    SessionView& view = model.view;
    const std::optional<double> speedup = view.baselineRun ? view.baselineRun->speedup : std::nullopt;
    const bool stop = speedup && *speedup < model.plan.threshold("speedup_min");
    view.rule = stop ? rule::kStopBelowHalf : rule::kProfileFirst;
    view.why =
        speedup ? composeAdvice(chooseLevel(*speedup, model.plan), *speedup, model.plan) : "What limits the kernel is not known yet.";
}

/// A program's profile may come from another profiler.
void suggestReport(const SessionModel& model, Suggestions& next, Evidence kind)
{
    if (kind == Evidence::profile && model.family && model.family->isProgram())
        next.addText(SessionAction::profile, "Take a report of Nsight Compute in its place", "Which report (.ncu-rep)?");
}

/// The options for parked steps when there is no further one.
void decideParked(SessionModel& model, Suggestions& next)
{
    SessionView& view = model.view;
    const GateView& gate = *model.gate(Evidence::evaluation);
    const std::string keep = fmt::format("Keep the steps set aside: {}", toText(view.current));
    const std::string revert = fmt::format("Drop the steps set aside; {} remains current", toText(view.start));
    if (gate.progress == GateProgress::waived) {
        suggestKeep(model, next, keep);
        next.add(SessionAction::revert, revert);
    } else {
        next.add(SessionAction::revert, revert);
        next.add(SessionAction::keep, keep, {}, fmt::format("Together they do not reach {}.", formatRatio(model.plan.keepAt())));
        next.addWaiver(gate);
    }
}

} // namespace

void suggestKeep(SessionModel& model, Suggestions& next, const std::string& title)
{
    const SessionView& view = model.view;
    const std::optional<SourceChange> edit = wholeEdit(view.parked, view.sourceChange);
    if (!edit || !edit->git) {
        next.add(SessionAction::keep, title);
    } else if (view.git.value_or(false)) {
        next.add(SessionAction::keep, title + " and commit the edit to git with what was measured");
        next.add(SessionAction::keep, "Keep it without a commit", kKeepWithoutGit);
    } else {
        next.add(SessionAction::keep, title);
        next.add(SessionAction::keep, "Keep it and commit the edit to git with what was measured; later keeps of this session do the same",
                 kKeepWithGit);
    }
}

void suggestEvidence(SessionModel& model, Suggestions& next, Evidence kind)
{
    SessionView& view = model.view;
    const EvidenceKind& row = lookUpRow(kind);
    const GateView* gate = model.gate(kind);
    if (const auto stale = view.stale.find(kind); stale != view.stale.end()) {
        view.why = fmt::format("Stale: {} Measure again.", stale->second);
        next.add(row.action, fmt::format("{} again", titleFor(model, kind)));
        suggestReport(model, next, kind);
        if (gate)
            next.addWaiver(*gate);
        return;
    }
    if (!model.view.has(kind)) {
        view.why = kind == Evidence::environment ? "Nothing has been checked yet."
                                                 : fmt::format("Not done yet for {}: {}.", toText(view.current), row.title);
        if (kind == Evidence::profile)
            beforeProfile(model);
        next.add(row.action, titleFor(model, kind));
        suggestReport(model, next, kind);
        return;
    }
    if (kind == Evidence::environment)
        return suggestEnvironment(model, next);
    view.why = gate ? gate->verdict : fmt::format("{} failed.", titleFor(model, kind));
    next.add(SessionAction::document, kind == Evidence::profile
                                          ? "Document and end the session: there is no finding to act on"
                                          : "Document and end the session: there is no valid measurement to start from");
    next.add(row.action, kind == Evidence::profile ? titleFor(model, kind) + " again" : std::string("Measure again, once it is fixed"));
    suggestReport(model, next, kind);
    if (gate)
        next.addWaiver(*gate);
}

void suggestFix(SessionModel& model, Suggestions& next)
{
    SessionView& view = model.view;
    for (const Fix& fix : model.readyFixes())
        next.add(SessionAction::chooseFix, fix.title, fix.id);
    if (model.debugs()) {
        view.why = "Choose one change that should fix it.";
    } else {
        const Finding& finding = view.profileRun->diagnosis->finding;
        view.why = fmt::format("{} Choose one fix.", finding.title);
        for (const Fix& fix : finding.fixes)
            if (fix.variant.empty())
                next.add(SessionAction::chooseFix, model.editable() ? fix.title + ", by editing the source" : fix.title, fix.id,
                         model.editable() ? "" : needsEdit(fix).message);
    }
    if (model.editable())
        next.add(SessionAction::chooseFix, "Make another change in the source", kOwnEdit);
    if (canSearch(model))
        next.add(SessionAction::chooseFix, "Search the tunables, and take the fastest point as the one change", kSearchFix);
    if (view.parked.empty())
        next.add(SessionAction::document, "Document and end the session without a change");
    else
        decideParked(model, next);
}

bool canSearch(const SessionModel& model)
{
    if (model.debugs() || model.view.header.source != Source::live || !model.family || model.family->isProgram())
        return false;
    return std::ranges::any_of(model.family->variants, [&](const Variant& variant) {
        return variant.id == model.view.current.variant && !variant.tunables.empty();
    });
}

bool asksForEdit(const SessionModel& model)
{
    if (!model.editable())
        return false;
    return model.debugs() ||
           (model.view.profileRun && model.view.profileRun->diagnosis && !model.view.profileRun->diagnosis->finding.fixes.empty());
}

void suggestEdit(SessionModel& model, Suggestions& next)
{
    SessionView& view = model.view;
    const bool begun = view.editing.has_value();
    const std::string& file = begun ? view.editing->file : view.sourceChange ? view.sourceChange->file : view.parked.back().source->file;
    const bool edited = !begun || model.sourceNow() != view.editing->before;
    view.why = !begun   ? fmt::format("{} was edited again after the edit was taken: take it again.", file)
               : edited ? fmt::format("{} has changed: take the edit.", file)
                        : fmt::format("Edit {} and save it, then step.", file);
    next.add(SessionAction::takeEdit, fmt::format("Take the edit of {} as the change", file));
    next.add(SessionAction::revert, begun || view.sourceChange ? fmt::format("Give the edit up: {} becomes what it was", file)
                                                               : fmt::format("Drop the steps set aside: restore {}", file));
}

void suggestProof(SessionModel& model, Suggestions& next, Evidence kind)
{
    SessionView& view = model.view;
    const bool minimal = kind == Evidence::minimalCase;
    const bool memory = kind == Evidence::memory;
    const std::string candidate = toText(*view.candidate);
    const std::string run = memory ? fmt::format("Check {} for memory errors under compute-sanitizer", candidate)
                            : minimal && view.failingProblem
                                ? fmt::format("Run {} at {}, the smallest size that failed", candidate, toText(*view.failingProblem))
                                : fmt::format("Run {} at every size in the suite", candidate);
    if (const auto stale = view.stale.find(kind); stale != view.stale.end()) {
        view.why = fmt::format("Stale: {} Check it again.", stale->second);
        next.add(lookUpRow(kind).action, run);
        next.add(SessionAction::revert, fmt::format("Revert to {}", toText(view.current)));
    } else if (!model.view.has(kind)) {
        view.why = fmt::format("{} has not been {} yet.", candidate, memory ? "checked for memory errors" : "proven correct");
        next.add(lookUpRow(kind).action, run);
        next.add(SessionAction::revert, fmt::format("Drop {} without measuring it", candidate));
    } else {
        view.rule = rule::kCorrectnessFirst;
        view.why = model.gate(kind)->verdict;
        if (model.debugs())
            return suggestIterationEnd(model, next);
        next.add(SessionAction::revert, fmt::format("Revert to {}", toText(view.current)));
        if (!memory) // the same code is not checked twice
            next.add(lookUpRow(kind).action, minimal ? "Run it again" : "Run the suite again");
        next.addWaiver(*model.gate(kind));
    }
}

void suggestEvaluation(SessionModel& model, Suggestions& next)
{
    SessionView& view = model.view;
    const std::string measure = fmt::format("Measure {} against {} in interleaved blocks", toText(view.current), toText(*view.candidate));
    if (!view.evaluation || view.stale.contains(Evidence::evaluation)) {
        view.why = view.evaluation ? fmt::format("Stale: {} Measure again.", view.stale[Evidence::evaluation])
                                   : fmt::format("{} has not been measured against {} yet.", toText(*view.candidate), toText(view.current));
        next.add(SessionAction::evaluate, measure);
        next.add(SessionAction::revert, fmt::format("Drop {} without measuring it", toText(*view.candidate)));
        return;
    }
    const GateView& gate = *model.gate(Evidence::evaluation);
    view.why = gate.verdict;
    const std::string keep = view.parked.empty()
                                 ? fmt::format("Keep {}", toText(*view.candidate))
                                 : fmt::format("Keep {} together with {}", toText(*view.candidate), formatParked(view.parked.size()));
    const std::string revert = fmt::format("Revert to {}", toText(view.current));
    if (satisfied(gate)) {
        suggestKeep(model, next, keep);
        next.add(SessionAction::revert, revert);
        return;
    }
    if (canPark(view))
        next.add(SessionAction::park, fmt::format("Set {} aside until further steps are measured", toText(*view.candidate)));
    next.add(SessionAction::revert, revert);
    next.add(SessionAction::keep, keep, {}, gate.verdict);
    next.add(SessionAction::evaluate, "Measure again");
    next.addWaiver(gate);
}

void suggestParked(SessionModel& model, Suggestions& next)
{
    SessionView& view = model.view;
    view.why = fmt::format("{}: {} together, below {}, and no fix is left to try.", formatParked(view.parked.size()),
                           ratioText(*view.parkedRatio), formatRatio(model.plan.keepAt()));
    decideParked(model, next);
}

void suggestDocument(SessionModel& model, Suggestions& next)
{
    SessionView& view = model.view;
    const SessionFacts& facts = model.view;
    if (facts.kept)
        view.why = fmt::format("{} is kept.", toText(*view.candidate));
    else if (facts.candidate && facts.reverted)
        view.why = fmt::format("{} was reverted; {} remains current.", toText(*view.candidate), toText(view.start));
    else if (facts.reverted)
        view.why = fmt::format("The steps set aside were dropped; {} remains current.", toText(view.start));
    else if (model.debugs() && facts.has(Evidence::failingCase) && !view.failingProblem)
        view.why = fmt::format("Nothing to fix: {} is correct at every size that was tried.", toText(view.start));
    else if (!model.plan.asksFor(Evidence::profile) && model.settled(Evidence::baseline) && !model.debugs())
        view.why = fmt::format("The baseline is measured{}.", view.speedup ? fmt::format(": {}", formatRatio(*view.speedup)) : "");
    else if (view.profileRun && model.open(Evidence::profile))
        view.why = model.readyFixes().empty() ? fmt::format("Nothing to fix: no existing variant fixes what limits {}.", toText(view.start))
                                              : fmt::format("No fix was tried; {} remains current.", toText(view.start));
    else
        view.why = model.debugs() ? "The session ends here, without a fix." : "The session ends here, without a finding.";
    if (facts.documented)
        next.add(SessionAction::finish, "Finish the session");
    else
        next.add(SessionAction::document, "Write the report and what was learned");
    if (!facts.kept && model.plan.asksFor(Evidence::candidate) && (model.debugs() ? facts.iterationOpen : true))
        for (const Fix& fix : model.readyFixes())
            next.add(SessionAction::chooseFix, "Try instead: " + fix.title, fix.id);
    if (!facts.kept && model.editable() && model.plan.asksFor(Evidence::candidate) && model.open(Evidence::profile) &&
        model.view.parked.empty() && (model.debugs() ? facts.iterationOpen : true))
        next.add(SessionAction::chooseFix, "Try instead: edit the source yourself", kOwnEdit);
}

} // namespace kl::inline session
