// SPDX-License-Identifier: MIT
#include "sessions/engine/session_engine.h"

#include "core/base/format.h"
#include "sessions/engine/events.h"
#include "sessions/engine/guards.h"
#include "sessions/engine/rules.h"
#include "sessions/engine/session_actions.h"
#include "sessions/engine/session_create.h"
#include "sessions/engine/session_names.h"
#include "sessions/gates/gate.h"
#include "sessions/report/report.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

Status append(Store& store, const SessionModel& model, const char* type, const Json& data)
{
    return store.appendEvent(model.view.header.id, {model.facts.lastSeq + 1, isoNow(), type, encode(data)});
}

/// Keeps a refused attempt with the session: blind optimisations are counted. A failure to do so changes nothing.
Error refused(Store& store, const SessionModel& model, const std::string& action, const Error& error)
{
    if (error.code == ErrorCode::refused && !error.where.empty() && !store.readOnly()) {
        const Status kept =
            append(store, model, event::kRefusedAttempt, {{"action", action}, {"rule", error.where}, {"message", error.message}});
        static_cast<void>(kept.ok());
    }
    return error;
}

Status sound(const PatternUse& use, const SessionModel& model)
{
    if (use.quotedMinutes.value_or(0) < 0 || use.quotedDollars.value_or(0) < 0)
        return Error{ErrorCode::badInput, "A saving cannot be below 0.", "Leave it out to take what the pattern quotes.", "saving", {}};
    std::string phases;
    for (const PhaseView& phase : model.view.phases) {
        if (phase.id == use.phase)
            return {};
        phases += (phases.empty() ? "" : ", ") + phase.id;
    }
    if (use.phase.empty())
        return {};
    return Error{ErrorCode::notFound,
                 fmt::format("Session {} has no phase \"{}\".", model.view.header.name, use.phase),
                 fmt::format("Phases: {}.", phases),
                 use.phase,
                 {}};
}

Result<SessionView> viewAfter(const Status& done, const SessionEngine& engine, const SessionId& id)
{
    if (!done)
        return done.error();
    return engine.view(id);
}

} // namespace

SessionEngine::SessionEngine(Workbench& bench) : bench_(bench) {}

Result<SessionView> SessionEngine::create(const NewSession& request)
{
    Result<SessionDraft> draft = draftSession(request, bench_);
    if (!draft)
        return draft.error();
    if (const Status created = bench_.store().createSession(draft->header, draft->opened); !created)
        return created.error();
    return view(draft->header.id);
}

Result<SessionView> SessionEngine::view(const SessionId& id) const
{
    Result<SessionModel> model = loadSession(bench_.store(), bench_.catalogue(), id);
    if (!model)
        return model.error();
    return std::move(model->view);
}

Result<SessionId> SessionEngine::find(const std::string& name) const
{
    return findSession(bench_.store(), name);
}

Result<SessionId> SessionEngine::latestOpen() const
{
    return latestOpenSession(bench_.store());
}

Result<std::string> SessionEngine::nextName() const
{
    return nextSessionName(bench_.store());
}

Result<SessionView> SessionEngine::step(const SessionId& id, const Job& job)
{
    const Result<SessionView> now = view(id);
    if (!now)
        return now.error();
    if (now->next.empty())
        return refusal("", fmt::format("Session {} is finished.", now->header.name), "Open the next one: kloop session new.");
    return act(id, now->next.front().action, now->next.front().argument, job);
}

Result<SessionView> SessionEngine::act(const SessionId& id, const std::string& action, const std::string& argument, const Job& job)
{
    Result<SessionModel> model = loadSession(bench_.store(), bench_.catalogue(), id);
    if (!model)
        return model.error();
    Store& store = bench_.store();
    for (const Status& fine : {allowed(*model, action), sameDevice(*model, bench_.collector())})
        if (!fine)
            return refused(store, *model, action, fine.error());
    if (action == "finish" && !model->facts.documented) { // a session never ends without its report
        if (const Result<SessionView> documented = act(id, "document", {}, job); !documented)
            return documented.error();
        model = loadSession(store, bench_.catalogue(), id);
        if (!model)
            return model.error();
    }
    Result<SessionEvent> event = SessionActions(bench_, *model, job).perform(action, argument);
    if (!event)
        return refused(store, *model, action, event.error());
    if (const Status appended = store.appendEvent(id, *event); !appended)
        return appended.error();
    if (action == "finish") { // the stored report shows the session to its end
        const Result<std::string> report = renderReport(store, bench_.catalogue(), id, ReportFormat::html);
        if (!report)
            return report.error();
        if (const Status saved = store.saveArtifact(reportArtifact(id, "html"), *report); !saved)
            return saved.error();
    }
    return view(id);
}

