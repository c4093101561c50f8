// SPDX-License-Identifier: MIT
// The table of strategies. To add one: a Proposer in a file of its own, and a row here. Help, JSON, the replay and its benchmark follow
// from the row, and tests/core/search_strategies_test.cpp checks it.
#include "core/base/nearest.h"
#include "core/search/annealing.h"
#include "core/search/forest_search.h"
#include "core/search/genetic.h"
#include "core/search/greedy.h"
#include "core/search/portfolio.h"
#include "core/search/tpe.h"
#include "core/search/vndx.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::inline spaces {
namespace {

template <class Kind> std::unique_ptr<Proposer> make(const SearchSetting&)
{
    return std::make_unique<Kind>();
}

std::unique_ptr<Proposer> makePortfolio(const SearchSetting& setting)
{
    if (setting.space.size() <= kBruteForcePoints)
        return std::make_unique<BruteForce>();
    return std::make_unique<Portfolio>();
}

constexpr std::array kRows{
    StrategyRow{kDefaultStrategy, "random_forest alternating with vndx; up to 60 points: all in order", makePortfolio},
    StrategyRow{"brute_force", "all points in order", make<BruteForce>},
    StrategyRow{"random_sample", "all points in random order", make<RandomSample>},
    StrategyRow{"latin_hypercube", "Latin hypercubes of 20 points", make<LatinHypercube>},
    StrategyRow{"greedy_mls", "neighbors of the best point, starting from the default", make<Greedy>},
    StrategyRow{"genetic_algorithm", "20 individuals with single-point crossover", make<Genetic>},
    StrategyRow{"simulated_annealing", "a random walk over neighbors, with a falling temperature", make<Annealing>},
    StrategyRow{"tpe", "20 points of a Latin hypercube, then a tree-structured Parzen estimator", make<Tpe>},
    StrategyRow{"vndx", "variable neighborhoods, crossover and nearest neighbors, as in Kernel Tuner", make<Vndx>},
    StrategyRow{"random_forest", "20 points of a Latin hypercube, then the lower confidence bound of a random forest", make<ForestSearch>}};

} // namespace

std::span<const StrategyRow> strategies()
{
    return kRows;
}

Result<const StrategyRow*> findStrategy(const std::string& name)
{
    const auto row = std::ranges::find(kRows, name, [](const StrategyRow& each) { return std::string_view(each.name); });
    if (row != kRows.end())
        return &*row;
    std::vector<std::string> names;
    for (const StrategyRow& each : kRows)
        names.emplace_back(each.name);
    const std::vector<std::string> near = nearestNames(name, names);
    return Error{.code = ErrorCode::notFound,
                 .message = fmt::format("There is no search strategy \"{}\".", name),
                 .hint = near.empty() ? fmt::format("Choose one of {}.", fmt::join(names, ", "))
                                      : fmt::format("Did you mean {}?", fmt::join(near, " or ")),
                 .where = name};
}

} // namespace kl::inline spaces
