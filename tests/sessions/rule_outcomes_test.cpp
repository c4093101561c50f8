// SPDX-License-Identifier: MIT
#include "sessions/learning/rule_outcomes.h"

#include "sessions/session/events.h"

#include <cmath>
#include <gtest/gtest.h>

namespace kl {
namespace {

class RuleOutcomesTest : public testing::Test {
protected:
    RunRecord makeRun(const char* id, const char* kernel, double us, const char* at)
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
    RunRecord makeProfile(const char* id, const char* kernel, double us, const char* at, double reduction, const char* fix)
    {
        RunRecord run = makeRun(id, kernel, us, at);
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
    RunRecord cheat = makeRun("2", "copy/coalesced", 5, "2026-01-03T00:00:00.000Z");
    cheat.correctness.result = CorrectnessResult::replays;
    RunRecord promise = makeProfile("4", "copy/misaligned", 100, "2026-01-02T00:00:00.000Z", 0.6, "copy/coalesced");
    promise.correctness.result = CorrectnessResult::stateful;
    save(makeProfile("1", "copy/strided", 100, "2026-01-02T00:00:00.000Z", 0.6, "copy/coalesced"));
    save(promise);
    save(cheat);
    EXPECT_TRUE(cases().empty());
    save(makeRun("3", "copy/coalesced", 50, "2026-01-04T00:00:00.000Z"));
    ASSERT_EQ(cases().size(), 1U);
    EXPECT_DOUBLE_EQ(cases()[0].realized, 0.5);
}

TEST_F(RuleOutcomesTest, AProfileAndALaterRunOfItsFixAreACase)
{
    ASSERT_TRUE(store) << store.error().message;
    save(makeRun("0", "copy/coalesced", 90, "2026-01-01T00:00:00.000Z")); // before the profile: no outcome of it
    save(makeProfile("1", "copy/strided", 100, "2026-01-02T00:00:00.000Z", 0.6, "copy/coalesced"));
    EXPECT_TRUE(cases().empty());
    save(makeRun("2", "copy/coalesced", 50, "2026-01-03T00:00:00.000Z"));
    save(makeRun("3", "copy/coalesced", 10, "2026-01-04T00:00:00.000Z")); // the first later one speaks
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
    save(makeProfile("1", "copy/strided", 100, "2026-01-02T00:00:00.000Z", 0.6, "copy/coalesced"));
    RunRecord other = makeRun("2", "copy/coalesced", 50, "2026-01-03T00:00:00.000Z");
    other.problem = *parseParams("N=2048");
    save(other);
    other = makeRun("3", "copy/coalesced", 50, "2026-01-03T00:00:00.000Z");
    other.device.name = "NVIDIA A100";
    save(other);
    other = makeRun("4", "copy/coalesced", 50, "2026-01-03T00:00:00.000Z");
    other.status = ResultStatus::validationFailed;
    save(other);
    EXPECT_TRUE(cases().empty());
}

TEST_F(RuleOutcomesTest, ASessionsAbSpeaksBeforeItsRuns)
{
    save(makeProfile("1", "copy/strided", 100, "2026-01-02T00:00:00.000Z", 0.6, "copy/coalesced"));
    save(makeRun("2", "copy/coalesced", 50, "2026-01-03T00:00:00.000Z"));
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
    EXPECT_TRUE(found[0].from.ends_with(header.name)) << found[0].from;
    EXPECT_DOUBLE_EQ(found[0].realized, 0.75);
}

RuleCase makeCase(const char* rule, double estimated, double realized, bool replayed = false)
{
    return {rule, "a/b", "a/c", "N=1", estimated, realized, "runs", "2026", replayed};
}

TEST(RuleOutcomesOf, HitsAreWithinAFactorOfTwo)
{
    EXPECT_TRUE(makeCase("x", 0.4, 0.2).isHit());
    EXPECT_TRUE(makeCase("x", 0.2, 0.4).isHit());
    EXPECT_FALSE(makeCase("x", 0.41, 0.2).isHit());
    EXPECT_FALSE(makeCase("x", 0.1, -0.1).isHit()) << "it made things slower";
}

TEST(RuleOutcomesOf, RulesAreSummedAndFewCasesSayLittle)
{
    const auto outcomes = ruleOutcomes({makeCase("x", 0.4, 0.2), makeCase("x", 0.4, 0.2), makeCase("x", 0.4, 0.001),
                                        makeCase("y", 0.5, 0.5), makeCase("y", 0.5, 0.1, true)});
    ASSERT_EQ(outcomes.size(), 2U);
    EXPECT_EQ(outcomes[0].rule, "x");
    EXPECT_EQ(outcomes[0].cases, 3);
    EXPECT_EQ(outcomes[0].hits, 2);
    EXPECT_EQ(outcomes[0].paid, 2);
    EXPECT_DOUBLE_EQ(outcomes[0].realized, 0.2);
    EXPECT_DOUBLE_EQ(outcomes[0].factor, std::exp((2 * std::log(0.5) + std::log(0.05)) / 7));
    EXPECT_EQ(outcomes[1].cases, 1) << "replayed cases are left out";
    EXPECT_DOUBLE_EQ(outcomes[1].factor, 1);
    EXPECT_EQ(ruleOutcomes({makeCase("y", 0.5, 0.1, true)}, true).size(), 1U);
    EXPECT_EQ(ruleOutcomes({makeCase("x", 0.4, 0.2), makeCase("x", 0.4, 0.2, true), makeCase("y", 0.5, 0.1, true)}, true),
              ruleOutcomes({makeCase("x", 0.4, 0.2)}))
        << "beside what was measured they do not count";
    EXPECT_TRUE(ruleOutcomes({}).empty());
}

TEST_F(RuleOutcomesTest, ASessionsCasesBelongToItsLastProfileAndFix)
{
    save(makeProfile("1", "copy/strided", 100, "2026-01-02T00:00:00.000Z", 0.6, "copy/coalesced"));
    save(makeProfile("2", "copy/misaligned", 100, "2026-01-02T00:00:00.000Z", 0.3, "copy/none"));
    SessionHeader header;
    header.id.text = "s";
    header.name = "first";
    header.kind = "optimize";
    header.kernel = "copy";
    header.createdAt = "2026-01-02T00:00:00.000Z";
    ASSERT_TRUE((*store)->createSession(header, {1, header.createdAt, event::kOpened, ""}));
    int seq = 1;
    const auto append = [&](const char* type, const std::string& data) {
        ++seq;
        ASSERT_TRUE((*store)->appendEvent(header.id, {seq, "2026-01-02T00:00:0" + std::to_string(9 - seq % 10) + ".000Z", type, data}));
    };
    const auto compared = [&](const char* id, std::optional<Ratio> ratio) {
        Comparison comparison;
        comparison.id.text = id;
        comparison.ratio = ratio;
        ASSERT_TRUE((*store)->saveComparison(comparison));
        append(event::kEvaluated, std::string(R"({"comparison": ")") + id + "\"}");
    };
    compared("before any profile", Ratio{2, 2, 2});
    append(event::kProfiled, R"({"run": "1"})");
    append(event::kFixChosen, R"({"title": "Edit it", "candidate": "copy/strided"})");
    compared("edit", Ratio{2, 2, 2});
    compared("none", {});
    append(event::kProfiled, R"({"run": "2"})");
    append(event::kFixChosen, R"({"title": "Other", "candidate": "copy/coalesced"})");
    compared("slower", Ratio{0.5, 0.5, 0.5});
    const auto found = cases();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].kernel, "copy/misaligned") << "oldest first";
    EXPECT_EQ(found[0].fix, "copy/coalesced");
    EXPECT_EQ(found[0].estimated, 0.3);
    EXPECT_EQ(found[0].realized, -1);
    EXPECT_EQ(found[1].kernel, "copy/strided");
    EXPECT_EQ(found[1].fix, "Edit it") << "an edit has no address of its own";
    EXPECT_EQ(found[1].problem, "N=1024");
    EXPECT_EQ(found[1].rule, "uncoalesced");
    EXPECT_FALSE(found[1].replayed);
}

TEST_F(RuleOutcomesTest, InferredAndImportedFindingsPromiseNothing)
{
    RunRecord inferred = makeProfile("1", "copy/strided", 100, "2026-01-02T00:00:00.000Z", 0.6, "copy/coalesced");
    inferred.diagnosis->finding.inferred = true;
    save(inferred);
    RunRecord imported = makeProfile("2", "copy/strided", 100, "2026-01-02T00:00:00.000Z", 0.6, "copy/coalesced");
    imported.source = Source::import;
    save(imported);
    RunRecord vague = makeProfile("3", "copy/strided", 100, "2026-01-02T00:00:00.000Z", 0.6, "copy/coalesced");
    vague.diagnosis->finding.estimate.reset();
    save(vague);
    save(makeRun("4", "copy/coalesced", 50, "2026-01-03T00:00:00.000Z"));
    EXPECT_TRUE(cases().empty());
    RunRecord replayed = makeProfile("5", "copy/strided", 100, "2026-01-02T00:00:00.000Z", 0.6, "copy/coalesced");
    replayed.source = Source::sample;
    save(replayed);
    EXPECT_TRUE(cases().empty()) << "a live run is not an outcome of a recording";
    RunRecord recorded = makeRun("6", "copy/coalesced", 25, "2026-01-01T00:00:00.000Z");
    recorded.source = Source::sample;
    save(recorded);
    ASSERT_EQ(cases().size(), 1U) << "recordings have no order";
    EXPECT_TRUE(cases()[0].replayed);
    EXPECT_DOUBLE_EQ(cases()[0].realized, 0.75);
    EXPECT_EQ(cases()[0].at, "2026-01-01T00:00:00.000Z");
}

TEST_F(RuleOutcomesTest, OfSeveralFixesTheFirstWithARunIsTheCase)
{
    RunRecord promise = makeProfile("1", "copy/strided", 100, "2026-01-02T00:00:00.000Z", 0.6, "");
    promise.diagnosis->finding.fixes.push_back({"copy/none", "Not run", {}, 0.9, "copy/none", {}});
    promise.diagnosis->finding.fixes.push_back({"copy/coalesced", "Run", {}, 0.8, "copy/coalesced", {}});
    promise.diagnosis->finding.fixes.push_back({"copy/vector", "Run, too", {}, 0.7, "copy/vector", {}});
    save(promise);
    save(makeRun("2", "copy/vector", 20, "2026-01-03T00:00:00.000Z"));
    save(makeRun("3", "copy/coalesced", 50, "2026-01-03T00:00:00.000Z"));
    ASSERT_EQ(cases().size(), 1U);
    EXPECT_EQ(cases()[0].fix, "copy/coalesced");
}

TEST(RuleOutcomesOf, MediansAndFactorsAreKeptInBounds)
{
    const auto outcomes = ruleOutcomes({makeCase("x", 0.2, 0.01), makeCase("x", 0.4, 0.009), makeCase("y", 0.01, 0.9),
                                        makeCase("y", 0, 0.5), makeCase("y", 0.1, 0.1), makeCase("y", 0.3, 0.2)});
    ASSERT_EQ(outcomes.size(), 2U);
    EXPECT_EQ(outcomes[0].rule, "y") << "most cases first";
    EXPECT_EQ(outcomes[0].paid, 4);
    EXPECT_DOUBLE_EQ(outcomes[0].estimated, 0.055) << "between the middle two of 0, 0.01, 0.1, 0.3";
    EXPECT_DOUBLE_EQ(outcomes[0].realized, 0.35);
    EXPECT_DOUBLE_EQ(outcomes[0].factor, std::exp((std::log(20.0) + std::log(2.0 / 3)) / 8)) << "ninety times counts as twenty";
    EXPECT_EQ(outcomes[1].paid, 1) << "one percent pays";
    EXPECT_DOUBLE_EQ(outcomes[1].estimated, 0.3);
}

TEST_F(RuleOutcomesTest, WhatWasMeasuredIsNotHeldAgainstWhatWasReplayed)
{
    RunRecord profile = makeProfile("1", "copy/strided", 100, "2026-01-02T00:00:00.000Z", 0.6, "copy/coalesced");
    profile.source = Source::sample;
    save(profile);
    save(makeRun("2", "copy/coalesced", 50, "2026-01-03T00:00:00.000Z"));
    EXPECT_TRUE(cases().empty());
    RunRecord replayed = makeRun("3", "copy/coalesced", 25, "2026-01-01T00:00:00.000Z");
    replayed.source = Source::sample;
    save(replayed);
    const auto found = cases();
    ASSERT_EQ(found.size(), 1U) << "a recording has no order of its own";
    EXPECT_DOUBLE_EQ(found[0].realized, 0.75);
    EXPECT_TRUE(found[0].replayed);
    EXPECT_EQ(found[0].at, "2026-01-01T00:00:00.000Z");
}

TEST_F(RuleOutcomesTest, CasesStandInTheOrderOfTheirTimes)
{
    save(makeProfile("1", "copy/strided", 100, "2026-01-02T00:00:00.000Z", 0.6, "copy/coalesced"));
    save(makeProfile("2", "copy/misaligned", 100, "2026-01-01T00:00:00.000Z", 0.3, "copy/vector"));
    save(makeRun("3", "copy/coalesced", 50, "2026-01-05T00:00:00.000Z"));
    save(makeRun("4", "copy/vector", 80, "2026-01-06T00:00:00.000Z"));
    const auto found = cases();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].kernel, "copy/strided");
    EXPECT_EQ(found[0].problem, "N=1024");
    EXPECT_EQ(found[0].at, "2026-01-05T00:00:00.000Z");
    EXPECT_EQ(found[1].kernel, "copy/misaligned");
    EXPECT_NEAR(found[1].realized, 0.2, 1e-12);
}

} // namespace
} // namespace kl
