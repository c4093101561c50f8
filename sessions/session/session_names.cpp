// SPDX-License-Identifier: MIT
#include "sessions/session/session_names.h"

#include "core/base/resource.h"
#include "core/base/try.h"
#include "core/codec/json.h"
#include "sessions/session/events.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::inline session {
namespace {

/// "N" is 0, "N+6" is 6; unset for any other name.
std::optional<int> parseSessionNumber(const std::string& name)
{
    if (name == "N")
        return 0;
    if (!name.starts_with("N+"))
        return {};
    int number = 0;
    const char* end = name.data() + name.size();
    const auto [stop, status] = std::from_chars(name.data() + 2, end, number);
    return status == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

Result<SessionFacts> collectFacts(const Store& store, const SessionId& id)
{
    KL_ASSIGN(const std::vector<SessionEvent> events, store.events(id));
    return foldEvents(events);
}

} // namespace

Result<bool> holdsSampleSessions(const Store& store)
{
    KL_ASSIGN(const std::vector<SessionHeader> sessions, store.sessions(SessionQuery{.kind = kShippedKind, .brief = true, .limit = 1}));
    return !sessions.empty();
}

Result<std::string> nextSessionName(const Store& store)
{
    KL_ASSIGN(const std::vector<SessionHeader> sessions, store.sessions());
    int highest = -1;
    for (const SessionHeader& session : sessions)
        highest = std::max(highest, parseSessionNumber(session.name).value_or(-1));
    return highest < 0 ? std::string("N") : fmt::format("N+{}", highest + 1);
}

Result<SessionId> findSession(const Store& store, const std::string& text)
{
    KL_ASSIGN(std::vector<SessionHeader> sessions, store.sessions());
    std::reverse(sessions.begin(), sessions.end());
    for (const SessionHeader& session : sessions)
        if (session.name == text || session.id.text == text)
            return session.id;
    std::vector<const SessionHeader*> fits;
    for (const SessionHeader& session : sessions)
        if (!text.empty() && (session.id.text.starts_with(text) || session.name.starts_with(text)))
            fits.push_back(&session);
    if (fits.size() == 1)
        return fits.front()->id;
    if (fits.empty())
        return Error{.code = ErrorCode::notFound,
                     .message = fmt::format("There is no session \"{}\".", text),
                     .hint = "See the list of sessions.",
                     .where = text}
            .leadTo({StepId::listSessions});
    std::vector<std::string> names;
    for (const SessionHeader* session : fits)
        names.push_back(fmt::format("{} ({})", session->name, session->id.text));
    return Error{.code = ErrorCode::badInput,
                 .message = fmt::format("\"{}\" matches {} sessions.", text, fits.size()),
                 .hint = fmt::format("Name one: {}.", fmt::join(names, ", ")),
                 .where = text};
}

Result<SessionId> latestOpenSession(const Store& store)
{
    KL_ASSIGN(const std::vector<SessionHeader> sessions, store.sessions(SessionQuery{.unfinished = true, .brief = true, .limit = 1}));
    if (!sessions.empty())
        return sessions.front().id;
    return Error{.code = ErrorCode::notFound, .message = "No session is open.", .hint = "Open one.", .where = "session"}.leadTo(
        {StepId::newSession,
         {},
         {{StepArgument::name, "What is it called?"},
          {StepArgument::objective, "What is it for, in a sentence?"},
          {StepArgument::kernel, "Which kernel?"}}});
}

Result<std::optional<Address>> findLastKept(const Store& store, const std::string& family, Source source)
{
    KL_ASSIGN(std::vector<SessionHeader> sessions, store.sessions());
    std::reverse(sessions.begin(), sessions.end());
    for (const SessionHeader& session : sessions) {
        if (session.kernel != family || session.source != source)
            continue;
        KL_ASSIGN(const SessionFacts facts, collectFacts(store, session.id));
        if (facts.kept && facts.candidate)
            return std::optional(*facts.candidate);
    }
    return std::optional<Address>{};
}

} // namespace kl::inline session
