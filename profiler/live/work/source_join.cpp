// SPDX-License-Identifier: MIT
#include "profiler/live/work/source_join.h"

#include "core/model/kernel_code.h"
#include "core/model/source_lines.h"
#include "core/sass/kernel_code_reader.h"
#include "core/sass/line_table.h"
#include "profiler/live/cupti/sass_code.h"

#include <algorithm>
#include <cmath>

namespace kl::inline live {
namespace {

using Instructions = std::map<std::pair<std::string, std::uint64_t>, SampledInstruction>;

SampledInstruction& at(Instructions& all, const std::string& function, std::uint64_t offset)
{
    SampledInstruction& one = all[{function, offset}];
    one.function = function;
    one.offset = static_cast<std::int64_t>(offset);
    return one;
}

void place(Instructions& all, SourceLines& places)
{
    for (auto& [key, instruction] : all)
        if (const LineEntry* found = places.find(key.first, instruction.offset)) {
            instruction.file = found->file;
            instruction.line = found->line;
        }
}

std::int64_t countSamples(const SampledInstruction& instruction, std::initializer_list<const char*> reasons)
{
    std::int64_t sum = 0;
    for (const char* reason : reasons)
        if (const auto found = instruction.stalls.find(reason); found != instruction.stalls.end())
            sum += found->second;
    return sum;
}

/// What the samples of one instruction wait for: samples by the offset of the instruction that they await.
std::map<std::uint64_t, std::int64_t> countAwaited(const SampledInstruction& instruction, const SassCode& code)
{
    std::map<std::uint64_t, std::int64_t> awaited;
    const auto offset = static_cast<std::uint64_t>(instruction.offset);
    if (const std::int64_t samples = countSamples(instruction, {"long_scoreboard", "short_scoreboard"}); samples > 0)
        if (const std::vector<std::uint64_t> producers = code.findAwaited(offset); !producers.empty())
            for (const std::uint64_t producer : producers)
                awaited[producer] += samples / static_cast<std::int64_t>(producers.size());
    if (const std::int64_t samples = countSamples(instruction, {"drain"}); samples > 0)
        if (const auto store = code.lastStore(offset))
            awaited[*store] += samples;
    return awaited;
}

using Place = std::pair<std::string, int>; ///< file and line

/// Wavefronts in shared memory, by function and line.
using Wavefronts = std::map<std::string, std::map<Place, std::int64_t>>;

Wavefronts countWavefronts(const std::vector<SassCount>& counts, const Instructions& all)
{
    Wavefronts wavefronts;
    for (const SassCount& count : counts)
        if (const auto found = all.find({count.function, count.offset}); count.sharedWavefronts > 0 && found != all.end())
            wavefronts[count.function][{found->second.file, found->second.line}] += count.sharedWavefronts;
    return wavefronts;
}

/// An access to shared memory that finds the unit's queue full (MIO throttle) waits for the accesses of all warps of the SM that fill it:
/// its samples are shared out by the wavefronts that each line's accesses take.
void traceQueue(const SampledInstruction& instruction, const std::map<Place, std::int64_t>& wavefronts, SourceLine& own)
{
    const std::int64_t samples = countSamples(instruction, {"mio_throttle"});
    if (samples == 0 || !wavefronts.contains({own.file, own.line})) // waits for another user of the queue: a shuffle, a square root
        return;
    double all = 0;
    for (const auto& [place, count] : wavefronts)
        all += static_cast<double>(count);
    for (const auto& [place, count] : wavefronts)
        if (const auto part = std::llround(static_cast<double>(samples) * static_cast<double>(count) / all);
            part > 0 && place != Place{own.file, own.line})
            own.waitsFor[placeText(place.first, place.second)] += part;
}

/// Shares the waits of each instruction out among the other lines that issued what it waits for.
void traceWaits(const Instructions& all, const Wavefronts& wavefronts, std::string_view cubin, SourceLines& places,
                std::vector<SourceLine>& lines)
{
    std::map<std::string, std::optional<SassCode>> code;
    for (const auto& [key, instruction] : all) {
        if (instruction.samples == 0 || instruction.line == 0)
            continue;
        if (!code.contains(key.first))
            code[key.first] = SassCode::of(cubin, key.first);
        const auto own = std::ranges::find_if(
            lines, [&sampled = instruction](const SourceLine& line) { return line.line == sampled.line && line.file == sampled.file; });
        if (own == lines.end())
            continue;
        if (const auto filled = wavefronts.find(key.first); filled != wavefronts.end())
            traceQueue(instruction, filled->second, *own);
        if (!code[key.first])
            continue;
        for (const auto& [producer, samples] : countAwaited(instruction, *code[key.first]))
            if (const LineEntry* from = places.find(key.first, static_cast<std::int64_t>(producer));
                from && (from->line != own->line || from->file != own->file))
                own->waitsFor[placeText(from->file, from->line)] += samples;
    }
}

/// The functions with samples or counts, first the kernel; where its name is spelled otherwise, the one with most samples.
std::vector<std::string> functionsIn(const Instructions& all, const std::string& entry)
{
    std::map<std::string, std::int64_t> samples;
    for (const auto& [key, instruction] : all)
        samples[key.first] += instruction.samples;
    std::vector<std::pair<std::int64_t, std::string>> order;
    for (const auto& [function, count] : samples)
        order.emplace_back(count, function);
    std::ranges::stable_sort(order, std::ranges::greater{}, &std::pair<std::int64_t, std::string>::first);
    std::vector<std::string> names;
    for (auto& [count, function] : order)
        names.push_back(std::move(function));
    std::stable_partition(names.begin(), names.end(), [&](const std::string& name) { return name == entry; });
    return names;
}

/// Every instruction of the functions, with what was sampled and counted there.
KernelCode codeWith(const Instructions& all, const std::vector<SassCount>& counts, std::string_view cubin, const std::string& entry)
{
    const std::vector<std::string> functions = functionsIn(all, entry);
    KernelCode code = readKernelCode(cubin, functions);
    const auto find = [&](const std::string& function, std::int64_t offset) {
        const auto index = std::ranges::find(functions, function) - functions.begin();
        return findInstruction(code, static_cast<int>(index), offset);
    };
    for (const auto& [key, sampled] : all)
        if (CodeInstruction* one = find(key.first, sampled.offset)) {
            addStalls(code, *one, sampled.stalls);
            one->executed = sampled.executed;
            one->threads = sampled.threads;
        }
    for (const SassCount& count : counts)
        if (CodeInstruction* one = find(count.function, static_cast<std::int64_t>(count.offset)); one && count.sharedWavefronts > 0)
            one->wavefronts = one->wavefronts.value_or(0) + count.sharedWavefronts;
    return code;
}

} // namespace

SourceProfile joinSource(const PcSamples& samples, const std::vector<SassCount>& counts, std::string_view cubin, const std::string& entry,
                         const std::vector<std::string>& others)
{
    const auto foreign = [&](const std::string& function) { return std::ranges::find(others, function) != others.end(); };
    Instructions all;
    for (const PcRecord& record : samples.records) {
        if (foreign(record.function))
            continue;
        SampledInstruction& instruction = at(all, record.function, record.offset);
        for (const auto& [reason, count] : record.stalls) {
            instruction.stalls[reason] += count;
            instruction.samples += count;
        }
    }
    for (const SassCount& count : counts) {
        if (foreign(count.function))
            continue;
        SampledInstruction& instruction = at(all, count.function, count.offset);
        instruction.executed = instruction.executed.value_or(0) + count.warps;
        instruction.threads = instruction.threads.value_or(0) + count.threads;
    }
    SourceLines places(cubin);
    place(all, places);

    SourceProfile profile;
    profile.launch = entry;
    profile.dropped = samples.dropped;
    profile.periodCycles = samples.periodCycles;
    for (const auto& [key, instruction] : all)
        profile.instructions.push_back(instruction);
    summarizeLines(profile);
    traceWaits(all, countWavefronts(counts, all), cubin, places, profile.lines);
    if (KernelCode code = codeWith(all, counts, cubin, entry); !code.instructions.empty())
        profile.code = SharedCode(std::move(code));
    return profile;
}

} // namespace kl::inline live
