// SPDX-License-Identifier: MIT
#include "sessions/engine/session_create.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "kernels/variant_choice.h"
#include "profiler/protocol/gpu_choice.h"
#include "sessions/engine/guards.h"
#include "sessions/session/events.h"
#include "sessions/session/session_names.h"
#include "sessions/session/session_template.h"
#include "sessions/session/template_budget.h"
#include "sessions/session/template_library.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kl::inline engine {
namespace {

Result<std::string> freeName(const NewSession& request, const Store& store)
{
    if (request.name.empty())
        return nextSessionName(store);
    KL_ASSIGN(const std::vector<SessionHeader> sessions, store.sessions());
    for (const SessionHeader& session : sessions)
        if (session.name == request.name) {
            const Result<std::string> free = nextSessionName(store);
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("A session named \"{}\" already exists.", request.name),
                         .hint = free ? fmt::format("The next free name is {}.", *free) : "",
                         .where = request.name};
        }
    return request.name;
}

std::string deviceText(const Hello& hello)
{
    const DeviceInfo* device = findMeasuredDevice(hello);
    if (device == nullptr)
        return hello.unavailable.value_or("no GPU");
    return fmt::format("{} (compute capability {})", device->name, computeCapability(*device));
}

std::map<std::string, std::string> defaults(const KernelFamily& family, const SessionTemplate& plan, Collector& collector)
{
    const bool recorded = collector.source() == Source::sample;
    return {
        {"target-gpu", deviceText(collector.hello()) + (recorded ? ", recorded" : "")},
        {"baseline", family.baseline.name.empty() ? "none" : family.baseline.name},
        {"tools", recorded ? "recorded hardware metrics of tiers 0 to 2" : "CUPTI range profiling, metrics of tiers 0 to 2"},
        {"smallest-size", toText(family.smallest)},
        {"success-criteria",
         fmt::format("correct at {} sizes (max abs {}, relative L2 {}); improvement at least {}; peak memory at most {} the kept variant's",
                     family.suite.size(), family.tolerance.maxAbs, family.tolerance.relL2, formatRatio(plan.keepAt()),
                     formatRatio(plan.threshold("peak_memory_max")))}};
}

Result<std::map<std::string, std::string>> collectAnswers(const NewSession& request, const SessionTemplate& plan,
                                                          const KernelFamily& family, Collector& collector)
{
    std::vector<std::string> ids;
    for (const SessionTemplate::Question& question : plan.questions)
        ids.push_back(question.id);
    for (const auto& [id, text] : request.answers)
        if (std::find(ids.begin(), ids.end(), id) == ids.end())
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("\"{}\" is not one of the opening questions.", id),
                         .hint = fmt::format("Questions: {}.", fmt::join(ids, ", ")),
                         .where = id};
    std::map<std::string, std::string> answers;
    std::map<std::string, std::string> fallback = defaults(family, plan, collector);
    for (const std::string& id : ids) {
        const auto given = request.answers.find(id);
        answers[id] = given != request.answers.end() && !given->second.empty() ? given->second : fallback[id];
    }
    return answers;
}

} // namespace

Result<Address> chooseStart(const NewSession& request, const SessionTemplate& plan, const KernelFamily& family, Workbench& bench)
{
    KL_ASSIGN(Address named, parseAddress(request.kernel));
    if (!named.variant.empty())
        return named;
    const auto faulty = std::ranges::find_if(family.variants, [](const Variant& variant) { return !variant.fault.empty(); });
    if (plan.asksFor(Evidence::failingCase) && faulty != family.variants.end())
        return Address{family.id, faulty->id, named.tunables};
    KL_ASSIGN(std::optional<Address> kept, findLastKept(bench.store(), family.id, bench.collector().source()));
    if (kept && bench.catalog().variant(*kept))
        return *kept;
    const Variant* first = firstSound(family);
    if (!first)
        return Error{.code = ErrorCode::notFound,
                     .message = fmt::format("{} has no variant to start from.", family.id),
                     .hint = "Name one: family/variant.",
                     .where = family.id};
    return Address{family.id, first->id, named.tunables};
}

Result<SessionDraft> draftSession(const NewSession& request, Workbench& bench)
{
    KL_ASSIGN(std::string text, templateText(request.kind));
    if (request.budgetMinutes) {
        KL_ASSIGN(text, withBudget(text, *request.budgetMinutes));
    }
    KL_ASSIGN(const SessionTemplate plan, parseTemplate(text, request.kind));
    KL_ASSIGN(const Address named, parseAddress(request.kernel));
    KL_ASSIGN(const KernelFamily* family, bench.catalog().family(named.family));
    if (family->isProgram() && (bench.collector().source() != Source::live || !bench.collector().remoteHost().empty()))
        return Error{.code = ErrorCode::environment,
                     .message = fmt::format("{} is a program: it runs on this machine, on its own GPU.", family->id),
                     .hint = "Open the session on the machine with the GPU, and on that GPU.",
                     .where = family->id};
    KL_ASSIGN(const Address start, chooseStart(request, plan, *family, bench));
    KL_ASSIGN(const WorkIdentity work, bench.catalog().identify(start, request.problem, toChip(bench.collector())));
    const Hello& hello = bench.collector().hello();
    const DeviceInfo* measured = findMeasuredDevice(hello);
    const DeviceInfo device = measured ? *measured : DeviceInfo{};
    KL_TRY(fitsSharedMemory(bench.catalog(), start, request.problem, device.smemPerBlockOptin));
    if (request.cumulative && !plan.asksFor(Evidence::evaluation))
        return Error{.code = ErrorCode::usage,
                     .message = fmt::format("A session of kind {} evaluates no change.", plan.kind),
                     .hint = "The option cumulative applies to the kinds optimize and expert.",
                     .where = "--cumulative"};
    if (request.git && !plan.asksFor(Evidence::candidate))
        return Error{.code = ErrorCode::usage,
                     .message = fmt::format("A session of kind {} makes no change to commit.", plan.kind),
                     .hint = "The option git applies to the kinds optimize, expert and debug.",
                     .where = "--git"};
    KL_ASSIGN(std::string name, freeName(request, bench.store()));
    KL_ASSIGN(const auto answers, collectAnswers(request, plan, *family, bench.collector()));

    SessionDraft draft;
    const std::string now = isoNow();
    draft.header = {SessionId{newUuid()}, std::move(name), request.kind, request.objective, family->id, bench.collector().source(), now,
                    std::move(text)};
    Json data{{"answers", answers}, {"start", toText(start)}, {"problem", work.problem}};
    data["device"] = device.name;
    data["device_uuid"] = device.uuid;
    data["driver"] = device.driverVersion;
    if (const std::string host = bench.collector().remoteHost(); !host.empty())
        data["host"] = host; // whose price the session's time has
    data["claims"] = Json::array();
    for (const Claim& claim : request.claims)
        data["claims"].push_back({{"source", claim.source}, {"figure", claim.figure}, {"about", claim.about}});
    data["options"] = {{"cumulative", request.cumulative}};
    if (request.git)
        data["options"]["git"] = *request.git;
    draft.opened = {1, now, event::kOpened, encode(data)};
    return draft;
}

} // namespace kl::inline engine
