// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/describe_metrics.h"

#include "core/base/try.h"
#include "core/device/metric_catalog.h"
#include "profiler/live/cupti/metric_names.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <iterator>
#include <sstream>

namespace kl::inline live {
namespace {

constexpr std::size_t kChipsNamed = 4;

std::string lowerCase(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

std::vector<std::string> splitWords(const std::string& text)
{
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

Status searchInto(const MetricsRequest& request, MetricHost& host, MetricsAnswer& answer)
{
    const std::vector<std::string> wanted = splitWords(lowerCase(*request.search));
    for (const std::string& base : host.baseNames()) {
        const auto words = host.describe(base);
        if (!words)
            continue;
        const std::string text = lowerCase(base + ' ' + words->text);
        if (!std::ranges::all_of(wanted, [&](const std::string& word) { return text.find(word) != std::string::npos; }))
            continue;
        ++answer.matches;
        if (static_cast<int>(answer.found.size()) >= request.limit)
            continue;
        ChipMetric metric{base + '.' + usualRollup(base, host), words->text, words->hardwareUnit, words->unit, host.rollups(base), 0};
        KL_ASSIGN(const int passes, host.passes({metric.name}));
        metric.passes = passes;
        answer.found.push_back(std::move(metric));
    }
    return {};
}

/// Of each name, the chips that have it.
std::map<std::string, std::vector<std::string>> chipsWith(const std::vector<std::string>& names, const std::vector<std::string>& chips)
{
    std::map<std::string, std::vector<std::string>> found;
    for (const std::string& chip : chips) {
        const Result<std::unique_ptr<MetricHost>> other = MetricHost::open(chip);
        if (!other) // CUPTI lists a few that it cannot configure
            continue;
        for (const std::string& name : names)
            if ((*other)->has(name))
                found[name].push_back(chip);
    }
    return found;
}

void tellUnknown(MetricHost& host, MetricsAnswer& answer)
{
    std::vector<std::string> strangers;
    for (const auto& [name, reason] : answer.missing)
        if (!findMetric(name) && !host.has(name))
            strangers.push_back(name);
    if (strangers.empty())
        return;
    auto elsewhere = chipsWith(strangers, answer.chips);
    for (const std::string& name : strangers) {
        std::vector<std::string>& having = elsewhere[name];
        if (having.empty()) {
            answer.unknown[name] = nearMetrics(name, host);
            continue;
        }
        const std::string more = having.size() > kChipsNamed ? fmt::format(" and {} more", having.size() - kChipsNamed) : std::string();
        having.resize(std::min(having.size(), kChipsNamed));
        answer.missing[name] = fmt::format("not on {}: {}{} have it", answer.chip, fmt::join(having, ", "), more);
    }
}

} // namespace

Result<std::unique_ptr<MetricHost>> openChip(const std::string& chip)
{
    KL_ASSIGN(const std::vector<std::string> chips, listSupportedChips());
    for (const std::string& known : chips)
        if (lowerCase(known) == lowerCase(chip))
            return MetricHost::open(known);
    return Error{.code = ErrorCode::badInput,
                 .message = fmt::format("CUPTI does not support the chip \"{}\".", chip),
                 .hint = fmt::format("Supported: {}.", fmt::join(chips, ", ")),
                 .where = "--chip"};
}

Result<MetricsAnswer> describeMetrics(const MetricsRequest& request, CounterHost& counters)
{
    MetricHost& host = counters.metrics();
    MetricsAnswer answer;
    answer.chip = host.chip();
    KL_ASSIGN(std::vector<std::string> chips, listSupportedChips());
    answer.chips = std::move(chips);
    if (request.search) {
        KL_TRY(searchInto(request, host, answer));
        return answer;
    }
    KL_ASSIGN(MetricSelection selection, counters.select({request.tier, request.metrics, request.maxPasses}));
    answer.names = selection.names;
    answer.spelled = selection.mapSpelled();
    answer.missing = std::move(selection.missing);
    answer.passes = selection.passes;
    tellUnknown(host, answer);
    return answer;
}

} // namespace kl::inline live
