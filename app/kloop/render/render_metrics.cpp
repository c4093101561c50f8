// SPDX-License-Identifier: MIT
#include "app/kloop/render/render_metrics.h"

#include "app/kloop/terminal/table.h"
#include "core/device/metric_catalog.h"
#include "core/device/metric_sections.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

std::string titleFor(const std::string& name)
{
    const MetricInfo* metric = findMetric(name);
    return metric ? std::string(metric->title) : std::string();
}

std::string countText(std::optional<int> passes)
{
    return passes ? std::to_string(*passes) : std::string();
}

Json countJson(const std::vector<std::optional<int>>& passes, std::size_t at)
{
    return at < passes.size() && passes[at] ? Json(*passes[at]) : Json(nullptr);
}

const char* toWord(Better better)
{
    return better == Better::higher ? "higher" : better == Better::lower ? "lower" : "neutral";
}

Json metricJson(const MetricInfo& metric, const std::string& chip)
{
    Json json{{"name", metric.name},
              {"title", metric.title},
              {"unit", metric.unit},
              {"tier", metric.tier},
              {"better", toWord(metric.better)},
              {"help", metric.help},
              {"alternatives", metric.alternatives},
              {"lacked", nullptr}};
    if (const std::string reason = lackReason(metric, chip); !chip.empty() && !reason.empty())
        json["lacked"] = reason;
    return json;
}

} // namespace

std::string planSentence(const MetricsAnswer& plan)
{
    std::string text = fmt::format("{} {} in {} {} on {}", plan.names.size(), plan.names.size() == 1 ? "metric" : "metrics", plan.passes,
                                   plan.passes == 1 ? "pass" : "passes", plan.chip);
    if (!plan.missing.empty())
        text += fmt::format(", {} left out", plan.missing.size());
    return text;
}

std::string renderPlan(const MetricsAnswer& plan)
{
    Table metrics({"Metric", "Description", "Name on this chip"});
    for (const std::string& name : plan.names) {
        const auto spelled = plan.spelled.find(name);
        metrics.add({name, titleFor(name), spelled == plan.spelled.end() ? "" : spelled->second});
    }
    std::string text = applyTone(planSentence(plan), Tone::strong) + '\n' + metrics.text("  ");
    if (plan.missing.empty())
        return text;
    Table missing({"Left out", "Reason"});
    for (const auto& [name, reason] : plan.missing)
        missing.add({name, reason});
    return text + '\n' + missing.text("  ");
}

Json planToJson(const MetricsAnswer& plan)
{
    Json json{{"schema", "kernelloop.plan/1"}, {"chip", plan.chip}, {"metrics", plan.names}};
    json["spelled"] = plan.spelled;
    json["missing"] = plan.missing;
    json["plan"] = {{"passes", plan.passes}, {"ran", 0}};
    return json;
}

std::string renderListing(const MetricListing& listing)
{
    const std::string passes = listing.chip.empty() ? "" : "Passes on " + listing.chip + '>';
    Table tiers({"Tier", "Metrics>", passes});
    for (int tier = 0; tier <= 2; ++tier) {
        const auto at = static_cast<std::size_t>(tier);
        tiers.add({std::to_string(tier), std::to_string(listTierMetrics(tier).size()),
                   countText(at < listing.tierPasses.size() ? listing.tierPasses[at] : std::nullopt)});
    }
    Table sections({"Section", "Metrics>", passes, "Purpose"});
    for (std::size_t i = 0; i < metricSections().size(); ++i) {
        const MetricSection& one = metricSections()[i];
        sections.add({one.id, std::to_string(one.metrics.size()),
                      countText(i < listing.sectionPasses.size() ? listing.sectionPasses[i] : std::nullopt), one.help});
    }
    Table metrics({"Tier", "Metric", "Unit", "Description"});
    for (const MetricInfo& metric : metricCatalog()) {
        const std::string lacked = listing.chip.empty() ? std::string() : lackReason(metric, listing.chip);
        metrics.add({std::to_string(metric.tier), std::string(metric.name), std::string(metric.unit),
                     lacked.empty() ? std::string(metric.title) : fmt::format("{}; not on {}: {}", metric.title, listing.chip, lacked)});
    }
    std::string text = tiers.text() + '\n' + sections.text() + '\n' + metrics.text();
    if (listing.chip.empty())
        text += "\nPasses depend on the chip: kloop metrics --chip GH100. Any other metric of a chip: kloop metrics --chip GH100 --search "
                "TEXT.\n";
    return text;
}

Json listingToJson(const MetricListing& listing)
{
    Json json{{"schema", "kernelloop.metrics/1"}, {"chip", listing.chip.empty() ? Json(nullptr) : Json(listing.chip)}};
    json["tiers"] = Json::array();
    for (int tier = 0; tier <= 2; ++tier)
        json["tiers"].push_back({{"tier", tier},
                                 {"metrics", listTierMetrics(tier)},
                                 {"passes", countJson(listing.tierPasses, static_cast<std::size_t>(tier))}});
    json["sections"] = Json::array();
    for (std::size_t i = 0; i < metricSections().size(); ++i) {
        const MetricSection& one = metricSections()[i];
        json["sections"].push_back({{"id", one.id},
                                    {"aliases", one.aliases},
                                    {"title", one.title},
                                    {"help", one.help},
                                    {"metrics", one.metrics},
                                    {"passes", countJson(listing.sectionPasses, i)}});
    }
    json["metrics"] = Json::array();
    for (const MetricInfo& metric : metricCatalog())
        json["metrics"].push_back(metricJson(metric, listing.chip));
    return json;
}

std::string renderFound(const MetricsAnswer& answer)
{
    if (answer.found.empty())
        return fmt::format("No metric of {} contains all of these words in its name or description.\n", answer.chip);
    Table table({"Metric", "Unit", "Passes>", "Description"});
    for (const ChipMetric& metric : answer.found)
        table.add({metric.name, metric.unit, std::to_string(metric.passes), metric.description});
    std::string text = fmt::format("{} {} of {} {}", answer.matches, answer.matches == 1 ? "metric" : "metrics", answer.chip,
                                   answer.matches == 1 ? "matches" : "match");
    if (answer.matches > static_cast<int>(answer.found.size()))
        text += fmt::format("; the first {} are shown, --limit {} shows all", answer.found.size(), answer.matches);
    return text + ":\n" + table.text("  ");
}

} // namespace kl::cli
