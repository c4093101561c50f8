// SPDX-License-Identifier: MIT
#include "sessions/session/checklist.h"

#include "core/base/format.h"
#include "core/stats/correctness_text.h"
#include "sessions/session/gate.h"
#include "sessions/session/kernel_figures.h"
#include "sessions/session/session_model.h"
#include "sessions/session/suggestions.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline session {
namespace {

constexpr const char* kBuild = "Build validation";
constexpr const char* kConfiguration = "Configuration";
constexpr const char* kGates = "Gates";

TickState stateFor(bool good)
{
    return good ? TickState::done : TickState::failed;
}

/// The action that would gather the evidence, where the session's kind has it.
std::optional<NextStep> gather(const SessionModel& model, Evidence kind)
{
    if (!model.plan.asksFor(kind) || model.view.finished)
        return {};
    return makeActionStep(lookUpRow(kind).action);
}

std::string evidenceEvent(const SessionModel& model, Evidence kind)
{
    const auto found = model.view.evidence.find(kind);
    return found == model.view.evidence.end() ? std::string() : fmt::format("event:{}", found->second);
}

ChecklistItem cleanBuild(const SessionModel& model)
{
    ChecklistItem item{"clean-build", kBuild, "Clean build"};
    const SessionView& view = model.view;
    if (view.build && view.build->unavailable.empty()) {
        item.state = stateFor(view.build->status == "ok");
        item.found = item.state == TickState::done ? fmt::format("{} in {}", view.build->arch, formatTime(view.build->seconds * 1e9))
                                                   : view.build->reason;
        item.evidence = evidenceEvent(model, Evidence::build);
    } else if (view.smallestRun) {
        const bool compiled = view.smallestRun->status != ResultStatus::compilationFailed;
        item.state = stateFor(compiled);
        item.found = compiled ? "compiled for its first run" : view.smallestRun->reason;
        item.evidence = "run:" + view.smallestRun->id.text;
    }
    item.next = model.plan.asksFor(Evidence::build) ? gather(model, Evidence::build) : gather(model, Evidence::smallest);
    return item;
}

ChecklistItem dependencies(const SessionModel& model)
{
    ChecklistItem item{"dependencies", kBuild, "Dependencies: GPU, driver, compiler, PyTorch"};
    if (const std::optional<EnvReport>& report = model.view.environment) {
        const auto passed = std::ranges::count(report->checks, CheckResult::pass, &EnvCheck::result);
        item.state = stateFor(passes(*report));
        item.found = fmt::format("{} of {} checks pass", passed, report->checks.size());
        item.evidence = evidenceEvent(model, Evidence::environment);
    }
    item.next = gather(model, Evidence::environment);
    return item;
}

ChecklistItem verboseBuild(const SessionModel& model)
{
    ChecklistItem item{"verbose-build", kBuild, "Verbose build, log kept"};
    if (const std::optional<BuildFacts>& build = model.view.build) {
        item.found = !build->unavailable.empty() ? build->unavailable : build->log.empty() ? "no messages" : build->log;
        if (build->unavailable.empty())
            item.state = TickState::done;
        item.evidence = build->log.empty() ? evidenceEvent(model, Evidence::build) : "artifact:" + build->log;
    }
    item.next = gather(model, Evidence::build);
    return item;
}

ChecklistItem warnings(const SessionModel& model)
{
    ChecklistItem item{"warnings", kBuild, "No compiler or ptxas warnings"};
    if (const std::optional<BuildFacts>& build = model.view.build; build && build->unavailable.empty()) {
        item.state = stateFor(build->warnings == 0);
        item.found = fmt::format("{} warnings", build->warnings);
        item.evidence = evidenceEvent(model, Evidence::build);
    }
    item.next = gather(model, Evidence::build);
    return item;
}

/// An item that the run on the smallest size ticks.
ChecklistItem smallestItem(const SessionModel& model, const char* id, const char* title)
{
    ChecklistItem item{id, kBuild, title};
    if (model.view.smallestRun)
        item.evidence = "run:" + model.view.smallestRun->id.text;
    item.next = gather(model, Evidence::smallest);
    return item;
}

ChecklistItem loads(const SessionModel& model)
{
    ChecklistItem item = smallestItem(model, "loads", "The module loads and launches");
    if (const std::optional<RunRecord>& run = model.view.smallestRun) {
        const bool loaded = run->status == ResultStatus::ok || run->status == ResultStatus::validationFailed;
        item.state = stateFor(loaded);
        item.found = loaded ? fmt::format("launched on {}", run->device.name) : run->reason;
    }
    return item;
}

ChecklistItem smoke(const SessionModel& model)
{
    ChecklistItem item = smallestItem(model, "smoke", "Smoke test at the smallest size: no NaN, no Inf");
    if (const std::optional<RunRecord>& run = model.view.smallestRun; run && run->correctness.result != CorrectnessResult::notChecked) {
        item.state = stateFor(run->correctness.nonfinite == 0 && run->correctness.unwritten == 0);
        item.found =
            fmt::format("{}: {} non-finite, {} unwritten", toText(run->problem), run->correctness.nonfinite, run->correctness.unwritten);
    }
    return item;
}

ChecklistItem makeComparedItem(const SessionModel& model)
{
    ChecklistItem item = smallestItem(model, "compared", "Compared with the reference");
    if (const std::optional<RunRecord>& run = model.view.smallestRun; run && run->correctness.result != CorrectnessResult::notChecked) {
        item.state = stateFor(run->correctness.result == CorrectnessResult::correct);
        item.found = differenceText(run->correctness);
    }
    return item;
}

ChecklistItem figuresItem(const char* id, const char* title, const std::optional<KernelFigures>& figures)
{
    ChecklistItem item{id, kConfiguration, title};
    if (figures && !figures->run.empty())
        item.evidence = "run:" + figures->run;
    return item;
}

ChecklistItem sharedMemory(const std::optional<KernelFigures>& figures)
{
    ChecklistItem item = figuresItem("shared-memory", "Shared memory per block within the GPU's limit", figures);
    if (figures && figures->fit) {
        item.state = stateFor(figures->fit->fits);
        item.found = smemSentence(figures->smem, *figures->fit);
        if (!figures->compiled)
            item.found += " Dynamic shared memory alone: the kernel is not compiled yet.";
    }
    return item;
}

ChecklistItem occupancyItem(const SessionModel& model, const std::optional<KernelFigures>& figures)
{
    ChecklistItem item = figuresItem("occupancy", "Theoretical occupancy", figures);
    if (figures && figures->occupancy) {
        item.state = stateFor(figures->occupancy->percent >= model.plan.threshold("occupancy_min"));
        item.found = fmt::format("{} ({} blocks per SM), limited by {}: {} threads per block, {} registers per thread, {} bytes per block",
                                 formatPercent(figures->occupancy->percent), figures->occupancy->blocksPerSm, figures->occupancy->limiter,
                                 figures->threads, *figures->registers, figures->smem);
    }
    item.next = gather(model, Evidence::smallest);
    return item;
}

ChecklistItem launchOverhead(const SessionModel& model, const std::optional<KernelFigures>& figures)
{
    ChecklistItem item = figuresItem("launch-overhead", "The kernel outlasts its launch", figures);
    if (figures && figures->cost && figures->gain) {
        item.state = stateFor(figures->cost->kernelUs >= model.plan.threshold("kernel_duration_min_us"));
        item.found = fmt::format("kernel {}, launch {}{}: the launch is {} of each call", formatTime(figures->cost->kernelUs * 1000),
                                 formatTime(figures->cost->launchUs * 1000), figures->launchMeasured ? "" : " (assumed)",
                                 formatPercent((1 - figures->gain->kernelWorkMost) * 100));
        item.evidence = "run:" + model.view.baselineRun->id.text;
    }
    item.next = gather(model, Evidence::baseline);
    return item;
}

ChecklistItem history(const SessionModel& model)
{
    ChecklistItem item{std::string(kHistoryItem), kConfiguration, "Looked at the history: the last commit that worked"};
    if (model.view.historySeq > 0) {
        item.state = TickState::done;
        item.found = model.view.historyFound;
        item.evidence = fmt::format("event:{}", model.view.historySeq);
    }
    if (model.family && !model.family->origin.empty() && !model.view.finished)
        item.next = makeActionStep(SessionAction::bisect);
    return item;
}

ChecklistItem gateItem(const GateView& gate)
{
    ChecklistItem item{gate.id, kGates, fmt::format("{} {}", gate.id, gate.title)};
    item.found = gate.verdict;
    item.note = gate.waivedReason;
    item.byNote = gate.progress == GateProgress::waived;
    // A failed gate may still let the session go on: below half the baseline's speed, to the profile.
    if (gate.result == GateResult::fail && gate.progress != GateProgress::stale && !item.byNote)
        item.state = TickState::failed;
    else if (satisfied(gate))
        item.state = TickState::done;
    for (const CheckRow& row : gate.checks)
        if (item.evidence.empty())
            item.evidence = row.evidence;
    return item;
}

void takeNote(const SessionModel& model, ChecklistItem& item)
{
    const auto note = model.view.ticks.find(item.id);
    if (note == model.view.ticks.end())
        return;
    item.note = note->second;
    if (item.state != TickState::open)
        return;
    item.state = TickState::done;
    item.byNote = true;
}

} // namespace

const char* toString(TickState state) noexcept
{
    return state == TickState::done ? "done" : state == TickState::failed ? "failed" : "open";
}

const std::vector<std::string>& checklistIds()
{
    static const std::vector<std::string> ids{
        "clean-build", "dependencies",    "verbose-build",          "warnings", "loads", "smoke", "compared", "shared-memory",
        "occupancy",   "launch-overhead", std::string(kHistoryItem)};
    return ids;
}

std::vector<ChecklistItem> makeChecklist(const SessionModel& model)
{
    const std::optional<KernelFigures> figures = gatherFigures(model);
    std::vector<ChecklistItem> items{cleanBuild(model),
                                     dependencies(model),
                                     verboseBuild(model),
                                     warnings(model),
                                     loads(model),
                                     smoke(model),
                                     makeComparedItem(model),
                                     sharedMemory(figures),
                                     occupancyItem(model, figures),
                                     launchOverhead(model, figures),
                                     history(model)};
    for (ChecklistItem& item : items)
        takeNote(model, item);
    for (const GateView& gate : model.view.gates)
        items.push_back(gateItem(gate));
    for (ChecklistItem& item : items)
        if (item.state == TickState::done)
            item.next.reset();
    return items;
}

} // namespace kl::inline session
