// SPDX-License-Identifier: MIT
#include "core/device/arch.h"

#include "core/device/device_table.h"
#include "core/device/memory_advice.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace kl {
namespace {

/// "sm_90a" and "9.0" as "90".
std::string digitsOf(std::string text)
{
    for (const char* prefix : {"sm_", "compute_", "sm"})
        if (text.starts_with(prefix)) {
            text.erase(0, std::string(prefix).size());
            break;
        }
    if (!text.empty() && (text.back() == 'a' || text.back() == 'f')) // a feature set of the same architecture
        text.pop_back();
    std::erase(text, '.');
    return text;
}

} // namespace

std::string archName(int ccMajor, int ccMinor)
{
    return fmt::format("sm_{}{}", ccMajor, ccMinor);
}

Result<GpuArch> archNamed(const std::string& text)
{
    const std::string digits = digitsOf(text);
    std::string known;
    for (const CapabilityRow& row : deviceTable().capabilities) {
        const std::string name = archName(row.limits.ccMajor, row.limits.ccMinor);
        if (name == "sm_" + digits)
            return GpuArch{name, row.limits};
        known += (known.empty() ? "" : ", ") + name;
    }
    const Result<const GpuRow*> gpu = gpuNamed(text);
    const bool number = digits.size() < 4 && std::ranges::all_of(digits, [](unsigned char c) { return std::isdigit(c); });
    if (gpu && !number) // "40" is no A100 of 40 GB
        if (const std::optional<SmLimits> limits = smLimits((*gpu)->ccMajor, (*gpu)->ccMinor))
            return GpuArch{archName((*gpu)->ccMajor, (*gpu)->ccMinor), *limits};
    return Error{ErrorCode::badInput, fmt::format("\"{}\" is no architecture that the device table knows.", text),
                 fmt::format("Known: {}; or part of a GPU's name, as H200.", known), text, std::string()};
}

} // namespace kl
