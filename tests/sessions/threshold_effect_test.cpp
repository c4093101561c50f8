// SPDX-License-Identifier: MIT
#include "core/diagnosis/tree_thresholds.h"
#include "sessions/learning/threshold_effect.h"
#include "sessions/session/own_template.h"
#include "sessions/session/template_library.h"
#include "tests/sessions/engine_support.h"
#include "tests/support/set_variable.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace kl::test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

/// naive has 10 % of the DRAM's peak, tiled 40: uncoalesced below 30, bank-conflicts below 60.
class ThresholdEffect : public EngineTest {
protected:
    const Address naive{"transpose", "naive", {}};
    const Address tiled{"transpose", "tiled", {}};
};

TEST_F(ThresholdEffect, OfTheTreeIsEveryStoredFindingThatWouldBeAnother)
{
    const RunRecord run = unwrap(bench.profile(naive, {}, kSessionTier));
    unwrap(bench.profile(tiled, {}, kSessionTier));
    unwrap(bench.run(naive, {}, false));
    const DiagnosisTree other = unwrap(withThresholds(tree, {{"/nodes/0/any/0/all/0/2", 5}}));
    const TreeEffect effect = unwrap(computeTreeEffect(*store, catalog, tree, other, {}));
    EXPECT_EQ(effect.looked, 2) << "a run without counters has no finding";
    EXPECT_FALSE(effect.more);
    EXPECT_EQ(effect.changes,
              (std::vector<FindingChange>{{run.id, "transpose/naive", toText(run.problem), "uncoalesced", "bank-conflicts"}}));
    EXPECT_EQ(unwrap(store->run(run.id)), run) << "nothing is stored";
    EXPECT_THAT(unwrap(computeTreeEffect(*store, catalog, tree, tree, {})).changes, IsEmpty());
}

TEST_F(ThresholdEffect, OfAKindIsEveryGateOfItsSessionsThatWouldBeJudgedOtherwise)
{
    const SessionId id = open();
    const SessionView view = stepTo(id, "profile");
    const GateView& speedup = findGate(view, "G2");
    EXPECT_EQ(speedup.result, GateResult::fail) << "0.125 times the baseline";
    const PlanEffect effect = unwrap(computeThresholdsEffect(*store, catalog, "optimize", {{"speedup_min", 0.1}}, {}));
    EXPECT_EQ(effect.looked, 1);
    EXPECT_EQ(effect.changes, (std::vector<GateChange>{{id, view.header.name, "G2", GateResult::fail, GateResult::pass}}));
    EXPECT_EQ(findGate(unwrap(engine.view(id)), "G2").result, GateResult::fail) << "the session keeps its own";
    EXPECT_EQ(unwrap(computeThresholdsEffect(*store, catalog, "profile", {{"speedup_min", 0.1}}, {})).looked, 0);
}

TEST_F(ThresholdEffect, ChangedThresholdsAreAnOwnKindWhichCanBeChangedAgain)
{
    const support::SetVariable data("XDG_DATA_HOME", (folder / "data").c_str());
    EXPECT_EQ(saveOwnTemplate("optimize", "optimize", {}).error().code, ErrorCode::badInput) << "built in";
    EXPECT_EQ(saveOwnTemplate("optimize", "../x", {}).error().code, ErrorCode::badInput);
    EXPECT_EQ(saveOwnTemplate("optimize", "strict", {{"no_such_threshold", 1}}).error().where, "no_such_threshold");
    ASSERT_TRUE(saveOwnTemplate("optimize", "strict", {{"keep_improvement_min", 0.5}}));
    const SessionTemplate once = unwrap(parseTemplate(unwrap(templateText("strict")), "strict"));
    EXPECT_EQ(once.keepAt(), 1.5);
    EXPECT_THAT(once.gates, SizeIs(unwrap(parseTemplate(unwrap(templateText("optimize")), "optimize")).gates.size()));
    ASSERT_TRUE(saveOwnTemplate("strict", "strict", {{"keep_improvement_min", 0.3}}));
    EXPECT_EQ(unwrap(parseTemplate(unwrap(templateText("strict")), "strict")).keepAt(), 1.3);
}

TEST_F(ThresholdEffect, StopsWhereTheUserDid)
{
    unwrap(bench.profile(naive, {}, kSessionTier));
    open();
    std::stop_source source;
    source.request_stop();
    Job job;
    job.stop = source.get_token();
    EXPECT_EQ(computeTreeEffect(*store, catalog, tree, tree, job).error().code, ErrorCode::interrupted);
    EXPECT_EQ(computeThresholdsEffect(*store, catalog, "optimize", {}, job).error().code, ErrorCode::interrupted);
}

