// SPDX-License-Identifier: MIT
#include "profiler/import/ncu_units.h"

#include <array>
#include <utility>

namespace kl::inline nsight {
namespace {

using Scale = std::pair<std::string_view, double>;

/// Times above the line: to nanoseconds. "second" as older versions write.
constexpr std::array<Scale, 8> kNanoseconds{
    {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"nsecond", 1}, {"usecond", 1e3}, {"msecond", 1e6}, {"second", 1e9}}};
/// Times below the line: to one second.
constexpr std::array<Scale, 8> kPerSecond{
    {{"ns", 1e9}, {"us", 1e6}, {"ms", 1e3}, {"s", 1}, {"nsecond", 1e9}, {"usecond", 1e6}, {"msecond", 1e3}, {"second", 1}}};

double findFactor(const std::array<Scale, 8>& scales, std::string_view word)
{
    for (const auto& [name, factor] : scales)
        if (name == word)
            return factor;
    return 1;
}

double findPrefixFactor(std::string_view word)
{
    if (!word.ends_with("byte") && !word.ends_with("hz"))
        return 1;
    switch (word.front()) {
    case 'K': return 1e3;
    case 'M': return 1e6;
    case 'G': return 1e9;
    case 'T': return 1e12;
    case 'P': return 1e15;
    default: return 1;
    }
}

} // namespace

double baseUnitFactor(std::string_view unit)
{
    const std::size_t line = unit.find('/');
    const std::string_view above = unit.substr(0, line);
    double factor = findFactor(kNanoseconds, above) * (above.empty() ? 1 : findPrefixFactor(above));
    if (line != std::string_view::npos) {
        const std::string_view below = unit.substr(line + 1);
        factor *= findFactor(kPerSecond, below) * (below.empty() ? 1 : findPrefixFactor(below));
    }
    return factor;
}

} // namespace kl::inline nsight
