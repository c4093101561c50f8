// SPDX-License-Identifier: MIT
#include "kernels/variant_choice.h"

#include "core/base/try.h"
#include "kernels/work_builder.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace kl::inline kernels {

const Variant* firstSound(const KernelFamily& family) noexcept
{
    const auto found = std::ranges::find_if(family.variants, [](const Variant& variant) { return variant.fault.empty(); });
    return found == family.variants.end() ? nullptr : &*found;
}

bool choosesByItself(const KernelFamily& family) noexcept
{
    return std::ranges::any_of(family.variants, [](const Variant& variant) { return !variant.when.empty(); });
}

Result<bool> suits(const KernelFamily& family, const Variant& variant, const Params& problem, const Chip& chip)
{
    if (variant.when.empty())
        return true;
    KL_ASSIGN(const FamilyPoint point, makeFamilyPoint(family, variant, {}, problem, chip));
    const Result<double> value = evaluate(variant.when, point.scope);
    return value ? Result<bool>(*value != 0) : value.error();
}

Result<const Variant*> chooseVariant(const KernelFamily& family, const Params& problem, const Chip& chip)
{
    std::optional<Error> unfit;
    for (auto at = family.variants.rbegin(); at != family.variants.rend(); ++at) {
        const Variant& variant = *at;
        if (variant.when.empty())
            continue;
        if (const Result<std::string> target = targetOn(family.id + '/' + variant.id, variant.targets, chip); !target) {
            unfit = unfit.value_or(target.error());
            continue;
        }
        KL_ASSIGN(const bool chosen, suits(family, variant, problem, chip));
        if (chosen)
            return &variant;
    }
    if (unfit)
        return *unfit;
    std::string names;
    for (const Variant& variant : family.variants)
        names += fmt::format("{}{}/{}", names.empty() ? "" : ", ", family.id, variant.id);
    return Error{.code = ErrorCode::badInput,
                 .message = fmt::format("\"{}\" is a family; choose a variant.", family.id),
                 .hint = "Its variants: " + names + '.',
                 .where = family.id};
}

const Variant& topVariant(const KernelFamily& family, const Params& problem, const Chip& chip)
{
    if (choosesByItself(family))
        if (const Result<const Variant*> chosen = chooseVariant(family, problem, chip))
            return **chosen;
    const auto found = std::find_if(family.variants.rbegin(), family.variants.rend(),
                                    [&](const Variant& variant) { return runsOn(variant.targets, chip); });
    return found == family.variants.rend() ? family.variants.back() : *found;
}

} // namespace kl::inline kernels
