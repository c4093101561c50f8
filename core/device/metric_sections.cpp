// SPDX-License-Identifier: MIT
#include "core/device/metric_sections.h"

#include "core/base/nearest.h"
#include "core/base/resource.h"
#include "core/base/try.h"
#include "core/codec/json.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline device {
namespace {

constexpr const char* kFile = "resources/sections.json";

MetricSection section(const Json& row)
{
    MetricSection out;
    out.id = row.at("id").get<std::string>();
    out.aliases = row.at("aliases").get<std::vector<std::string>>();
    out.title = row.at("title").get<std::string>();
    out.help = row.at("help").get<std::string>();
    out.metrics = row.at("metrics").get<std::vector<std::string>>();
    out.chips = row.value("chips", std::vector<std::string>{});
    return out;
}

bool sameWord(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

const MetricSection* find(std::string_view name)
{
    for (const MetricSection& one : metricSections())
        if (sameWord(one.id, name) || std::ranges::any_of(one.aliases, [&](const std::string& alias) { return sameWord(alias, name); }))
            return &one;
    return nullptr;
}

Error unknownSection(const std::string& name)
{
    std::vector<std::string> ids;
    for (const MetricSection& one : metricSections())
        ids.push_back(one.id);
    const std::vector<std::string> near = nearestNames(name, ids);
    const std::string suggestion = near.empty() ? std::string() : fmt::format("Did you mean {}? ", fmt::join(near, " or "));
    return Error{.code = ErrorCode::usage,
                 .message = fmt::format("Unknown section \"{}\".", name),
                 .hint = fmt::format("{}Sections: {}. The list of metrics says what each collects.", suggestion, fmt::join(ids, ", ")),
                 .where = "--sections"}
        .leadTo({StepId::listMetrics});
}

} // namespace

bool MetricSection::isOn(std::string_view chip) const
{
    return chips.empty() || std::ranges::any_of(chips, [&](const std::string& start) { return chip.starts_with(start); });
}

Result<std::vector<MetricSection>> parseSections(std::string_view json, std::string_view where)
{
    KL_ASSIGN(const Json parsed, parseJson(json, where));
    std::vector<MetricSection> sections;
    try {
        for (const Json& row : parsed.at("sections"))
            sections.push_back(section(row));
    } catch (const nlohmann::json::exception& problem) {
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("Section {} cannot be read: {}.", sections.size() + 1, problem.what()),
                     .hint = "A section has an id, aliases, a title, a help text and metrics.",
                     .where = std::string(where)};
    }
    return sections;
}

const std::vector<MetricSection>& metricSections()
{
    static const std::vector<MetricSection> sections = [] {
        const Result<std::string_view> text = resource(kFile);
        Result<std::vector<MetricSection>> parsed = text ? parseSections(*text, kFile) : Result<std::vector<MetricSection>>(text.error());
        return parsed ? std::move(*parsed) : std::vector<MetricSection>{};
    }();
    return sections;
}

Result<std::vector<std::string>> listSectionMetrics(const std::vector<std::string>& names)
{
    std::vector<std::string> metrics;
    const auto add = [&](const MetricSection& one) {
        for (const std::string& metric : one.metrics)
            if (std::ranges::find(metrics, metric) == metrics.end())
                metrics.push_back(metric);
    };
    for (const std::string& name : names) {
        if (sameWord(name, "all")) {
            std::ranges::for_each(metricSections(), add);
            continue;
        }
        const MetricSection* one = find(name);
        if (!one)
            return unknownSection(name);
        add(*one);
    }
    return metrics;
}

} // namespace kl::inline device
