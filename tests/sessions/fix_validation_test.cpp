// SPDX-License-Identifier: MIT
// The recommender on what was measured: the recorded catalog, and the shipped file, which adds kernels with tunables.
#include "sessions/learning/fix_validation.h"

#include "core/base/format.h"
#include "profiler/replay/replay.h"
#include "tests/sessions/bench_support.h"
#include "tests/support/store_support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kl {
namespace {

/// Profiles of the recording, made once for all tests.
const std::vector<FixState>& recorded()
{
    static const std::vector<FixState> states = [] {
        const auto catalog = Catalog::loadEmbedded();
        const auto tree = DiagnosisTree::loadEmbedded();
        const auto sample = openSample();
        const auto store = support::openStore(":memory:");
        if (!catalog || !tree || !sample)
            return std::vector<FixState>{};
        test::TestBench bench(*catalog, *tree, **sample, *store);
        std::vector<RunRecord> runs;
        for (const Address& kernel : catalog->addresses())
            for (const Params& problem : (*catalog->family(kernel.family))->problems)
                if (Result<RunRecord> run = bench.profile(kernel, problem, 2))
                    runs.push_back(std::move(*run));
        return computeStates(runs, *catalog, *tree);
    }();
    return states;
}

void expectBars(const FixValidation& v)
{
    EXPECT_GE(v.offered.percent(), 70) << validationMarkdown(v);
    EXPECT_GE(v.choice.percent(), 70) << validationMarkdown(v);
    EXPECT_LE(v.ece, 0.1) << validationMarkdown(v);
    EXPECT_LE(v.topEce, 0.12) << validationMarkdown(v);
    // Learning must not cost what the tree knows by itself.
    EXPECT_GE(v.offered.right + 2, v.treeOffered.right) << validationMarkdown(v);
}

TEST(FixValidationTest, WholeFamiliesOfTheRecordingAreForetold)
{
    ASSERT_GE(recorded().size(), 100U);
    const FixValidation v = crossValidate(recorded());
    EXPECT_GE(v.families.size(), 20U);
    EXPECT_GE(v.cases, 120);
    expectBars(v);
}

TEST(FixValidationTest, WholeFamiliesOfTheShippedFileAreForetold)
{
    const auto states = loadShippedStates();
    ASSERT_TRUE(states) << states.error().message;
    expectBars(crossValidate(*states));
}

TEST(FixValidationTest, TheShippedFileHoldsTheRecording)
{
    const auto shipped = loadShippedStates();
    ASSERT_TRUE(shipped) << shipped.error().message;
    for (const FixState& state : recorded()) {
        const auto found =
            std::ranges::find_if(*shipped, [&](const FixState& s) { return s.kernel == state.kernel && s.problem == state.problem; });
        ASSERT_NE(found, shipped->end()) << state.kernel << ' ' << state.problem
                                         << ": tests/bench/recommender/learn.sh writes resources/fix-cases.json again";
        ASSERT_EQ(found->outcomes.size(), state.outcomes.size()) << state.kernel;
        for (std::size_t i = 0; i < state.outcomes.size(); ++i)
            EXPECT_NEAR(found->outcomes[i].gain, state.outcomes[i].gain, 1e-3)
                << state.kernel << ' ' << state.problem << ": tests/bench/recommender/learn.sh writes resources/fix-cases.json again";
    }
}

/// A state of a family where "good" and "odd" were tried; the tree trusts the first.
FixState makeState(const std::string& family, double good, double odd)
{
    FixState state;
    state.family = family;
    state.kernel = family + "/x";
    state.features.assign(caseFeatures().size(), 1.0);
    state.trust = {{"good", {0.9, {}}}, {"odd", {0.4, {}}}};
    state.outcomes = {{"y", "good", std::log(good)}, {"z", "odd", std::log(odd)}};
    return state;
}

TEST(FixValidationTest, AFamilyIsJudgedByOthersAlone)
{
    std::vector<FixState> states;
    for (int i = 0; i < 12; ++i)
        states.push_back(makeState("usual" + std::to_string(i), 3, 1));
    for (int i = 0; i < 4; ++i) // four cases of its own would turn the ranking round
        states.push_back(makeState("strange", 1, 16));
    const FixValidation v = crossValidate(states);
    const auto of = [&](const char* family) { return std::ranges::find(v.families, family, &FamilyTrial::family)->offered; };
    EXPECT_EQ(of("strange").right, 0) << "nothing of it was seen";
    EXPECT_EQ(of("usual0").right, 1);
    EXPECT_EQ(v.families.size(), 13U);
}

TEST(FixValidationTest, TheRatesAndTheErrorAreCounted)
{
    const FixValidation v = crossValidate({makeState("a", 1, 3), makeState("b", 1, 3)});
    EXPECT_EQ(v.cases, 4);
    EXPECT_DOUBLE_EQ(v.paid, 0.5);
    EXPECT_EQ(v.treeOffered.right, 0) << "the tree trusts what gives nothing";
    EXPECT_EQ(v.offered.right, 2) << "each has learned from the other";
    EXPECT_EQ(v.choice.of, 2);
    EXPECT_NEAR(v.topEce, 0.6, 1e-9) << "too few to calibrate by: 40 % for what always pays";
    EXPECT_NEAR(v.ece, (0.9 + 0.6) / 2, 1e-9);
    const std::string text = validationMarkdown(v);
    EXPECT_NE(text.find(fmt::format("| 90 to 100 % | 2 | {} | {} |", formatPercent(90), formatPercent(0))), std::string::npos) << text;
    EXPECT_NE(text.find("| a | 1 | 2 | 1/1"), std::string::npos) << text;
}

TEST(FixValidationTest, WithinTenPercentOfTheBestIsRightAndChoicesAreCounted)
{
    const auto offeredWith = [](double good, double odd) {
        FixState first = makeState("a", good, odd), second = makeState("b", 3, 1);
        return crossValidate({first, second}).families.front();
    };
    EXPECT_EQ(offeredWith(2, 2.19).offered.right, 1);
    EXPECT_EQ(offeredWith(2, 2.21).offered.right, 0);
    EXPECT_EQ(offeredWith(2, 2.21).choice.of, 1);
    EXPECT_EQ(offeredWith(2, 2.21).states, 1);
    EXPECT_EQ(offeredWith(2, 2.21).cases, 2);
    FixState single = makeState("a", 2, 1);
    single.outcomes.pop_back();
    single.outcomes.push_back({"w", "good", std::log(4.0)}); // of the same kind: the better one
    const FixValidation v = crossValidate({single, makeState("b", 3, 1)});
    EXPECT_EQ(v.families.front().choice.of, 0) << "one kind alone";
    EXPECT_EQ(v.families.front().offered.right, 1);
    EXPECT_EQ(v.choice.of, 1);
    EXPECT_EQ(v.offered.of, 2);
    EXPECT_EQ(v.any.of, 2);
    EXPECT_EQ(v.treeAny.of, 2);
    EXPECT_EQ(v.cases, 4);
    EXPECT_DOUBLE_EQ(v.paid, 0.75);
    EXPECT_DOUBLE_EQ((FixRate{1, 4}.percent()), 25);
    EXPECT_EQ(FixRate{}.percent(), 0);
    EXPECT_NE(validationMarkdown({}).find("| none | none |"), std::string::npos);
    EXPECT_EQ(crossValidate({}).ece, 0);
}

TEST(FixValidationTest, OfSeveralChangesOfAKindTheBestCounts)
{
    const auto withGains = [](const std::vector<double>& factors) {
        FixState first = makeState("a", 1, 2), second = makeState("b", 3, 1);
        const std::string kind = second.outcomes.front().kind;
        std::erase_if(first.outcomes, [&](const FixOutcome& outcome) { return outcome.kind == kind; });
        for (const double factor : factors)
            first.outcomes.push_back({"point", kind, std::log(factor)});
        return crossValidate({first, second});
    };
    for (const std::vector<double>& factors : {std::vector<double>{3, 1}, {1, 3}, {1, 3, 1}}) {
        const FixValidation v = withGains(factors);
        EXPECT_EQ(v.families.front().offered.right, 1) << factors.size();
        EXPECT_EQ(v.families.front().cases, static_cast<int>(factors.size()) + 1) << "each is a case";
        EXPECT_EQ(v.families.front().choice.of, 1);
    }
    EXPECT_EQ(withGains({1, 1}).families.front().offered.right, 0);
}

} // namespace
} // namespace kl
