// SPDX-License-Identifier: MIT
#include "sessions/engine/session_engine.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/engine/action_log.h"
#include "sessions/engine/action_offers.h"
#include "sessions/engine/guards.h"
#include "sessions/engine/own_edit.h"
#include "sessions/engine/session_actions.h"
#include "sessions/engine/session_create.h"
#include "sessions/engine/session_reporter.h"
#include "sessions/measure/keep.h"
#include "sessions/session/events.h"
#include "sessions/session/gate.h"
#include "sessions/session/rules.h"
#include "sessions/session/session_document.h"
#include "sessions/session/session_model.h"
#include "sessions/session/session_names.h"
#include "sessions/session/suggestions.h"
#include "sessions/session/waiver.h"
#include "sessions/store/amounts.h"
#include "sessions/store/sqlite.h"
#include "sessions/target/target_family.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kl::inline engine {
namespace {

Status append(Store& store, const SessionModel& model, const char* type, const Json& data)
{
    return store.appendEvent(model.view.header.id, {model.view.lastSeq + 1, isoNow(), type, encode(data)});
}

/// The result of an action must not be lost if the database cannot store it: it is kept in a file, and the error says so.
Status appendMeasured(Store& store, const SessionId& id, const SessionEvent& event, const Job& job)
{
    Status appended;
    {
        const sqlite::LockWait limit(std::chrono::seconds(1)); // longer work is kept in a file first
        appended = store.appendEvent(id, event);
    }
    if (appended || appended.error().code != ErrorCode::environment)
        return appended;
    Unstored what;
    what.events.emplace_back(id, event);
    const std::optional<Warning> warning = keep(store, what, job);
    if (!warning)
        return {};
    return Error{.code = ErrorCode::environment,
                 .message = warning->text,
                 .hint = "Continue once the database is writable: the step is added to the session first.",
                 .where = "session:" + id.text,
                 .detail = appended.error().detail};
}

/// Records a refused attempt in the session: blind optimizations are counted. A failure to do so is ignored.
Error recordRefusal(Store& store, const SessionModel& model, const std::string& action, const Error& error)
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
    KL_TRY(checkAmounts(use.quotedMinutes, use.quotedDollars, "saving"));
    std::string phases;
    for (const PhaseView& phase : model.view.phases) {
        if (phase.id == use.phase)
            return {};
        phases += (phases.empty() ? "" : ", ") + phase.id;
    }
    if (use.phase.empty())
        return {};
    return Error{.code = ErrorCode::notFound,
                 .message = fmt::format("Session {} has no stage \"{}\".", model.view.header.name, use.phase),
                 .hint = fmt::format("Stages: {}.", phases),
                 .where = use.phase};
}

SessionView withOffers(SessionModel model, const Store& store)
{
    model.view.offers = listOffers(model, store.location());
    return std::move(model.view);
}

/// The state of a session with the current files of its kernel: an action may just have written them.
Result<SessionView> loadCurrentView(Workbench& bench, const SessionModel& model, const SessionId& id)
{
    Catalog now = bench.catalog();
    KL_ASSIGN(KernelFamily family, loadFamily(model.family->origin.descriptor));
    KL_TRY(now.add(std::move(family)));
    KL_ASSIGN(SessionModel fresh, loadSession(bench.store(), now, id));
    return withOffers(std::move(fresh), bench.store());
}

Error noGate(const SessionView& view, const std::string& gate)
{
    std::vector<std::string> ids;
    for (const GateView& item : view.gates)
        ids.push_back(item.id);
    return {.code = ErrorCode::notFound,
            .message = fmt::format("Session {} has no gate \"{}\".", view.header.name, gate),
            .hint = fmt::format("Gates: {}.", fmt::join(ids, ", ")),
            .where = gate};
}

Result<SessionView> viewAfter(const Status& done, const SessionEngine& engine, const SessionId& id)
{
    KL_TRY(done);
    return engine.view(id);
}

} // namespace

