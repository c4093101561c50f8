// SPDX-License-Identifier: MIT
#include "core/diagnosis/decide.h"

#include "core/base/format.h"

#include <fmt/format.h>

namespace kl {
namespace {

// Defaults of the method (speedup_min, 1.0, the success bound, the next-bottleneck bound, kernel_duration_min).
constexpr double kSpeedupMin = 0.5;
constexpr double kParity = 1.0;
constexpr double kSuccess = 1.5;
constexpr double kNextBottleneck = 2.0;
constexpr double kShortKernelMs = 0.010;

const Decision::Step kProfile{"Profile with the full metric set and let the tree name the bottleneck", "kloop profile",
                              "kloop profile KERNEL"};
const Decision::Step kNcu{"Or the same with Nsight Compute, then read its report here: kloop analyze report.ncu-rep", "ncu",
                          "ncu --set full --import-source on --export report PROGRAM"};
const Decision::Step kTimeline{"Look at the gaps between launches on the timeline", "nsys",
                               "nsys profile --trace=cuda,nvtx --stats=true --output timeline PROGRAM"};
const Decision::Step kGaps{"Measure how busy the GPU is between the first launch and the last: below 50 % is launch overhead", "kloop run",
                           "kloop run KERNEL"};
const Decision::Step kSuite{"Check correctness on every size of the suite", "kloop run", "kloop run KERNEL --suite"};
const Decision::Step kLarger{"Measure the larger problem sizes", "kloop run", "kloop run KERNEL --problem SIZES"};
const Decision::Step kDocument{"Write down what worked, and keep the variant", "kloop session", "kloop session keep"};

} // namespace

Decision decide(double speedup, double kernelMs)
{
    Decision decision;
    const bool isShort = kernelMs < kShortKernelMs;
    if (isShort) {
        decision.next.push_back(kGaps);
        decision.next.push_back(kTimeline);
    }
    const auto add = [&](std::initializer_list<Decision::Step> steps) { decision.next.insert(decision.next.end(), steps); };
    const std::string s = formatRatio(speedup);
    if (speedup < kSpeedupMin) {
        decision.level = "critical";
        decision.action = fmt::format("{} of the baseline: stop optimizing and profile with the full metric set", s);
        add({kProfile, kNcu});
    } else if (speedup < kParity) {
        decision.level = "high";
        decision.action = fmt::format("{} of the baseline: profile, then fix the finding with the highest priority", s);
        add({kProfile, kNcu});
    } else if (speedup <= kSuccess) {
        decision.level = "medium";
        decision.action = fmt::format("{} of the baseline: validate correctness, test larger sizes, then profile", s);
        add({kSuite, kLarger, kProfile, kNcu});
    } else {
        decision.level = "success";
        decision.action = speedup < kNextBottleneck ? fmt::format("{} of the baseline: document it and scale to larger sizes", s)
                                                    : fmt::format("{} of the baseline: document it, then look for the next bottleneck", s);
        if (speedup < kNextBottleneck)
            add({kDocument, kLarger, kProfile});
        else
            add({kDocument, kProfile, kNcu, kLarger});
    }
    if (isShort)
        decision.action += fmt::format("; but {} is short: ask about launch overhead first.", formatTime(kernelMs * 1e6));
    else
        decision.action += '.';
    return decision;
}

} // namespace kl
