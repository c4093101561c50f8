// SPDX-License-Identifier: MIT
#include "sessions/search/space_build.h"

#include "core/base/try.h"
#include "kernels/code_builder.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace kl::inline search {
namespace {

Result<BuildPoint> buildPoint(const KernelFamily& family, const Variant& variant, const Params& tunables, const Params& problem,
                              const Chip& chip)
{
    KL_ASSIGN(const FamilyPoint point, makeFamilyPoint(family, variant, tunables, problem, chip));
    KL_ASSIGN(const CodeSpec code, buildCode(family, variant, point));
    BuildPoint build{code.kernel, {}, code.options, {}};
    for (const LaunchSpec& launch : code.launches) {
        std::int64_t threads = 1;
        for (const std::int64_t axis : launch.block)
            threads *= axis;
        build.launches.push_back({launch.entry, static_cast<int>(threads), launch.dynamicSmem});
    }
    return build;
}

Result<BuildManyRequest> requestFor(const KernelFamily& family, const Variant& variant)
{
    const CodeText text = chooseCodeText(family, variant);
    if (text.image)
        return Error{.code = ErrorCode::badInput,
                     .message =
                         fmt::format("{}/{} is a binary ({}): there is nothing to compile.", family.id, variant.id, text.image->name),
                     .hint = "Choose a variant that has CUDA source.",
                     .where = family.id + '/' + variant.id};
    BuildManyRequest request;
    request.source = text.source;
    request.headers = text.headers;
    return request;
}

Result<BuildManyAnswer> ask(Collector& collector, const BuildManyRequest& request, const Job& job)
{
    KL_ASSIGN(const Json answer, collector.ask(Verb::buildMany, toJsonMessage(request), job));
    Result<BuildManyAnswer> built = fromJsonMessage<BuildManyAnswer>(answer);
    if (built && built->points.size() != request.points.size())
        return Error{.code = ErrorCode::internal,
                     .message = "The worker returned a different number of points than requested.",
                     .where = "build-many"};
    return built;
}

CompiledVerdict judgeBuiltPoint(const BuiltPoint& built, const GateLimits& limits, int minBlocks)
{
    if (built.ok)
        return judgeCompiled(built.launches, limits, minBlocks);
    return {false, "compile", "It does not compile: " + built.log.substr(0, built.log.find('\n'))};
}

} // namespace

std::vector<const CompiledPoint*> SpaceBuild::candidates() const
{
    std::vector<const CompiledPoint*> found;
    for (const CompiledPoint& point : points)
        if (point.verdict.pass && !point.sameAs)
            found.push_back(&point);
    return found;
}

std::size_t SpaceBuild::countRejectedBy(const std::string& gate) const
{
    return static_cast<std::size_t>(std::ranges::count_if(points, [&](const CompiledPoint& p) { return p.verdict.gate == gate; }));
}

std::size_t SpaceBuild::countCached() const
{
    return static_cast<std::size_t>(std::ranges::count_if(points, [](const CompiledPoint& p) { return p.built.cached; }));
}

std::optional<double> SpaceBuild::coldSeconds() const
{
    double sum = 0;
    int count = 0;
    for (const CompiledPoint& point : points)
        if (!point.built.cached) {
            sum += point.built.seconds;
            ++count;
        }
    return count > 0 ? std::optional(sum / count) : std::nullopt;
}

Result<SpaceBuild> buildSpace(Collector& collector, const KernelFamily& family, const Variant& variant, const SpaceQuestion& question,
                              int jobs, const Job& job)
{
    KL_ASSIGN(BuildManyRequest request, requestFor(family, variant));
    KL_ASSIGN(SearchSpace space, searchSpace(family, variant, question));
    KL_ASSIGN(const std::string target, chooseTarget(space.kernel, variant.targets, question.arch));
    request.arch = target;
    request.jobs = jobs;
    SpaceBuild build;
    for (std::size_t i = 0; i < space.points.size(); ++i) {
        if (space.points[i].rejectedBy)
            continue;
        KL_ASSIGN(BuildPoint point, buildPoint(family, variant, space.points[i].tunables, question.problem, toChip(question)));
        request.points.push_back(std::move(point));
        build.points.push_back({i, {}, {}, {}});
    }
    KL_ASSIGN(BuildManyAnswer answer, ask(collector, request, job));
    const GateLimits limits{question.sm, question.arch, question.minOccupancy.value_or(variant.search.minOccupancy),
                            variant.search.minSectorEfficiency};
    std::map<std::string, std::size_t> firstPoints; // by program
    for (std::size_t i = 0; i < build.points.size(); ++i) {
        CompiledPoint& point = build.points[i];
        point.built = std::move(answer.points[i]);
        point.verdict = judgeBuiltPoint(point.built, limits, space.points[point.index].minBlocks);
        if (!point.built.ok)
            continue;
        if (const auto [first, fresh] = firstPoints.emplace(point.built.code, i); !fresh)
            point.sameAs = first->second;
    }
    build.space = std::move(space);
    build.arch = target;
    build.compiler = answer.compiler;
    build.jobs = answer.jobs;
    build.seconds = answer.seconds;
    return build;
}

Result<BuildManyAnswer> buildVariant(Collector& collector, const KernelFamily& family, const Variant& variant, const Params& tunables,
                                     const Params& problem, const std::vector<std::string>& archs, const Job& job)
{
    KL_ASSIGN(BuildManyRequest request, requestFor(family, variant));
    request.lines = true;
    BuildManyAnswer all; // an entry for each architecture, those that the variant is not written for too
    std::vector<std::size_t> requested;
    std::optional<Error> refused;
    for (const std::string& name : archs) {
        KL_ASSIGN(const GpuArch arch, findArch(name));
        const std::string kernel = family.id + '/' + variant.id;
        const Result<std::string> target = chooseTarget(kernel, variant.targets, name);
        BuiltPoint& entry = all.points.emplace_back();
        entry.kernel = kernel;
        entry.arch = name;
        if (!target) {
            entry.log = target.error().message;
            refused = refused.value_or(target.error());
            continue;
        }
        KL_ASSIGN(BuildPoint point, buildPoint(family, variant, tunables, problem, toChip(arch)));
        requested.push_back(all.points.size() - 1);
        request.points.push_back(std::move(point));
        request.points.back().arch = *target;
    }
    if (requested.empty() && refused)
        return *refused;
    KL_ASSIGN(BuildManyAnswer answer, ask(collector, request, job));
    for (std::size_t i = 0; i < requested.size(); ++i) {
        answer.points[i].arch = all.points[requested[i]].arch;
        all.points[requested[i]] = std::move(answer.points[i]);
    }
    answer.points = std::move(all.points);
    return answer;
}

} // namespace kl::inline search
