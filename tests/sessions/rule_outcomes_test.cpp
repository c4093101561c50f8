// SPDX-License-Identifier: MIT
#include "sessions/learning/rule_outcomes.h"

#include "sessions/session/events.h"

#include <cmath>
#include <gtest/gtest.h>

namespace kl {
namespace {

class RuleOutcomesTest : public testing::Test {
protected:
    RunRecord runOf(const char* id, const char* kernel, double us, const char* at)
    {
        RunRecord run;
        run.id.text = id;
        run.kernel = *parseAddress(kernel);
        run.problem = *parseParams("N=1024");
        run.device.name = "NVIDIA H200";
        run.startedAt = at;
        run.correctness.result = CorrectnessResult::correct;
        run.timing.emplace();
        run.timing->gpu = {us * 1e3, us * 1e3, us * 1e3, 20};
        return run;
    }

    /// A profile whose finding promises `reduction` and recommends `fix`.
    RunRecord profileOf(const char* id, const char* kernel, double us, const char* at, double reduction, const char* fix)
    {
        RunRecord run = runOf(id, kernel, us, at);
        run.metrics.emplace();
        run.diagnosis.emplace();
        run.diagnosis->finding.classId = "uncoalesced";
        run.diagnosis->finding.title = "Uncoalesced.";
        run.diagnosis->finding.priority = "P0";
        run.diagnosis->finding.estimate = Estimate{reduction, "by its formula"};
        run.diagnosis->finding.fixes.push_back({fix, "Fix it", {}, 0.9, fix, {}});
        return run;
    }

    void save(const RunRecord& run)
    {
        const Status saved = (*store)->saveRun(run);
        ASSERT_TRUE(saved) << saved.error().message;
    }

    std::vector<RuleCase> cases()
    {
        const auto found = ruleCases(**store);
        EXPECT_TRUE(found) << (found ? "" : found.error().message);
        return found ? *found : std::vector<RuleCase>{};
    }

    Result<std::unique_ptr<Store>> store = Store::open(":memory:");
};

TEST_F(RuleOutcomesTest, ARefutedRunIsNoOutcomeAndARefutedProfileNoPromise)
{
    ASSERT_TRUE(store) << store.error().message;
    RunRecord cheat = runOf("2", "copy/coalesced", 5, "2026-01-03T00:00:00.000Z");
    cheat.correctness.result = CorrectnessResult::replays;
    RunRecord promise = profileOf("4", "copy/misaligned", 100, "2026-01-02T00:00:00.000Z", 0.6, "copy/coalesced");
    promise.correctness.result = CorrectnessResult::stateful;
    save(profileOf("1", "copy/strided", 100, "2026-01-02T00:00:00.000Z", 0.6, "copy/coalesced"));
    save(promise);
    save(cheat);
    EXPECT_TRUE(cases().empty());
    save(runOf("3", "copy/coalesced", 50, "2026-01-04T00:00:00.000Z"));
    ASSERT_EQ(cases().size(), 1U);
    EXPECT_DOUBLE_EQ(cases()[0].realized, 0.5);
}

TEST_F(RuleOutcomesTest, AProfileAndALaterRunOfItsFixAreACase)
{
    ASSERT_TRUE(store) << store.error().message;
    save(runOf("0", "copy/coalesced", 90, "2026-01-01T00:00:00.000Z")); // before the profile: no outcome of it
    save(profileOf("1", "copy/strided", 100, "2026-01-02T00:00:00.000Z", 0.6, "copy/coalesced"));
    EXPECT_TRUE(cases().empty());
    save(runOf("2", "copy/coalesced", 50, "2026-01-03T00:00:00.000Z"));
    save(runOf("3", "copy/coalesced", 10, "2026-01-04T00:00:00.000Z")); // the first later one speaks
    const auto found = cases();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].rule, "uncoalesced");
    EXPECT_EQ(found[0].fix, "copy/coalesced");
    EXPECT_DOUBLE_EQ(found[0].realized, 0.5);
    EXPECT_DOUBLE_EQ(found[0].estimated, 0.6);
    EXPECT_EQ(found[0].from, "runs");
    EXPECT_TRUE(found[0].isHit());
}

