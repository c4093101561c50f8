// SPDX-License-Identifier: MIT
#include "core/base/try.h"
#include "core/codec/json_read.h"
#include "sessions/engine/session_actions.h"
#include "sessions/sanitize/sanitize.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline engine {
namespace {

/// Whether each of the tools ran in a check.
bool hasEach(const std::vector<std::string>& tools, const Json& check)
{
    const Json& ran = check.value("checks", Json::array());
    return std::ranges::all_of(tools, [&](const std::string& tool) {
        return std::ranges::any_of(ran, [&](const Json& one) { return textAt(one, "tool") == tool; });
    });
}

/// The newest complete result of this session on the same code, under the current conditions; interrupted checks are repeated.
std::optional<Json> earlierCheck(const SessionModel& model, const Json& code, const std::vector<std::string>& tools)
{
    const std::vector<SessionEvent>& events = model.view.events;
    for (auto item = events.rbegin(); item != events.rend() && item->seq > model.view.conditionsSeq; ++item) {
        if (item->type != event::kMemoryChecked)
            continue;
        Result<Json> data = parseJson(item->dataJson, item->type);
        if (!data || !truthAt(*data, "complete") || !hasEach(tools, *data))
            continue;
        const auto same = [&](const char* key) { return textAt(*data, key) == textAt(code, key); };
        if (!same("variant") || !same("problem") || !same("source"))
            continue;
        if (!data->contains("of"))
            (*data)["of"] = item->seq;
        return std::move(*data);
    }
    return std::nullopt;
}

std::size_t countPlacesFound(const std::vector<SanitizerCheck>& checks)
{
    std::size_t found = 0;
    for (const SanitizerCheck& check : checks)
        found += check.findings.size();
    return found;
}

} // namespace

Result<SessionEvent> SessionActions::checkMemory(const std::string&)
{
    const SessionView& view = model_.view;
    const Params problem = view.failingProblem.value_or(model_.family->smallest);
    KL_ASSIGN(const WorkIdentity work, bench_.catalog().identify(*view.candidate, problem, toChip(bench_.collector())));
    Json data{{"problem", work.problem}, {"variant", toText(*view.candidate)}, {"source", work.sourceHash}};
    const std::vector<std::string> tools = candidateTools(view.foundBy);
    if (const std::optional<Json> earlier = earlierCheck(model_, data, tools))
        return event(event::kMemoryChecked, *earlier);
    data.update({{"seen", ""}, {"unavailable", ""}, {"found", 0}, {"complete", false}, {"checks", Json::array()}});
    const Result<std::vector<SanitizerCheck>> checks = subject_->sanitize(*view.candidate, problem, tools, job_);
    if (!checks && checks.error().code == ErrorCode::interrupted)
        return checks.error();
    if (!checks) {
        data["unavailable"] = fmt::format("{} {}", checks.error().message, checks.error().hint);
        return event(event::kMemoryChecked, data);
    }
    keepLogs(*checks);
    data["seen"] = describe(*checks);
    data["found"] = countPlacesFound(*checks);
    data["complete"] = std::all_of(checks->begin(), checks->end(), [](const SanitizerCheck& check) { return check.trouble.empty(); });
    data["checks"] = toJson(*checks);
    return event(event::kMemoryChecked, data);
}

} // namespace kl::inline engine
