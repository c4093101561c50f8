// SPDX-License-Identifier: MIT
#include "core/base/checksum.h"
#include "core/search/random_source.h"
#include "core/search/replay.h"
#include "core/search/strategy.h"
#include "tests/core/search_space_support.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace kl {
namespace {

const RecordedSpace& tiled()
{
    static const RecordedSpace space = test::tiledSpace();
    return space;
}

/// Everything that a strategy proposes, in order. `answers`: which, and how many of the open points are answered before it is asked again,
/// drawn at random with this seed; none: all, in order.
std::vector<PointIndex> collectProposals(const StrategyRow& row, const SearchSetting& setting, std::uint64_t seed, std::size_t width,
                                         std::optional<std::uint64_t> answers = {})
{
    Strategy strategy(setting, seed, row.make(setting));
    std::optional<RandomSource> random;
    if (answers)
        random.emplace(*answers);
    std::vector<PointIndex> all;
    std::vector<PointIndex> open;
    while (true) {
        const std::vector<PointIndex> points = strategy.ask(width);
        all.insert(all.end(), points.begin(), points.end());
        open.insert(open.end(), points.begin(), points.end());
        if (open.empty())
            return all;
        EXPECT_LE(open.size(), width) << row.name;
        for (std::size_t count = random ? 1 + random->below(open.size()) : open.size(); count > 0; --count) {
            const std::size_t place = random ? random->below(open.size()) : 0;
            strategy.tell(open[place], tiled().values[open[place]]);
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(place));
        }
    }
}

class SearchStrategies : public testing::TestWithParam<const StrategyRow*> {};

TEST_P(SearchStrategies, ProposesEveryPointOnceAndThenEnds)
{
    const SearchSetting setting(tiled().space);
    for (const std::size_t width : {1, 7}) {
        const std::vector<PointIndex> all = collectProposals(*GetParam(), setting, 1, width);
        EXPECT_EQ(all.size(), setting.space.size());
        EXPECT_EQ(std::set<PointIndex>(all.begin(), all.end()).size(), setting.space.size());
    }
}

TEST_P(SearchStrategies, TheSeedAndTheWidthFixEveryProposalWhateverTheOrderOfAnswers)
{
    const SearchSetting setting(tiled().space);
    const std::vector<PointIndex> once = collectProposals(*GetParam(), setting, 5, 6);
    EXPECT_EQ(once, collectProposals(*GetParam(), setting, 5, 6));
    for (const std::uint64_t order : {1, 2, 3})
        EXPECT_EQ(once, collectProposals(*GetParam(), setting, 5, 6, order));
    if (GetParam()->name != std::string("brute_force")) {
        EXPECT_NE(once, collectProposals(*GetParam(), setting, 6, 6));
    }
}

TEST_P(SearchStrategies, EndsWhereEveryPointFailsAndWhereThereIsOne)
{
    const SearchSetting setting(tiled().space);
    Strategy strategy(setting, 1, GetParam()->make(setting));
    std::size_t count = 0;
    for (std::vector<PointIndex> round = strategy.ask(4); !round.empty(); round = strategy.ask(4))
        for (const PointIndex point : round) {
            strategy.tell(point, {});
            ++count;
        }
    EXPECT_EQ(count, setting.space.size());
    const SearchSetting single(*TuningSpace::fromTexts({"A"}, {{"1"}}));
    Strategy one(single, 1, GetParam()->make(single));
    ASSERT_EQ(one.ask(3).size(), 1U);
    one.tell(0, 1.0);
    EXPECT_TRUE(one.ask(3).empty());
}

INSTANTIATE_TEST_SUITE_P(All, SearchStrategies, testing::ValuesIn([] {
                             std::vector<const StrategyRow*> rows;
                             for (const StrategyRow& row : strategies())
                                 rows.push_back(&row);
                             return rows;
                         }()),
                         [](const auto& of) { return std::string(of.param->name); });

TEST(SearchStrategy, ThePortfolioBeginsAtTheStartsAndMeasuresAFewPointsInOrder)
{
    SearchSetting setting(tiled().space);
    setting.start = {17, 3};
    EXPECT_EQ(std::string(strategies().front().name), kDefaultStrategy);
    const std::vector<PointIndex> all = collectProposals(strategies().front(), setting, 1, 1);
    EXPECT_EQ((std::vector<PointIndex>{all[0], all[1]}), setting.start);
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < kBruteForcePoints; ++i)
        rows.push_back({std::to_string(i)});
    const SearchSetting few(*TuningSpace::fromTexts({"A"}, rows));
    EXPECT_TRUE(std::ranges::is_sorted(collectProposals(strategies().front(), few, 1, 1)));
}

