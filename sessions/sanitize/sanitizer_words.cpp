// SPDX-License-Identifier: MIT
#include "sessions/sanitize/sanitize.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline sanitizer {
namespace {

std::string placeWords(const SanitizerPlace& place)
{
    return place.line > 0 ? fmt::format("{} ({}:{})", place.kernel, place.file, place.line) : place.kernel;
}

std::string three(const std::array<int, 3>& at)
{
    return fmt::format("({},{},{})", at[0], at[1], at[2]);
}

Json placeToJson(const SanitizerPlace& place)
{
    return {{"kernel", place.kernel},
            {"file", place.file.empty() ? Json(nullptr) : Json(place.file)},
            {"line", place.line > 0 ? Json(place.line) : Json(nullptr)}};
}

Json findingToJson(const SanitizerFinding& finding)
{
    Json json = placeToJson(finding.place);
    json["what"] = finding.what;
    json["thread"] = finding.thread ? Json(*finding.thread) : Json(nullptr);
    json["block"] = finding.block ? Json(*finding.block) : Json(nullptr);
    json["address"] = finding.address.empty() ? Json(nullptr) : Json(finding.address);
    json["detail"] = finding.detail;
    json["count"] = finding.count;
    json["other"] = finding.other ? placeToJson(*finding.other) : Json(nullptr);
    return json;
}

} // namespace

std::string describe(const SanitizerFinding& finding)
{
    std::string text = fmt::format("{}: {} at {}", finding.tool, finding.what, placeWords(finding.place));
    if (finding.other)
        text += fmt::format(" and {}", placeWords(*finding.other));
    if (finding.thread)
        text += fmt::format(", thread {}", three(*finding.thread));
    if (finding.block)
        text += fmt::format("{}block {}", finding.thread ? " of " : ", ", three(*finding.block));
    if (!finding.address.empty())
        text += fmt::format(", address {}", finding.address);
    if (finding.count > 1)
        text += fmt::format("; {} times", finding.count);
    return text;
}

std::string describe(const std::vector<SanitizerCheck>& checks)
{
    std::string found;
    std::string clean;
    for (const SanitizerCheck& check : checks) {
        for (const SanitizerFinding& finding : check.findings)
            found += describe(finding) + ". ";
        if (!check.trouble.empty())
            found += fmt::format("{} could not run: {} ", check.tool, check.trouble);
        else if (check.findings.empty())
            clean += (clean.empty() ? "" : ", ") + check.tool;
    }
    if (!clean.empty())
        found += fmt::format("No errors found by {}.", clean);
    return found;
}

Json toJson(const std::vector<SanitizerCheck>& checks)
{
    Json list = Json::array();
    for (const SanitizerCheck& check : checks) {
        Json findings = Json::array();
        for (const SanitizerFinding& finding : check.findings)
            findings.push_back(findingToJson(finding));
        list.push_back({{"tool", check.tool},
                        {"trouble", check.trouble.empty() ? Json(nullptr) : Json(check.trouble)},
                        {"findings", std::move(findings)}});
    }
    return list;
}

} // namespace kl::inline sanitizer
