// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/learning/history.h"
#include "sessions/patterns/pattern_json.h"
#include "sessions/report/report.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline report {
namespace {

std::string minutesText(const std::optional<double>& minutes)
{
    return minutes ? formatMinutes(*minutes) : kNoValue;
}

std::string moneyText(const std::optional<double>& dollars)
{
    return dollars ? formatMoney(*dollars) : kNoValue;
}

const PatternReturn* findReturn(const std::vector<PatternReturn>& rows, const std::string& slug)
{
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const PatternReturn& row) { return row.slug == slug; });
    return found == rows.end() ? nullptr : &*found;
}

ReportModel::Section makeReturnsSection(const std::vector<PatternReturn>& rows)
{
    ReportModel::Section section{"What each pattern saved"};
    section.paragraphs.push_back(
        "Measured figures come from stage times in this database, claimed ones from the October 2025 documents. They are never added.");
    ReportModel::Table table{
        {"Pattern", "Applied", "Measured", "Measured value", "Measured return", "Claimed", "Claimed value", "Claimed return", "Invested"},
        {},
        1};
    const auto add = [&](const std::string& name, const PatternReturn& row) {
        table.rows.push_back({name, fmt::format("{}", row.applications), minutesText(row.measuredMinutes), moneyText(row.measuredValue),
                              formatRatio(row.measuredReturn), minutesText(row.quotedMinutes), moneyText(row.quotedValue),
                              formatRatio(row.quotedReturn), minutesText(row.investedHigh)});
    };
    for (const PatternReturn& row : rows)
        add(row.title.empty() ? row.slug : row.title, row);
    add("All", computeTotal(rows));
    section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section patternSection(const Pattern& pattern)
{
    ReportModel::Section section{pattern.label.empty() ? pattern.title : pattern.label + ". " + pattern.title};
    for (const auto& [name, text] : {std::pair{"Problem", &pattern.problem}, std::pair{"Advice", &pattern.advice},
                                     std::pair{"When", &pattern.when}, std::pair{"Origin", &pattern.origin}})
        if (!text->empty())
            section.paragraphs.push_back(fmt::format("{}: {}", name, *text));
    return section;
}

ReportModel::Section makeUsesSection(const History& history, const std::vector<SessionHeader>& sessions)
{
    ReportModel::Section section{"Every use"};
    if (history.applications.empty()) {
        section.paragraphs.push_back("No pattern has been applied yet.");
        return section;
    }
    ReportModel::Table table{{"Pattern", "Session", "When", "Measured", "Claimed", "Note"}, {}, 99};
    for (const PatternApplication& use : history.applications) {
        const auto found =
            std::find_if(sessions.begin(), sessions.end(), [&](const SessionHeader& row) { return row.id.text == use.session; });
        table.rows.push_back({use.pattern, found == sessions.end() ? kNoValue : found->name, use.at.substr(0, 10),
                              minutesText(use.measuredMinutes), minutesText(use.quotedMinutes), use.note.empty() ? kNoValue : use.note});
    }
    section.tables.push_back(std::move(table));
    return section;
}

} // namespace

Result<Report> patternReport(const Store& store)
{
    KL_ASSIGN(const History history, loadHistory(store));
    KL_ASSIGN(const std::vector<Pattern> patterns, store.patterns());
    KL_ASSIGN(const std::vector<SessionHeader> sessions, store.sessions());
    const PatternReturn total = computeTotal(history.patterns);
    Report report;
    report.model.title = "Patterns";
    report.model.subtitle = fmt::format("{} lessons · engineering rate {} per hour", patterns.size(), formatMoney(history.engineerRate));
    report.model.verdict = fmt::format("Applied {} times in this database.", total.applications);
    report.model.tone = "neutral";
    report.model.figures = {{"Saved, measured", minutesText(total.measuredMinutes), "from stage times in this database"},
                            {"Saved, claimed", minutesText(total.quotedMinutes), "from the October 2025 documents"}};
    report.model.sections = {makeReturnsSection(history.patterns), makeUsesSection(history, sessions)};
    Json json{{"schema", "kernelloop.report-patterns/1"}, {"patterns", Json::array()}, {"applications", Json::array()}};
    report.csv = {{"slug", "title", "kind", "when", "applications", "measured_minutes", "quoted_minutes", "derived_minutes",
                   "quoted_dollars", "invested_minutes"},
                  {},
                  4};
    const auto raw = [](const std::optional<double>& value) { return value ? rawNumber(*value) : std::string(); };
    for (const Pattern& pattern : patterns) {
        const PatternReturn* found = findReturn(history.patterns, pattern.slug);
        const PatternReturn gained = found ? *found : PatternReturn{};
        report.model.sections.push_back(patternSection(pattern));
        Json row = patternToJson(pattern, gained);
        row["return"] = returnToJson(gained);
        json["patterns"].push_back(std::move(row));
        report.csv.rows.push_back({pattern.slug, pattern.title, pattern.kind, pattern.when, fmt::format("{}", gained.applications),
                                   raw(gained.measuredMinutes), raw(gained.quotedMinutes), raw(gained.derivedMinutes),
                                   raw(gained.quotedDollars), raw(gained.investedHigh)});
    }
    for (const PatternApplication& use : history.applications)
        json["applications"].push_back(applicationToJson(use));
    report.json = encodePretty(json) + '\n';
    return report;
}

} // namespace kl::inline report