Result<GateView> SessionEngine::gate(const SessionId& id, const std::string& gate) const
{
    const Result<SessionView> now = view(id);
    if (!now)
        return now.error();
    const std::string wanted = !gate.empty() || now->gates.empty() ? gate : now->gate.empty() ? now->gates.back().id : now->gate;
    for (const GateView& item : now->gates)
        if (item.id == wanted)
            return item;
    return Error{
        ErrorCode::notFound, fmt::format("Session {} has no gate \"{}\".", now->header.name, wanted), "Gates: G1 to G5.", wanted, {}};
}

Result<SessionView> SessionEngine::waive(const SessionId& id, const std::string& gate, const std::string& reason)
{
    const Result<SessionModel> model = loadSession(bench_.store(), bench_.catalogue(), id);
    if (!model)
        return model.error();
    if (reason.find_first_not_of(" \t\n") == std::string::npos)
        return Error{ErrorCode::usage, "A waiver needs a reason.", "Say why in a sentence: it is kept with the session.", gate, {}};
    const GateView* found = model->gate(gate);
    if (!found)
        return Error{ErrorCode::notFound,
                     fmt::format("Session {} has no gate \"{}\".", model->view.header.name, gate),
                     "Gates: G1 to G5.",
                     gate,
                     {}};
    if (model->facts.finished)
        return refusal("", fmt::format("Session {} is finished.", model->view.header.name), "Open the next one: kloop session new.");
    if (found->result == GateResult::pass)
        return Error{
            ErrorCode::badInput, fmt::format("{} has passed: there is nothing to waive.", gate), "Go on: kloop session step.", gate, {}};
    // What was never measured cannot be waived: from the profile on there would be nothing to decide by.
    if (gate != "G1" && !model->facts.evidence.contains(gate)) {
        const char* where = gate == "G2" ? rule::kBaselineFirst : gate == "G4" ? rule::kCorrectnessFirst : rule::kProfileFirst;
        return refused(bench_.store(), *model, "waive " + gate,
                       refusal(gate == "G5" ? std::string(rule::kCorrectnessFirst) : where, fmt::format("{} has not been asked yet.", gate),
                               "Measure first: kloop session step."));
    }
    return viewAfter(append(bench_.store(), *model, event::kWaived, {{"gate", gate}, {"reason", reason}}), *this, id);
}

Result<SessionView> SessionEngine::note(const SessionId& id, const std::string& text)
{
    const Result<SessionModel> model = loadSession(bench_.store(), bench_.catalogue(), id);
    if (!model)
        return model.error();
    if (text.empty())
        return Error{ErrorCode::usage, "The note is empty.", "Say something.", "note", {}};
    return viewAfter(append(bench_.store(), *model, event::kNote, {{"text", text}}), *this, id);
}

Result<SessionView> SessionEngine::applyPattern(const SessionId& id, const std::string& slug, const PatternUse& use)
{
    const Result<SessionModel> model = loadSession(bench_.store(), bench_.catalogue(), id);
    if (!model)
        return model.error();
    const Result<std::vector<Pattern>> patterns = bench_.store().patterns();
    if (!patterns)
        return patterns.error();
    const auto found = std::find_if(patterns->begin(), patterns->end(), [&](const Pattern& pattern) { return pattern.slug == slug; });
    if (found == patterns->end())
        return Error{ErrorCode::notFound, fmt::format("There is no pattern \"{}\".", slug), "See kloop patterns.", slug, {}};
    const std::vector<std::string>& applied = model->facts.patterns;
    if (std::find(applied.begin(), applied.end(), slug) != applied.end())
        return model->view; // once a session
    if (const Status fine = sound(use, *model); !fine)
        return fine.error();
    const std::string phase = use.phase.empty() ? model->view.phase : use.phase;
    if (const Status appended = append(bench_.store(), *model, event::kPatternApplied, {{"slug", slug}, {"phase", phase}}); !appended)
        return appended.error();
    PatternApplication application;
    application.id = uuidOfName("application " + id.text + ' ' + slug);
    application.pattern = slug;
    application.session = id.text;
    application.at = isoNow();
    application.quotedMinutes = use.quotedMinutes ? use.quotedMinutes : found->quotedMinutes;
    application.quotedDollars = use.quotedDollars ? use.quotedDollars : found->quotedDollars;
    application.note = use.note;
    if (const Status saved = bench_.store().saveApplication(application); !saved)
        return saved.error();
    return view(id);
}

} // namespace kl
