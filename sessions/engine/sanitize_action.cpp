// SPDX-License-Identifier: MIT
#include "sessions/engine/session_actions.h"

#include "core/base/try.h"
#include "sessions/measure/keep.h"
#include "sessions/sanitize/sanitize.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline engine {
namespace {

/// The selected tools: one by its name, or all without a name.
Result<std::vector<std::string>> selectTools(const std::string& tool)
{
    if (tool.empty())
        return std::vector<std::string>(kSanitizerTools.begin(), kSanitizerTools.end());
    if (std::find(kSanitizerTools.begin(), kSanitizerTools.end(), tool) == kSanitizerTools.end())
        return Error{.code = ErrorCode::usage,
                     .message = fmt::format("compute-sanitizer has no tool \"{}\".", tool),
                     .hint = "Tools: memcheck, racecheck, initcheck, synccheck; leave it out for all of them.",
                     .where = tool};
    return std::vector<std::string>{tool};
}

} // namespace

Result<SessionEvent> SessionActions::sanitize(const std::string& tool)
{
    const SessionView& view = model_.view;
    KL_ASSIGN(const std::vector<std::string> tools, selectTools(tool));
    const Address& variant = view.candidate && (model_.trying() || view.kept) ? *view.candidate : view.current;
    const Params problem = view.failingProblem.value_or(model_.family->smallest);
    KL_ASSIGN(const WorkIdentity work, bench_.catalog().identify(variant, problem, toChip(bench_.collector())));
    Json data{{"problem", work.problem}, {"variant", toText(variant)}, {"checks", Json::array()}};
    const std::string where = fmt::format("compute-sanitizer on {} at {}", toText(variant), work.problem);
    const Result<std::vector<SanitizerCheck>> checks = subject_->sanitize(variant, problem, tools, job_);
    if (!checks && checks.error().code == ErrorCode::interrupted)
        return checks.error();
    if (!checks) { // debugging can continue without a missing tool, or a check that was not recorded
        data["seen"] = fmt::format("{}: {} {}", where, checks.error().message, checks.error().hint);
        return event(event::kSanitized, data);
    }
    keepLogs(*checks);
    data["seen"] = fmt::format("{}: {}", where, describe(*checks));
    data["checks"] = toJson(*checks);
    return event(event::kSanitized, data);
}

void SessionActions::keepLogs(const std::vector<SanitizerCheck>& checks)
{
    Unstored logs;
    for (const SanitizerCheck& check : checks)
        logs.artifacts.emplace_back(fmt::format("session/{}/{}-{}.txt", model_.view.header.id.text, check.tool, model_.view.lastSeq + 1),
                                    check.log);
    static_cast<void>(kl::keep(bench_.store(), logs, job_));
}

} // namespace kl::inline engine
