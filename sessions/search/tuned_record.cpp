// SPDX-License-Identifier: MIT
#include "sessions/search/tuned_record.h"

#include "core/base/try.h"
#include "sessions/search/candidate_space.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline search {

Result<RecordedSpace> makeTunedSpace(const TuneResult& result)
{
    if (result.points.empty())
        return Error{.code = ErrorCode::badInput,
                     .message = "The search measured no point: there is nothing to export.",
                     .hint = "Raise the budget.",
                     .where = result.build.space.kernel};
    std::vector<const TunedPoint*> points; // not best first: a strategy that takes points in order would find it at once
    for (const TunedPoint& point : result.points)
        points.push_back(&point);
    std::ranges::sort(points, {}, &TunedPoint::tunables);
    std::vector<std::string> names;
    for (const auto& [name, value] : points.front()->tunables)
        names.push_back(name);
    std::vector<std::vector<std::string>> rows;
    for (const TunedPoint* point : points) {
        rows.emplace_back();
        for (const auto& [name, value] : point->tunables)
            rows.back().push_back(formatParamValue(value));
    }
    KL_ASSIGN(TuningSpace space, TuningSpace::fromTexts(names, rows));
    RecordedSpace recorded{
        fmt::format("{} {} on {}", result.build.space.kernel, result.build.space.problem, result.device), std::move(space), {}, {}, {}};
    for (const TunedPoint* point : points) {
        recorded.values.push_back(point->ns ? std::optional(*point->ns * 1e-6) : std::nullopt);
        recorded.failures.push_back(point->why);
        recorded.costs.push_back(point->remembered ? 0 : point->seconds);
    }
    return recorded;
}

} // namespace kl::inline search
