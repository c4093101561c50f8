// SPDX-License-Identifier: MIT
#include "kernels/space/search_space.h"

#include "core/base/try.h"
#include "core/search/space_solver.h"
#include "kernels/space/planned_points.h"
#include "kernels/variant_choice.h"
#include "kernels/work_builder.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace kl::inline kernels {
namespace {

/// A tunable with the values that it takes in this space; words count as their index in formulas.
struct Axis {
    std::string name;
    std::vector<std::pair<ParamValue, double>> values;
};

std::vector<Axis> makeAxes(const KernelFamily& family, const Variant& variant, const Params& fixed)
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

/// Fewer than 2^53, or as close as a double is.
double countCombinations(const std::vector<Axis>& axes)
{
    double count = 1;
    for (const Axis& axis : axes)
        count *= static_cast<double>(axis.values.size());
    return count;
}

/// Every combination in order.
std::vector<AxisPlaces> listAll(const std::vector<Axis>& axes, std::size_t count)
{
    std::vector<AxisPlaces> all(count, AxisPlaces(axes.size()));
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t axis = axes.size(), rest = i; axis-- > 0; rest /= axes[axis].values.size())
            all[i][axis] = static_cast<std::uint16_t>(rest % axes[axis].values.size());
    return all;
}

/// A constraint of a descriptor, which reads some of the tunables.
Result<SpaceConstraint> constraintFrom(const std::string& text, const std::vector<Axis>& axes, const std::shared_ptr<FormulaSet>& formulas)
{
    KL_ASSIGN(const std::size_t formula, formulas->add(text));
    SpaceConstraint constraint;
    std::vector<std::size_t> read;
    for (const std::string& name : formulas->names(formula))
        if (const auto axis = std::ranges::find(axes, name, &Axis::name); axis != axes.end()) {
            constraint.names.push_back(name);
            read.push_back(static_cast<std::size_t>(axis - axes.begin()));
        }
    constraint.holds = [&axes, formulas, formula, read](std::span<const std::uint16_t> places) -> Result<bool> {
        for (const std::size_t axis : read)
            formulas->set(axes[axis].name, axes[axis].values[places[axis]].second);
        KL_ASSIGN(const double value, formulas->evaluate(formula));
        return value != 0;
    };
    return constraint;
}

/// The combinations that satisfy the constraints, in order.
Result<std::vector<AxisPlaces>> listValid(const std::vector<Axis>& axes, const KernelFamily& family, const Variant& variant,
                                          const Scope& scope)
{
    const auto formulas = std::make_shared<FormulaSet>(scope);
    std::vector<SpaceConstraint> constraints;
    for (const std::vector<std::string>* texts : {&family.constraints, &variant.constraints})
        for (const std::string& text : *texts) {
            KL_ASSIGN(SpaceConstraint constraint, constraintFrom(text, axes, formulas));
            constraints.push_back(std::move(constraint));
        }
    std::vector<TuningAxis> tunables;
    for (const Axis& axis : axes)
        tunables.push_back({axis.name, std::vector<std::string>(axis.values.size()), {}});
    return solveCombinations(tunables, constraints, kMostListed);
}

Result<SpacePoint> judge(const std::vector<Axis>& axes, const AxisPlaces& places, PlannedPoints& formulas, const GateLimits& limits)
{
    SpacePoint point;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const auto& [value, inFormulas] = axes[axis].values[places[axis]];
        point.tunables[axes[axis].name] = value;
        formulas.set(axes[axis].name, inFormulas);
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

Chip toChip(const SpaceQuestion& question)
{
    if (question.chip)
        return *question.chip;
    const Result<GpuArch> arch = findArch(question.arch);
    return arch ? toChip(*arch) : Chip{};
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
            .leadTo({StepId::listKernels});
    if (!variant.targets.empty()) {
        KL_ASSIGN([[maybe_unused]] const std::string target, chooseTarget(space.kernel, variant.targets, question.arch));
    }
    KL_ASSIGN(const FamilyPoint base, makeFamilyPoint(family, variant, question.fixed, question.problem, toChip(question)));
    space.problem = toText(base.sizes);
    const std::vector<Axis> axes = makeAxes(family, variant, question.fixed);
    const double count = countCombinations(axes);
    if (count >= 0x1p53)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} has more than 2^53 combinations of tunables.", space.kernel),
                     .hint = "Set some of them, e.g. FAMILY/VARIANT@NAME=VALUE.",
                     .where = space.kernel};
    space.total = static_cast<std::size_t>(count);
    std::vector<AxisPlaces> combinations;
    if (space.total <= kMostListed) {
        combinations = listAll(axes, space.total);
    } else {
        KL_ASSIGN(combinations, listValid(axes, family, variant, base.scope));
        space.rejected[static_cast<std::size_t>(SpaceGate::threads)] = space.total - combinations.size();
    }
    KL_ASSIGN(PlannedPoints formulas, PlannedPoints::make(family, variant, base.scope));
    const GateLimits limits{question.sm, question.arch, question.minOccupancy.value_or(variant.search.minOccupancy),
                            variant.search.minSectorEfficiency};
    space.points.reserve(combinations.size());
    for (const AxisPlaces& places : combinations) {
        KL_ASSIGN(SpacePoint point, judge(axes, places, formulas, limits));
        ++(point.rejectedBy ? space.rejected[*point.rejectedBy] : space.survivors);
        space.points.push_back(std::move(point));
    }
    return space;
}

Address makeAddress(const KernelFamily& family, const Variant& variant, const Params& tunables)
{
    Address address{family.id, variant.id, {}};
    for (const auto& [name, value] : tunables) {
        const auto tunable = std::ranges::find(family.tunables, name, &Tunable::name);
        if (tunable == family.tunables.end() || tunable->defaultValue != value)
            address.tunables[name] = value;
    }
    return address;
}

Result<const Variant*> findTunedVariant(const KernelFamily& family, const std::string& variant, const Params& problem, const Chip& chip)
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
        return Error{.code = variant.empty() ? ErrorCode::badInput : ErrorCode::notFound,
                     .message = variant.empty() ? fmt::format("No variant of {} has tunables: there is nothing to search.", family.id)
                                                : fmt::format("{} has no variant \"{}\".", family.id, variant),
                     .hint = "The list of kernels shows which variants have some.",
                     .where = family.id}
            .leadTo({StepId::listKernels});
    const bool several = names.find(',') != std::string::npos;
    if (several && choosesByItself(family))
        if (const Result<const Variant*> chosen = chooseVariant(family, problem, chip); chosen && !(*chosen)->tunables.empty())
            return chosen;
    if (several)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("Several variants of {} have tunables.", family.id),
                     .hint = "Choose one: " + names + '.',
                     .where = family.id};
    return found;
}

} // namespace kl::inline kernels
