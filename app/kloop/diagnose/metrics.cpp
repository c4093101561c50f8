// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/diagnose/metric_choice.h"
#include "app/kloop/render/render_metrics.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/try.h"
#include "core/device/metric_sections.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct MetricsOptions {
    std::string chip;                  ///< CUPTI's name; empty: the recording's or this machine's
    std::optional<std::string> search; ///< words of a name or description; empty: all
    int limit = 50;                    ///< rows of the answer to a search
};

Result<int> searchMetrics(Program& program, const MetricsOptions& options)
{
    MetricsRequest request;
    request.chip = options.chip;
    request.search = options.search;
    request.limit = options.limit;
    KL_ASSIGN(const MetricsAnswer answer, askAboutChip(program, request));
    Json json{{"schema", "kernelloop.metrics/1"}, {"chip", answer.chip}, {"matches", answer.matches}, {"found", Json::array()}};
    for (const ChipMetric& metric : answer.found)
        json["found"].push_back({{"name", metric.name},
                                 {"description", metric.description},
                                 {"hardware_unit", metric.hardwareUnit},
                                 {"unit", metric.unit},
                                 {"rollups", metric.rollups},
                                 {"passes", metric.passes}});
    if (!program.printAsJson(json))
        printText("{}", renderFound(answer));
    return 0;
}

/// Passes of each tier and section on the chip.
Result<MetricListing> countPasses(Program& program, const std::string& chip)
{
    MetricListing listing;
    const auto ask = [&](MetricsRequest request, std::vector<std::optional<int>>& passes) -> Status {
        request.chip = chip;
        KL_ASSIGN(const MetricsAnswer answer, askAboutChip(program, std::move(request)));
        listing.chip = answer.chip;
        passes.emplace_back(answer.passes);
        return {};
    };
    for (int tier = 0; tier <= 2; ++tier) {
        MetricsRequest request;
        request.tier = tier;
        KL_TRY(ask(std::move(request), listing.tierPasses));
    }
    for (const MetricSection& section : metricSections()) {
        MetricsRequest request;
        request.metrics = section.metrics;
        KL_TRY(ask(std::move(request), listing.sectionPasses));
    }
    return listing;
}

Result<int> listMetrics(Program& program, const MetricsOptions& options)
{
    if (options.search)
        return searchMetrics(program, options);
    // Without a chip the list is static: it needs no worker.
    const bool chipKnown = !options.chip.empty() || !program.device().unusable();
    KL_ASSIGN(const MetricListing listing, chipKnown ? countPasses(program, options.chip) : MetricListing{});
    if (!program.printAsJson(listingToJson(listing)))
        printText("{}", renderListing(listing));
    return 0;
}

} // namespace

Runner addMetrics(CLI::App& app)
{
    const auto o = std::make_shared<MetricsOptions>();
    app.add_option("--chip", o->chip, "CUPTI's name of a chip, e.g. GH100 (default: this machine's GPU)")->check(notBlank);
    app.add_option("--search", o->search, "Words that the name or description contains; \"\" finds every metric");
    app.add_option("--limit", o->limit, "Number of metrics to list")->check(CLI::Range(1, 100000))->capture_default_str();
    app.footer("Suffixes after the base name are rollups: dram__bytes_read.sum, .avg.per_second …");
    return [o](Program& program) { return listMetrics(program, *o); };
}

} // namespace kl::cli