SessionEngine::SessionEngine(Workbench& bench, SessionReporter& reporter) : bench_(bench), reporter_(reporter) {}

Result<SessionView> SessionEngine::create(const NewSession& request)
{
    constexpr int kAttempts = 10;
    for (int attempt = 1;; ++attempt) {
        KL_ASSIGN(const SessionDraft draft, draftSession(request, bench_));
        const Status created = bench_.store().createSession(draft.header, draft.opened);
        if (created)
            return view(draft.header.id);
        // Another program took the name after the check: the next draft reports it, or takes the next free one.
        if (created.error().code != ErrorCode::changedElsewhere || attempt == kAttempts)
            return created.error();
    }
}

Result<SessionView> SessionEngine::view(const SessionId& id) const
{
    KL_ASSIGN(SessionModel model, loadSession(bench_.store(), bench_.catalog(), id));
    return withOffers(std::move(model), bench_.store());
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

Result<SessionModel> SessionEngine::upToDate(const SessionId& id, SessionAction action)
{
    KL_TRY(addKept(bench_.store(), id));
    Result<SessionModel> model = loadSession(bench_.store(), bench_.catalog(), id);
    if (!model || model->view.finished)
        return model;
    if (const Status fine = sameDevice(*model, action, bench_.collector()); !fine)
        return recordRefusal(bench_.store(), *model, toString(action), fine.error());
    const std::optional<SessionEvent> changed = findChangedConditions(*model, bench_.collector());
    if (!changed)
        return model;
    KL_TRY(bench_.store().appendEvent(id, *changed));
    return loadSession(bench_.store(), bench_.catalog(), id);
}

Result<SessionView> SessionEngine::step(const SessionId& id, const Job& job)
{
    KL_ASSIGN(SessionView now, view(id));
    if (now.next.empty())
        return makeFinishedError(now.header);
    KL_ASSIGN(const SessionModel model, upToDate(id, now.next.front().action)); // what is next depends on it
    const NextAction next = model.view.next.front();
    return act(id, next.action, next.argument, job);
}

Result<SessionView> SessionEngine::act(const SessionId& id, SessionAction action, const std::string& argument, const Job& job)
{
    KL_ASSIGN(SessionModel model, upToDate(id, action));
    Store& store = bench_.store();
    if (const Status fine = checkActionAllowed(model, action, argument); !fine)
        return recordRefusal(store, model, toString(action), fine.error());
    if (action == SessionAction::finish && !model.view.documented) { // a session never ends without its report
        KL_ASSIGN([[maybe_unused]] const SessionView documented, act(id, SessionAction::document, {}, job));
        KL_ASSIGN(model, loadSession(store, bench_.catalog(), id));
    }
    ActionLog log(job, store, model, action);
    Result<SessionEvent> event = SessionActions(bench_, reporter_, model, log.job()).perform(action, argument);
    log.end(event ? &*event : nullptr);
    if (!event) {
        const Error error = recordRefusal(store, model, toString(action), event.error());
        log.keepNotices();
        return error;
    }
    KL_TRY(appendMeasured(store, id, *event, log.job()));
    log.keepNotices();
    if (action == SessionAction::finish)
        KL_TRY(reporter_.finish(id));
    if ((action == SessionAction::revert || action == SessionAction::undo || action == SessionAction::takeEdit) && model.family &&
        !model.family->origin.empty())
        return loadCurrentView(bench_, model, id);
    return view(id);
}

Result<SessionAction> SessionEngine::action(const SessionId& id, const std::string& word) const
{
    if (const std::optional<SessionAction> known = parseAction(word))
        return *known;
    KL_ASSIGN(const SessionModel model, loadSession(bench_.store(), bench_.catalog(), id));
    return unknownAction(model.view.header, model.plan, word);
}

Result<GateView> SessionEngine::gate(const SessionId& id, const std::string& gate) const
{
    KL_ASSIGN(const SessionView now, view(id));
    const std::string wanted = !gate.empty() || now.gates.empty() ? gate : now.gate.empty() ? now.gates.back().id : now.gate;
    for (const GateView& item : now.gates)
        if (item.id == wanted)
            return item;
    return noGate(now, wanted);
}

Result<SessionView> SessionEngine::waive(const SessionId& id, const std::string& gate, const std::string& reason)
{
    KL_ASSIGN(const SessionModel model, loadSession(bench_.store(), bench_.catalog(), id));
    if (reason.find_first_not_of(" \t\n") == std::string::npos)
        return Error{.code = ErrorCode::usage,
                     .message = "A waiver needs a reason.",
                     .hint = "Give the reason in one sentence; it is stored with the session.",
                     .where = gate};
    if (reason == "REASON")
        return Error{.code = ErrorCode::usage,
                     .message = "REASON is a placeholder for the reason.",
                     .hint = "Give the reason in one sentence; it is stored with the session.",
                     .where = gate};
    const GateView* found = model.gate(gate);
    if (!found)
        return noGate(model.view, gate);
    if (const Status fine = checkWaivable(model, *found); !fine)
        return recordRefusal(bench_.store(), model, "waive " + gate, fine.error());
    return viewAfter(append(bench_.store(), model, event::kWaived, {{"gate", gate}, {"reason", reason}}), *this, id);
}

Result<SessionView> SessionEngine::remark(const SessionId& id, const char* type, const Json& data)
{
    KL_ASSIGN(const SessionModel model, loadSession(bench_.store(), bench_.catalog(), id));
    return viewAfter(append(bench_.store(), model, type, data), *this, id);
}

Result<SessionView> SessionEngine::claim(const SessionId& id, const Claim& claim)
{
    KL_ASSIGN(const SessionModel model, loadSession(bench_.store(), bench_.catalog(), id));
    if (isOver(model.view)) // its report is written
        return makeFinishedError(model.view.header);
    return remark(id, event::kClaimAdded, {{"source", claim.source}, {"figure", claim.figure}, {"about", claim.about}});
}

Result<SessionView> SessionEngine::option(const SessionId& id, const std::string& name, bool on)
{
    KL_ASSIGN(const SessionModel model, loadSession(bench_.store(), bench_.catalog(), id));
    std::vector<std::string> known;
    if (model.plan.asksFor(Evidence::evaluation))
        known.emplace_back("cumulative");
    if (model.plan.asksFor(Evidence::candidate))
        known.emplace_back("git");
    if (std::find(known.begin(), known.end(), name) == known.end())
        return Error{.code = ErrorCode::usage,
                     .message = fmt::format("A session of kind {} has no option \"{}\".", model.view.header.kind, name),
                     .hint =
                         known.empty() ? "Only kinds that try a change have options." : fmt::format("Options: {}.", fmt::join(known, ", ")),
                     .where = name};
    if (isOver(model.view))
        return makeFinishedError(model.view.header);
    if (name == "cumulative" && !on && !model.view.parked.empty())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} steps are set aside, so the option cumulative stays on.", model.view.parked.size()),
                     .hint = "Keep or revert them first.",
                     .where = name};
    return remark(id, event::kOptionSet, {{"name", name}, {"value", on}});
}

