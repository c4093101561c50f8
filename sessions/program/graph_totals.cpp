// SPDX-License-Identifier: MIT
#include "sessions/program/graph_totals.h"

#include "core/stats/robust.h"

#include <algorithm>
#include <functional>

namespace kl::inline program {

struct GraphAdder::Sum {
    struct Launch {
        std::uint64_t start = 0;
        std::uint64_t end = 0;
    };
    using KernelKey = std::tuple<int, std::array<int, 3>, std::array<int, 3>>;

    GraphTotals totals;
    UnionTime ran;
    std::map<std::uint32_t, Launch> launches; ///< by correlation
    std::map<KernelKey, GraphKernel> kernels;
};

GraphAdder::GraphAdder() = default;
GraphAdder::~GraphAdder() = default;

void GraphAdder::add(const Activity& activity)
{
    if (!activity.launch || !activity.launch->graph)
        return;
    const TracedLaunch& launch = *activity.launch;
    std::unique_ptr<Sum>& sum = sums_[{activity.process, launch.graphId, activity.device}];
    if (!sum) {
        sum = std::make_unique<Sum>();
        sum->totals.pid = activity.process->pid;
        sum->totals.id = launch.graphId;
    }
    ++sum->totals.kernelLaunches;
    sum->totals.kernelNs += activity.ns();
    sum->ran.add(activity.start, activity.end);
    Sum::Launch& whole = sum->launches.try_emplace(launch.correlation, Sum::Launch{launch.start, launch.end}).first->second;
    whole.start = std::min(whole.start, launch.start);
    whole.end = std::max(whole.end, launch.end);
    GraphKernel& kernel = sum->kernels[{launch.kernel, launch.grid, launch.block}];
    kernel.mangled = activity.process->kernels[static_cast<std::size_t>(launch.kernel)];
    kernel.grid = launch.grid;
    kernel.block = launch.block;
    ++kernel.launches;
    kernel.ns += activity.ns();
}

std::vector<GraphTotals> GraphAdder::graphs() const
{
    std::vector<GraphTotals> list;
    for (const auto& [key, sum] : sums_) {
        GraphTotals totals = sum->totals;
        totals.launches = static_cast<std::int64_t>(sum->launches.size());
        totals.unionNs = sum->ran.ns();
        std::vector<double> spans;
        for (const auto& [correlation, launch] : sum->launches) {
            spans.push_back(static_cast<double>(launch.end - launch.start));
            totals.spanNs += spans.back();
        }
        totals.medianSpanNs = computeMedian(spans);
        for (const auto& [which, kernel] : sum->kernels)
            totals.kernels.push_back(kernel);
        std::ranges::stable_sort(totals.kernels, std::greater{}, &GraphKernel::ns);
        list.push_back(std::move(totals));
    }
    std::ranges::stable_sort(list, std::greater{}, &GraphTotals::kernelNs);
    return list;
}

} // namespace kl::inline program
