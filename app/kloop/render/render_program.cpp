// SPDX-License-Identifier: MIT
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/diagnosis/estimate_text.h"
#include "sessions/measure/hot_lines.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::cli {
namespace {

constexpr std::size_t kKernels = 10;
constexpr std::size_t kRanges = 12;
constexpr std::size_t kName = 60;

std::string shortened(std::string name)
{
    if (name.size() <= kName)
        return name;
    name.resize(kName - 1);
    return name + "…";
}

std::string ending(const ProgramRun& program)
{
    return program.signal ? fmt::format("killed by signal {}", *program.signal) : fmt::format("exit {}", program.exitCode);
}

std::string summary(const ProgramProfile& profile)
{
    const ProgramTotals& totals = profile.totals;
    std::string text = toned(fmt::format("{}", fmt::join(profile.program.command, " ")), Tone::strong);
    text += fmt::format("\n  {}, {}", ending(profile.program), formatTime(profile.program.wallSeconds * 1e9));
    if (totals.launches > 0)
        text +=
            fmt::format("; {} launches of {} kernels, {} in kernels and {} in copies", formatCount(static_cast<double>(totals.launches)),
                        totals.kernels.size(), formatTime(totals.kernelNs), formatTime(totals.copyNs));
    if (totals.spanNs > 0)
        text += fmt::format("; GPU busy {} of {}", formatPercent(100 * totals.busyNs / totals.spanNs), formatTime(totals.spanNs));
    text += '\n';
    if (profile.counted)
        text += fmt::format("  run again in {} for the counters of the launches that take the time\n",
                            formatTime(profile.counted->wallSeconds * 1e9));
    if (profile.finding) {
        text += '\n' + toned(profile.finding->title, Tone::strong) +
                fmt::format("\n  {}, {}\n", profile.finding->classId, estimateText(*profile.finding));
        for (const Fix& fix : profile.finding->fixes)
            text += fmt::format("  - {}: {}\n", fix.title, fix.why);
    }
    return text;
}

/// Time of a launch among others.
std::optional<double> togetherOf(const ProgramTotals& totals, const RunRecord& run)
{
    for (const KernelTotals& kernel : totals.kernels)
        if (kernel.name == run.program->kernel && kernel.device == run.device)
            return togetherNs(kernel, run);
    return {};
}

std::string kernels(const ProgramProfile& profile)
{
    Table table({"Share>", "Time>", "Launches>", "Each>", "Together>", "Kernel", "Grid", "Limited by", "Stored as"});
    for (const RunRecord& run : profile.runs) {
        if (&run - profile.runs.data() >= static_cast<std::ptrdiff_t>(kKernels))
            break;
        table.add({formatPercent(100 * run.program->share), formatTime(run.program->totalNs),
                   formatCount(static_cast<double>(run.program->launches)),
                   formatTime(run.timing ? std::optional(run.timing->gpu.median) : std::nullopt),
                   formatTime(togetherOf(profile.totals, run)), shortened(shortKernelName(run.program->kernel)),
                   std::get<std::string>(run.problem.at("GRID")), run.diagnosis->finding.classId, "run:" + run.id.text.substr(0, 13)});
    }
    if (table.empty())
        return {};
    std::string text = '\n' + table.text("  ");
    if (profile.runs.size() > kKernels)
        text += fmt::format("  and {} more rows; --json lists all\n", profile.runs.size() - kKernels);
    return text;
}

std::string ranges(const ProgramTotals& totals)
{
    Table table({"NVTX range", "Entered>", "On the host>", "Launches>", "On the GPU>"});
    for (const RangeTotals& range : totals.ranges) {
        if (&range - totals.ranges.data() >= static_cast<std::ptrdiff_t>(kRanges))
            break;
        table.add({std::string(2 * (range.stack.size() - 1), ' ') + shortened(range.stack.back()),
                   formatCount(static_cast<double>(range.count)), formatTime(range.hostNs),
                   formatCount(static_cast<double>(range.launches)), formatTime(range.gpuNs)});
    }
    if (table.empty())
        return {};
    std::string text = '\n' + table.text("  ");
    if (totals.ranges.size() > kRanges)
        text += fmt::format("  and {} more ranges; --json lists all\n", totals.ranges.size() - kRanges);
    return text;
}

} // namespace

std::string renderProgram(const ProgramProfile& profile, const Catalog& catalog, const DiagnosisTree* explain)
{
    std::string text = '\n' + summary(profile);
    for (const Warning& note : profile.notes)
        text += fmt::format("  note: {}\n", note.text);
    text += kernels(profile) + ranges(profile.totals);
    if (profile.runs.empty())
        return text;
    const RunRecord& most = profile.runs.front(); // the kernel that takes most
    text += '\n' + toned(most.program->kernel, Tone::faint) + '\n' + renderRun(most) +
            (explain ? renderExplanation(most, *explain) : std::string()) + renderHotLines(most, catalog);
    return text;
}

} // namespace kl::cli