Result<SourceChange> SessionEngine::edit(const SessionId& id) const
{
    KL_ASSIGN(const SessionModel model, loadSession(bench_.store(), bench_.catalog(), id));
    if (!model.view.editing && !model.editMoved())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("No edit is begun in session {}.", model.view.header.name),
                     .hint = "Begin one.",
                     .where = "edit"}
            .leadTo(makeActionStep(SessionAction::chooseFix, kOwnEdit));
    return OwnEdit(model, bench_.store()).look();
}

Result<SessionView> SessionEngine::resume(const SessionId& id)
{
    const Result<SessionView> now = view(id);
    if (!now || isOver(*now) || bench_.store().readOnly())
        return now;
    return remark(id, event::kResumed, Json::object());
}

Result<SessionView> SessionEngine::note(const SessionId& id, const std::string& text)
{
    if (text.empty())
        return Error{.code = ErrorCode::usage, .message = "The note is empty.", .hint = "Write a text.", .where = "note"};
    return remark(id, event::kNote, {{"text", text}});
}

Result<SessionView> SessionEngine::write(const SessionId& id, const std::string& question, const std::string& text)
{
    if (documentQuestion(question) == nullptr) {
        std::vector<std::string> known;
        for (const DocumentQuestion& one : kDocumentQuestions)
            known.emplace_back(one.id);
        return Error{.code = ErrorCode::usage,
                     .message = fmt::format("\"{}\" is not a question of the document.", question),
                     .hint = fmt::format("Questions: {}.", fmt::join(known, ", ")),
                     .where = question};
    }
    if (text.empty())
        return Error{.code = ErrorCode::usage, .message = "The answer is empty.", .hint = "Write a text.", .where = question};
    KL_ASSIGN(const SessionView written, remark(id, event::kWritten, {{"question", question}, {"text", text}}));
    if (!written.artifact.empty())
        KL_TRY(reporter_.finish(id));
    return written;
}

