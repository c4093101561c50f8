// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/step_commands.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/step_codec.h"
#include "core/device/launch_gain.h"
#include "core/device/memory_advice.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct AdviseMemoryOptions {
    std::string gpu = "H200"; ///< part of a product's name
    DataUse data;             ///< 0 bytes: no data to place
    std::string sharedBy = "grid";
};

SharedBy parseSharedBy(const std::string& word)
{
    return word == "thread" ? SharedBy::thread : word == "block" ? SharedBy::block : SharedBy::grid;
}

std::string renderMemory(const GpuRow& gpu, const std::vector<TierAdvice>& tiers, const std::optional<Placement>& placement)
{
    Table table({"Memory", "Use for", "Optimize", gpu.name});
    for (const TierAdvice& tier : tiers)
        table.add({toWord(tier.tier), tier.useFor, tier.optimize, tier.size});
    std::string text = table.text();
    if (placement)
        text += fmt::format("\nThis data belongs in {}. {}\n  {}\n", applyTone(toWord(placement->tier), Tone::strong), placement->why,
                            withCommands(placement->next, placement->nextSteps));
    return text;
}

std::string renderLaunch(const LaunchCost& cost, const LaunchGain& gain)
{
    return fmt::format("One step: {:g} µs ({:g} µs launch, {:g} µs kernel)\n"
                       "  optimizing the kernel  at most {} less time\n"
                       "  {:22} {} (if their times add up) to {} (if they take as long as one)\n"
                       "  no launch cost         at most {}\n"
                       "  With launches queued ahead, a step takes {:g} µs, and optimizing the kernel saves at most {}.\n",
                       gain.serialUs, cost.launchUs, cost.kernelUs, formatPercent(100 * gain.kernelWorkMost),
                       fmt::format("fusing {} kernels", cost.kernels), formatRatio(gain.fusionLeast), formatRatio(gain.fusionMost),
                       formatRatio(gain.launchRemoved), gain.queuedUs, formatPercent(100 * gain.kernelWorkQueued));
}

Result<int> adviseMemory(Program& program, const AdviseMemoryOptions& options)
{
    KL_ASSIGN(const GpuRow* gpu, findGpuByName(options.gpu));
    const std::vector<TierAdvice> tiers = memoryHierarchy(*gpu);
    std::optional<Placement> placement;
    if (options.data.bytes != 0) {
        DataUse use = options.data;
        use.sharedBy = parseSharedBy(options.sharedBy);
        KL_ASSIGN(Placement placed, placeData(use, *gpu));
        placement = std::move(placed);
    }
    Json answer{{"schema", "kernelloop.advice.memory/1"}, {"gpu", gpu->name}, {"tiers", Json::array()}, {"placement", nullptr}};
    for (const TierAdvice& tier : tiers)
        answer["tiers"].push_back(
            {{"tier", toWord(tier.tier)}, {"use_for", tier.useFor}, {"optimize", tier.optimize}, {"size", tier.size}});
    if (placement)
        answer["placement"] = {{"tier", toWord(placement->tier)},
                               {"why", placement->why},
                               {"next", placement->next},
                               {"next_steps", stepsToJson(placement->nextSteps)}};
    if (!program.printAsJson(answer))
        printText("{}", renderMemory(*gpu, tiers, placement));
    return 0;
}

Result<int> adviseLaunch(Program& program, const LaunchCost& cost)
{
    KL_ASSIGN(const LaunchGain gain, launchGain(cost));
    const Json answer{{"schema", "kernelloop.advice.launch/1"},
                      {"kernel_us", cost.kernelUs},
                      {"launch_us", cost.launchUs},
                      {"kernels", cost.kernels},
                      {"serial_us", gain.serialUs},
                      {"queued_us", gain.queuedUs},
                      {"kernel_work", {{"runtime_reduction_most", gain.kernelWorkMost}, {"queued_reduction_most", gain.kernelWorkQueued}}},
                      {"fusion", {{"speedup_least", gain.fusionLeast}, {"speedup_most", gain.fusionMost}}},
                      {"launch_removed_speedup", gain.launchRemoved}};
    if (!program.printAsJson(answer))
        printText("{}", renderLaunch(cost, gain));
    return 0;
}

Runner addAdviseMemory(CLI::App& app)
{
    const auto o = std::make_shared<AdviseMemoryOptions>();
    app.add_option("--gpu", o->gpu, "Part of the GPU's name")->capture_default_str();
    app.add_option("--bytes", o->data.bytes, "Bytes of the data: per thread, per block or in all, depending on --shared-by");
    app.add_option("--shared-by", o->sharedBy, "Threads that read the same data")
        ->check(CLI::IsMember({"thread", "block", "grid"}))
        ->capture_default_str();
    app.add_option("--reads", o->data.reads, "How often each element is read")->capture_default_str();
    app.add_flag("--read-only", o->data.readOnly, "Nothing writes the data while the kernel runs");
    app.add_flag("--same-address", o->data.sameAddress, "All threads of a warp read the same address at a time");
    return [o](Program& program) { return adviseMemory(program, *o); };
}

Runner addAdviseLaunch(CLI::App& app)
{
    const auto cost = std::make_shared<LaunchCost>();
    app.add_option("--kernel-us", cost->kernelUs, "GPU time of one kernel, µs")->required();
    app.add_option("--launch-us", cost->launchUs, "Cost of one launch, µs: host time minus GPU time")->required();
    app.add_option("--kernels", cost->kernels, "Kernels that could be fused into one")->capture_default_str();
    app.footer("For example, 5 µs kernels and 10 µs launches: kloop advise launch --kernel-us 5 --launch-us 10");
    return [cost](Program& program) { return adviseLaunch(program, *cost); };
}

} // namespace

Runner addAdvise(CLI::App& app)
{
    return addCommands(app, {{"memory", "Memory tiers of a GPU, and where data belongs", addAdviseMemory},
                             {"launch", "What optimizing or fusing kernels can gain when launches take time", addAdviseLaunch}});
}

} // namespace kl::cli
