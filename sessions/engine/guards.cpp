// SPDX-License-Identifier: MIT
#include "sessions/engine/guards.h"

#include "core/base/format.h"
#include "sessions/engine/rules.h"
#include "sessions/gates/gate.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl {
namespace {

Status gateOpen(const SessionModel& model, const std::string& id, const std::string& what)
{
    if (model.open(id))
        return {};
    const GateView* gate = model.gate(id);
    const std::string state = gate->verdict.empty() ? gate->rule : gate->verdict;
    return refusal(id, fmt::format("{} {}", what, state), "See what the gate found: kloop session gate.");
}

Status baselineReady(const SessionModel& model)
{
    if (const Status ready = gateOpen(model, "G1", "The environment comes first."); !ready)
        return ready;
    const std::optional<RunRecord>& smallest = model.view.smallestRun;
    const bool right = smallest && smallest->status == ResultStatus::ok && smallest->correctness.result == CorrectnessResult::pass;
    if (right || model.gate("G2")->progress == GateProgress::waived)
        return {};
    return refusal(rule::kSmallestFirst,
                   smallest ? "The kernel is not right on its smallest size." : "The smallest size has not been measured yet.",
                   "Measure it first: kloop session step.");
}

/// Phase 4 and everything after it stay locked until a real profile is there.
Status profiled(const SessionModel& model, const std::string& action)
{
    if (model.view.profileRun)
        return {};
    const std::optional<RunRecord>& baseline = model.view.baselineRun;
    const double speedup = baseline && baseline->speedup ? *baseline->speedup : 1;
    const bool stop = action == "choose-fix" && speedup < model.plan.threshold("speedup_min");
    const std::string what = stop
                                 ? fmt::format("The kernel has {} of the baseline's speed and has not been profiled.", formatRatio(speedup))
                                 : fmt::format("{} has not been profiled in this session.", toText(model.view.start));
    return refusal(stop ? rule::kStopBelowHalf : rule::kProfileFirst, what, "Profile it first: kloop session step.");
}

Status candidateThere(const SessionModel& model)
{
    if (model.undecided())
        return {};
    if (model.facts.kept)
        return refusal(rule::kOneVariable, "This session has kept its one change already.", "Open the next session for the next change.");
    return refusal(rule::kOneVariable, "No candidate is being tried.", "Choose one fix first: kloop session fix.");
}

Status provenRight(const SessionModel& model)
{
    if (model.open("G4"))
        return {};
    return refusal(rule::kCorrectnessFirst,
                   fmt::format("{} is not proven right on every size of the suite.", toText(*model.view.candidate)),
                   "Run the suite first: kloop session verify.");
}

Status mayChoose(const SessionModel& model)
{
    if (const Status ready = profiled(model, "choose-fix"); !ready)
        return ready;
    if (const Status ready = gateOpen(model, "G3", "There is no valid finding to choose a fix for."); !ready)
        return ready;
    if (model.facts.kept)
        return refusal(rule::kOneVariable, "This session has kept its one change already.", "Open the next session for the next change.");
    if (model.undecided())
        return refusal(rule::kOneVariable, fmt::format("{} is being tried.", toText(*model.view.candidate)), "Keep or revert it first.");
    return {};
}

Status mayEvaluate(const SessionModel& model, const std::string& action)
{
    for (const Status& ready : {profiled(model, action), candidateThere(model)})
        if (!ready)
            return ready;
    if (action == "revert" || action == "verify-suite")
        return {};
    if (const Status ready = provenRight(model); !ready || action == "evaluate")
        return ready;
    return gateOpen(model, "G5", "The change is not worth keeping by its measurement.");
}

} // namespace