TEST(SearchStrategy, AnUnknownNameIsAnsweredWithSimilarOnes)
{
    EXPECT_TRUE(findStrategy("random_forest"));
    const Result<const StrategyRow*> row = findStrategy("random_forst");
    ASSERT_FALSE(row);
    EXPECT_EQ(row.error().code, ErrorCode::notFound);
    EXPECT_NE(row.error().hint.find("random_forest"), std::string::npos);
}

/// The published VNDX drops the best of its elite: here it keeps them.
TEST(SearchStrategy, TheEliteHoldsTheBestPoints)
{
    const SearchSetting setting(tiled().space);
    SearchState state(setting, 1);
    for (PointIndex point = 0; point < 20; ++point) {
        state.give(point);
        state.answer({point, point == 7 ? std::nullopt : std::optional(1.0 + (point * 7) % 20)});
    }
    std::vector<double> elite;
    for (const Trial& trial : state.elite())
        elite.push_back(*trial.value);
    EXPECT_EQ(elite, (std::vector<double>{1, 2, 3, 4, 5}));
    EXPECT_EQ(state.worst(), 20);
}

TEST(SearchStrategy, GreedyReachesTheSummitOfASmoothSpaceEarly)
{
    std::vector<std::vector<std::string>> rows;
    std::vector<double> times;
    for (const int n : {32, 64, 128})
        for (const int warps : {2, 4, 8})
            for (const int stages : {1, 2}) {
                rows.push_back({std::to_string(n), std::to_string(warps), std::to_string(stages)});
                times.push_back(n / 32.0 + warps / 2.0 + stages);
            }
    SearchSetting setting(*TuningSpace::fromTexts({"BLOCK_N", "WARPS", "STAGES"}, rows));
    const PointIndex summit = std::ranges::min_element(times) - times.begin();
    setting.start = {static_cast<PointIndex>(rows.size() - 1)}; // the farthest from it
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        Strategy strategy(setting, seed, (*findStrategy("greedy_mls"))->make(setting));
        std::size_t evaluations = 0;
        while (true) {
            const std::vector<PointIndex> next = strategy.ask(1);
            ASSERT_EQ(next.size(), 1U);
            ++evaluations;
            if (evaluations == 1) {
                EXPECT_EQ(next[0], setting.start[0]);
            }
            if (next[0] == summit)
                break;
            strategy.tell(next[0], times[next[0]]);
        }
        EXPECT_LE(evaluations, 15U) << "seed " << seed;
        EXPECT_GT(evaluations, 1U);
    }
}

/// What lies near a good start is found while a Latin hypercube of 20 points, which the forest alone begins with, still goes on: medians
/// over 15 seeds of the rank of the best of 20 points.
TEST(SearchStrategy, ThePortfolioSearchesBesideAGoodStartFromTheBeginning)
{
    const RandomBaseline baseline(tiled());
    SearchSetting setting(tiled().space);
    for (PointIndex point = 0; setting.start.empty(); ++point)
        if (tiled().values[point] == baseline.values()[baseline.values().size() / 10])
            setting.start = {point};
    const auto rankAfterTwenty = [&](const char* name) {
        std::vector<std::size_t> ranks;
        for (std::uint64_t seed = 0; seed < 15; ++seed) {
            Strategy strategy(setting, seed, (*findStrategy(name))->make(setting));
            ranks.push_back(baseline.findRank(replaySearch(tiled(), strategy, 20).improvements.back().point)); // a second each
        }
        std::ranges::sort(ranks);
        return ranks[7];
    };
    EXPECT_LT(rankAfterTwenty("portfolio"), rankAfterTwenty("random_forest"));
}

/// Evaluations until the best point, which are the same on every machine: medians over 15 seeds, at most kMost + 1.
TEST(SearchStrategy, ModelsFindTheBestPointEarlierThanSampling)
{
    constexpr std::size_t kMost = 150;
    const SearchSetting setting(tiled().space);
    const RandomBaseline baseline(tiled());
    std::map<std::string, std::size_t> evaluations;
    for (const char* name : {"portfolio", "random_forest", "vndx", "random_sample"}) {
        std::vector<std::size_t> counts;
        for (std::uint64_t seed = 0; seed < 15; ++seed) {
            Strategy strategy(setting, seed, (*findStrategy(name))->make(setting));
            const Improvement best = replaySearch(tiled(), strategy, kMost).improvements.back(); // a second each
            counts.push_back(baseline.findRank(best.point) == 0 ? best.evaluations : kMost + 1);
        }
        std::ranges::sort(counts);
        evaluations[name] = counts[7];
    }
    EXPECT_LT(evaluations["portfolio"] * 2, evaluations["random_sample"]);
    EXPECT_LT(evaluations["random_forest"] * 2, evaluations["random_sample"]);
    EXPECT_LT(evaluations["vndx"] * 2, evaluations["random_sample"]);
}

