// SPDX-License-Identifier: MIT
#include "sessions/subject/brought_report.h"

#include "core/base/format.h"
#include "core/base/read_file.h"
#include "core/base/try.h"
#include "sessions/import/open_file.h"
#include "sessions/session/rules.h"
#include "sessions/subject/measured_launches.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>

namespace kl::inline subjects {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxSourceFile = 16 << 20;

Error makeRefusedReportError(const std::string& report, const std::string& why, const std::string& hint)
{
    return refusal(rule::kProfileFirst,
                   fmt::format("{} is not a profile of this kernel as it is: {}", fs::path(report).filename().string(), why), hint);
}

std::array<int, 3> extents(const std::vector<int>& sizes)
{
    return {sizes[0], sizes[1], sizes[2]};
}

/// The results of the target's kernel, most time first.
Result<std::vector<RunRecord>> selectMatching(const TargetSpec& spec, std::vector<RunRecord> runs, const Params& problem,
                                              std::string& others)
{
    std::vector<RunRecord> mine;
    for (RunRecord& run : runs) {
        if (!run.imported || run.imported->kind != "kernel" || run.imported->grid.size() != 3 || run.imported->block.size() != 3)
            continue;
        KL_ASSIGN(const bool chosen,
                  isChosen(spec.kernel, problem, run.imported->kernel, extents(run.imported->grid), extents(run.imported->block)));
        if (chosen)
            mine.push_back(std::move(run));
        else
            others +=
                fmt::format("{}{} ({} blocks)", others.empty() ? "" : "; ", run.imported->kernel.substr(0, run.imported->kernel.find('(')),
                            fmt::format("{}x{}x{}", run.imported->grid[0], run.imported->grid[1], run.imported->grid[2]));
    }
    std::ranges::stable_sort(mine, std::greater{}, [](const RunRecord& run) { return run.timing ? run.timing->gpu.median : 0; });
    return mine;
}

/// What shows that the report may be of another text; empty when nothing does. `proven`: it holds the text of a file itself. A file whose
/// text it does not hold, a script for example, must not have changed since.
Result<std::string> otherText(const TargetSpec& spec, const RunRecord& run, bool& proven)
{
    for (const std::string& name : spec.edit) {
        const fs::path path = fs::path(spec.folder) / name;
        KL_ASSIGN(const std::string text, readFile(path.string(), kMaxSourceFile));
        bool same = false;
        if (run.sourceProfile)
            for (const auto& [file, reported] : run.sourceProfile->texts)
                if (fs::path(file).filename() == path.filename()) {
                    proven = same = true;
                    if (reported != text)
                        return fmt::format("it holds another text of {}.", name);
                }
        struct stat about = {};
        const std::optional<TimePoint> taken = parseIsoTime(run.startedAt);
        if (same || ::stat(path.c_str(), &about) != 0)
            continue;
        if (!taken)
            return fmt::format("neither its age nor its text of {} is known.", name);
        const auto changed = std::chrono::system_clock::from_time_t(about.st_mtime);
        if (std::chrono::floor<std::chrono::seconds>(*taken) < std::chrono::floor<std::chrono::seconds>(changed))
            return fmt::format("it was taken at {}, before {} was last changed.", run.startedAt, name);
    }
    return std::string();
}

std::string ageText(const RunRecord& brought, const RunRecord& now)
{
    const std::optional<TimePoint> taken = parseIsoTime(brought.startedAt);
    const std::optional<TimePoint> today = parseIsoTime(now.startedAt);
    if (!taken || !today)
        return "Its age is not known.";
    const double minutes = std::chrono::duration<double, std::ratio<60>>(*today - *taken).count();
    return fmt::format("Taken at {}, {} ago.", brought.startedAt, formatMinutes(std::max(minutes, 0.0)));
}

std::string clockText(const RunRecord& brought)
{
    const bool base = std::ranges::any_of(brought.warnings, [](const Warning& note) { return note.code == "clock-base"; });
    const std::optional<double> clock = brought.metrics ? brought.metrics->clockMhz : std::nullopt;
    return fmt::format("SM clock {}{}.", clock ? formatClock(*clock) : "not known",
                       base ? ", locked to the base frequency: times are longer than in this session" : "");
}

} // namespace

Result<RunRecord> takeBroughtReport(const TargetSpec& spec, const std::string& report, const RunRecord& now, const DiagnosisTree& tree)
{
    if (spec.kernel.kernel.empty())
        return makeRefusedReportError(report, "the target measures an NVTX range, and a report is of one kernel.", "Profile it here.");
    KL_ASSIGN(OpenedFile opened, openFile(report, tree, Catalog({})));
    std::string others;
    KL_ASSIGN(std::vector<RunRecord> mine, selectMatching(spec, std::move(opened.runs), now.problem, others));
    if (mine.empty())
        return makeRefusedReportError(report,
                                      fmt::format("no result matches \"{}\" with the launch shape of {}; it holds {}.", spec.kernel.kernel,
                                                  toText(now.problem), others.empty() ? "no kernel" : others),
                                      "Profile this program at this size, and bring that report.");
    RunRecord run = std::move(mine.front());
    if (!now.device.name.empty() && !run.device.name.empty() && run.device.name != now.device.name)
        return makeRefusedReportError(report, fmt::format("it is from {}, the session is on {}.", run.device.name, now.device.name),
                                      "Profile it on this GPU.");
    bool proven = false;
    KL_ASSIGN(const std::string other, otherText(spec, run, proven));
    if (!other.empty())
        return makeRefusedReportError(report, other, "Profile the program again, and bring that report, or step without one.");
    run.warnings.push_back({"report-age", fmt::format("{} {}", ageText(run, now),
                                                      proven ? "Its text of the source is the present one."
                                                             : "It holds no source; no edited file has changed since.")});
    run.warnings.push_back({"report-clock", clockText(run)});
    // It becomes a record of this subject; where it came from stays in `imported`.
    run.id = now.id;
    run.kernel = now.kernel;
    run.problem = now.problem;
    run.sourceHash = now.sourceHash;
    run.correctness = {};
    run.program = now.program;
    run.program->kernel = run.imported->kernel;
    return run;
}

} // namespace kl::inline subjects