Status allowed(const SessionModel& model, const std::string& action)
{
    static const std::vector<std::string> known{
        "check-environment", "verify-smallest", "measure-baseline", "profile", "choose-fix", "verify-suite", "evaluate", "keep", "revert",
        "document",          "finish"};
    if (std::find(known.begin(), known.end(), action) == known.end())
        return Error{ErrorCode::usage,
                     fmt::format("There is no action \"{}\".", action),
                     fmt::format("Actions: {}.", fmt::join(known, ", ")),
                     action,
                     {}};
    if (model.facts.finished || model.view.phase == "done")
        return refusal("", fmt::format("Session {} is finished.", model.view.header.name), "Open the next one: kloop session new.");
    if (action == "check-environment")
        return {};
    if (action == "verify-smallest")
        return gateOpen(model, "G1", "The environment comes first.");
    if (action == "measure-baseline")
        return baselineReady(model);
    if (action == "profile") {
        if (const Status ready = gateOpen(model, "G1", "The environment comes first."); !ready)
            return ready;
        return model.open("G2") ? Status{}
                                : Status{refusal(rule::kBaselineFirst, "The baseline has not been measured with a right kernel.",
                                                 "Measure it first: kloop session step.")};
    }
    if (action == "choose-fix")
        return mayChoose(model);
    if (action == "document" || action == "finish")
        return model.undecided()
                   ? Status{refusal(rule::kOneVariable, fmt::format("{} is neither kept nor reverted.", toText(*model.view.candidate)),
                                    "Decide first: kloop session keep, or revert.")}
                   : Status{};
    return mayEvaluate(model, action);
}

Status sameDevice(const SessionModel& model, const Collector& collector)
{
    const SessionHeader& header = model.view.header;
    const auto name = [](Source source) {
        return source == Source::live ? "a live GPU" : source == Source::sample ? "the recorded sample" : "an import";
    };
    if (collector.source() != header.source)
        return refusal(
            rule::kBaselineFirst,
            fmt::format("Session {} was opened on {}, and this is {}.", header.name, name(header.source), name(collector.source())),
            header.source == Source::sample ? "Say --on sample." : "Say --on local, or open another session.");
    const std::vector<DeviceInfo>& devices = collector.hello().devices;
    if (header.source == Source::live && !model.facts.deviceUuid.empty() && !devices.empty() &&
        devices.front().uuid != model.facts.deviceUuid)
        return refusal(rule::kBaselineFirst,
                       fmt::format("Session {} was opened on {}, and this is {}.", header.name, model.facts.device, devices.front().name),
                       "Go back to that GPU, or open another session.");
    return {};
}

Status candidateAllowed(const SessionModel& model, const Catalogue& catalogue, const Address& candidate)
{
    const Result<WorkSpec> work = catalogue.work(candidate, model.view.problem);
    if (!work)
        return work.error();
    const std::vector<std::string> changes = changedVariables(*model.family, model.view.start, candidate);
    if (changes.empty())
        return refusal(rule::kOneVariable, fmt::format("{} is the variant that stands already.", toText(candidate)), "Choose a change.");
    if (changes.size() > 1)
        return refusal(rule::kOneVariable,
                       fmt::format("{} changes {} things at once: {}.", toText(candidate), changes.size(), fmt::join(changes, "; ")),
                       "Take them one session at a time.");
    if (std::find(model.view.tried.begin(), model.view.tried.end(), candidate) != model.view.tried.end())
        return refusal(rule::kOneVariable, fmt::format("{} was tried and reverted in this session.", toText(candidate)),
                       "Choose another fix.");
    const std::int64_t limit = model.view.baselineRun ? model.view.baselineRun->device.smemPerBlockOptin : 0;
    if (const std::optional<std::int64_t> most = sharedMemoryOverflow(*work, limit))
        return refusal(rule::kSharedMemoryFirst,
                       fmt::format("{} wants {} of shared memory a block, and the GPU gives {}.", toText(candidate),
                                   formatBytes(static_cast<double>(*most)), formatBytes(static_cast<double>(limit))),
                       "Choose smaller tiles.");
    return {};
}

} // namespace kl
