// SPDX-License-Identifier: MIT
#include "sessions/search/candidate_space.h"

#include "core/base/try.h"

#include <algorithm>
#include <map>

namespace kl::inline search {
namespace {

/// The values that occur, in the descriptor's order.
TuningAxis makeTuningAxis(const Tunable& tunable, const std::vector<const Params*>& points)
{
    std::vector<std::string> values;
    for (const ParamValue& value : tunable.values)
        if (std::ranges::any_of(points, [&](const Params* point) { return point->at(tunable.name) == value; }))
            values.push_back(formatParamValue(value));
    return TuningAxis::of(tunable.name, std::move(values));
}

} // namespace

std::map<std::string, double> collectKnownFacts(const SpaceBuild& build, const CompiledPoint& point, const SmLimits& sm)
{
    std::map<std::string, double> facts;
    const std::vector<CompiledLaunch>& launches = point.built.launches;
    const auto tightest =
        std::ranges::min_element(launches, {}, [&](const CompiledLaunch& launch) { return computeOccupancy(sm, launch).percent; });
    if (tightest == launches.end())
        return facts;
    facts["occupancy"] = computeOccupancy(sm, *tightest).percent;
    facts["registers"] = tightest->registers;
    facts["local_bytes"] = static_cast<double>(tightest->stackBytes);
    facts["smem"] = static_cast<double>(tightest->staticSmem + tightest->dynamicSmem);
    for (const CompiledLaunch& launch : launches)
        for (const auto& [opcode, count] : launch.opcodes)
            facts["opcode " + opcode] += static_cast<double>(count);
    for (const GateVerdict& verdict : build.space.points[point.index].verdicts)
        if (verdict.gate == SpaceGate::coalescing && verdict.judged && verdict.value)
            facts["sector_efficiency"] = *verdict.value;
    return facts;
}

std::vector<FeatureColumn> makeColumns(const std::vector<std::map<std::string, double>>& facts)
{
    std::map<std::string, std::vector<double>> columns;
    for (std::size_t i = 0; i < facts.size(); ++i)
        for (const auto& [name, value] : facts[i])
            columns.try_emplace(name, facts.size(), 0.0).first->second[i] = value;
    std::vector<FeatureColumn> list;
    for (auto& [name, values] : columns)
        list.push_back({name, std::move(values)});
    return list;
}

std::string formatParamValue(const ParamValue& value)
{
    const auto* number = std::get_if<std::int64_t>(&value);
    return number ? std::to_string(*number) : std::get<std::string>(value);
}

Result<TuningSpace> makeSpace(const std::vector<Tunable>& tunables, const std::vector<const Params*>& points)
{
    std::vector<TuningAxis> axes;
    for (const Tunable& tunable : tunables)
        if (!points.empty() && points.front()->contains(tunable.name))
            axes.push_back(makeTuningAxis(tunable, points));
    std::vector<AxisPlaces> places;
    for (const Params* each : points) {
        places.emplace_back();
        for (const TuningAxis& axis : axes)
            places.back().push_back(
                static_cast<std::uint16_t>(std::ranges::find(axis.values, formatParamValue(each->at(axis.name))) - axis.values.begin()));
    }
    return TuningSpace::make(std::move(axes), places);
}

Result<SearchSetting> candidateSpace(const KernelFamily& family, const SpaceBuild& build, const SmLimits& sm,
                                     const std::vector<Params>& starts)
{
    const std::vector<const CompiledPoint*> candidates = build.candidates();
    std::vector<const Params*> tunables;
    for (const CompiledPoint* candidate : candidates)
        tunables.push_back(&build.space.points[candidate->index].tunables);
    KL_ASSIGN(TuningSpace space, makeSpace(family.tunables, tunables));
    std::vector<std::map<std::string, double>> facts;
    for (const CompiledPoint* candidate : candidates)
        facts.push_back(collectKnownFacts(build, *candidate, sm));
    SearchSetting setting(std::move(space), makeColumns(facts));
    for (const Params& start : starts) {
        const auto same = [&](const CompiledPoint& point) { return build.space.points[point.index].tunables == start; };
        const auto found = std::ranges::find_if(build.points, same);
        if (found == build.points.end())
            continue;
        const CompiledPoint* measured = found->sameAs ? &build.points[*found->sameAs] : &*found;
        if (const auto at = std::ranges::find(candidates, measured); at != candidates.end())
            setting.start.push_back(static_cast<PointIndex>(at - candidates.begin()));
    }
    return setting;
}

} // namespace kl::inline search
