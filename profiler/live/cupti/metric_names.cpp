// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/metric_names.h"

#include "core/base/nearest.h"
#include "core/base/try.h"

#include <algorithm>
#include <fmt/format.h>
#include <regex>

namespace kl::inline live {
namespace {

constexpr std::size_t kNearest = 3;

Error badExpression(const std::string& expression, const std::string& why, const std::string& hint)
{
    return {.code = ErrorCode::badInput,
            .message = fmt::format("The metric expression \"{}\" {}.", expression, why),
            .hint = hint,
            .where = "--metrics"};
}

Result<std::vector<std::string>> findMatching(const std::string& expression, MetricSource& source)
{
    std::vector<std::string> found;
    try {
        const std::regex pattern(expression, std::regex::ECMAScript | std::regex::optimize);
        const bool whole = expression.find("\\.") != std::string::npos;
        for (const std::string& base : source.baseNames()) {
            if (!whole) {
                if (std::regex_search(base, pattern))
                    found.push_back(base + '.' + usualRollup(base, source));
                continue;
            }
            for (const std::string& rollup : source.rollups(base))
                if (std::string name = base + '.' + rollup; std::regex_search(name, pattern))
                    found.push_back(std::move(name));
        }
    } catch (const std::regex_error& problem) {
        return badExpression(expression, std::string("is not a regular expression: ") + problem.what(),
                             "ECMAScript syntax, e.g. regex:^dram__bytes.");
    }
    if (found.empty())
        return badExpression(expression, "matches no metric of " + source.chip(), "Search the names and descriptions of metrics.")
            .leadTo({StepId::listMetrics, {}, {{StepArgument::search, "Which words?"}}});
    if (found.size() > kMostMatches)
        return badExpression(expression, fmt::format("matches {} metrics, more than {}", found.size(), kMostMatches),
                             "Narrow it: ^ for the start of the name, $ for its end, \\.sum$ for one rollup.");
    return found;
}

} // namespace

std::string usualRollup(const std::string& base, MetricSource& source)
{
    const std::vector<std::string> known = source.rollups(base);
    for (const char* rollup : {"sum", "ratio", "pct", "avg.pct_of_peak_sustained_elapsed"})
        if (std::ranges::find(known, rollup) != known.end() && (std::string_view(rollup) != "sum" || !base.ends_with("throughput")))
            return rollup;
    return known.empty() ? std::string() : known.front();
}

Result<std::vector<std::string>> expandNames(const std::vector<std::string>& names, MetricSource& source)
{
    std::vector<std::string> expanded;
    for (const std::string& name : names) {
        if (!name.starts_with(kRegexPrefix)) {
            expanded.push_back(name);
            continue;
        }
        KL_ASSIGN(const std::vector<std::string> found, findMatching(name.substr(std::string_view(kRegexPrefix).size()), source));
        expanded.insert(expanded.end(), found.begin(), found.end());
    }
    return expanded;
}

std::vector<std::string> nearMetrics(const std::string& name, MetricSource& source)
{
    const std::size_t dot = name.find('.');
    const std::string base = name.substr(0, dot);
    const std::vector<std::string> known = source.rollups(base);
    std::vector<std::string> near;
    if (!known.empty()) {
        if (dot != std::string::npos)
            for (const std::string& rollup : nearestNames(name.substr(dot + 1), known, kNearest))
                near.push_back(base + '.' + rollup);
        const std::string usual = base + '.' + usualRollup(base, source);
        if (near.size() < kNearest && std::ranges::find(near, usual) == near.end())
            near.push_back(usual);
        return near;
    }
    for (const std::string& other : nearestNames(base, source.baseNames(), kNearest)) {
        const std::vector<std::string> rollups = source.rollups(other);
        const bool same = dot != std::string::npos && std::ranges::find(rollups, name.substr(dot + 1)) != rollups.end();
        near.push_back(other + '.' + (same ? name.substr(dot + 1) : usualRollup(other, source)));
    }
    return near;
}

} // namespace kl::inline live
