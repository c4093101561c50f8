// SPDX-License-Identifier: MIT
#include "sessions/engine/guards.h"

#include "core/base/try.h"
#include "core/device/shared_memory.h"
#include "profiler/protocol/gpu_choice.h"
#include "sessions/engine/action_guards.h"
#include "sessions/engine/action_table.h"
#include "sessions/session/rules.h"
#include "sessions/session/suggestions.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace kl::inline engine {

std::vector<SessionAction> listActions(const SessionTemplate& plan)
{
    std::vector<SessionAction> actions;
    for (const ActionRow& row : actionTable())
        if (row.known(plan))
            actions.push_back(row.action);
    return actions;
}

Error unknownAction(const SessionHeader& header, const SessionTemplate& plan, const std::string& word)
{
    std::vector<std::string> known;
    for (const SessionAction action : listActions(plan))
        known.emplace_back(toString(action));
    return {.code = ErrorCode::usage,
            .message = fmt::format("There is no action \"{}\" in a session of kind {}.", word, header.kind),
            .hint = fmt::format("Actions: {}.", fmt::join(known, ", ")),
            .where = word};
}

Status checkActionAllowed(const SessionModel& model, SessionAction action, const std::string& argument)
{
    const ActionRow& row = lookUpRow(action);
    if (!row.known(model.plan))
        return unknownAction(model.view.header, model.plan, toString(action));
    if (isOver(model.view))
        return makeFinishedError(model.view.header);
    KL_TRY(guard::inOrder(model, row.needs));
    KL_TRY(row.guard ? row.guard(model, action) : Status{});
    if (action == SessionAction::chooseFix && argument.empty()) {
        KL_ASSIGN([[maybe_unused]] const Fix best, bestFix(model));
    }
    return {};
}

Status sameDevice(const SessionModel& model, SessionAction action, const Collector& collector)
{
    const SessionHeader& header = model.view.header;
    const auto name = [](Source source) {
        return source == Source::live ? "a live GPU" : source == Source::sample ? "the recorded sample" : "an import";
    };
    if (collector.source() != header.source)
        return refusal(rule::kBaselineFirst,
                       fmt::format("Session {} was opened on {}; this is {}.", header.name, name(header.source), name(collector.source())),
                       header.source == Source::sample ? "Continue it on the recorded sample."
                                                       : "Continue it on a GPU, or open another session.",
                       {{StepId::stepSession}});
    const DeviceInfo* device = findMeasuredDevice(collector.hello());
    if (header.source == Source::live && !model.view.deviceUuid.empty() && device != nullptr && action != SessionAction::checkEnvironment &&
        device->uuid != model.view.deviceUuid)
        return refusal(rule::kBaselineFirst, fmt::format("Session {} is on {}; this is {}.", header.name, model.view.device, device->name),
                       "Go back to that GPU, or move the session here, where all has to be measured again.",
                       {makeActionStep(SessionAction::checkEnvironment)});
    return {};
}

Status fitsSharedMemory(const Catalog& catalog, const Address& variant, const Params& problem, std::int64_t limit)
{
    KL_ASSIGN(const KernelFamily* family, catalog.family(variant.family));
    if (family->isProgram()) // its launches are known only once it runs
        return {};
    KL_ASSIGN(const WorkSpec work, catalog.work(variant, problem));
    if (const std::optional<std::int64_t> most = sharedMemoryOverflow(work, limit))
        return refusal(rule::kSharedMemoryFirst, fmt::format("{}: {}.", toText(variant), smemSentence(*most, smemFit(*most, limit))),
                       "Choose smaller tiles.", {{StepId::sharedMemory}});
    return {};
}

Status candidateAllowed(const SessionModel& model, const Catalog& catalog, const Address& candidate, bool searched)
{
    const std::int64_t limit = model.view.baselineRun ? model.view.baselineRun->device.smemPerBlockOptin : 0;
    const Status fits = fitsSharedMemory(catalog, candidate, model.view.problem, limit);
    if (!fits && fits.error().code != ErrorCode::refused)
        return fits;
    const std::vector<std::string> changes = listChangedVariables(*model.family, model.view.current, candidate);
    if (changes.empty())
        return refusal(rule::kOneVariable, fmt::format("{} is already the current variant.", toText(candidate)), "Choose a change.");
    if (changes.size() > 1 && !searched)
        return refusal(rule::kOneVariable,
                       fmt::format("{} changes {} variables at once: {}.", toText(candidate), changes.size(), fmt::join(changes, "; ")),
                       "Change one variable per session.");
    if (std::find(model.view.tried.begin(), model.view.tried.end(), candidate) != model.view.tried.end())
        return refusal(rule::kOneVariable, fmt::format("{} was tried and reverted in this session.", toText(candidate)),
                       "Choose another fix.");
    return fits;
}

Status fixAllowed(const SessionModel& model, const Fix& fix)
{
    if (fix.variant.empty())
        return model.editable() ? Status{} : Status(needsEdit(fix));
    KL_ASSIGN(const Address candidate, parseAddress(fix.variant));
    return model.family && model.catalog ? candidateAllowed(model, *model.catalog, candidate) : Status{};
}

Result<Fix> bestFix(const SessionModel& model)
{
    Result<Fix> best =
        Error{.code = ErrorCode::refused, .message = "There is no ready fix left to choose.", .hint = "Take the recommended step."}.leadTo(
            {StepId::stepSession});
    bool first = true;
    for (const Fix& fix : model.readyFixes()) {
        Status fine = fixAllowed(model, fix);
        if (fine)
            return fix;
        if (std::exchange(first, false))
            best = std::move(fine).error();
    }
    return best;
}

} // namespace kl::inline engine
