// SPDX-License-Identifier: MIT
#include "sessions/search/recorded_search.h"

#include "core/base/try.h"
#include "kernels/space/search_space.h"
#include "sessions/search/candidate_space.h"
#include "sessions/store/search_records.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline search {
namespace {

Error unusable(const SearchRecord& record, std::string message)
{
    return {.code = ErrorCode::badInput,
            .message = std::move(message),
            .hint = "Replay a search that measured its points.",
            .where = std::string(kSearchPrefix) + record.id};
}

/// Whether they have every tunable of a point, and its value.
bool hasAllTunables(const std::vector<Tunable>& tunables, const Params& point)
{
    return std::ranges::all_of(point, [&](const auto& named) {
        const auto found = std::ranges::find(tunables, named.first, &Tunable::name);
        return found != tunables.end() && std::ranges::find(found->values, named.second) != found->values.end();
    });
}

/// A kernel's tunables with their default and their values in its order; where it has changed since, as they occur.
std::vector<Tunable> listSearchedTunables(const SearchRecord& record, const std::vector<Params>& points, const Catalog& catalog)
{
    if (const Result<Address> address = parseAddress(record.kernel))
        if (const Result<const KernelFamily*> family = catalog.family(address->family))
            if (std::ranges::all_of(points, [&](const Params& point) { return hasAllTunables((*family)->tunables, point); }))
                return (*family)->tunables;
    std::vector<Tunable> tunables;
    for (const auto& [name, value] : points.front()) {
        Tunable& tunable = tunables.emplace_back();
        tunable.name = name;
        for (const Params& point : points)
            if (const ParamValue& other = point.at(name); std::ranges::find(tunable.values, other) == tunable.values.end())
                tunable.values.push_back(other);
        std::ranges::sort(tunable.values);
        tunable.defaultValue = tunable.values.front();
    }
    return tunables;
}

/// The default, or the point whose program is the same.
std::vector<PointIndex> defaultPoint(const SearchRecord& record, const std::vector<Tunable>& tunables, const std::vector<Params>& points)
{
    Params start;
    for (const Tunable& tunable : tunables)
        if (points.front().contains(tunable.name))
            start.emplace(tunable.name, tunable.defaultValue);
    const auto twin = record.twins.find(toText(start));
    const auto found = std::ranges::find(points, twin == record.twins.end() ? toText(start) : twin->second,
                                         [](const Params& point) { return toText(point); });
    return found == points.end() ? std::vector<PointIndex>() : std::vector{static_cast<PointIndex>(found - points.begin())};
}

} // namespace

Result<RecordedSpace> makeRecordedSpace(const SearchRecord& record, const Catalog& catalog)
{
    if (std::ranges::none_of(record.trials, [](const SearchTrial& trial) { return trial.ns.has_value(); }))
        return unusable(record, "No point of this search has a time.");
    std::vector<Params> points;
    for (const SearchTrial& trial : record.trials) {
        KL_ASSIGN(Params point, parseParams(trial.tunables));
        const auto sameName = [](const auto& a, const auto& b) { return a.first == b.first; };
        if (!points.empty() && !std::ranges::equal(point, points.front(), sameName))
            return unusable(record, fmt::format("{} has other tunables than the first point.", trial.tunables));
        points.push_back(std::move(point));
    }
    const std::vector<Tunable> tunables = listSearchedTunables(record, points, catalog);
    std::vector<const Params*> all;
    for (const Params& point : points)
        all.push_back(&point);
    KL_ASSIGN(TuningSpace space, makeSpace(tunables, all));
    RecordedSpace recorded{fmt::format("{} {} on {}", record.kernel, record.problem, record.device), std::move(space), {}, {}, {}, {}, {}};
    std::vector<std::map<std::string, double>> facts;
    for (const SearchTrial& trial : record.trials) {
        recorded.values.push_back(trial.ns ? std::optional(*trial.ns * 1e-6) : std::nullopt);
        recorded.failures.push_back(trial.ns ? std::string() : trial.why);
        recorded.costs.push_back(trial.remembered ? 0 : trial.seconds);
        facts.push_back(trial.facts);
    }
    recorded.known = makeColumns(facts);
    recorded.start = defaultPoint(record, tunables, points);
    return recorded;
}

Result<RecordedSpace> loadRecordedSearch(const Store& store, const Catalog& catalog, const std::string& id)
{
    KL_ASSIGN(const SearchRecord record, searchRecord(store, id));
    return makeRecordedSpace(record, catalog);
}

} // namespace kl::inline search