Result<SessionView> SessionEngine::tick(const SessionId& id, const std::string& item, const std::string& note)
{
    KL_ASSIGN(const SessionModel model, loadSession(bench_.store(), bench_.catalog(), id));
    if (model.gate(item) != nullptr)
        return Error{.code = ErrorCode::usage,
                     .message = fmt::format("{} is a gate: its checks decide, not a note.", item),
                     .hint = "If the gate can be waived, waive it with a reason.",
                     .where = item}
            .leadTo({StepId::waiveGate, {{StepArgument::gate, item}}, {{StepArgument::reason, "Why is it waived?"}}});
    const std::vector<std::string>& known = checklistIds();
    if (std::find(known.begin(), known.end(), item) == known.end())
        return Error{.code = ErrorCode::notFound,
                     .message = fmt::format("The checklist has no item \"{}\".", item),
                     .hint = fmt::format("Items: {}.", fmt::join(known, ", ")),
                     .where = item};
    return remark(id, event::kTicked, {{"item", item}, {"note", note}});
}

Result<SessionView> SessionEngine::applyPattern(const SessionId& id, const std::string& slug, const PatternUse& use)
{
    KL_ASSIGN(const SessionModel model, loadSession(bench_.store(), bench_.catalog(), id));
    KL_ASSIGN(const std::vector<Pattern> patterns, bench_.store().patterns());
    const auto found = std::find_if(patterns.begin(), patterns.end(), [&](const Pattern& pattern) { return pattern.slug == slug; });
    if (found == patterns.end())
        return Error{.code = ErrorCode::notFound,
                     .message = fmt::format("There is no pattern \"{}\".", slug),
                     .hint = "See the list of patterns.",
                     .where = slug}
            .leadTo({StepId::listPatterns});
    const std::vector<std::string>& applied = model.view.patternsApplied;
    if (std::find(applied.begin(), applied.end(), slug) != applied.end())
        return view(id); // once per session
    KL_TRY(sound(use, model));
    const std::string phase = use.phase.empty() ? model.view.phase : use.phase;
    KL_TRY(append(bench_.store(), model, event::kPatternApplied, {{"slug", slug}, {"phase", phase}}));
    PatternApplication application;
    application.id = makeUuidFromName("application " + id.text + ' ' + slug);
    application.pattern = slug;
    application.session = id.text;
    application.at = isoNow();
    application.quotedMinutes = use.quotedMinutes ? use.quotedMinutes : found->quotedMinutes;
    application.quotedDollars = use.quotedDollars ? use.quotedDollars : found->quotedDollars;
    application.note = use.note;
    KL_TRY(bench_.store().saveApplication(application));
    return view(id);
}

} // namespace kl::inline engine