TEST(SearchStrategy, AnnealingComparesTimesWhateverTheirUnit)
{
    const SearchSetting setting(tiled().space);
    const auto first = [&](double unit) {
        Strategy strategy(setting, 5, (*findStrategy("simulated_annealing"))->make(setting));
        std::vector<PointIndex> all;
        for (int i = 0; i < 200; ++i)
            for (const PointIndex point : strategy.ask(1)) {
                all.push_back(point);
                const std::optional<double>& value = tiled().values[point];
                strategy.tell(point, value ? std::optional(*value * unit) : value);
            }
        return all;
    };
    EXPECT_EQ(first(1024), first(1));
}

TEST(SearchStrategy, AnnealingWaitsForItsAnswerWhateverTheWidth)
{
    const SearchSetting setting(tiled().space);
    Strategy strategy(setting, 5, (*findStrategy("simulated_annealing"))->make(setting));
    ASSERT_EQ(strategy.ask(4).size(), 1U);
    EXPECT_TRUE(strategy.ask(4).empty());
}

/// What is proposed depends on the setting, the seed and the width alone: on every machine, and in the next version, too.
TEST_P(SearchStrategies, ASeedProposesWhatItAlwaysDid)
{
    static const std::map<std::string, std::uint64_t> recorded{{"portfolio", 6964686434058865483U},
                                                               {"brute_force", 6663549859805270880U},
                                                               {"random_sample", 3360632011384337056U},
                                                               {"latin_hypercube", 15736105664440317056U},
                                                               {"greedy_mls", 11276570831650367680U},
                                                               {"genetic_algorithm", 6303875582910031424U},
                                                               {"simulated_annealing", 10790334143533496320U},
                                                               {"tpe", 10579503531155374272U},
                                                               {"vndx", 7362756130233169403U},
                                                               {"random_forest", 13597279713201847882U}};
    SearchSetting setting(tiled().space);
    setting.start = {101};
    std::uint64_t sum = 0;
    for (const std::size_t width : {1, 4}) {
        Strategy strategy(setting, 7, GetParam()->make(setting));
        std::string proposed;
        for (std::size_t count = 0; count < 320;)
            for (const PointIndex point : strategy.ask(width)) {
                proposed += std::to_string(point) + ' ';
                strategy.tell(point, tiled().values[point]);
                ++count;
            }
        sum = sum * 31 + computeChecksum(proposed);
    }
    EXPECT_EQ(sum, recorded.at(GetParam()->name));
}

TEST(SearchStrategy, ASpaceOfOnePointMoreIsNotSearchedInOrder)
{
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i <= kBruteForcePoints; ++i)
        rows.push_back({std::to_string(i)});
    const SearchSetting setting(*TuningSpace::fromTexts({"A"}, rows));
    const std::vector<PointIndex> all = collectProposals(strategies().front(), setting, 1, 1);
    EXPECT_EQ(all.size(), kBruteForcePoints + 1);
    EXPECT_FALSE(std::ranges::is_sorted(all));
}

TEST(SearchStrategy, NoMorePointsAreOpenThanRequestedAndAnswersMayComeLate)
{
    const SearchSetting setting(tiled().space);
    Strategy strategy(setting, 1, (*findStrategy("random_sample"))->make(setting));
    const std::vector<PointIndex> first = strategy.ask(3);
    ASSERT_EQ(first.size(), 3U);
    EXPECT_TRUE(strategy.ask(3).empty()) << "nothing was answered";
    strategy.tell(first[2], 1.0);
    EXPECT_TRUE(strategy.ask(3).empty()) << "the oldest is still open";
    strategy.tell(first[0], {});
    EXPECT_EQ(strategy.ask(3).size(), 1U);
    strategy.tell(first[1], 2.0);
    EXPECT_EQ(strategy.ask(3).size(), 2U) << "the one that was answered early, too";
}

} // namespace
} // namespace kl
