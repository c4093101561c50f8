// SPDX-License-Identifier: MIT
// What a session says to each action and to each fix: the same as the action would, in the same words.
#include "sessions/engine/action_offers.h"

#include "sessions/engine/guards.h"
#include "sessions/session/action_arguments.h"
#include "sessions/session/session_json.h"
#include "sessions/session/suggestions.h"
#include "tests/sessions/engine_support.h"
#include "tests/sessions/modeled_session.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace kl::test {
namespace {

class ActionOffers : public ModeledSession {
protected:
    /// As SessionEngine::view() gives it.
    const SessionView& offered()
    {
        evaluate();
        model.view.offers = listOffers(model, Store::defaultLocation());
        return model.view;
    }
    void expectAsAllowed()
    {
        const SessionView& view = offered();
        EXPECT_GE(view.offers.size(), listActions(model.plan).size());
        for (const SessionAction action : listActions(model.plan)) {
            const auto offer =
                std::ranges::find_if(view.offers, [&](const ActionOffer& one) { return one.action == action && one.argument.empty(); });
            ASSERT_NE(offer, view.offers.end()) << toString(action);
            const Status fine = checkActionAllowed(model, action);
            EXPECT_EQ(offer->enabled, fine.ok()) << toString(action);
            EXPECT_EQ(offer->reason.empty(), fine.ok()) << toString(action);
            EXPECT_TRUE(offer->offered || !offer->enabled) << toString(action);
            if (!fine) {
                EXPECT_EQ(offer->hint, fine.error().hint) << toString(action);
                EXPECT_EQ(offer->next.size(), fine.error().next.size()) << toString(action);
            }
        }
    }
};

TEST_F(ActionOffers, AreTheAnswersOfTheGuards)
{
    using enum Evidence;
    expectAsAllowed();
    for (const Evidence kind : {evaluation, memory, candidate}) {
        forget({kind});
        expectAsAllowed();
    }
    dropCandidate();
    for (const Evidence kind : {profile, baseline, smallest, environment}) {
        expectAsAllowed();
        forget({kind});
    }
    expectAsAllowed();
    model.view.finished = true;
    expectAsAllowed();
}

TEST_F(ActionOffers, ADecisionIsOfferedUntilTheSessionIsDocumented)
{
    using enum SessionAction;
    EXPECT_TRUE(findOffer(offered(), keep).enabled);
    EXPECT_TRUE(findOffer(offered(), revert).enabled);
    forget({Evidence::evaluation});
    EXPECT_TRUE(findOffer(offered(), keep).offered);
    EXPECT_FALSE(findOffer(offered(), keep).enabled);
    EXPECT_NE(findOffer(offered(), keep).reason, "") << "it was not measured";
    EXPECT_TRUE(findOffer(offered(), revert).enabled);
    dropCandidate();
    model.view.profileRun->diagnosis->finding.fixes = {{"f", "Tile", {}, 0.5, "transpose/tiled", ""}};
    EXPECT_TRUE(findOffer(offered(), keep).offered);
    EXPECT_FALSE(findOffer(offered(), revert).enabled) << "there is nothing to revert";
    EXPECT_NE(findOffer(offered(), revert).reason, findOffer(offered(), document).reason);
    model.view.candidate = Address{"transpose", "tiled", {}};
    model.view.kept = true;
    ASSERT_EQ(offered().phase, model.plan.phases.back().id);
    EXPECT_FALSE(findOffer(offered(), keep).offered);
    EXPECT_FALSE(findOffer(offered(), revert).offered);
    EXPECT_TRUE(findOffer(offered(), document).enabled);
    model.view.finished = true;
    for (const ActionOffer& offer : offered().offers)
        EXPECT_FALSE(offer.offered || offer.enabled) << toString(offer.action);
    EXPECT_TRUE(isOver(model.view));
    EXPECT_FALSE(findOffer(SessionView(), keep).offered) << "of a view that the engine did not give";
}

TEST_F(ActionOffers, OfAFixSayWhyItCannotBeChosen)
{
    using enum SessionAction;
    model.view.profileRun->diagnosis->finding.fixes = {
        {"f", "Tile", {}, 0.5, "transpose/tiled", ""}, {"g", "By hand", {}, 0.5, "", ""}, {"p", "Pad", {}, 0.5, "transpose/padded", ""}};
    const auto fix = [&](const char* id) { return findOffer(offered(), chooseFix, id); };
    for (const char* id : {"f", "g", "p"}) {
        EXPECT_FALSE(fix(id).enabled) << "one is being tried";
        EXPECT_EQ(fix(id).reason, checkActionAllowed(model, chooseFix).error().message);
    }
    dropCandidate();
    EXPECT_TRUE(findOffer(offered(), chooseFix).enabled);
    EXPECT_TRUE(fix("f").enabled);
    EXPECT_EQ(fix("f").reason, "");
    EXPECT_FALSE(fix("g").enabled);
    EXPECT_EQ(fix("g").reason, needsEdit({}).message);
    EXPECT_FALSE(fix("p").enabled) << "two steps at once";
    EXPECT_EQ(fix("p").reason, candidateAllowed(model, catalog, {"transpose", "padded", {}}).error().message);
    model.view.tried = {{"transpose", "tiled", {}}};
    EXPECT_FALSE(fix("f").enabled);
    EXPECT_EQ(fix("f").reason, candidateAllowed(model, catalog, {"transpose", "tiled", {}}).error().message);
    EXPECT_FALSE(findOffer(offered(), chooseFix).enabled) << "no fix is left";
    EXPECT_EQ(findOffer(offered(), chooseFix).reason, bestFix(model).error().message);
    EXPECT_FALSE(fix(kOwnEdit).offered) << "this kernel is read-only";
    const KernelFamily* shipped = model.family;
    KernelFamily own = *shipped;
    own.origin.descriptor = "/own/transpose/kernel.json";
    model.family = &own;
    EXPECT_TRUE(fix("g").enabled) << "it can be made in the source";
    EXPECT_TRUE(fix(kOwnEdit).enabled);
    EXPECT_TRUE(
        std::ranges::any_of(offered().offers, [](const ActionOffer& offer) { return offer.argument == kOwnEdit && offer.enabled; }));
    model.family = shipped;
    forget({Evidence::profile});
    EXPECT_FALSE(fix("f").offered) << "there is no finding";
    const ActionOffer none = findOffer(offered(), chooseFix);
    EXPECT_EQ(none.reason, checkActionAllowed(model, chooseFix).error().message);
    ASSERT_FALSE(none.next.empty());
    EXPECT_EQ(none.next.front().at(StepArgument::session), "s1") << "its steps name the session";
}

TEST(ActionOffer, OfWhatComesNextIsThat)
{
    SessionView view;
    view.offers = {{SessionAction::keep, "", true, false, "from the guard", "h", {}}};
    EXPECT_EQ(findOffer(view, SessionAction::keep).reason, "from the guard");
    EXPECT_EQ(findOffer(view, SessionAction::keep).hint, "h");
    NextAction next;
    next.action = SessionAction::keep;
    next.argument = "git";
    view.next = {next};
    EXPECT_TRUE(findOffer(view, SessionAction::keep).enabled);
    EXPECT_TRUE(findOffer(view, SessionAction::keep, "git").offered);
    EXPECT_FALSE(findOffer(view, SessionAction::keep, "no-git").offered) << "of another argument";
    view.next[0].enabled = false;
    view.next[0].reason = "too little";
    EXPECT_FALSE(findOffer(view, SessionAction::keep).enabled);
    EXPECT_EQ(findOffer(view, SessionAction::keep).reason, "too little");
    EXPECT_FALSE(findOffer(view, SessionAction::revert).offered);
}

TEST(ActionOffer, AFinishedSessionAndOneOfTheShippedHistoryAreOver)
{
    SessionView view;
    EXPECT_FALSE(isOver(view));
    view.phase = "done";
    EXPECT_TRUE(isOver(view));
    view.phase = "document";
    EXPECT_FALSE(isOver(view));
    view.finished = true;
    EXPECT_TRUE(isOver(view));
}

TEST_F(EngineTest, WhatAViewDoesNotEnableIsRefusedInItsWords)
{
    const SessionId id = open();
    const SessionView view = unwrap(engine.view(id));
    int refusals = 0;
    for (const ActionOffer& offer : view.offers)
        if (!offer.enabled) {
            EXPECT_EQ(refusedAct(id, offer.action, offer.argument).message, offer.reason) << toString(offer.action);
            ++refusals;
        }
    EXPECT_GT(refusals, 5);
    EXPECT_TRUE(findOffer(view, SessionAction::checkEnvironment).enabled);
    const Json json = sessionToJson(view);
    ASSERT_EQ(json["actions"].size(), view.offers.size());
    for (std::size_t i = 0; i < view.offers.size(); ++i) {
        EXPECT_EQ(json["actions"][i]["action"], toString(view.offers[i].action));
        EXPECT_EQ(json["actions"][i]["enabled"], view.offers[i].enabled);
        EXPECT_EQ(json["actions"][i]["offered"], view.offers[i].offered);
        EXPECT_EQ(json["actions"][i]["reason"], view.offers[i].reason);
        EXPECT_EQ(json["actions"][i]["next_steps"].size(), view.offers[i].next.size());
    }
    EXPECT_FALSE(step(id).offers.empty()) << "an action's answer has them, too";
}

TEST_F(EngineTest, AFinishedSessionTakesNoClaim)
{
    NewSession request;
    request.kernel = "transpose";
    request.kind = "baseline";
    const SessionId id = unwrap(engine.create(request)).header.id;
    EXPECT_TRUE(isOver(stepTo(id, "done")));
    const Result<SessionView> claimed = engine.claim(id, {"a blog", "2x", "kernel"});
    ASSERT_FALSE(claimed);
    EXPECT_EQ(claimed.error().code, ErrorCode::refused);
    EXPECT_TRUE(unwrap(engine.view(id)).claims.empty());
}

} // namespace
} // namespace kl::test
