// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/library.h"
#include "app/kloop/session_pick.h"

#include <functional>

namespace kl {
namespace {

using Change = std::function<Result<SessionView>(SessionEngine& engine, const SessionId& id)>;

/// Picks the session, changes it, prints where it stands then.
Result<int> changed(Program& program, const Options& options, bool judged, const Change& change)
{
    const Result<SessionHeader> header = pickSession(program, options, Pick::open);
    if (!header)
        return header.error();
    const Result<SessionView> view = change(**program.engine(), header->id);
    if (!view)
        return view.error();
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

Result<int> commandSessionPattern(Program& program, const Options& options)
{
    if (const Result<PatternLibrary> library = seededLibrary(program); !library)
        return library.error();
    return changed(program, options, false,
                   [&](SessionEngine& engine, const SessionId& id) { return engine.applyPattern(id, options.argument); });
}

} // namespace kl
