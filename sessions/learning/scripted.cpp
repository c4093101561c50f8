// SPDX-License-Identifier: MIT
#include "sessions/learning/scripted.h"

#include "core/base/try.h"
#include "sessions/store/store.h"

#include <limits>

namespace kl::inline learning {
namespace {

constexpr std::string_view kMark = ", scripted";

} // namespace

Result<std::set<std::string>> scriptedSessions(const Store& store)
{
    KL_ASSIGN(const std::vector<SessionHeader> sessions,
              store.sessions(SessionQuery{.tag = kScriptedTag, .brief = true, .limit = std::numeric_limits<int>::max()}));
    std::set<std::string> ids;
    for (const SessionHeader& session : sessions)
        ids.insert(session.id.text);
    return ids;
}

std::string scriptedKind(const std::string& kind)
{
    return kind + std::string(kMark);
}

bool isScriptedKind(std::string_view kind)
{
    return kind.ends_with(kMark);
}

} // namespace kl::inline learning
