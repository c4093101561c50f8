// SPDX-License-Identifier: MIT
#include "sessions/session/rules.h"

#include "core/device/shared_memory.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace kl::inline session {
namespace {

const Variant* findFamilyVariant(const KernelFamily& family, const std::string& id)
{
    const auto found =
        std::find_if(family.variants.begin(), family.variants.end(), [&](const Variant& variant) { return variant.id == id; });
    return found == family.variants.end() ? nullptr : &*found;
}

/// Steps from one variant to a later one, following `fixes` back from the later; empty if it does not follow from the first.
std::vector<std::string> stepsBetween(const KernelFamily& family, const std::string& lower, const std::string& upper)
{
    std::vector<std::string> steps;
    std::string at = upper;
    while (at != lower) {
        const Variant* variant = findFamilyVariant(family, at);
        if (!variant || variant->fixes.empty() || steps.size() > family.variants.size())
            return {};
        steps.insert(steps.begin(), fmt::format("{} → {}", variant->fixes, at));
        at = variant->fixes;
    }
    return steps;
}

/// The value as text, the family's default where the address leaves it out.
std::string formatTunableValue(const KernelFamily& family, const Address& address, const std::string& name)
{
    const auto asText = [](const ParamValue& value) {
        return std::holds_alternative<std::string>(value) ? std::get<std::string>(value) : fmt::to_string(std::get<std::int64_t>(value));
    };
    if (const auto found = address.tunables.find(name); found != address.tunables.end())
        return asText(found->second);
    for (const Tunable& tunable : family.tunables)
        if (tunable.name == name)
            return asText(tunable.defaultValue);
    return "default";
}

} // namespace

const std::vector<Rule>& rules()
{
    static const std::vector<Rule> all{
        {rule::kProfileFirst, "Profile before optimizing", "skipping this cost two hours in an earlier session"},
        {rule::kSmallestFirst, "Smallest size first", "skipping this cost half an hour in an earlier session"},
        {rule::kStopBelowHalf, "A speedup below 0.5 stops optimization until profiled", "ignoring this cost an entire session"},
        {rule::kSharedMemoryFirst, "Compute shared memory before compiling",
         "skipping this cost an hour of rebuilding in an earlier session"},
        {rule::kOneVariable, "One variable at a time", "with two changes at once, nobody knows which one had which effect"},
        {rule::kCorrectnessFirst, "Correctness before performance", "an incorrect result makes every later time invalid"},
        {rule::kBaselineFirst, "Baseline first, in the same run and on the same device",
         "without a baseline, an earlier session took a claim for a result"},
        {rule::kNeverSilent, "Never silent", "without messages, a hang looks like progress"},
    };
    return all;
}

Error refusal(const std::string& where, const std::string& what, const std::string& hint, std::vector<NextStep> next)
{
    const auto found = std::find_if(rules().begin(), rules().end(), [&](const Rule& item) { return item.id == where; });
    std::string message = what;
    if (found != rules().end())
        message += fmt::format(" {}: {}.", found->name, found->cost);
    else if (!where.empty())
        message += fmt::format(" {} has not passed.", where);
    return {.code = ErrorCode::refused, .message = message, .hint = hint, .where = where, .next = std::move(next)};
}

std::vector<std::string> listChangedVariables(const KernelFamily& family, const Address& from, const Address& to,
                                              const std::optional<SourceChange>& source)
{
    std::vector<std::string> changes;
    if (from.family != to.family)
        return {fmt::format("{} → {}", from.family, to.family), "a different kernel"};
    if (from.variant != to.variant) {
        changes = stepsBetween(family, from.variant, to.variant);
        if (changes.empty())
            changes = {fmt::format("{} → {}", from.variant, to.variant), fmt::format("{} is not a fix of {}", to.variant, from.variant)};
    }
    std::set<std::string> names;
    for (const Address* side : {&from, &to})
        for (const auto& [name, value] : side->tunables)
            names.insert(name);
    for (const std::string& name : names)
        if (const std::string a = formatTunableValue(family, from, name), b = formatTunableValue(family, to, name); a != b)
            changes.push_back(fmt::format("{} {} → {}", name, a, b));
    if (source)
        changes.push_back(fmt::format("{} {}", source->file, source->summary));
    return changes;
}

std::optional<std::int64_t> sharedMemoryOverflow(const WorkSpec& work, std::int64_t limit)
{
    std::int64_t most = 0;
    for (const LaunchSpec& launch : work.launches)
        most = std::max(most, launch.dynamicSmem);
    return limit > 0 && !smemFit(most, limit).fits ? std::optional(most) : std::nullopt;
}

} // namespace kl::inline session
