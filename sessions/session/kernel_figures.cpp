// SPDX-License-Identifier: MIT
#include "sessions/session/kernel_figures.h"

#include "core/device/device_table.h"
#include "sessions/session/session_model.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::inline session {
namespace {

/// What a launch costs a host where a run does not say, microseconds: the October 2025 learning-loop document's figure.
constexpr double kDocumentedLaunchUs = 5;

/// The newest run of the current variant that has launches; null before one.
const RunRecord* findNewestRun(const SessionView& view)
{
    for (const std::optional<RunRecord>* run : {&view.profileRun, &view.baselineRun, &view.startRun, &view.smallestRun})
        if (*run && (*run)->kernel == view.current && !(*run)->launches.empty())
            return &**run;
    return nullptr;
}

/// The device of the run, else the one that the session was opened on, as far as the table knows it.
std::optional<DeviceInfo> deviceFor(const SessionView& view, const RunRecord* run)
{
    if (run != nullptr)
        return run->device;
    const GpuRow* row = findGpu(view.device);
    return row != nullptr ? std::optional(describeDevice(*row)) : std::nullopt;
}

void addLaunch(KernelFigures& figures, const RunRecord& run)
{
    const auto bytes = [](const LaunchFacts& launch) { return launch.staticSmem + launch.dynamicSmem; };
    const LaunchFacts& launch = *std::ranges::max_element(run.launches, {}, bytes);
    figures.compiled = true;
    figures.smem = bytes(launch);
    figures.registers = launch.registers;
    figures.threads = launch.blockThreads;
    figures.run = run.id.text;
}

void addOverhead(KernelFigures& figures, const SessionView& view)
{
    const std::optional<RunRecord>& run = view.baselineRun;
    if (!run || !run->timing || run->timing->gpu.median <= 0)
        return;
    const Timing& timing = *run->timing;
    const double launch = timing.host ? *timing.host - timing.gpu.median : 0;
    figures.launchMeasured = launch > 0;
    figures.cost = LaunchCost{timing.gpu.median / 1000, figures.launchMeasured ? launch / 1000 : kDocumentedLaunchUs};
    if (const Result<LaunchGain> gain = launchGain(*figures.cost))
        figures.gain = *gain;
}

} // namespace

std::optional<KernelFigures> gatherFigures(const SessionModel& model)
{
    const SessionView& view = model.view;
    if (!model.catalog)
        return {};
    const RunRecord* run = findNewestRun(view);
    const Result<WorkSpec> work = model.catalog->work(view.current, run ? run->problem : view.problem, run ? toChip(run->device) : Chip{});
    if (!work || work->launches.empty())
        return {};
    const LaunchSpec& planned = *std::ranges::max_element(work->launches, {}, &LaunchSpec::dynamicSmem);
    KernelFigures figures;
    figures.kernel = toText(view.current);
    figures.problem = work->problem;
    std::vector<std::int64_t> block = planned.block;
    while (block.size() > 1 && block.back() == 1)
        block.pop_back();
    figures.block = fmt::format("{}", fmt::join(block, " × "));
    figures.threads = 1;
    for (const std::int64_t side : planned.block)
        figures.threads *= static_cast<int>(side);
    figures.smem = planned.dynamicSmem;
    if (run != nullptr)
        addLaunch(figures, *run);
    if (const std::optional<DeviceInfo> device = deviceFor(view, run)) {
        figures.gpu = device->name;
        if (const std::optional<SmLimits> limits = smLimits(*device)) {
            figures.fit = smemFit(figures.smem, limits->smemOptin);
            if (figures.registers)
                figures.occupancy = computeOccupancy(*limits, {figures.threads, *figures.registers, figures.smem});
        }
    }
    addOverhead(figures, view);
    return figures;
}

} // namespace kl::inline session
