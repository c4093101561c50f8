// SPDX-License-Identifier: MIT
#include "sessions/engine/action_offers.h"

#include "sessions/engine/action_table.h"
#include "sessions/engine/guards.h"
#include "sessions/session/action_arguments.h"
#include "sessions/session/next_steps.h"

#include <algorithm>

namespace kl::inline engine {
namespace {

/// An action or a fix that checkActionAllowed() or fixAllowed() has answered.
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

/// The changes that can be named: each fix of the finding, an edit, and a search.
void addChanges(const SessionModel& model, std::vector<ActionOffer>& offers)
{
    constexpr SessionAction kChoose = SessionAction::chooseFix;
    const std::optional<RunRecord>& profiled = model.view.profileRun;
    if (profiled && profiled->diagnosis)
        for (const Fix& fix : profiled->diagnosis->finding.fixes) {
            const Status any = checkActionAllowed(model, kChoose, fix.id);
            offers.push_back(offerFrom(model, kChoose, fix.id, any ? fixAllowed(model, fix) : any));
        }
    if (model.editable())
        offers.push_back(offerFrom(model, kChoose, kOwnEdit, checkActionAllowed(model, kChoose, kOwnEdit)));
    if (canSearch(model))
        offers.push_back(offerFrom(model, kChoose, kSearchFix, checkActionAllowed(model, kChoose, kSearchFix)));
}

} // namespace

std::vector<ActionOffer> listOffers(const SessionModel& model, const std::string& location)
{
    std::vector<ActionOffer> offers;
    for (const ActionRow& row : actionTable())
        if (row.known(model.plan))
            offers.push_back(offerFrom(model, row.action, {}, checkActionAllowed(model, row.action)));
    if (lookUpRow(SessionAction::chooseFix).known(model.plan))
        addChanges(model, offers);
    for (ActionOffer& offer : offers)
        nameSession(offer.next, model.view.header, location);
    return offers;
}

} // namespace kl::inline engine