TEST_F(ThresholdEffect, AKindInAFileOfAnotherNameIsChangedThere)
{
    const support::SetVariable data("XDG_DATA_HOME", (folder / "data").c_str());
    ASSERT_TRUE(saveOwnTemplate("optimize", "strict", {{"keep_improvement_min", 0.5}}));
    const std::filesystem::path templates = ownTemplatesFolder();
    std::filesystem::rename(templates / "strict.json", templates / "of-the-team.json");
    ASSERT_TRUE(saveOwnTemplate("strict", "strict", {{"keep_improvement_min", 0.3}}));
    EXPECT_FALSE(std::filesystem::exists(templates / "strict.json")) << "the kind would be there twice";
    EXPECT_EQ(unwrap(parseTemplate(unwrap(templateText("strict")), "strict")).keepAt(), 1.3);
    for (const KindRow& row : sessionKinds()) {
        EXPECT_FALSE(row.broken) << row.kind;
        EXPECT_EQ(row.own, row.kind == "strict") << row.kind;
    }
    ASSERT_TRUE(saveOwnTemplate("strict", "Team_2-b", {}));
    EXPECT_EQ(unwrap(parseTemplate(unwrap(templateText("Team_2-b")), "Team_2-b")).keepAt(), 1.3) << "as the kind that it was made of";
    EXPECT_TRUE(std::filesystem::exists(templates / "Team_2-b.json"));
    for (const char* name : {"", "a b", "a/b", "a.b"})
        EXPECT_EQ(saveOwnTemplate("strict", name, {}).error().where, "kind") << name;
    EXPECT_FALSE(saveOwnTemplate("nobody", "mine", {}));
    EXPECT_FALSE(std::filesystem::exists(templates / "mine.json"));
}

TEST_F(ThresholdEffect, NoMoreProfilesAreLookedAtThanTheLimit)
{
    const RunRecord profiled = unwrap(bench.profile(naive, {}, kSessionTier));
    const auto copy = [&](int number) {
        RunRecord run = profiled;
        run.id.text = fmt::format("profile-{:05}", number);
        run.startedAt = fmt::format("2026-01-01T00:{:02}:{:02}.000Z", number / 60 % 60, number % 60);
        ASSERT_TRUE(store->saveRun(run));
    };
    for (int i = 1; i < kLookedProfiles; ++i)
        copy(i);
    TreeEffect effect = unwrap(computeTreeEffect(*store, catalog, tree, tree, {}));
    EXPECT_EQ(effect.looked, kLookedProfiles);
    EXPECT_FALSE(effect.more) << "these are all";
    copy(kLookedProfiles);
    effect = unwrap(computeTreeEffect(*store, catalog, tree, tree, {}));
    EXPECT_EQ(effect.looked, kLookedProfiles);
    EXPECT_TRUE(effect.more);
}

TEST_F(ThresholdEffect, NoMoreSessionsAreLookedAtThanTheLimit)
{
    for (int i = 0; i < kLookedSessions; ++i)
        open();
    PlanEffect effect = unwrap(computeThresholdsEffect(*store, catalog, "optimize", {}, {}));
    EXPECT_EQ(effect.looked, kLookedSessions);
    EXPECT_FALSE(effect.more);
    open();
    effect = unwrap(computeThresholdsEffect(*store, catalog, "optimize", {}, {}));
    EXPECT_EQ(effect.looked, kLookedSessions);
    EXPECT_TRUE(effect.more);
}

TEST_F(ThresholdEffect, ASessionThatCannotBeReadHidesNoOther)
{
    const SessionId id = open();
    stepTo(id, "profile");
    const SessionHeader damaged{{"d"}, "damaged", "optimize", "", "transpose", Source::sample, "2030-01-01", "{}"};
    ASSERT_TRUE(store->createSession(damaged, {1, "t", "opened", "{}"}));
    ASSERT_FALSE(engine.view(damaged.id));
    const PlanEffect effect = unwrap(computeThresholdsEffect(*store, catalog, "optimize", {{"speedup_min", 0.1}}, {}));
    EXPECT_EQ(effect.looked, 1);
    ASSERT_THAT(effect.changes, SizeIs(1));
    EXPECT_EQ(effect.changes[0].session, id);
}

} // namespace
} // namespace kl::test
