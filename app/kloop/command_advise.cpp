// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/program.h"
#include "app/kloop/streams.h"
#include "app/kloop/table.h"
#include "core/base/format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

SharedBy sharedBy(const std::string& word)
{
    return word == "thread" ? SharedBy::thread : word == "block" ? SharedBy::block : SharedBy::grid;
}

std::string renderMemory(const GpuRow& gpu, const std::vector<TierAdvice>& tiers, const std::optional<Placement>& placement)
{
    Table table({"memory", "use for", "optimise", gpu.name});
    for (const TierAdvice& tier : tiers)
        table.add({toWord(tier.tier), tier.useFor, tier.optimize, tier.size});
    std::string text = table.text();
    if (placement)
        text += fmt::format("\nThis data belongs in {}. {}\n  {}\n", toned(toWord(placement->tier), Tone::strong), placement->why,
                            placement->next);
    return text;
}

std::string renderLaunch(const LaunchCost& cost, const LaunchGain& gain)
{
    return fmt::format("A step of {:g} µs: {:g} µs of launch, {:g} µs of kernel\n"
                       "  work on the kernel     at most {} less time\n"
                       "  {:22} {} (all their time stays) to {} (as long as one)\n"
                       "  no launch cost at all  {} at most\n"
                       "  with launches queued ahead a step takes {:g} µs, and work on the kernel saves at most {}\n",
                       gain.serialUs, cost.launchUs, cost.kernelUs, formatPercent(100 * gain.kernelWorkMost),
                       fmt::format("fusing {} kernels", cost.kernels), formatRatio(gain.fusionLeast), formatRatio(gain.fusionMost),
                       formatRatio(gain.launchRemoved), gain.queuedUs, formatPercent(100 * gain.kernelWorkQueued));
}

} // namespace

Result<int> commandAdviseMemory(Program& program, const Options& options)
{
    const Result<const GpuRow*> gpu = gpuNamed(options.calc.gpu.empty() ? "H200" : options.calc.gpu);
    if (!gpu)
        return gpu.error();
    const std::vector<TierAdvice> tiers = memoryHierarchy(**gpu);
    std::optional<Placement> placement;
    if (options.calc.data.bytes != 0) {
        DataUse use = options.calc.data;
        use.sharedBy = sharedBy(options.calc.sharedBy);
        Result<Placement> placed = placeData(use, **gpu);
        if (!placed)
            return placed.error();
        placement = std::move(*placed);
    }
    Json answer{{"schema", "kernelloop.advice.memory/1"}, {"gpu", (*gpu)->name}, {"tiers", Json::array()}, {"placement", nullptr}};
    for (const TierAdvice& tier : tiers)
        answer["tiers"].push_back(
            {{"tier", toWord(tier.tier)}, {"use_for", tier.useFor}, {"optimise", tier.optimize}, {"size", tier.size}});
    if (placement)
        answer["placement"] = {{"tier", toWord(placement->tier)}, {"why", placement->why}, {"next", placement->next}};
    if (!program.printed(answer))
        printText("{}", renderMemory(**gpu, tiers, placement));
    return 0;
}

Result<int> commandAdviseLaunch(Program& program, const Options& options)
{
    const LaunchCost& cost = options.calc.launch;
    const Result<LaunchGain> gain = launchGain(cost);
    if (!gain)
        return gain.error();
    const Json answer{
        {"schema", "kernelloop.advice.launch/1"},
        {"kernel_us", cost.kernelUs},
        {"launch_us", cost.launchUs},
        {"kernels", cost.kernels},
        {"serial_us", gain->serialUs},
        {"queued_us", gain->queuedUs},
        {"kernel_work", {{"runtime_reduction_most", gain->kernelWorkMost}, {"queued_reduction_most", gain->kernelWorkQueued}}},
        {"fusion", {{"speedup_least", gain->fusionLeast}, {"speedup_most", gain->fusionMost}}},
        {"launch_removed_speedup", gain->launchRemoved}};
    if (!program.printed(answer))
        printText("{}", renderLaunch(cost, *gain));
    return 0;
}

} // namespace kl
