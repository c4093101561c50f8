// SPDX-License-Identifier: MIT
#include "sessions/session/session_view.h"

namespace kl::inline session {

ActionOffer findOffer(const SessionView& view, SessionAction action, const std::string& argument)
{
    const auto isIt = [&](const auto& item) { return item.action == action && (argument.empty() || item.argument == argument); };
    if (const auto named = std::ranges::find_if(view.next, isIt); named != view.next.end())
        return {action, argument, true, named->enabled, named->enabled ? std::string() : named->reason, {}, {}};
    if (const auto offer = std::ranges::find_if(view.offers, isIt); offer != view.offers.end())
        return *offer;
    return {action, argument, false, false, {}, {}, {}};
}

} // namespace kl::inline session
