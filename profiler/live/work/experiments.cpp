// SPDX-License-Identifier: MIT
#include "profiler/live/work/experiments.h"

#include "core/base/try.h"
#include "core/stats/robust.h"
#include "profiler/live/host/launch_changes.h"
#include "profiler/live/work/nvtx_phase.h"

#include <algorithm>
#include <chrono>

namespace kl::inline live {
namespace {

constexpr int kLeastRounds = 5;
constexpr int kMostRounds = 25;
constexpr std::chrono::milliseconds kPatience{200};

/// The shapes that the experiments need, each once, and which two each compares.
struct Shapes {
    std::vector<LaunchSettings> all;

    std::size_t add(const LaunchSettings& shape)
    {
        const auto found = std::ranges::find(all, shape);
        if (found != all.end())
            return static_cast<std::size_t>(found - all.begin());
        all.push_back(shape);
        return all.size() - 1;
    }
};

/// Times of each shape, ns. A round issues every shape once, so that a drift of the clock meets them all.
Result<std::vector<std::vector<double>>> measureTimes(BuiltWork& work, std::size_t index, const std::vector<LaunchSettings>& shapes,
                                                      Bench& bench, const Job& job)
{
    KL_ASSIGN(std::unique_ptr<ActivityRecorder> recorder, ActivityRecorder::start());
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::vector<double>> times(shapes.size());
    for (int round = 0; round < kMostRounds; ++round) {
        if (job.stop.stop_requested())
            return makeCanceledError();
        if (round >= kLeastRounds && std::chrono::steady_clock::now() - begin > kPatience)
            break;
        for (const LaunchSettings& shape : shapes)
            KL_TRY(bench.enqueue({[&] { return work.issueWith(index, shape); }}, true));
        KL_ASSIGN(const auto samples, bench.collect(*recorder, std::vector<std::size_t>(shapes.size(), 1)));
        for (std::size_t i = 0; i < shapes.size(); ++i)
            if (samples[i] && !samples[i]->throttled && round > 0) // the first round warms up
                times[i].push_back(samples[i]->spanNs);
    }
    return times;
}

} // namespace

Result<std::vector<Experiment>> makeExperiments(BuiltWork& work, std::size_t index, Bench& bench, const DeviceInfo& device, const Job& job)
{
    const Phase phase(job, "experiments");
    std::vector<LaunchChange> changes = launchChanges(work.spec().launches[index], work.facts()[index], device);
    Shapes shapes;
    for (const LaunchChange& one : changes)
        if (one.experiment.unavailable.empty()) {
            shapes.add(one.unchanged);
            shapes.add(one.changed);
        }
    const auto times = measureTimes(work, index, shapes.all, bench, job);
    const Status restored = work.restoreShape(index);
    if (!times)
        return times.error();
    KL_TRY(restored);
    std::vector<Experiment> made;
    for (LaunchChange& one : changes) {
        if (one.experiment.unavailable.empty()) {
            const std::vector<double>& before = (*times)[shapes.add(one.unchanged)];
            const std::vector<double>& after = (*times)[shapes.add(one.changed)];
            one.experiment.n = static_cast<int>(std::min(before.size(), after.size()));
            if (one.experiment.n > 0 && computeMedian(before) > 0)
                one.experiment.ratio = computeMedian(after) / computeMedian(before);
            else
                one.experiment.unavailable = "the GPU was throttled, or its activity records were lost";
        }
        made.push_back(std::move(one.experiment));
    }
    return made;
}

} // namespace kl::inline live
