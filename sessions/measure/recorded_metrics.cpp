// SPDX-License-Identifier: MIT
#include "sessions/measure/recorded_metrics.h"

#include "core/base/nearest.h"
#include "core/base/try.h"
#include "core/device/metric_catalog.h"
#include "core/device/metric_sections.h"

#include <algorithm>
#include <fmt/format.h>
#include <regex>
#include <set>

namespace kl::inline measure {
namespace {

constexpr std::string_view kRegex = "regex:";

std::vector<std::string> listMetricNames(const MetricSet& set)
{
    std::vector<std::string> names;
    for (const auto& entry : set.values)
        names.push_back(entry.first);
    for (const auto& entry : set.missing)
        names.push_back(entry.first);
    return names;
}

bool isKnown(const std::string& name)
{
    if (findMetric(name))
        return true;
    return std::ranges::any_of(
        metricSections(), [&](const MetricSection& section) { return std::ranges::find(section.metrics, name) != section.metrics.end(); });
}

Error stranger(const std::string& name, const std::vector<std::string>& recorded)
{
    const std::vector<std::string> near = nearestNames(name, recorded);
    return Error{.code = ErrorCode::badInput,
                 .message = fmt::format("The recording holds no metric \"{}\".", name),
                 .hint = near.empty()
                             ? "The list of metrics shows what is recorded."
                             : fmt::format("Did you mean {}? The list of metrics shows what is recorded.", fmt::join(near, " or ")),
                 .where = "--metrics"}
        .leadTo({StepId::listMetrics});
}

/// The requested names, with expressions replaced by the recorded names that match.
Result<std::vector<std::string>> selectWanted(const std::vector<std::string>& requested, const std::vector<std::string>& recorded)
{
    std::vector<std::string> wanted;
    for (const std::string& name : requested) {
        if (!name.starts_with(kRegex)) {
            wanted.push_back(name);
            continue;
        }
        const std::size_t before = wanted.size();
        try {
            const std::regex pattern(name.substr(kRegex.size()));
            std::ranges::copy_if(recorded, std::back_inserter(wanted),
                                 [&](const std::string& one) { return std::regex_search(one, pattern); });
        } catch (const std::regex_error& problem) {
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("\"{}\" is not a regular expression: {}.", name.substr(kRegex.size()), problem.what()),
                         .hint = "ECMAScript syntax, e.g. regex:^dram__bytes.",
                         .where = "--metrics"};
        }
        if (wanted.size() == before)
            return stranger(name, recorded);
    }
    return wanted;
}

/// Keeps the metrics in `wanted`. `all`: the names of the largest recorded tier.
Status keepOnly(MetricSet& set, const std::vector<std::string>& wanted, const std::vector<std::string>& all, int maxPasses)
{
    const std::set<std::string> names(wanted.begin(), wanted.end());
    std::erase_if(set.values, [&](const auto& entry) { return !names.contains(entry.first); });
    std::erase_if(set.missing, [&](const auto& entry) { return !names.contains(entry.first); });
    for (const std::string& name : wanted) {
        if (set.values.contains(name) || set.missing.contains(name))
            continue;
        if (std::ranges::find(all, name) != all.end())
            set.missing[name] = fmt::format("left out: it would take more than {} {}", maxPasses, maxPasses == 1 ? "pass" : "passes");
        else if (isKnown(name))
            set.missing[name] = "not recorded: the recording has only the catalog's metrics";
        else
            return stranger(name, all);
    }
    return {};
}

void keepCountersAlone(RunAnswer& answer)
{
    answer.timing.reset();
    answer.baseline.reset();
    answer.correctness = {};
    answer.correctness.reason = "only counters were requested";
}

} // namespace

bool isNarrowed(const ProfileScope& scope)
{
    return !scope.metrics.empty() || scope.maxPasses > 0 || scope.source.has_value() || scope.cacheControl.has_value() ||
           scope.counters.has_value() || scope.countersOnly;
}

Result<RunAnswer> profileRecorded(Collector& collector, const Catalog& catalog, const Address& address, const Params& problem,
                                  const ProfileScope& scope, const Job& job)
{
    if (scope.cacheControl.value_or("flush") != "flush")
        return Error{.code = ErrorCode::notRecorded,
                     .message = "The sample has no metrics collected without cache control.",
                     .hint = "Flush the caches before every pass, or measure on a GPU.",
                     .where = "--cache-control"};
    std::vector<std::string> all; // of the largest tier
    for (int tier = scope.metrics.empty() ? scope.tier : 2;; --tier) {
        KL_ASSIGN(const ProfileRequest request, profileRequest(catalog, address, problem, tier, toChip(collector)));
        KL_ASSIGN(RunAnswer answer, profile(collector, request, job));
        if (scope.source == false || !scope.metrics.empty() || scope.countersOnly)
            answer.sourceProfile.reset();
        if (scope.countersOnly)
            keepCountersAlone(answer);
        if (scope.counters == false) {
            answer.metrics.reset();
            answer.sourceProfile.reset();
            answer.pmSampling.reset();
        }
        if (!answer.metrics)
            return answer;
        if (all.empty())
            all = listMetricNames(*answer.metrics);
        if (scope.maxPasses > 0 && answer.metrics->plan.passes > scope.maxPasses && tier > 0)
            continue;
        KL_ASSIGN(const std::vector<std::string> wanted, scope.metrics.empty() ? all : selectWanted(scope.metrics, all));
        KL_TRY(keepOnly(*answer.metrics, wanted, all, scope.maxPasses));
        return answer;
    }
}

} // namespace kl::inline measure
