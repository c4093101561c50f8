// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/common/library.h"
#include "app/kloop/common/session_pick.h"
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/explain.h"
#include "app/kloop/terminal/streams.h"
#include "sessions/engine/claims.h"

#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

using Change = std::function<Result<SessionView>(SessionEngine& engine, const SessionId& id)>;

/// Picks the session, changes it, prints where it stands then.
Result<int> changed(Program& program, const Options& options, bool judged, const Change& change)
{
    const Result<SessionHeader> header = pickSession(program, options, Pick::open);
    if (!header)
        return header.error();
    SessionEngine& engine = **program.engine();
    const Result<SessionView> view = change(engine, header->id);
    if (!view) { // what is allowed instead stands beside the error
        const Result<SessionView> now = engine.view(header->id);
        return explain(errorIn(view.error(), program, *header), options.json, now ? besideError(*now) : Json::object());
    }
    return answerWith(program, *view, judged);
}

} // namespace

Result<int> commandSessionStep(Program& program, const Options& options)
{
    return changed(program, options, true, [&](SessionEngine& engine, const SessionId& id) { return engine.step(id, program.job()); });
}

Result<int> commandSessionAct(Program& program, const Options& options)
{
    return changed(program, options, true, [&](SessionEngine& engine, const SessionId& id) {
        return engine.act(id, options.action, options.argument, program.job());
    });
}

Result<int> commandSessionWaive(Program& program, const Options& options)
{
    return changed(program, options, false,
                   [&](SessionEngine& engine, const SessionId& id) { return engine.waive(id, options.gate, options.reason); });
}

Result<int> commandSessionNote(Program& program, const Options& options)
{
    return changed(program, options, false, [&](SessionEngine& engine, const SessionId& id) { return engine.note(id, options.argument); });
}

Result<int> commandSessionClaim(Program& program, const Options& options)
{
    const Result<Claim> claim = parseClaim(options.argument);
    if (!claim)
        return claim.error();
    return changed(program, options, false, [&](SessionEngine& engine, const SessionId& id) { return engine.claim(id, *claim); });
}

Result<int> commandSessionDiff(Program& program, const Options& options)
{
    const Result<SessionHeader> header = pickSession(program, options, Pick::open);
    if (!header)
        return header.error();
    const Result<SourceChange> edit = (*program.engine())->edit(header->id);
    if (!edit)
        return edit.error();
    const Json answer{{"schema", "kernelloop.session-diff/1"},
                      {"session", header->id.text},
                      {"file", edit->file},
                      {"summary", edit->summary},
                      {"diff", edit->diff},
                      {"git", edit->git}};
    if (!program.printed(answer))
        printText("{}, {}: one change, as rule one-variable asks\n\n{}", edit->file, edit->summary, renderDiff(edit->diff));
    return 0;
}

Result<int> commandSessionOption(Program& program, const Options& options)
{
    return changed(program, options, false,
                   [&](SessionEngine& engine, const SessionId& id) { return engine.option(id, options.action, options.argument == "on"); });
}

Result<int> commandSessionResume(Program& program, const Options& options)
{
    return changed(program, options, false, [](SessionEngine& engine, const SessionId& id) { return engine.resume(id); });
}

Result<int> commandSessionPattern(Program& program, const Options& options)
{
    if (const Result<PatternLibrary> library = seededLibrary(program); !library)
        return library.error();
    return changed(program, options, false,
                   [&](SessionEngine& engine, const SessionId& id) { return engine.applyPattern(id, options.argument); });
}

} // namespace kl
