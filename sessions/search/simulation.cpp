// SPDX-License-Identifier: MIT
#include "sessions/search/simulation.h"

#include "core/base/parallel.h"
#include "core/base/try.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace kl::inline search {
namespace {

SimulatedSearch summarize(const RecordedSpace& recorded, const RandomBaseline& baseline, const std::string& strategy,
                          const std::vector<ReplayTrace>& traces)
{
    SimulatedSearch search{recorded.name, strategy, recorded.space.size(), static_cast<int>(traces.size()), {}, 0, 0};
    search.result = scoreSearch(recorded, baseline, traces);
    for (const ReplayTrace& trace : traces) {
        search.evaluations += static_cast<double>(trace.evaluations) / static_cast<double>(traces.size());
        search.failed += static_cast<double>(trace.failed) / static_cast<double>(traces.size());
    }
    return search;
}

/// The best time, ms, after plan.trials evaluations, however long they take; infinite where all failed.
double bestAfter(const RecordedSpace& recorded, const StrategyRow& row, const SearchSetting& setting, const SimulationPlan& plan,
                 std::size_t repeat)
{
    Strategy strategy(setting, plan.seed + repeat, row.make(setting));
    constexpr double kForever = std::numeric_limits<double>::infinity();
    const ReplayTrace trace = replaySearch(recorded, strategy, kForever, plan.width, plan.trials);
    return trace.improvements.empty() ? kForever : *recorded.values[trace.improvements.back().point];
}

} // namespace

Result<std::vector<SimulatedSearch>> simulateSearches(std::vector<RecordedSpace> spaces, const SimulationPlan& plan, const Job& job)
{
    std::vector<const StrategyRow*> rows;
    for (const std::string& name : plan.strategies) {
        KL_ASSIGN(const StrategyRow* row, findStrategy(name));
        rows.push_back(row);
    }
    std::vector<SimulatedSearch> searches;
    for (RecordedSpace& recorded : spaces) {
        chargeUnknownCosts(recorded.costs);
        const RandomBaseline baseline(recorded);
        if (baseline.optimum() == baseline.median())
            return Error{.code = ErrorCode::badInput,
                         .message =
                             fmt::format("Half of the points of {} are as fast as the best: there is nothing to search.", recorded.name),
                         .hint = "Use a space whose times differ.",
                         .where = recorded.name};
        const SearchSetting setting = recorded.setting();
        for (const StrategyRow* row : rows) {
            job.report(fmt::format("replaying {} with {}", recorded.name, row->name));
            std::vector<ReplayTrace> traces(static_cast<std::size_t>(plan.repeats));
            std::vector<double> found(plan.trials > 0 ? traces.size() : 0);
            inParallel(traces.size(), [&](std::size_t repeat) {
                if (job.stop.stop_requested())
                    return;
                Strategy strategy(setting, plan.seed + repeat, row->make(setting));
                traces[repeat] = replaySearch(recorded, strategy, baseline.secondsTo(kScoreShare), plan.width);
                if (plan.trials > 0)
                    found[repeat] = bestAfter(recorded, *row, setting, plan, repeat);
            });
            if (job.stop.stop_requested())
                return Error{.code = ErrorCode::interrupted, .message = "The replays were stopped.", .where = recorded.name};
            searches.push_back(summarize(recorded, baseline, row->name, traces));
            if (plan.trials > 0)
                searches.back().near = std::ranges::count_if(found, [&](double ms) { return ms <= kNear * baseline.optimum(); });
        }
    }
    return searches;
}

} // namespace kl::inline search
