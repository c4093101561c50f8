// SPDX-License-Identifier: MIT
#include "kernels/baseline_choice.h"

#include "core/base/try.h"
#include "kernels/model/expression.h"
#include "kernels/work_builder.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::inline kernels {
namespace {

using Formula = KernelFamily::BaselineFormula;

std::string nameFor(const Formula& baseline)
{
    return !baseline.id.empty() ? baseline.id : !baseline.op.empty() ? baseline.op : baseline.kind;
}

std::vector<Formula> listFormulas(const KernelFamily& family)
{
    if (!family.baselines.empty())
        return family.baselines;
    return family.baseline.kind.empty() ? std::vector<Formula>() : std::vector<Formula>{family.baseline};
}

} // namespace

std::vector<std::string> baselineNames(const KernelFamily& family)
{
    std::vector<std::string> names;
    for (const Formula& baseline : listFormulas(family))
        names.push_back(nameFor(baseline));
    return names;
}

Result<std::vector<BaselineSpec>> findNamedBaselines(const KernelFamily& family, const Variant& variant, const Params& tunables,
                                                     const Params& problem, const std::vector<std::string>& names, const Chip& chip)
{
    const std::vector<Formula> known = listFormulas(family);
    const std::vector<std::string> knownNames = baselineNames(family);
    KL_ASSIGN(const FamilyPoint point, makeFamilyPoint(family, variant, tunables, problem, chip));
    std::vector<std::string> wanted;
    for (const std::string& name : names)
        for (const std::string& one : name == "all" ? knownNames : std::vector<std::string>{name})
            if (std::find(wanted.begin(), wanted.end(), one) == wanted.end())
                wanted.push_back(one);
    std::vector<BaselineSpec> chosen;
    for (const std::string& name : wanted) {
        const auto found = std::find(knownNames.begin(), knownNames.end(), name);
        if (found == knownNames.end())
            return Error{.code = ErrorCode::usage,
                         .message = fmt::format("{} has no baseline \"{}\".", family.id, name),
                         .hint = knownNames.empty()
                                     ? "It has none."
                                     : fmt::format("Its baselines: {}; \"all\" selects every one.", fmt::join(knownNames, ", ")),
                         .where = "--baseline"};
        const Formula& baseline = known[static_cast<std::size_t>(found - knownNames.begin())];
        BaselineSpec spec{baseline.kind, baseline.name, baseline.op, {}, baseline.fallback, name};
        for (const auto& [param, formula] : baseline.params.empty() ? family.baseline.params : baseline.params) {
            KL_ASSIGN(const double value, evaluate(formula, point.scope));
            spec.params[param] = value;
        }
        chosen.push_back(std::move(spec));
    }
    if (chosen.empty())
        return Error{.code = ErrorCode::usage,
                     .message = fmt::format("{} has no baseline.", family.id),
                     .hint = "Add one to its descriptor: \"baseline\": {\"kind\": \"copy\", …}.",
                     .where = family.id};
    return chosen;
}

} // namespace kl::inline kernels
