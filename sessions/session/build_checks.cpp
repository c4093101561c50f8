// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/stats/correctness_text.h"
#include "sessions/session/check_functions.h"

#include <algorithm>
#include <fmt/format.h>

/// The build validation checklist of kind "expert".
namespace kl::inline session::checks {
namespace {

CheckRow smallestRow(const GateInput& input, const char* id, const char* title, Requirement requirement = Requirement::required)
{
    CheckRow row{id, requirement, GateResult::unknown, title};
    if (input.view.smallestRun)
        row.evidence = "run:" + input.view.smallestRun->id.text;
    return row;
}

} // namespace

std::vector<CheckRow> buildClean(const GateInput& input)
{
    CheckRow row{"build-clean", Requirement::required, GateResult::unknown, "Clean, verbose build"};
    row.threshold = "compiles, the log is kept";
    row.why = "The compiler's output costs nothing and is lost unless it is kept.";
    const std::optional<BuildFacts>& build = input.view.build;
    if (!build)
        return {row};
    if (!build->unavailable.empty()) { // a recording may hold runs without their builds: those prove that it compiled
        row.requirement = Requirement::optional;
        row.found = build->unavailable;
        return {row};
    }
    row.evidence = build->log.empty() ? "" : "artifact:" + build->log;
    row.result = build->status == "ok" ? GateResult::pass : GateResult::fail;
    row.found = build->status == "ok"
                    ? fmt::format("{} in {}{}", build->arch, formatTime(build->seconds * 1e9), build->log.empty() ? ", no message" : "")
                    : build->reason;
    return {row};
}

std::vector<CheckRow> buildWarnings(const GateInput& input)
{
    CheckRow row{"build-warnings", Requirement::optional, GateResult::unknown, "Compiler warnings"};
    row.threshold = "0";
    row.why = "A warning about a barrier or an uninitialized value is usually a bug that has not shown yet.";
    if (const std::optional<BuildFacts>& build = input.view.build; build && build->unavailable.empty()) {
        row.found = fmt::format("{}", build->warnings);
        row.result = build->warnings == 0 ? GateResult::pass : GateResult::fail;
    }
    return {row};
}

std::vector<CheckRow> buildResources(const GateInput& input)
{
    CheckRow row = smallestRow(input, "build-resources", "Resources", Requirement::optional);
    row.threshold = "no local memory";
    row.why = "Spills and local arrays go through memory: the local frame size shows them even when ptxas reports no spills.";
    const std::optional<RunRecord>& run = input.view.smallestRun;
    if (!run || run->launches.empty())
        return {row};
    std::int64_t local = 0;
    for (const LaunchFacts& launch : run->launches) {
        local = std::max(local, launch.localBytes);
        row.found += fmt::format("{}{}: {} registers, {} local, {} shared, occupancy {}", row.found.empty() ? "" : "; ", launch.entry,
                                 launch.registers, formatBytes(static_cast<double>(launch.localBytes)),
                                 formatBytes(static_cast<double>(launch.staticSmem + launch.dynamicSmem)),
                                 formatPercent(launch.theoreticalOccupancy));
    }
    row.result = local == 0 ? GateResult::pass : GateResult::fail;
    return {row};
}

std::vector<CheckRow> moduleLoads(const GateInput& input)
{
    CheckRow row = smallestRow(input, "module-loads", "The module loads and launches");
    row.threshold = "launched";
    row.why = "A cubin for another architecture compiles and does not load.";
    if (const std::optional<RunRecord>& run = input.view.smallestRun) {
        const bool loaded = run->status == ResultStatus::ok || run->status == ResultStatus::validationFailed;
        row.result = loaded ? GateResult::pass : GateResult::fail;
        row.found = loaded ? fmt::format("launched on {}", run->device.name) : run->reason;
    }
    return {row};
}

std::vector<CheckRow> smoke(const GateInput& input)
{
    CheckRow row = smallestRow(input, "smoke", "Smoke test: no NaN or Inf");
    row.threshold = "0";
    if (const std::optional<RunRecord>& run = input.view.smallestRun) {
        const bool checked = run->correctness.result != CorrectnessResult::notChecked;
        row.result = checked && run->correctness.nonfinite == 0 ? GateResult::pass : GateResult::fail;
        row.found = checked ? fmt::format("{} non-finite", run->correctness.nonfinite) : "not checked";
    }
    return {row};
}

std::vector<CheckRow> smallestDifference(const GateInput& input)
{
    CheckRow row = smallestRow(input, "smallest-difference", "Smallest size against its reference");
    row.threshold = input.family ? fmt::format("max abs {}, relative L2 {}", input.family->tolerance.maxAbs, input.family->tolerance.relL2)
                                 : "within the kernel's tolerance";
    row.why = "The largest and the mean difference at the smallest size reveal an incorrect kernel in a second.";
    if (const std::optional<RunRecord>& run = input.view.smallestRun) {
        const Correctness& seen = run->correctness;
        row.result = seen.result == CorrectnessResult::correct ? GateResult::pass : GateResult::fail;
        row.found = seen.result == CorrectnessResult::notChecked ? "not checked"
                                                                 : fmt::format("{}: {}", toText(run->problem), differenceText(seen));
        if (isRefuted(seen.result) && seen.witness) // the figures, of a first launch, say nothing of it
            row.found += "; " + describeRefuted(seen);
    }
    return {row};
}

} // namespace kl::inline session::checks
