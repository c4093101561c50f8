// SPDX-License-Identifier: MIT
#include "kernels/space/search_space.h"

#include "core/base/try.h"
#include "kernels/space/planned_points.h"
#include "kernels/variant_choice.h"
#include "kernels/work_builder.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl {
namespace {

constexpr std::size_t kMostPoints = 1'000'000;

/// A tunable with the values that it takes in this space; words count as their index in formulas.
struct Axis {
    std::string name;
    std::vector<std::pair<ParamValue, double>> values;
};

std::vector<Axis> axesOf(const KernelFamily& family, const Variant& variant, const Params& fixed)
{
    std::vector<Axis> axes;
    for (const std::string& name : variant.tunables) {
        const Tunable& tunable = *std::ranges::find(family.tunables, name, &Tunable::name);
        Axis axis{name, {}};
        for (std::size_t i = 0; i < tunable.values.size(); ++i) {
            const ParamValue& value = tunable.values[i];
            if (const auto stays = fixed.find(name); stays != fixed.end() && stays->second != value)
                continue;
            const auto* number = std::get_if<std::int64_t>(&value);
            axis.values.emplace_back(value, number ? static_cast<double>(*number) : static_cast<double>(i));
        }
        axes.push_back(std::move(axis));
    }
    return axes;
}

Result<std::size_t> sizeOf(const std::vector<Axis>& axes, const std::string& kernel)
{
    std::size_t size = 1;
    for (const Axis& axis : axes) {
        size *= axis.values.size();
        if (size > kMostPoints)
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("{} has more than {} combinations of tunables.", kernel, kMostPoints),
                         .hint = "Set some of them, e.g. FAMILY/VARIANT@NAME=VALUE.",
                         .where = kernel};
    }
    return size;
}

Result<SpacePoint> judge(const std::vector<Axis>& axes, std::size_t number, PlannedPoints& formulas, const GateLimits& limits)
{
    SpacePoint point;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
        const auto& [value, inFormulas] = axis->values[number % axis->values.size()];
        number /= axis->values.size();
        point.tunables[axis->name] = value;
        formulas.set(axis->name, inFormulas);
    }
    KL_ASSIGN(const PlannedPoint planned, formulas.plan());
    point.minBlocks = planned.minBlocks;
    point.verdicts = judgePoint(planned, limits);
    const auto first = std::ranges::find(point.verdicts, false, &GateVerdict::pass);
    if (first != point.verdicts.end())
        point.rejectedBy = static_cast<std::size_t>(first - point.verdicts.begin());
    return point;
}

} // namespace

Chip chipOf(const SpaceQuestion& question)
{
    if (question.chip)
        return *question.chip;
    const Result<GpuArch> arch = archNamed(question.arch);
    return arch ? chipOf(*arch) : Chip{};
}

Result<SearchSpace> searchSpace(const KernelFamily& family, const Variant& variant, const SpaceQuestion& question)
{
    SearchSpace space;
    space.kernel = family.id + '/' + variant.id;
    if (variant.tunables.empty())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} has no tunables: there is nothing to search.", space.kernel),
                     .hint = "The list of kernels shows which variants have some.",
                     .where = space.kernel}
            .leadingTo({StepId::listKernels});
    if (!variant.targets.empty())
        if (const Result<std::string> target = chooseTarget(space.kernel, variant.targets, question.arch); !target)
            return target.error();
    KL_ASSIGN(const FamilyPoint base, pointOf(family, variant, question.fixed, question.problem, chipOf(question)));
    space.problem = toText(base.sizes);
    const std::vector<Axis> axes = axesOf(family, variant, question.fixed);
    KL_ASSIGN(const std::size_t size, sizeOf(axes, space.kernel));
    KL_ASSIGN(PlannedPoints formulas, PlannedPoints::make(family, variant, base.scope));
    const GateLimits limits{question.sm, question.arch, question.minOccupancy.value_or(variant.search.minOccupancy),
                            variant.search.minSectorEfficiency};
    space.points.reserve(size);
    for (std::size_t number = 0; number < size; ++number) {
        KL_ASSIGN(SpacePoint point, judge(axes, number, formulas, limits));
        ++(point.rejectedBy ? space.rejected[*point.rejectedBy] : space.survivors);
        space.points.push_back(std::move(point));
    }
    return space;
}

Address addressOf(const KernelFamily& family, const Variant& variant, const Params& tunables)
{
    Address address{family.id, variant.id, {}};
    for (const auto& [name, value] : tunables) {
        const auto tunable = std::ranges::find(family.tunables, name, &Tunable::name);
        if (tunable == family.tunables.end() || tunable->defaultValue != value)
            address.tunables[name] = value;
    }
    return address;
}

Result<const Variant*> tunedVariant(const KernelFamily& family, const std::string& variant, const Params& problem, const Chip& chip)
{
    const Variant* found = nullptr;
    std::string names;
    for (const Variant& each : family.variants) {
        if (variant.empty() ? each.tunables.empty() : each.id != variant)
            continue;
        found = &each;
        names += fmt::format("{}{}/{}", names.empty() ? "" : ", ", family.id, each.id);
    }
    if (!found)
        return Error{variant.empty() ? ErrorCode::badInput : ErrorCode::notFound,
                     variant.empty() ? fmt::format("No variant of {} has tunables: there is nothing to search.", family.id)
                                     : fmt::format("{} has no variant \"{}\".", family.id, variant),
                     "The list of kernels shows which variants have some.", family.id, std::string()}
            .leadingTo({StepId::listKernels});
    const bool several = names.find(',') != std::string::npos;
    if (several && choosesByItself(family))
        if (const Result<const Variant*> chosen = chosenVariant(family, problem, chip); chosen && !(*chosen)->tunables.empty())
            return chosen;
    if (several)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("Several variants of {} have tunables.", family.id),
                     .hint = "Choose one: " + names + '.',
                     .where = family.id};
    return found;
}

} // namespace kl
