// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/library.h"
#include "app/kloop/common/session_pick.h"
#include "app/kloop/session/session_verbs.h"
#include "app/kloop/terminal/explain.h"
#include "core/base/try.h"
#include "sessions/engine/own_edit.h"
#include "sessions/session/claims.h"

#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct ActionOptions {
    std::string session;
    std::string action;
    std::string argument;
};

struct WaiveOptions {
    std::string session;
    std::string gate;
    std::string reason;
};

struct RemarkOptions {
    std::string session;
    std::string text;
};

struct SwitchOptions {
    std::string session;
    std::string option;
    std::string value; ///< "on" or "off"
};

using Change = std::function<Result<SessionView>(SessionEngine& engine, const SessionId& id)>;

/// Picks the session, changes it, prints its new state.
Result<int> changeSession(Program& program, const std::string& session, bool judged, const Change& change)
{
    KL_ASSIGN(const SessionHeader header, pickSession(program, session, Pick::open));
    SessionEngine& engine = **program.engine();
    const Result<SessionView> view = change(engine, header.id);
    if (!view) { // the error comes with what is allowed instead
        const Result<SessionView> now = engine.view(header.id);
        return explain(errorIn(view.error(), program, header), program.options().json, now ? besideError(*now) : Json::object());
    }
    return answerWith(program, *view, judged);
}

Result<int> stepSession(Program& program, const std::string& session)
{
    return changeSession(program, session, true,
                         [&](SessionEngine& engine, const SessionId& id) { return engine.step(id, program.job()); });
}

Result<int> actInSession(Program& program, const ActionOptions& options)
{
    return changeSession(program, options.session, true, [&](SessionEngine& engine, const SessionId& id) -> Result<SessionView> {
        KL_ASSIGN(const SessionAction action, engine.action(id, options.action));
        return engine.act(id, action, options.argument, program.job());
    });
}

Result<int> waiveGate(Program& program, const WaiveOptions& options)
{
    return changeSession(program, options.session, false,
                         [&](SessionEngine& engine, const SessionId& id) { return engine.waive(id, options.gate, options.reason); });
}

Result<int> noteInSession(Program& program, const RemarkOptions& options)
{
    return changeSession(program, options.session, false,
                         [&](SessionEngine& engine, const SessionId& id) { return engine.note(id, options.text); });
}

Result<int> claimInSession(Program& program, const RemarkOptions& options)
{
    KL_ASSIGN(const Claim claim, parseClaim(options.text));
    return changeSession(program, options.session, false,
                         [&](SessionEngine& engine, const SessionId& id) { return engine.claim(id, claim); });
}

Result<int> switchOption(Program& program, const SwitchOptions& options)
{
    return changeSession(program, options.session, false, [&](SessionEngine& engine, const SessionId& id) {
        return engine.option(id, options.option, options.value == "on");
    });
}

Result<int> resumeSession(Program& program, const std::string& session)
{
    return changeSession(program, session, false, [](SessionEngine& engine, const SessionId& id) { return engine.resume(id); });
}

Result<int> notePattern(Program& program, const RemarkOptions& options)
{
    KL_ASSIGN([[maybe_unused]] const PatternLibrary library, seedLibrary(program));
    return changeSession(program, options.session, false,
                         [&](SessionEngine& engine, const SessionId& id) { return engine.applyPattern(id, options.text); });
}

std::shared_ptr<ActionOptions> addActionOptions(CLI::App& app, const char* action)
{
    auto options = std::make_shared<ActionOptions>();
    options->action = action;
    addSessionOption(app, options->session);
    return options;
}

Runner addRemark(CLI::App& app, const char* name, const char* help, Result<int> (*run)(Program& program, const RemarkOptions& options))
{
    const auto o = std::make_shared<RemarkOptions>();
    addSessionOption(app, o->session);
    app.add_option(name, o->text, help)->required();
    return [o, run](Program& program) { return run(program, *o); };
}

} // namespace

Runner addSessionResume(CLI::App& app)
{
    const auto session = std::make_shared<std::string>();
    addSessionOption(app, *session);
    app.add_option("SESSION", *session, "Name or id");
    return [session](Program& program) { return resumeSession(program, *session); };
}

Runner addSessionStep(CLI::App& app)
{
    const auto session = std::make_shared<std::string>();
    addSessionOption(app, *session);
    return [session](Program& program) { return stepSession(program, *session); };
}

Runner addSessionAction(CLI::App& app, SessionAction action)
{
    const auto o = addActionOptions(app, toString(action));
    if (action == SessionAction::keep) {
        app.add_flag_callback(
            "--git", [o] { o->argument = kKeepWithGit; },
            "Commit the edit of your source, and only it, with the measurements in the message");
        app.add_flag_callback(
            "--no-git", [o] { o->argument = kKeepWithoutGit; }, "Do not commit, even if the session's option git is on");
    }
    return [o](Program& program) { return actInSession(program, *o); };
}

Runner addSessionFix(CLI::App& app)
{
    const auto o = addActionOptions(app, toString(SessionAction::chooseFix));
    app.add_option("FIX", o->argument, "Id of the fix, from the finding; own-edit: your own edit of the source")->required();
    return [o](Program& program) { return actInSession(program, *o); };
}

Runner addSessionAct(CLI::App& app)
{
    const auto o = addActionOptions(app, "");
    app.add_option("ACTION", o->action, "Its id, listed under \"next\"")->required();
    app.add_option("ARGUMENT", o->argument, "Its argument, if it takes one");
    return [o](Program& program) { return actInSession(program, *o); };
}

Runner addSessionWaive(CLI::App& app)
{
    const auto o = std::make_shared<WaiveOptions>();
    addSessionOption(app, o->session);
    app.add_option("GATE", o->gate, "Its id, e.g. G1")->required();
    app.add_option("--reason", o->reason, "Why")->required();
    return [o](Program& program) { return waiveGate(program, *o); };
}

Runner addSessionNote(CLI::App& app)
{
    return addRemark(app, "TEXT", "The note", noteInSession);
}

Runner addSessionPattern(CLI::App& app)
{
    return addRemark(app, "PATTERN", "Its slug, from `kloop patterns`", notePattern);
}

Runner addSessionClaim(CLI::App& app)
{
    return addRemark(app, "CLAIM", "For example \"source=README of flash-x,figure=1.5x\" (or 12 us, 900 GB/s, 40 TFLOP/s)", claimInSession);
}

Runner addSessionOptionSwitch(CLI::App& app)
{
    const auto o = std::make_shared<SwitchOptions>();
    addSessionOption(app, o->session);
    app.add_option("OPTION", o->option, "cumulative; or git, which commits kept edits of your source")->required();
    app.add_option("VALUE", o->value, "on or off")->required()->check(CLI::IsMember({"on", "off"}));
    return [o](Program& program) { return switchOption(program, *o); };
}

} // namespace kl::cli
