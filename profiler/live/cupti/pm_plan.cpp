// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/pm_plan.h"

#include "profiler/live/cupti/metric_plan.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace kl::inline live {
namespace {

/// Configurations in which a chip samples many units at once, best first. Names without one need more passes together.
constexpr std::string_view kConfigurations[] = {"TriageCompute", "TriageAC", "TriageA", "TriageTop", ""};

/// "TriageCompute" of "FBSP.TriageCompute.dramc__throughput" and of "TriageCompute.sm__throughput"; empty without one.
std::string_view extractConfiguration(std::string_view name)
{
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos)
        return {};
    name = name.substr(0, dot);
    return name.substr(name.rfind('.') + 1); // npos + 1 is 0
}

bool fitsOnePass(MetricSource& source, const PmGroup& group)
{
    std::vector<std::string> names;
    for (const PmMetric& metric : group)
        names.push_back(metric.name);
    const Result<int> passes = source.passes(names);
    return passes && *passes == 1;
}

std::optional<PmMetric> findMetric(MetricSource& source, const PmRoleInfo& info)
{
    for (const std::string_view configuration : kConfigurations)
        for (const std::string_view base : info.bases)
            for (const std::string& name : source.baseNames()) {
                if (base.empty() || findPmBase(name) != base || extractConfiguration(name) != configuration)
                    continue;
                PmMetric metric{info.role, name + std::string(kPmRollup)};
                if (fitsOnePass(source, {metric}))
                    return metric;
            }
    return {};
}

} // namespace

Result<std::vector<PmGroup>> planPmSampling(MetricSource& source)
{
    std::optional<PmMetric> active;
    std::vector<PmGroup> groups;
    for (const PmRoleInfo& info : pmRoles()) {
        std::optional<PmMetric> metric = findMetric(source, info);
        if (info.role == PmRole::activeSms)
            active = metric;
        if (!metric || !active)
            continue;
        if (groups.empty())
            groups.push_back({*active});
        if (info.role == PmRole::activeSms)
            continue;
        const bool placed = std::ranges::any_of(groups, [&](PmGroup& group) {
            group.push_back(*metric);
            if (fitsOnePass(source, group))
                return true;
            group.pop_back();
            return false;
        });
        if (PmGroup alone{*active, *metric}; !placed && fitsOnePass(source, alone))
            groups.push_back(std::move(alone));
    }
    if (groups.empty())
        return Error{.code = ErrorCode::environment,
                     .message = fmt::format("The chip {} has no metrics that can be sampled over time.", source.chip()),
                     .hint = "PM sampling needs a GPU of compute capability 7.5 or newer.",
                     .where = source.chip()};
    return groups;
}

std::uint64_t pmIntervalNs(double launchNs)
{
    const double interval = std::max(launchNs / kPmSamplesWanted, kLeastPmIntervalNs);
    return static_cast<std::uint64_t>(std::ceil(interval / 1000)) * 1000;
}

bool triggersBySystemClock(const std::string& chip)
{
    return chip.starts_with("TU") || chip == "GA100";
}

} // namespace kl::inline live
