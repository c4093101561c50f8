// SPDX-License-Identifier: MIT
#include "sessions/search/candidate_space.h"

#include "core/base/try.h"

#include <algorithm>
#include <map>

namespace kl::inline search {
namespace {

/// The values that occur, in the descriptor's order.
TuningAxis axisOf(const Tunable& tunable, const std::vector<const Params*>& points)
{
    std::vector<std::string> values;
    for (const ParamValue& value : tunable.values)
        if (std::ranges::any_of(points, [&](const Params* point) { return point->at(tunable.name) == value; }))
            values.push_back(textOf(value));
    return TuningAxis::of(tunable.name, std::move(values));
}

std::vector<FeatureColumn> compilerFacts(const std::vector<const CompiledPoint*>& candidates, const SmLimits& sm)
{
    std::map<std::string, std::vector<double>> columns;
    const auto set = [&](const std::string& name, std::size_t point, double value) {
        columns.try_emplace(name, candidates.size(), 0.0).first->second[point] += value;
    };
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const std::vector<CompiledLaunch>& launches = candidates[i]->built.launches;
        const auto tightest =
            std::ranges::min_element(launches, {}, [&](const CompiledLaunch& launch) { return occupancyOf(sm, launch).percent; });
        if (tightest == launches.end())
            continue;
        set("occupancy", i, occupancyOf(sm, *tightest).percent);
        set("registers", i, tightest->registers);
        set("local_bytes", i, static_cast<double>(tightest->stackBytes));
        set("smem", i, static_cast<double>(tightest->staticSmem + tightest->dynamicSmem));
        for (const CompiledLaunch& launch : launches)
            for (const auto& [opcode, count] : launch.opcodes)
                set("opcode " + opcode, i, static_cast<double>(count));
    }
    std::vector<FeatureColumn> facts;
    for (auto& [name, values] : columns)
        facts.push_back({name, std::move(values)});
    return facts;
}

} // namespace

std::string textOf(const ParamValue& value)
{
    const auto* number = std::get_if<std::int64_t>(&value);
    return number ? std::to_string(*number) : std::get<std::string>(value);
}

Result<SearchSetting> candidateSpace(const KernelFamily& family, const SpaceBuild& build, const SmLimits& sm,
                                     const std::vector<Params>& starts)
{
    const std::vector<const CompiledPoint*> candidates = build.candidates();
    std::vector<const Params*> tunables;
    for (const CompiledPoint* candidate : candidates)
        tunables.push_back(&build.space.points[candidate->index].tunables);
    std::vector<TuningAxis> axes;
    for (const Tunable& tunable : family.tunables)
        if (!tunables.empty() && tunables.front()->contains(tunable.name))
            axes.push_back(axisOf(tunable, tunables));
    std::vector<AxisPlaces> points;
    for (const Params* each : tunables) {
        points.emplace_back();
        for (const TuningAxis& axis : axes)
            points.back().push_back(
                static_cast<std::uint16_t>(std::ranges::find(axis.values, textOf(each->at(axis.name))) - axis.values.begin()));
    }
    KL_ASSIGN(TuningSpace space, TuningSpace::make(std::move(axes), points));
    SearchSetting setting(std::move(space), compilerFacts(candidates, sm));
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
