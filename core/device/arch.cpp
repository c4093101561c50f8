// SPDX-License-Identifier: MIT
#include "core/device/arch.h"

#include "core/device/device_table.h"
#include "core/device/memory_advice.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <utility>

namespace kl::inline device {
namespace {

/// Compute capabilities, ten times, that first had targets of their own features ("sm_90a") and of a family's ("sm_100f").
constexpr int kFirstSpecific = 90;
constexpr int kFirstFamily = 100;

/// "sm_90a" and "9.0a" as "90a".
std::string bareName(std::string text)
{
    for (const char* prefix : {"sm_", "compute_", "sm"})
        if (text.starts_with(prefix)) {
            text.erase(0, std::string(prefix).size());
            break;
        }
    std::erase(text, '.');
    return text;
}

/// 'a' or 'f' of "sm_90a"; 0 without.
char findArchFeature(const std::string& target)
{
    return !target.empty() && (target.back() == 'a' || target.back() == 'f') ? target.back() : '\0';
}

bool hasFeature(char feature, int ccMajor, int ccMinor)
{
    const int capability = ccMajor * 10 + ccMinor;
    return (feature == 'a' && capability >= kFirstSpecific) || (feature == 'f' && capability >= kFirstFamily);
}

} // namespace

std::string archName(int ccMajor, int ccMinor)
{
    return fmt::format("sm_{}{}", ccMajor, ccMinor);
}

std::string targetLike(const std::string& target, int ccMajor, int ccMinor)
{
    const char feature = findArchFeature(target);
    return archName(ccMajor, ccMinor) + (hasFeature(feature, ccMajor, ccMinor) ? std::string(1, feature) : std::string());
}

bool runsOn(const GpuArch& code, int ccMajor, int ccMinor)
{
    const SmLimits& made = code.limits;
    return made.ccMajor == ccMajor && (findArchFeature(code.target) == 'a' ? made.ccMinor == ccMinor : made.ccMinor <= ccMinor);
}

Result<GpuArch> findArch(const std::string& text)
{
    const std::string bare = bareName(text);
    std::string known;
    for (const CapabilityRow& row : deviceTable().capabilities) {
        const auto [major, minor] = std::pair(row.limits.ccMajor, row.limits.ccMinor);
        const std::string name = archName(major, minor);
        for (const char feature : {'\0', 'a', 'f'}) {
            if (feature != '\0' && !hasFeature(feature, major, minor))
                continue;
            const std::string target = feature == '\0' ? name : name + feature;
            if (target == "sm_" + bare)
                return GpuArch{name, row.limits, target};
            known += (known.empty() ? "" : ", ") + target;
        }
    }
    const Result<const GpuRow*> gpu = findGpuByName(text);
    const bool number = bare.size() < 4 && std::ranges::all_of(bare, [](unsigned char c) { return std::isdigit(c); });
    if (gpu && !number) // "40" is not an A100 of 40 GB
        if (const std::optional<SmLimits> limits = smLimits((*gpu)->ccMajor, (*gpu)->ccMinor)) {
            const std::string name = archName((*gpu)->ccMajor, (*gpu)->ccMinor);
            return GpuArch{name, *limits, name};
        }
    return Error{.code = ErrorCode::badInput,
                 .message = fmt::format("\"{}\" is not an architecture in the device table.", text),
                 .hint = fmt::format("Known: {}; or part of a GPU's name, e.g. H200.", known),
                 .where = text};
}

} // namespace kl::inline device
