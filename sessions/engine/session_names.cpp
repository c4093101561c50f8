// SPDX-License-Identifier: MIT
#include "sessions/engine/session_names.h"

#include "sessions/engine/events.h"
#include "sessions/learning/history.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl {
namespace {

/// "N" is 0, "N+6" is 6; unset for any other name.
std::optional<int> numberOf(const std::string& name)
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

Result<SessionFacts> factsOf(const Store& store, const SessionId& id)
{
    const Result<std::vector<SessionEvent>> events = store.events(id);
    if (!events)
        return events.error();
    return foldEvents(*events);
}

} // namespace

Result<std::string> nextSessionName(const Store& store)
{
    const Result<std::vector<SessionHeader>> sessions = store.sessions();
    if (!sessions)
        return sessions.error();
    int highest = -1;
    if (const Result<std::vector<HistoryRow>> shipped = sampleHistory())
        for (const HistoryRow& row : *shipped)
            highest = std::max(highest, numberOf(row.name).value_or(-1));
    for (const SessionHeader& session : *sessions)
        highest = std::max(highest, numberOf(session.name).value_or(-1));
    return highest < 0 ? std::string("N") : fmt::format("N+{}", highest + 1);
}

Result<SessionId> findSession(const Store& store, const std::string& text)
{
    Result<std::vector<SessionHeader>> sessions = store.sessions();
    if (!sessions)
        return sessions.error();
    std::reverse(sessions->begin(), sessions->end());
    for (const SessionHeader& session : *sessions)
        if (session.name == text || session.id.text == text)
            return session.id;
    std::vector<const SessionHeader*> fits;
    for (const SessionHeader& session : *sessions)
        if (!text.empty() && (session.id.text.starts_with(text) || session.name.starts_with(text)))
            fits.push_back(&session);
    if (fits.size() == 1)
        return fits.front()->id;
    if (fits.empty())
        return Error{ErrorCode::notFound, fmt::format("There is no session \"{}\".", text), "See kloop session list.", text, {}};
    std::vector<std::string> names;
    for (const SessionHeader* session : fits)
        names.push_back(fmt::format("{} ({})", session->name, session->id.text));
    return Error{ErrorCode::badInput,
                 fmt::format("\"{}\" matches {} sessions.", text, fits.size()),
                 fmt::format("Name one: {}.", fmt::join(names, ", ")),
                 text,
                 {}};
}

Result<SessionId> latestOpenSession(const Store& store)
{
    Result<std::vector<SessionHeader>> sessions = store.sessions();
    if (!sessions)
        return sessions.error();
    std::reverse(sessions->begin(), sessions->end());
    for (const SessionHeader& session : *sessions) {
        if (session.templateJson.empty() || session.kind == "sample")
            continue;
        const Result<SessionFacts> facts = factsOf(store, session.id);
        if (facts && !facts->finished)
            return session.id;
    }
    return Error{
        ErrorCode::notFound, "No session is open.", "Open one: kloop session new N+6 \"objective\" --kernel transpose", "session", {}};
}

Result<std::optional<Address>> lastKept(const Store& store, const std::string& family, Source source)
{
    Result<std::vector<SessionHeader>> sessions = store.sessions();
    if (!sessions)
        return sessions.error();
    std::reverse(sessions->begin(), sessions->end());
    for (const SessionHeader& session : *sessions) {
        if (session.kernel != family || session.source != source)
            continue;
        const Result<SessionFacts> facts = factsOf(store, session.id);
        if (!facts)
            return facts.error();
        if (facts->kept && facts->candidate)
            return std::optional(*facts->candidate);
    }
    return std::optional<Address>{};
}

} // namespace kl
