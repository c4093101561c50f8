// SPDX-License-Identifier: MIT
#include "kernels/family_point.h"

#include "core/base/try.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::inline kernels {
namespace {

std::string valueText(const ParamValue& value)
{
    return std::holds_alternative<std::int64_t>(value) ? std::to_string(std::get<std::int64_t>(value)) : std::get<std::string>(value);
}

/// " Optional: BF16, SK.", or empty.
std::string optionalNames(const KernelFamily& family)
{
    std::string names;
    for (const auto& [name, formula] : family.optionalSizes)
        names += (names.empty() ? " Optional: " : ", ") + name;
    return names.empty() ? names : names + '.';
}

/// The default sizes with those of `given` over them, optional ones where they are given.
Result<Params> completeSizes(const KernelFamily& family, const Params& given)
{
    Params sizes = family.problems.front();
    for (const auto& [name, value] : given) {
        const auto* number = std::get_if<std::int64_t>(&value);
        if (!sizes.contains(name) && !family.optionalSizes.contains(name))
            return badPoint(family, fmt::format("{} has no size {}.", family.id, name),
                            fmt::format("Give its sizes, e.g. {}.{}", toText(family.problems.front()), optionalNames(family)));
        if (number == nullptr || *number < 0)
            return badPoint(family, fmt::format("{}={} is not a size.", name, valueText(value)), "Sizes are whole numbers, 0 or more.");
        sizes[name] = value;
    }
    return sizes;
}

Status completeTunables(const KernelFamily& family, const Variant& variant, const Params& given, FamilyPoint& point)
{
    for (const auto& [name, value] : given)
        if (std::find(variant.tunables.begin(), variant.tunables.end(), name) == variant.tunables.end())
            return badPoint(family, fmt::format("{}/{} has no tunable {}.", family.id, variant.id, name),
                            variant.tunables.empty() ? "It has none." : fmt::format("It has {}.", fmt::join(variant.tunables, ", ")));
    for (const Tunable& tunable : family.tunables) {
        if (std::find(variant.tunables.begin(), variant.tunables.end(), tunable.name) == variant.tunables.end())
            continue;
        const auto chosen = given.find(tunable.name);
        const ParamValue& value = chosen == given.end() ? tunable.defaultValue : chosen->second;
        const auto place = std::find(tunable.values.begin(), tunable.values.end(), value);
        if (place == tunable.values.end()) {
            std::string list;
            for (const ParamValue& known : tunable.values)
                list += (list.empty() ? "" : ", ") + valueText(known);
            return badPoint(family, fmt::format("{} cannot be {}.", tunable.name, valueText(value)), fmt::format("Its values: {}.", list));
        }
        if (value != tunable.defaultValue)
            point.changed[tunable.name] = value;
        point.defs[tunable.name] = std::holds_alternative<std::int64_t>(value) ? static_cast<double>(std::get<std::int64_t>(value))
                                                                               : static_cast<double>(place - tunable.values.begin());
    }
    return {};
}

/// Puts sizes into the scope, optional ones with their defaults. One that was given at its default is left out of the point's sizes, so
/// that a problem has one text.
Status completeScope(const KernelFamily& family, FamilyPoint& point)
{
    for (const std::string& name : family.sizes)
        point.scope[name] = static_cast<double>(*numberIn(point.sizes, name));
    Scope chosen;
    for (const auto& [name, formula] : family.optionalSizes) {
        KL_ASSIGN(const double usual, evaluate(formula, point.scope));
        const std::int64_t* given = numberIn(point.sizes, name);
        chosen[name] = given ? static_cast<double>(*given) : usual;
        if (chosen[name] == usual)
            point.sizes.erase(name);
    }
    point.scope.insert(chosen.begin(), chosen.end());
    return {};
}

} // namespace

Error badPoint(const KernelFamily& family, const std::string& what, const std::string& hint)
{
    return {.code = ErrorCode::badInput, .message = what, .hint = hint, .where = family.id};
}

Error inField(Error error, std::string field)
{
    error.where = std::move(field);
    return error;
}

Result<FamilyPoint> makeFamilyPoint(const KernelFamily& family, const Variant& variant, const Params& tunables, const Params& problem,
                                    const Chip& chip)
{
    if (family.isProgram())
        return Error{.code = ErrorCode::refused,
                     .message = fmt::format("{} is a program, which builds and launches its kernel itself.", family.id),
                     .hint = "Open a session on it, or profile its command.",
                     .where = family.id}
            .leadTo({StepId::newSession,
                     {{StepArgument::kernel, family.id}},
                     {{StepArgument::name, "What is it called?"}, {StepArgument::objective, "What is it for, in a sentence?"}}});
    KL_ASSIGN(Params sizes, completeSizes(family, problem));
    FamilyPoint point;
    point.sizes = std::move(sizes);
    KL_TRY(completeTunables(family, variant, tunables, point));
    point.scope.insert(variant.constants.begin(), variant.constants.end());
    KL_TRY(completeScope(family, point));
    for (const auto& [name, value] : point.defs)
        point.scope[name] = value;
    addChip(point.scope, chip);
    return point;
}

} // namespace kl::inline kernels
