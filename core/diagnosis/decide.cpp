// SPDX-License-Identifier: MIT
#include "core/diagnosis/decide.h"

#include "core/base/format.h"

#include <fmt/format.h>

namespace kl::inline diagnosis {
namespace {

// Defaults of the method (speedup_min, 1.0, the success bound, the next-bottleneck bound, kernel_duration_min).
constexpr double kSpeedupMin = 0.5;
constexpr double kParity = 1.0;
constexpr double kSuccess = 1.5;
constexpr double kNextBottleneck = 2.0;
constexpr double kShortKernelMs = 0.010;

NextStep onAnyKernel(StepId id, std::vector<StepInput> more = {})
{
    NextStep step{id, {}, {{StepArgument::kernel, "Which kernel?", {}}}};
    step.inputs.insert(step.inputs.end(), more.begin(), more.end());
    return step;
}

NextStep onAProgram(StepId id)
{
    return {id, {}, {{StepArgument::program, "Which program?", {}}}};
}

Decision::Step profile()
{
    return {"Profile with the full metric set and let the tree name the bottleneck", onAnyKernel(StepId::profile)};
}

Decision::Step profileWithNcu()
{
    return {"Or the same with Nsight Compute, whose report can be analyzed here", onAProgram(StepId::profileWithNcu)};
}

Decision::Step lookAtTimeline()
{
    return {"Look at the gaps between launches on the timeline", onAProgram(StepId::traceWithNsys)};
}

Decision::Step measureGaps()
{
    return {"Measure how busy the GPU is between the first launch and the last: below 50 % is launch overhead", onAnyKernel(StepId::run)};
}

Decision::Step checkSuite()
{
    NextStep step = onAnyKernel(StepId::run);
    step.set(StepArgument::suite, "on");
    return {"Check correctness at every size in the suite", step};
}

Decision::Step measureLarger()
{
    return {"Measure the larger problem sizes", onAnyKernel(StepId::run, {{StepArgument::problem, "Which sizes?", {}}})};
}

Decision::Step keepInSession()
{
    return {"Write down what worked, and keep the variant", {StepId::actInSession, {{StepArgument::action, "keep"}}, {}}};
}

} // namespace

Decision decide(double speedup, double kernelMs)
{
    Decision decision;
    const bool isShort = kernelMs < kShortKernelMs;
    if (isShort) {
        decision.next.push_back(measureGaps());
        decision.next.push_back(lookAtTimeline());
    }
    const auto add = [&](std::initializer_list<Decision::Step> steps) { decision.next.insert(decision.next.end(), steps); };
    const std::string s = formatRatio(speedup);
    if (speedup < kSpeedupMin) {
        decision.level = "critical";
        decision.action = fmt::format("{} of the baseline: stop optimizing and profile with the full metric set", s);
        add({profile(), profileWithNcu()});
    } else if (speedup < kParity) {
        decision.level = "high";
        decision.action = fmt::format("{} of the baseline: profile, then fix the finding with the highest priority", s);
        add({profile(), profileWithNcu()});
    } else if (speedup <= kSuccess) {
        decision.level = "medium";
        decision.action = fmt::format("{} of the baseline: validate correctness, test larger sizes, then profile", s);
        add({checkSuite(), measureLarger(), profile(), profileWithNcu()});
    } else {
        decision.level = "success";
        decision.action = speedup < kNextBottleneck ? fmt::format("{} of the baseline: document it and scale to larger sizes", s)
                                                    : fmt::format("{} of the baseline: document it, then look for the next bottleneck", s);
        if (speedup < kNextBottleneck)
            add({keepInSession(), measureLarger(), profile()});
        else
            add({keepInSession(), profile(), profileWithNcu(), measureLarger()});
    }
    if (isShort)
        decision.action += fmt::format("; but {} is short: ask about launch overhead first.", formatTime(kernelMs * 1e6));
    else
        decision.action += '.';
    return decision;
}

} // namespace kl::inline diagnosis
