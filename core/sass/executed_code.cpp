// SPDX-License-Identifier: MIT
#include "core/sass/executed_code.h"

#include "core/sass/instruction_class.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace kl::inline sass {
namespace {

/// Sums over the launch; divided by its warps at the end.
class Sums {
public:
    void add(const ExecutedInstruction& one)
    {
        const std::string kind = instructionClass(one.low, one.high);
        const auto count = static_cast<double>(one.warps);
        model_.instructions += count;
        threads_ += static_cast<double>(one.threads);
        model_.executed[kind] += count;
        if (kind == "ld.global" || kind == "cp.async")
            addAccesses(model_.loads, one);
        else if (kind == "st.global")
            addAccesses(model_.stores, one);
        else if (kind == "atom")
            addAtomics(one);
        else if (kind == "ld.shared" || kind == "st.shared" || kind == "atom.shared")
            addShared(one);
    }

    WarpModel average(double warps)
    {
        model_.warps = static_cast<int>(std::min<double>(warps, std::numeric_limits<int>::max()));
        model_.activeThreads = model_.instructions > 0 ? threads_ / model_.instructions : 0;
        model_.blockSectors = model_.loads.sectors;
        for (double* sum : {&model_.instructions, &model_.blockSectors, &model_.sharedRequests, &model_.sharedWavefronts,
                            &model_.sharedIdeal, &model_.atomicRequests, &model_.atomicThreads, &model_.atomicAddresses})
            *sum /= warps;
        for (WarpAccesses* side : {&model_.loads, &model_.stores})
            for (double* sum : {&side->requests, &side->sectors, &side->ideal, &side->unknown})
                *sum /= warps;
        for (auto& [kind, sum] : model_.executed)
            sum /= warps;
        return std::move(model_);
    }

private:
    static void addAccesses(WarpAccesses& side, const ExecutedInstruction& one)
    {
        const bool known = one.sectors && one.idealSectors;
        (known ? side.requests : side.unknown) += static_cast<double>(one.warps);
        if (!known)
            return;
        side.sectors += static_cast<double>(*one.sectors);
        side.ideal += static_cast<double>(std::min(*one.idealSectors, *one.sectors));
    }

    void addAtomics(const ExecutedInstruction& one)
    {
        model_.atomicRequests += static_cast<double>(one.warps);
        model_.atomicThreads += static_cast<double>(one.threads);
        model_.atomicAddresses += static_cast<double>(one.sectors.value_or(0));
    }

    void addShared(const ExecutedInstruction& one)
    {
        model_.sharedRequests += static_cast<double>(one.warps);
        const std::int64_t wavefronts = std::max(one.wavefronts.value_or(one.warps), one.warps);
        model_.sharedWavefronts += static_cast<double>(wavefronts);
        model_.sharedIdeal += static_cast<double>(std::min(one.idealWavefronts.value_or(wavefronts), wavefronts));
    }

    WarpModel model_;
    double threads_ = 0;
};

} // namespace

WarpModel buildExecutedModel(std::span<const ExecutedInstruction> instructions, double warps)
{
    Sums sums;
    for (const ExecutedInstruction& one : instructions)
        sums.add(one);
    return sums.average(std::max(warps, 1.0));
}

std::map<std::string, std::int64_t> codeMix(std::span<const ExecutedInstruction> instructions)
{
    std::map<std::string, std::int64_t> mix;
    for (const ExecutedInstruction& one : instructions)
        ++mix[instructionClass(one.low, one.high)];
    return mix;
}

} // namespace kl::inline sass
