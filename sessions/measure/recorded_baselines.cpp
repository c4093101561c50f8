// SPDX-License-Identifier: MIT
#include "sessions/measure/recorded_baselines.h"

#include "core/model/baselines.h"

#include <algorithm>

namespace kl::inline measure {

RunAnswer withBaselines(RunAnswer answer, const std::vector<std::string>& names)
{
    const auto wanted = [&](const std::string& id) {
        return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return name == "all" || name == id; });
    };
    std::erase_if(answer.baselines, [&](const Baseline& baseline) { return !wanted(baseline.id); });
    answer.baseline = findFastest(answer.baselines);
    return answer;
}

Result<RunAnswer> runRecordedBaselines(Collector& collector, const RunRequest& request, const std::vector<std::string>& names,
                                       const Job& job)
{
    Result<RunAnswer> answer = run(collector, request, job);
    if (answer)
        return withBaselines(std::move(*answer), names);
    if (answer.error().code != ErrorCode::notRecorded)
        return answer;
    return Error{.code = ErrorCode::notRecorded,
                 .message = "For this kernel and problem the sample has only its own baseline.",
                 .hint = "Do not choose another, or measure on a GPU.",
                 .where = "--baseline",
                 .detail = answer.error().message};
}

} // namespace kl::inline measure
