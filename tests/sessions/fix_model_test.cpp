// SPDX-License-Identifier: MIT
#include "sessions/learning/fix_model.h"

#include "sessions/learning/recommend.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

/// A state whose features are all `at`, of a finding that promises half of the time.
FixState stateAt(const std::string& family, double at, const std::string& classId = "uncoalesced")
{
    FixState state;
    state.family = family;
    state.kernel = family + "/a";
    state.problem = fmt::format("N={}", at);
    state.classId = classId;
    state.estimate = 0.5;
    state.features.assign(caseFeatures().size(), at);
    state.trust = {{"coalesce-accesses", {0.8, 0.5}}, {"vector-loads", {0.5, 0.5}}};
    return state;
}

FixState caseAt(const std::string& family, double at, const std::string& kind, double times, const std::string& classId = "uncoalesced")
{
    FixState state = stateAt(family, at, classId);
    state.outcomes.push_back({family + "/b", kind, std::log(times)});
    return state;
}

/// Ten families with two cases each: coalescing gives four times, vector loads nothing.
std::vector<FixState> tenFamilies()
{
    std::vector<FixState> states;
    for (int i = 0; i < 10; ++i) {
        states.push_back(caseAt(fmt::format("f{}", i), 1 + 0.01 * i, "coalesce-accesses", 4));
        states.push_back(caseAt(fmt::format("f{}", i), 2 + 0.01 * i, "vector-loads", 1.02));
    }
    return states;
}

TEST(FixModelTest, WithoutCasesItSaysWhatTheTreeSays)
{
    const FixModel model = FixModel::makeTrained({});
    EXPECT_FALSE(model.calibrated());
    const std::vector<FixChance> ranked = model.rank(stateAt("new", 1));
    ASSERT_EQ(ranked.size(), 2U);
    EXPECT_EQ(ranked[0].kind, "coalesce-accesses");
    EXPECT_DOUBLE_EQ(ranked[0].chance, 0.8);
    EXPECT_FALSE(ranked[0].learned);
    EXPECT_NEAR(ranked[0].gain, 0.8 * std::log(2.0), 1e-12) << "the tree's confidence times the estimate";
    EXPECT_NEAR(ranked[0].reduction(), 1 - std::pow(2, -0.8), 1e-12);
}

TEST(FixModelTest, ExpectationIsTheFormulaByHand)
{
    // Two features apart by one deviation or not at all; scales: mean 1.5, deviation 0.5.
    const FixModel model = FixModel::makeTrained({caseAt("f", 1, "coalesce-accesses", 2), caseAt("g", 2, "coalesce-accesses", 1)});
    FixState requested = stateAt("new", 1);
    requested.problem = "other";
    const double far = std::exp(-0.5 * 2 * 2); // two deviations
    const double part = (2 * 0.8 + 1 * 1.0 + far * 0.0) / (2 + 1 + far);
    EXPECT_NEAR(model.estimateChance(requested, "coalesce-accesses").gain, part * std::log(2.0), 1e-12);
    EXPECT_EQ(model.estimateChance(requested, "coalesce-accesses").cases, 1) << "two deviations away is not alike";
}

TEST(FixModelTest, AKindIsHeldToTheEstimateOfTheFindingThatNamesIt)
{
    FixState requested = stateAt("new", 1);
    requested.trust["privatize"] = {0.5, 0.75}; // of a secondary finding
    const FixModel model = FixModel::makeTrained({});
    EXPECT_NEAR(model.estimateChance(requested, "privatize").gain, 0.5 * std::log(4.0), 1e-12);
    EXPECT_NEAR(model.estimateChance(requested, "never-named").gain, 0.05 * std::log(2.0), 1e-12);
    requested.estimate.reset();
    EXPECT_NEAR(model.estimateChance(requested, "never-named").gain, 0.05 * std::log(2.0), 1e-12) << "no estimate promises twice as fast";
}

TEST(FixModelTest, SimilarCasesAreCountedTruly)
{
    const FixModel model = FixModel::makeTrained(tenFamilies());
    const FixChance chance = model.estimateChance(stateAt("new", 1), "coalesce-accesses");
    EXPECT_EQ(chance.cases, 10);
    EXPECT_EQ(chance.kernels, 10);
    EXPECT_TRUE(chance.learned);
    EXPECT_EQ(model.estimateChance(stateAt("new", 1, "divergence"), "coalesce-accesses").cases, 0)
        << "cases of another class are not similar";
    EXPECT_EQ(model.estimateChance(stateAt("new", 1), "never-seen").cases, 0);
    EXPECT_EQ(model.cases(), 20);
    EXPECT_EQ(model.ownCases(), 0);
}

TEST(FixModelTest, CasesMoveTheExpectationAndTheChance)
{
    const FixModel model = FixModel::makeTrained(tenFamilies());
    ASSERT_TRUE(model.calibrated());
    const FixState requested = stateAt("new", 2);
    EXPECT_EQ(model.rank(requested).front().kind, "coalesce-accesses");
    EXPECT_GT(model.estimateChance(stateAt("new", 1), "coalesce-accesses").chance, 0.8);
    EXPECT_LT(model.estimateChance(requested, "vector-loads").chance, 0.3) << "it never paid";
    EXPECT_LT(model.estimateChance(requested, "vector-loads").gain, 0.5 * std::log(2.0)) << "below what the tree trusts it with";
}

