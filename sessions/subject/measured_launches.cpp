// SPDX-License-Identifier: MIT
#include "sessions/subject/measured_launches.h"

#include "core/base/try.h"
#include "kernels/model/expression.h"
#include "profiler/protocol/kernel_pattern.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>

namespace kl::inline subjects {
namespace {

constexpr std::size_t kNamed = 6; ///< kernels that a message names

Error makeUnmeasuredError(const std::string& message, const std::string& hint)
{
    return {.code = ErrorCode::kernelFailed, .message = message, .hint = hint, .where = "target.kernel"};
}

std::string sizeText(const std::array<int, 3>& size)
{
    return fmt::format("{}x{}x{}", size[0], size[1], size[2]);
}

std::string shapeText(const TracedLaunch& launch)
{
    return fmt::format("grid {}, block {}", sizeText(launch.grid), sizeText(launch.block));
}

/// The extents that the formulas give, missing ones 1; unset without formulas.
Result<std::optional<std::array<int, 3>>> evaluateExtents(const std::vector<std::string>& formulas, const Params& problem)
{
    if (formulas.empty())
        return std::optional<std::array<int, 3>>{};
    Scope scope;
    for (const auto& [name, value] : problem)
        if (const std::int64_t* number = numberIn(problem, name))
            scope[name] = static_cast<double>(*number);
    std::array<int, 3> extents{1, 1, 1};
    for (std::size_t i = 0; i < formulas.size() && i < extents.size(); ++i) {
        KL_ASSIGN(const std::int64_t count, evaluateCount(formulas[i], scope, 1));
        extents[i] = static_cast<int>(std::min<std::int64_t>(count, std::numeric_limits<int>::max()));
    }
    return std::optional(extents);
}

std::string nameLaunch(const ProcessTrace& process, const TracedLaunch& launch)
{
    return demangle(process.kernels[static_cast<std::size_t>(launch.kernel)]);
}

/// "scale (grid 4x1x1, block 256x1x1), …" of launches that were made.
std::string formatLaunches(const ProcessTrace& process, const std::vector<TracedLaunch>& launches)
{
    std::set<std::string> names;
    for (const TracedLaunch& launch : launches) {
        std::string name = nameLaunch(process, launch);
        names.insert(fmt::format("{} ({})", name.substr(0, name.find('(')), shapeText(launch)));
    }
    std::string text;
    std::size_t shown = 0;
    for (const std::string& name : names)
        if (shown++ < kNamed)
            text += (text.empty() ? "" : "; ") + name;
    if (names.size() > kNamed)
        text += fmt::format("; and {} more", names.size() - kNamed);
    return text;
}

std::vector<TracedLaunch> inOrder(const ProcessTrace& process)
{
    std::vector<TracedLaunch> launches = process.launches;
    std::ranges::stable_sort(launches, {}, &TracedLaunch::start);
    return launches;
}

bool insideRange(const ProcessTrace& process, const TracedLaunch& launch, const std::string& range)
{
    const auto stack = process.stackOf.find(launch.correlation);
    return stack != process.stackOf.end() && std::ranges::find(process.stacks[static_cast<std::size_t>(stack->second)], range) !=
                                                 process.stacks[static_cast<std::size_t>(stack->second)].end();
}

/// The chosen launches of one process, in order of start.
Result<std::vector<TracedLaunch>> chooseTracedLaunches(const ProcessTrace& process, const LaunchChoice& choice, const Params& problem)
{
    KL_ASSIGN(const KernelPattern pattern, KernelPattern::parse(choice.kernel));
    KL_ASSIGN(const auto grid, evaluateExtents(choice.grid, problem));
    KL_ASSIGN(const auto block, evaluateExtents(choice.block, problem));
    std::map<int, bool> matching; // names are demangled once
    for (std::size_t i = 0; i < process.kernels.size(); ++i)
        matching[static_cast<int>(i)] = pattern.matches(demangle(process.kernels[i]));
    std::vector<TracedLaunch> chosen;
    for (const TracedLaunch& launch : inOrder(process))
        if (choice.range.empty() ? matching[launch.kernel] && (!grid || launch.grid == *grid) && (!block || launch.block == *block)
                                 : insideRange(process, launch, choice.range))
            chosen.push_back(launch);
    return chosen;
}

/// Launches of each entry of the range.
Result<std::size_t> launchesPerEntry(const ProcessTrace& process, const std::string& range, std::size_t launches)
{
    std::int64_t entries = 0;
    for (const auto& [stack, time] : process.ranges)
        if (const auto& names = process.stacks[static_cast<std::size_t>(stack)]; !names.empty() && names.back() == range)
            entries += time.count;
    if (entries <= 0 || launches % static_cast<std::size_t>(entries) != 0)
        return makeUnmeasuredError(
            fmt::format("The {} entries of the NVTX range {} launch {} kernels: not the same number each.", entries, range, launches),
            "Put the range around work that is the same each time, or name a kernel.");
    return launches / static_cast<std::size_t>(entries);
}

const ProcessTrace* findDamagedTrace(const std::vector<ProcessTrace>& processes)
{
    const auto found = std::ranges::find_if(processes, [](const ProcessTrace& process) { return !process.damage.empty() || process.cut; });
    return found == processes.end() ? nullptr : &*found;
}

} // namespace

Result<bool> isChosen(const LaunchChoice& choice, const Params& problem, const std::string& name, const std::array<int, 3>& grid,
                      const std::array<int, 3>& block)
{
    if (choice.kernel.empty())
        return false;
    KL_ASSIGN(const KernelPattern pattern, KernelPattern::parse(choice.kernel));
    KL_ASSIGN(const auto wantedGrid, evaluateExtents(choice.grid, problem));
    KL_ASSIGN(const auto wantedBlock, evaluateExtents(choice.block, problem));
    return pattern.matches(name) && (!wantedGrid || grid == *wantedGrid) && (!wantedBlock || block == *wantedBlock);
}

Result<MeasuredLaunches> measureLaunches(const std::vector<ProcessTrace>& processes, const LaunchChoice& choice, const Params& problem,
                                         int warmup, int least)
{
    if (const ProcessTrace* damaged = findDamagedTrace(processes))
        return makeUnmeasuredError(fmt::format("The record of the program's launches is not whole{}.",
                                               damaged->damage.empty() ? std::string() : ": " + damaged->damage),
                                   "Run it again; if it stays so, see whether the program is killed at its end.");
    const ProcessTrace* process = nullptr;
    std::vector<TracedLaunch> chosen;
    for (const ProcessTrace& one : processes) {
        KL_ASSIGN(std::vector<TracedLaunch> found, chooseTracedLaunches(one, choice, problem));
        if (found.empty())
            continue;
        if (process)
            return makeUnmeasuredError("Several processes of the program make the launches that are measured.",
                                       "Let \"run\" start one process that does.");
        process = &one;
        chosen = std::move(found);
    }
    const std::string what = choice.range.empty() ? fmt::format("No launch matches \"{}\"", choice.kernel)
                                                  : fmt::format("No kernel is launched inside the NVTX range {}", choice.range);
    if (!process) {
        std::string seen;
        for (const ProcessTrace& one : processes)
            seen += formatLaunches(one, one.launches);
        std::string notes;
        for (const ProcessTrace& one : processes)
            for (const Warning& note : one.notes)
                notes += ' ' + note.text;
        return makeUnmeasuredError(
            fmt::format("{}; the program {}.{}", what, seen.empty() ? "launched no kernel" : "launched: " + seen, notes),
            "Correct the kernel of the target, or what the program launches.");
    }
    std::size_t each = 1;
    if (!choice.range.empty()) {
        KL_ASSIGN(each, launchesPerEntry(*process, choice.range, chosen.size()));
    } else if (std::ranges::any_of(chosen, [&](const TracedLaunch& launch) {
                   return launch.kernel != chosen.front().kernel || launch.grid != chosen.front().grid ||
                          launch.block != chosen.front().block;
               })) {
        return makeUnmeasuredError(fmt::format("Several kernels or launch shapes match: {}.", formatLaunches(*process, chosen)),
                                   "Name one: a longer expression, or \"grid\" and \"block\".");
    }

    MeasuredLaunches measured;
    const std::size_t skipped = static_cast<std::size_t>(warmup) * each;
    const std::size_t samples = chosen.size() > skipped ? (chosen.size() - skipped) / each : 0;
    if (samples < static_cast<std::size_t>(least))
        return makeUnmeasuredError(fmt::format("{} launches are left after {} of warm-up; at least {} are needed.", samples, warmup, least),
                                   fmt::format("Let the program launch it {} times.", warmup + least));
    std::map<int, double> byKernel;
    for (const TracedLaunch& launch : chosen)
        byKernel[launch.kernel] += static_cast<double>(launch.end - launch.start);
    for (std::size_t i = skipped; i + each <= chosen.size(); i += each) {
        double ns = 0;
        for (std::size_t k = i; k < i + each; ++k)
            ns += static_cast<double>(chosen[k].end - chosen[k].start);
        measured.gpuNs.push_back(ns);
        if (i + each < chosen.size())
            measured.stepNs.push_back(static_cast<double>(chosen[i + each].start - chosen[i].start));
    }
    const int longest = std::ranges::max_element(byKernel, {}, [](const auto& one) { return one.second; })->first;
    measured.kernel = process->kernels[static_cast<std::size_t>(longest)];
    measured.example = *std::ranges::find(chosen, longest, &TracedLaunch::kernel);
    if (const auto device = process->devices.find(measured.example.device); device != process->devices.end())
        measured.device = device->second;
    measured.launches = std::ranges::count(chosen, longest, &TracedLaunch::kernel);
    measured.totalNs = byKernel[longest];
    double all = 0;
    for (const TracedLaunch& launch : process->launches)
        all += static_cast<double>(launch.end - launch.start);
    measured.share = all > 0 ? measured.totalNs / all : 0;
    return measured;
}

} // namespace kl::inline subjects
