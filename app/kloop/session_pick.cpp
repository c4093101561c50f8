// SPDX-License-Identifier: MIT
#include "app/kloop/session_pick.h"

#include "app/kloop/render.h"
#include "sessions/engine/session_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

Result<SessionId> idOf(Program& program, const Options& options, Pick pick)
{
    const Result<SessionEngine*> engine = program.engine();
    if (!engine)
        return engine.error();
    if (!options.session.empty())
        return (*engine)->find(options.session);
    Result<SessionId> open = (*engine)->latestOpen();
    if (open || pick == Pick::open)
        return open;
    const Result<Store*> store = program.store();
    const auto sessions = (*store)->sessions();
    if (!sessions)
        return sessions.error();
    for (auto it = sessions->rbegin(); it != sessions->rend(); ++it)
        if (it->kind != "sample")
            return it->id;
    return open;
}

} // namespace

Result<SessionHeader> pickSession(Program& program, const Options& options, Pick pick)
{
    const Result<SessionId> id = idOf(program, options, pick);
    if (!id)
        return id.error();
    const Result<Store*> store = program.store();
    if (!store)
        return store.error();
    Result<SessionHeader> header = (*store)->session(*id);
    if (!header)
        return header;
    const bool sample = header->source == Source::sample;
    if (!options.on.empty() && (options.on == "sample") != sample)
        return Error{ErrorCode::notComparable,
                     fmt::format("Session {} was opened on {}; its measurements cannot be mixed with others.", header->name,
                                 sample ? "the recorded sample" : "this machine's GPU"),
                     "Leave --on out, or open another session.",
                     "--on",
                     {}};
    program.device().choose(header->source);
    return header;
}

int answerWith(Program& program, const SessionView& view, bool judged)
{
    if (!program.printed(sessionToJson(view)))
        fmt::print("{}", renderSession(view));
    return judged ? exitCodeOf(view) : 0;
}

} // namespace kl
