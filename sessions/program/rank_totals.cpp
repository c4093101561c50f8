// SPDX-License-Identifier: MIT
#include "sessions/program/rank_totals.h"

#include <algorithm>

namespace kl::inline program {

void RankAdder::add(const DeviceKey& device, const Activity& activity)
{
    const ProcessTrace& process = *activity.process;
    const Who who = process.rank ? Who{false, process.rank->rank, device} : Who{true, process.pid, device};
    const auto [found, fresh] = sums_.try_emplace(who);
    Sum& sum = found->second;
    RankTotals& totals = sum.totals;
    if (fresh) {
        totals.rank = process.rank;
        totals.deviceIndex = activity.device;
        totals.device = describeDevice(process, activity.device);
        sum.first = activity.start;
    }
    sum.processes.insert(&process);
    sum.busy.add(activity.start, activity.end);
    if (!activity.launch) {
        totals.copyNs += activity.ns();
        return;
    }
    ++totals.launches;
    totals.kernelNs += activity.ns();
    const std::string& kernel = process.kernels[static_cast<std::size_t>(activity.launch->kernel)];
    const auto [known, unknown] = waits_.try_emplace(kernel, false);
    if (unknown)
        known->second = !explainNotReplayed(kernel).empty();
    totals.waitingNs += known->second ? activity.ns() : 0;
}

std::vector<RankTotals> RankAdder::ranks(const std::vector<ProcessTrace>& processes) const
{
    std::vector<RankTotals> list;
    for (const auto& [who, sum] : sums_) {
        RankTotals totals = sum.totals;
        totals.busyNs = sum.busy.ns();
        totals.spanNs = static_cast<double>(sum.busy.until() - sum.first);
        for (const ProcessTrace& process : processes)
            if (sum.processes.contains(&process))
                totals.pids.push_back(process.pid);
        list.push_back(std::move(totals));
    }
    const auto place = [&](const RankTotals& totals) {
        const auto at = std::ranges::find(processes, totals.pids.front(), &ProcessTrace::pid);
        return std::tuple(!totals.rank, totals.rank ? totals.rank->rank : static_cast<int>(at - processes.begin()), totals.deviceIndex);
    };
    std::ranges::stable_sort(list, {}, place);
    return list;
}

} // namespace kl::inline program
