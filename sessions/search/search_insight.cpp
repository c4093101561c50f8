// SPDX-License-Identifier: MIT
#include "sessions/search/search_insight.h"

#include "core/base/try.h"
#include "core/model/params.h"
#include "core/search/strategy.h"
#include "sessions/search/candidate_space.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace kl::inline search {
namespace {

constexpr std::size_t kFewestPoints = 8;

struct TimedPoint {
    std::map<std::string, std::string> values;
    double log = 0;
};

std::vector<TimedPoint> listTimedPoints(const SearchRecord& record, std::size_t trials)
{
    std::vector<TimedPoint> points;
    for (std::size_t i = 0; i < std::min(trials, record.trials.size()); ++i) {
        const SearchTrial& trial = record.trials[i];
        const Result<Params> tunables = parseParams(trial.tunables);
        if (!trial.ns || !(*trial.ns > 0) || !trial.why.empty() || !tunables)
            continue;
        TimedPoint& point = points.emplace_back();
        point.log = std::log(*trial.ns);
        for (const auto& [name, value] : *tunables)
            point.values[name] = formatParamValue(value);
    }
    return points;
}

/// Adjusted share of the variance that lies between the groups of equal values of these tunables.
double computeVarianceShare(const std::vector<TimedPoint>& points, const std::vector<std::string>& names)
{
    std::map<std::string, std::pair<double, double>> groups; // sum, count
    double sum = 0, squares = 0;
    for (const TimedPoint& point : points) {
        std::string key;
        for (const std::string& name : names) {
            const auto value = point.values.find(name);
            key += (value == point.values.end() ? std::string() : value->second) + '\n';
        }
        groups[key].first += point.log;
        groups[key].second += 1;
        sum += point.log;
        squares += point.log * point.log;
    }
    const auto n = static_cast<double>(points.size());
    const auto k = static_cast<double>(groups.size());
    const double all = squares - sum * sum / n;
    if (all <= 1e-12 * squares || k < 2 || n <= k)
        return 0;
    double between = -sum * sum / n;
    for (const auto& [key, group] : groups)
        between += group.first * group.first / group.second;
    return std::max(0.0, 1 - (1 - between / all) * (n - 1) / (n - k));
}

} // namespace

std::vector<Importance> computeImportance(const SearchRecord& record, std::size_t trials)
{
    const std::vector<TimedPoint> points = listTimedPoints(record, trials);
    if (points.size() < kFewestPoints)
        return {};
    std::vector<Importance> singles, pairs;
    std::map<std::string, double> alone;
    for (const auto& [name, value] : points.front().values) {
        alone[name] = computeVarianceShare(points, {name});
        singles.push_back({{name}, alone[name]});
    }
    for (auto first = alone.begin(); first != alone.end(); ++first)
        for (auto second = std::next(first); second != alone.end(); ++second) {
            const double together = computeVarianceShare(points, {first->first, second->first});
            pairs.push_back({{first->first, second->first}, std::max(0.0, together - first->second - second->second)});
        }
    for (std::vector<Importance>* list : {&singles, &pairs})
        std::ranges::stable_sort(*list, std::ranges::greater(), &Importance::share);
    singles.insert(singles.end(), pairs.begin(), pairs.end());
    return singles;
}

std::vector<std::optional<double>> bestSoFar(const SearchRecord& record)
{
    std::vector<std::optional<double>> best;
    std::optional<double> least;
    for (const SearchTrial& trial : record.trials) {
        if (trial.ns && trial.why.empty() && (!least || *trial.ns < *least))
            least = trial.ns;
        best.push_back(least);
    }
    return best;
}

Result<SearchRecord> replayRecord(const RecordedSpace& space, const std::string& strategy, std::uint64_t seed, std::size_t trials)
{
    KL_ASSIGN(const StrategyRow* row, findStrategy(strategy));
    SearchRecord record;
    record.state = SearchStage::finished;
    record.kernel = space.name;
    record.strategy = strategy;
    record.seed = seed;
    record.total = static_cast<std::int64_t>(space.space.size());
    const SearchSetting setting = space.setting();
    Strategy search(setting, seed, row->make(setting));
    while (record.trials.size() < trials) {
        const std::vector<PointIndex> next = search.ask(1);
        if (next.empty())
            break;
        const PointIndex point = next.front();
        search.tell(point, space.values[point]);
        SearchTrial& trial = record.trials.emplace_back();
        trial.tunables = space.space.text(point);
        if (space.values[point])
            trial.ns = *space.values[point] * 1e6;
        else
            trial.why = space.failures[point];
        trial.seconds = space.costs[point];
        record.seconds += trial.seconds;
        trial.at = record.seconds;
    }
    record.left = record.total - static_cast<std::int64_t>(record.trials.size());
    return record;
}

} // namespace kl::inline search
