// SPDX-License-Identifier: MIT
#include "kernels/model/chip.h"

#include "core/base/try.h"
#include "core/device/device_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::inline kernels {

Chip toChip(const DeviceInfo& device)
{
    return device.ccMajor > 0 ? Chip{device.ccMajor, device.ccMinor, device.smCount, device.name} : Chip{};
}

Chip toChip(const GpuArch& arch)
{
    Chip chip{arch.limits.ccMajor, arch.limits.ccMinor};
    const std::vector<GpuRow>& gpus = deviceTable().gpus;
    const auto like =
        std::ranges::find_if(gpus, [&](const GpuRow& gpu) { return gpu.ccMajor == chip.ccMajor && gpu.ccMinor == chip.ccMinor; });
    if (like != gpus.end())
        chip.sms = like->smCount;
    return chip;
}

void addChip(Scope& scope, const Chip& chip)
{
    scope.emplace("SMS", chip.sms);
    scope.emplace("CC", 10 * chip.ccMajor + chip.ccMinor);
}

bool runsOn(const std::vector<std::string>& targets, const Chip& chip)
{
    return targetOn({}, targets, chip).ok();
}

Result<std::string> targetOn(const std::string& kernel, const std::vector<std::string>& targets, const Chip& chip)
{
    const std::string own = archName(chip.ccMajor, chip.ccMinor);
    if (targets.empty())
        return own;
    for (const std::string& target : targets)
        if (const Result<GpuArch> arch = findArch(target); arch && runsOn(*arch, chip.ccMajor, chip.ccMinor))
            return target;
    return Error{.code = ErrorCode::environment,
                 .message = fmt::format("{} is written for {}{}{}.", kernel, fmt::join(targets, ", "),
                                        chip.name.empty() ? ", not for " : fmt::format("; {} is ", chip.name), own),
                 .hint = "Choose a GPU of that architecture, or another variant; the list of kernels shows what each is written for.",
                 .where = kernel,
                 .detail = own}
        .leadTo({StepId::listKernels});
}

Result<std::string> chooseTarget(const std::string& kernel, const std::vector<std::string>& targets, const std::string& requested)
{
    KL_ASSIGN(const GpuArch arch, findArch(requested));
    if (targets.empty() || std::ranges::find(targets, arch.target) != targets.end())
        return arch.target;
    return targetOn(kernel, targets, toChip(arch));
}

} // namespace kl::inline kernels
