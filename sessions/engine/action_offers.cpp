// SPDX-License-Identifier: MIT
#include "sessions/engine/action_offers.h"

#include "sessions/engine/action_table.h"
#include "sessions/engine/guards.h"
#include "sessions/session/suggestions.h"

#include <algorithm>

namespace kl::inline engine {
namespace {

/// An action or a fix that allowed() or fixAllowed() has answered.
ActionOffer offerFrom(const SessionModel& model, SessionAction action, const std::string& argument, const Status& fine)
{
    const SessionView& view = model.view;
    const auto named = std::ranges::find_if(
        view.next, [&](const NextAction& next) { return next.action == action && (argument.empty() || next.argument == argument); });
    const bool isNext = named != view.next.end();
    const bool last = !model.plan.phases.empty() && view.phase == model.plan.phases.back().id;
    ActionOffer offer{action, argument, false, fine.ok(), {}, {}, {}};
    offer.offered = !isOver(view) && (isNext || offer.enabled || !last);
    if (!fine) {
        offer.reason = isNext && !named->reason.empty() ? named->reason : fine.error().message;
        offer.hint = fine.error().hint;
        offer.next = fine.error().next;
    }
    return offer;
}

} // namespace

std::vector<ActionOffer> listOffers(const SessionModel& model, const std::string& location)
{
    std::vector<ActionOffer> offers;
    for (const ActionRow& row : actionTable())
        if (row.known(model.plan))
            offers.push_back(offerFrom(model, row.action, {}, checkActionAllowed(model, row.action)));
    const std::optional<RunRecord>& profiled = model.view.profileRun;
    if (lookUpRow(SessionAction::chooseFix).known(model.plan) && profiled && profiled->diagnosis) {
        for (const Fix& fix : profiled->diagnosis->finding.fixes) {
            const Status any = checkActionAllowed(model, SessionAction::chooseFix, fix.id);
            offers.push_back(offerFrom(model, SessionAction::chooseFix, fix.id, any ? fixAllowed(model, fix) : any));
        }
    }
    for (ActionOffer& offer : offers)
        nameSession(offer.next, model.view.header, location);
    return offers;
}

} // namespace kl::inline engine
