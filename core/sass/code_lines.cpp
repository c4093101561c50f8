// SPDX-License-Identifier: MIT
#include "core/sass/code_lines.h"

#include "core/model/source_lines.h"

#include <algorithm>
#include <map>

namespace kl::inline sass {
namespace {

constexpr std::int64_t kOfHottest = 10; ///< a spot has at least one part in so many of the hottest one's samples

void addCounter(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& part)
{
    if (part)
        sum = sum.value_or(0) + *part;
}

void add(CodeInstruction& sum, const CodeInstruction& one)
{
    sum.samples += one.samples;
    sum.stalls.resize(std::max(sum.stalls.size(), one.stalls.size()));
    for (std::size_t i = 0; i < one.stalls.size(); ++i)
        sum.stalls[i] += one.stalls[i];
    for (const auto member : {&CodeInstruction::executed, &CodeInstruction::threads, &CodeInstruction::sectors,
                              &CodeInstruction::idealSectors, &CodeInstruction::wavefronts, &CodeInstruction::idealWavefronts})
        addCounter(sum.*member, one.*member);
    if (one.liveRegisters)
        sum.liveRegisters = std::max(sum.liveRegisters.value_or(0), *one.liveRegisters);
}

} // namespace

std::vector<LineSum> sumLines(const KernelCode& code)
{
    std::vector<LineSum> lines;
    std::map<std::pair<int, int>, std::size_t> places;
    for (std::size_t i = 0; i < code.instructions.size(); ++i) {
        const CodeInstruction& one = code.instructions[i];
        const auto [place, fresh] = places.try_emplace({one.file, one.line}, lines.size());
        if (fresh) {
            LineSum& line = lines.emplace_back();
            line.sum.function = one.function;
            line.sum.offset = one.offset;
            line.sum.file = one.file;
            line.sum.line = one.line;
        }
        add(lines[place->second].sum, one);
        lines[place->second].instructions.push_back(i);
    }
    return lines;
}

std::string dominantStall(const KernelCode& code, const CodeInstruction& instruction)
{
    std::map<std::string, std::int64_t> stalls;
    for (std::size_t i = 0; i < instruction.stalls.size() && i < code.stalls.size(); ++i)
        if (instruction.stalls[i] > 0)
            stalls[code.stalls[i]] = instruction.stalls[i];
    return kl::dominantStall(stalls);
}

std::string_view extractOpcode(std::string_view text)
{
    if (text.starts_with('@')) {
        const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
        text.remove_prefix(std::min(text.find_first_not_of(" \t", end), text.size()));
    }
    return text.substr(0, text.find_first_of(" \t;"));
}

std::vector<std::size_t> hotSpots(const std::vector<std::int64_t>& samples)
{
    std::vector<std::size_t> spots;
    const auto hottest = std::ranges::max_element(samples);
    if (hottest == samples.end() || *hottest <= 0)
        return spots;
    for (std::size_t i = 0; i < samples.size(); ++i)
        if (samples[i] * kOfHottest >= *hottest && (i == 0 || samples[i - 1] < samples[i]) &&
            (i + 1 == samples.size() || samples[i + 1] <= samples[i]))
            spots.push_back(i);
    return spots;
}

} // namespace kl::inline sass
