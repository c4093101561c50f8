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
    StrategyRow{kDefaultStrategy, "Latin hypercube, then a random forest alternating with vndx; in order up to 60 points", makePortfolio},
    StrategyRow{"brute_force", "all points in order", make<BruteForce>},
    StrategyRow{"random_sample", "all points, shuffled", make<RandomSample>},
    StrategyRow{"latin_hypercube", "Latin hypercubes of 20 points", make<LatinHypercube>},
    StrategyRow{"greedy_mls", "neighbors of the best, starting from the default", make<Greedy>},
    StrategyRow{"genetic_algorithm", "20 individuals, single-point crossover", make<Genetic>},
    StrategyRow{"simulated_annealing", "a walk over neighbors that cools", make<Annealing>},
    StrategyRow{"tpe", "tree-structured Parzen estimator after 20 points of a Latin hypercube", make<Tpe>},
    StrategyRow{"vndx", "variable neighborhoods, crossover and nearest neighbors (HybridVNDX, corrected)", make<Vndx>},
    StrategyRow{"random_forest", "lower confidence bound of a random forest after 20 points of a Latin hypercube", make<ForestSearch>}};

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
