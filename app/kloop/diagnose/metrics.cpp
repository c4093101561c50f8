// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/common/program.h"
#include "app/kloop/diagnose/metric_choice.h"
#include "app/kloop/render/render_metrics.h"
#include "app/kloop/terminal/streams.h"
#include "core/device/metric_sections.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

Result<int> search(Program& program, const Options& options)
{
    MetricsRequest request;
    request.search = options.profile.search;
    request.limit = options.profile.searchLimit;
    const Result<MetricsAnswer> answer = askAboutChip(program, options, request);
    if (!answer)
        return answer.error();
    Json json{{"schema", "kernelloop.metrics/1"}, {"chip", answer->chip}, {"matches", answer->matches}, {"found", Json::array()}};
    for (const ChipMetric& metric : answer->found)
        json["found"].push_back({{"name", metric.name},
                                 {"description", metric.description},
                                 {"hardware_unit", metric.hardwareUnit},
                                 {"unit", metric.unit},
                                 {"rollups", metric.rollups},
                                 {"passes", metric.passes}});
    if (!program.printed(json))
        printText("{}", renderFound(*answer));
    return 0;
}

/// Passes of each tier and section on the chip.
Result<MetricListing> countPasses(Program& program, const Options& options)
{
    MetricListing listing;
    const auto ask = [&](MetricsRequest request, std::vector<std::optional<int>>& passes) -> Status {
        const Result<MetricsAnswer> answer = askAboutChip(program, options, std::move(request));
        if (!answer)
            return answer.error();
        listing.chip = answer->chip;
        passes.emplace_back(answer->passes);
        return {};
    };
    for (int tier = 0; tier <= 2; ++tier) {
        MetricsRequest request;
        request.tier = tier;
        if (Status asked = ask(std::move(request), listing.tierPasses); !asked)
            return asked.error();
    }
    for (const MetricSection& section : metricSections()) {
        MetricsRequest request;
        request.metrics = section.metrics;
        if (Status asked = ask(std::move(request), listing.sectionPasses); !asked)
            return asked.error();
    }
    return listing;
}

} // namespace

Result<int> commandMetrics(Program& program, const Options& options)
{
    if (options.profile.search)
        return search(program, options);
    // Without a chip the list stands by itself: it needs no worker.
    const bool chipKnown = !options.profile.chip.empty() || !program.device().unusable();
    const Result<MetricListing> listing = chipKnown ? countPasses(program, options) : MetricListing{};
    if (!listing)
        return listing.error();
    if (!program.printed(listingToJson(*listing)))
        printText("{}", renderListing(*listing));
    return 0;
}

} // namespace kl
