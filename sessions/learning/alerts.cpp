// SPDX-License-Identifier: MIT
#include "sessions/learning/alerts.h"

#include "core/base/format.h"
#include "core/base/try.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace kl {
namespace {

constexpr int kPage = 500;
constexpr int kMostRuns = 5000; ///< the newest; older ones no longer say what is normal

double medianOf(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// The newest runs, newest first.
Result<std::vector<RunSummary>> newestRuns(const Store& store)
{
    std::vector<RunSummary> runs;
    RunQuery query;
    query.limit = kPage;
    while (runs.size() < kMostRuns) {
        KL_ASSIGN(const std::vector<RunSummary> page, store.runs(query));
        runs.insert(runs.end(), page.begin(), page.end());
        if (page.size() < static_cast<std::size_t>(kPage))
            break;
        query.beforeStartedAt = page.back().startedAt;
        query.beforeId = page.back().id.text;
    }
    return runs;
}

} // namespace

std::optional<Regression> findRegression(const std::vector<double>& series)
{
    if (series.size() < kRegressionPoints + 2)
        return std::nullopt;
    const std::vector<double> before(series.begin(), series.end() - 2);
    Regression found;
    found.level = medianOf(before);
    std::vector<double> distance;
    for (const double value : before)
        distance.push_back(std::abs(value - found.level));
    const double sigma = 1.4826 * medianOf(distance);
    found.limit = found.level + std::max(0.01 * found.level, 3 * sigma);
    const double least = std::min(series[series.size() - 1], series[series.size() - 2]);
    if (found.level <= 0 || least <= found.limit)
        return std::nullopt;
    found.change = least / found.level - 1;
    return found;
}

Result<std::vector<Alert>> regressionAlerts(const Store& store)
{
    KL_ASSIGN(const std::vector<RunSummary> runs, newestRuns(store));
    struct Series {
        std::vector<double> times; ///< newest first
        std::string newest;
        std::string from;
    };
    std::map<std::tuple<std::string, std::string, std::string>, Series> all;
    for (const RunSummary& run : runs) {
        if (run.source != Source::live || !isUsable(run) || !run.gpuNs)
            continue;
        const auto [place, fresh] = all.try_emplace({run.kernel, run.problem, run.device});
        Series& series = place->second;
        if (fresh) {
            series.newest = run.id.text;
            series.from = store.setting(fmt::format("new-normal:{}|{}|{}", run.kernel, run.problem, run.device)).value_or("");
        }
        if (run.startedAt >= series.from)
            series.times.push_back(*run.gpuNs);
    }
    std::vector<Alert> alerts;
    for (auto& [key, series] : all) {
        std::reverse(series.times.begin(), series.times.end());
        const std::optional<Regression> slower = findRegression(series.times);
        if (!slower)
            continue;
        const auto& [kernel, problem, device] = key;
        alerts.push_back(
            {"regression",
             fmt::format("{} at {} on {} became {} slower: its last two runs are above {}; before, it took {}.", kernel, problem, device,
                         slower->change < 1 ? formatPercent(slower->change * 100) : formatRatio(1 + slower->change),
                         formatTime(slower->limit), formatTime(slower->level)),
             "run:" + series.newest, NextStep{StepId::profile, {{StepArgument::kernel, kernel}, {StepArgument::problem, problem}}}});
    }
    return alerts;
}

} // namespace kl