TEST(FixModelTest, AChanceIsAboveAHalfJustWhereTheGainPays)
{
    const FixModel model = FixModel::makeTrained(tenFamilies());
    ASSERT_TRUE(model.calibrated());
    int above = 0, below = 0;
    for (double at = 0.5; at < 2.6; at += 0.05)
        for (const FixChance& fix : model.rank(stateAt("new", at))) {
            EXPECT_EQ(fix.chance > 0.5, fix.gain > std::log(1.2)) << fix.kind << " at " << at;
            ++(fix.chance > 0.5 ? above : below);
        }
    EXPECT_GT(above, 0);
    EXPECT_GT(below, 0);
}

TEST(FixModelTest, AKernelIsNoEvidenceAboutItself)
{
    const FixModel model = FixModel::makeTrained(tenFamilies());
    FixState self = caseAt("f0", 1, "coalesce-accesses", 4);
    EXPECT_EQ(model.estimateChance(self, "coalesce-accesses").cases, 9);
}

TEST(FixModelTest, CasesOfOneFamilyCountAsTheRootOfTheirNumber)
{
    std::vector<FixState> four;
    for (int i = 0; i < 4; ++i)
        four.push_back(caseAt("f", 1, "vector-loads", 4));
    FixState requested = stateAt("new", 1);
    requested.problem = "other";
    const double part = (2 * 0.5 + 2 * 2.0) / (2 + 2); // ln 4 is twice the promise
    EXPECT_NEAR(FixModel::makeTrained(four).estimateChance(requested, "vector-loads").gain, part * std::log(2.0), 1e-12);
}

TEST(FixModelTest, StatesWithFewSharedFiguresAreNotAlike)
{
    FixState bare = caseAt("f", 1, "vector-loads", 4);
    bare.features.assign(caseFeatures().size(), std::nullopt);
    bare.features[0] = bare.features[1] = bare.features[2] = 1;
    FixState requested = stateAt("new", 1);
    requested.problem = "other";
    EXPECT_EQ(FixModel::makeTrained({bare}).estimateChance(requested, "vector-loads").cases, 0);
    bare.features[3] = 1;
    EXPECT_EQ(FixModel::makeTrained({bare}).estimateChance(requested, "vector-loads").cases, 1);
}

TEST(FixModelTest, TwentyCasesOfFourFamiliesCalibrate)
{
    std::vector<FixState> states = tenFamilies();
    EXPECT_TRUE(FixModel::makeTrained(states).calibrated());
    states.pop_back();
    EXPECT_FALSE(FixModel::makeTrained(states).calibrated()) << "19";
    const auto ofFamilies = [](int families) {
        std::vector<FixState> cases;
        for (int i = 0; i < 20; ++i)
            cases.push_back(caseAt(fmt::format("f{}", i % families), 1 + 0.01 * i, "vector-loads", i % 2 == 0 ? 4 : 1));
        return FixModel::makeTrained(cases).calibrated();
    };
    EXPECT_FALSE(ofFamilies(3));
    EXPECT_TRUE(ofFamilies(4));
}

TEST(FixModelTest, OneCaseCountsAtMostTwoPromisesAndAtLeastMinusOne)
{
    FixState requested = stateAt("new", 1);
    requested.problem = "other";
    const auto gainAfter = [&](double times, const char* classId = "uncoalesced") {
        return FixModel::makeTrained({caseAt("f", 1, "vector-loads", times, classId)}).estimateChance(requested, "vector-loads").gain;
    };
    EXPECT_NEAR(gainAfter(2), (2 * 0.5 + 1) / 3 * std::log(2.0), 1e-12);
    EXPECT_NEAR(gainAfter(64), (2 * 0.5 + 2) / 3 * std::log(2.0), 1e-12);
    EXPECT_NEAR(gainAfter(1.0 / 64), 0, 1e-12);
    EXPECT_NEAR(gainAfter(4, "divergence"), (2 * 0.5 + 0.1 * 2) / 2.1 * std::log(2.0), 1e-12) << "a tenth elsewhere";
    EXPECT_EQ((FixChance{"k", 0, -1}.reduction()), 0) << "what slows down saves nothing";
    EXPECT_NEAR((FixChance{"k", 0, std::log(4.0)}.reduction()), 0.75, 1e-12);
}

TEST(FixModelTest, EveryKindIsRankedByItsGainAndOwnCasesAreCounted)
{
    FixState own = caseAt("f", 1, "privatize", 64);
    own.own = true;
    own.outcomes.push_back({"f/c", "vector-loads", 0});
    const FixModel model = FixModel::makeTrained({own, caseAt("g", 1, "privatize", 64), caseAt("h", 1, "privatize", 64)});
    EXPECT_EQ(model.cases(), 4);
    EXPECT_EQ(model.ownCases(), 2);
    const std::vector<FixChance> ranked = model.rank(stateAt("new", 1));
    ASSERT_EQ(ranked.size(), 3U);
    EXPECT_EQ(ranked[0].kind, "privatize");
    EXPECT_EQ(ranked[0].cases, 3);
    EXPECT_EQ(ranked[0].kernels, 3);
    EXPECT_TRUE(ranked[0].learned) << "three are not few";
    EXPECT_EQ(ranked[0].chance, 0.05) << "the tree does not name it";
    EXPECT_EQ(ranked[1].kind, "coalesce-accesses");
    EXPECT_GE(ranked[1].gain, ranked[2].gain);
}

} // namespace
} // namespace kl