TEST_F(RuleOutcomesTest, OtherSizesDevicesAndFailuresAreNone)
{
    save(profileOf("1", "copy/strided", 100, "2026-01-02T00:00:00.000Z", 0.6, "copy/coalesced"));
    RunRecord other = runOf("2", "copy/coalesced", 50, "2026-01-03T00:00:00.000Z");
    other.problem = *parseParams("N=2048");
    save(other);
    other = runOf("3", "copy/coalesced", 50, "2026-01-03T00:00:00.000Z");
    other.device.name = "NVIDIA A100";
    save(other);
    other = runOf("4", "copy/coalesced", 50, "2026-01-03T00:00:00.000Z");
    other.status = ResultStatus::validationFailed;
    save(other);
    EXPECT_TRUE(cases().empty());
}

TEST_F(RuleOutcomesTest, ASessionsAbSpeaksBeforeItsRuns)
{
    save(profileOf("1", "copy/strided", 100, "2026-01-02T00:00:00.000Z", 0.6, "copy/coalesced"));
    save(runOf("2", "copy/coalesced", 50, "2026-01-03T00:00:00.000Z"));
    Comparison comparison;
    comparison.id.text = "c";
    comparison.a = "copy/strided";
    comparison.b = "copy/coalesced";
    comparison.ratio = Ratio{4.0, 3.9, 4.1};
    ASSERT_TRUE((*store)->saveComparison(comparison));
    SessionHeader header;
    header.id.text = "s";
    header.name = "first";
    header.kind = "optimize";
    header.kernel = "copy";
    header.createdAt = "2026-01-02T00:00:00.000Z";
    header.templateJson = "{}";
    ASSERT_TRUE((*store)->createSession(header, {1, header.createdAt, event::kOpened, "{}"}));
    ASSERT_TRUE((*store)->appendEvent(header.id, {2, header.createdAt, event::kProfiled, R"({"run": "1"})"}));
    ASSERT_TRUE((*store)->appendEvent(header.id, {3, header.createdAt, event::kFixChosen,
                                                  R"({"fix": "copy/coalesced", "title": "Fix it", "candidate": "copy/coalesced"})"}));
    ASSERT_TRUE((*store)->appendEvent(header.id, {4, header.createdAt, event::kEvaluated, R"({"comparison": "c"})"}));
    const auto found = cases();
    ASSERT_EQ(found.size(), 1U) << "the same pair once";
    EXPECT_EQ(found[0].from, "session first");
    EXPECT_DOUBLE_EQ(found[0].realized, 0.75);
}

RuleCase caseOf(const char* rule, double estimated, double realized, bool replayed = false)
{
    return {rule, "a/b", "a/c", "N=1", estimated, realized, "runs", "2026", replayed};
}

TEST(RuleOutcomesOf, HitsAreWithinAFactorOfTwo)
{
    EXPECT_TRUE(caseOf("x", 0.4, 0.2).isHit());
    EXPECT_TRUE(caseOf("x", 0.2, 0.4).isHit());
    EXPECT_FALSE(caseOf("x", 0.41, 0.2).isHit());
    EXPECT_FALSE(caseOf("x", 0.1, -0.1).isHit()) << "it made things slower";
}

TEST(RuleOutcomesOf, RulesAreSummedAndFewCasesSayLittle)
{
    const auto outcomes = ruleOutcomes(
        {caseOf("x", 0.4, 0.2), caseOf("x", 0.4, 0.2), caseOf("x", 0.4, 0.001), caseOf("y", 0.5, 0.5), caseOf("y", 0.5, 0.1, true)});
    ASSERT_EQ(outcomes.size(), 2U);
    EXPECT_EQ(outcomes[0].rule, "x");
    EXPECT_EQ(outcomes[0].cases, 3);
    EXPECT_EQ(outcomes[0].hits, 2);
    EXPECT_EQ(outcomes[0].paid, 2);
    EXPECT_DOUBLE_EQ(outcomes[0].realized, 0.2);
    EXPECT_DOUBLE_EQ(outcomes[0].factor, std::exp((2 * std::log(0.5) + std::log(0.05)) / 7));
    EXPECT_EQ(outcomes[1].cases, 1) << "replayed cases are left out";
    EXPECT_DOUBLE_EQ(outcomes[1].factor, 1);
    EXPECT_EQ(ruleOutcomes({caseOf("y", 0.5, 0.1, true)}, true).size(), 1U);
    EXPECT_EQ(ruleOutcomes({caseOf("x", 0.4, 0.2), caseOf("x", 0.4, 0.2, true), caseOf("y", 0.5, 0.1, true)}, true),
              ruleOutcomes({caseOf("x", 0.4, 0.2)}))
        << "beside what was measured they do not count";
    EXPECT_TRUE(ruleOutcomes({}).empty());
}

} // namespace
} // namespace kl
