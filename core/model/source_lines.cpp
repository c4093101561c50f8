// SPDX-License-Identifier: MIT
#include "core/model/source_lines.h"

#include <algorithm>
#include <cstdlib>

namespace kl {
namespace {

void addCount(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& part)
{
    if (part)
        sum = sum.value_or(0) + *part;
}

} // namespace

std::string placeText(const std::string& file, int line)
{
    return line > 0 ? file + ':' + std::to_string(line) : "no line";
}

void summarizeLines(SourceProfile& profile, std::size_t most)
{
    std::map<std::pair<std::string, int>, SourceLine> lines;
    profile.samples = 0;
    for (const SampledInstruction& instruction : profile.instructions) {
        SourceLine& line = lines[{instruction.file, instruction.line}];
        line.file = instruction.file;
        line.line = instruction.line;
        line.samples += instruction.samples;
        for (const auto& [reason, samples] : instruction.stalls)
            line.stalls[reason] += samples;
        addCount(line.executed, instruction.executed);
        addCount(line.threads, instruction.threads);
        profile.samples += instruction.samples;
    }
    profile.lines.clear();
    for (auto& [place, line] : lines) {
        line.share = profile.samples > 0 ? static_cast<double>(line.samples) / static_cast<double>(profile.samples) : 0;
        profile.lines.push_back(std::move(line));
    }
    std::ranges::stable_sort(profile.lines, std::ranges::greater{}, &SourceLine::samples);
    std::ranges::stable_sort(profile.instructions, std::ranges::greater{}, &SampledInstruction::samples);
    const auto idle = std::ranges::find(profile.instructions, 0, &SampledInstruction::samples);
    profile.instructions.erase(idle, profile.instructions.end());
    if (profile.instructions.size() > most)
        profile.instructions.resize(most);
}

std::string dominantStall(const std::map<std::string, std::int64_t>& stalls)
{
    std::string word;
    std::int64_t samples = 0;
    for (const auto& [reason, count] : stalls)
        if (reason != "selected" && count > samples) {
            word = reason;
            samples = count;
        }
    return word.empty() && stalls.contains("selected") ? "selected" : word;
}

LinePlace findCause(const SourceLine& line)
{
    const auto most = std::ranges::max_element(line.waitsFor, {}, &std::pair<const std::string, std::int64_t>::second);
    if (most == line.waitsFor.end() || 2 * most->second < line.samples)
        return {line.file, line.line};
    const auto colon = most->first.rfind(':');
    if (colon == std::string::npos)
        return {line.file, line.line};
    return {most->first.substr(0, colon), std::atoi(most->first.c_str() + colon + 1)};
}

} // namespace kl
