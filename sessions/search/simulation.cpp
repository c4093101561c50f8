// SPDX-License-Identifier: MIT
#include "sessions/search/simulation.h"

#include "core/base/parallel.h"
#include "core/base/try.h"

#include <fmt/format.h>

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

} // namespace

Result<std::vector<SimulatedSearch>> simulateSearches(const std::vector<RecordedSpace>& spaces, const SimulationPlan& plan, const Job& job)
{
    std::vector<const StrategyRow*> rows;
    for (const std::string& name : plan.strategies) {
        KL_ASSIGN(const StrategyRow* row, strategyNamed(name));
        rows.push_back(row);
    }
    std::vector<SimulatedSearch> searches;
    for (const RecordedSpace& recorded : spaces) {
        const RandomBaseline baseline(recorded);
        if (baseline.optimum() == baseline.median())
            return Error{.code = ErrorCode::badInput,
                         .message =
                             fmt::format("Half of the points of {} are as fast as the best: there is nothing to search.", recorded.name),
                         .hint = "Use a space whose times differ.",
                         .where = recorded.name};
        const SearchSetting setting(recorded.space);
        for (const StrategyRow* row : rows) {
            job.report(fmt::format("replaying {} with {}", recorded.name, row->name));
            std::vector<ReplayTrace> traces(static_cast<std::size_t>(plan.repeats));
            inParallel(traces.size(), [&](std::size_t repeat) {
                if (job.stop.stop_requested())
                    return;
                Strategy strategy(setting, plan.seed + repeat, row->make(setting));
                traces[repeat] = replaySearch(recorded, strategy, baseline.secondsTo(kScoreShare), plan.width);
            });
            if (job.stop.stop_requested())
                return Error{.code = ErrorCode::interrupted, .message = "The replays were stopped.", .where = recorded.name};
            searches.push_back(summarize(recorded, baseline, row->name, traces));
        }
    }
    return searches;
}

} // namespace kl::inline search
