// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "sessions/report/session_material.h"
#include "sessions/session/session_document.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline report {
namespace {

std::string figuresText(const std::vector<Figure>& figures, const std::string& missing)
{
    std::string text;
    for (const Figure& figure : figures)
        text += fmt::format("{}{} ({}{})", text.empty() ? "" : "; ", formatMoney(figure.value), toString(figure.kind),
                            figure.source.empty() ? "" : ", " + figure.source);
    return text.empty() ? missing : text;
}

ReportModel::Table moneyTable(const SessionMoney& money)
{
    ReportModel::Table table{{"Cost and value", ""}, {}, ReportModel::Table::kAllText};
    table.rows.push_back({"GPU", figuresText(money.gpu, money.why.empty() ? kNoValue : "not known: " + money.why)});
    table.rows.push_back({"Assistant", figuresText(money.assistant, "not entered")});
    table.rows.push_back({"Other", figuresText(money.other, "not entered")});
    table.rows.push_back({"Engineering time", money.engineer ? formatMoney(*money.engineer) : std::string("not known")});
    table.rows.push_back({"Value of the result", figuresText(money.value, "not entered")});
    return table;
}

std::string formatQuotedSaving(const SessionMaterial& material, const std::string& slug)
{
    const auto& uses = material.history.applications;
    const auto use = std::find_if(uses.begin(), uses.end(), [&](const PatternApplication& row) {
        return row.pattern == slug && row.session == material.view.header.id.text;
    });
    std::string text = use != uses.end() && use->quotedMinutes ? formatMinutes(*use->quotedMinutes) : std::string();
    if (use != uses.end() && use->quotedDollars)
        text += (text.empty() ? "" : ", ") + formatMoney(*use->quotedDollars);
    return orDash(text);
}

std::string formatMeasured(const SessionMaterial& material, const std::string& slug)
{
    for (const MeasuredSaving& saving : material.history.savings)
        if (saving.pattern == slug && saving.session == material.view.header.id.text)
            return saving.minutes ? fmt::format("{} ({})", formatMinutes(*saving.minutes), saving.why) : "not measured: " + saving.why;
    return "not measured";
}

} // namespace

ReportModel::Section timeSection(const SessionMaterial& material)
{
    const SessionView& view = material.view;
    ReportModel::Section section{"Time, cost and grade"};
    ReportModel::Table table{{"Stage", "Spent", "Budget"}, {}, 1};
    for (const PhaseView& phase : view.phases)
        table.rows.push_back({phase.title, formatMinutes(phase.elapsedMinutes), formatMinutes(phase.budgetMinutes)});
    for (const FixPart& part : fixParts(view))
        table.rows.push_back(
            {"– " + std::string(part.title), part.minutes ? formatMinutes(*part.minutes) : kNoValue, formatMinutes(part.planned)});
    table.rows.push_back({"Total", formatMinutes(view.minutes), formatMinutes(view.budgetMinutes)});
    section.tables.push_back(std::move(table));
    if (!material.row)
        return section;
    const HistoryRow& row = *material.row;
    section.tables.push_back(moneyTable(row.money));
    section.paragraphs.push_back(row.grade.letter.empty() ? fmt::format("Grade: {}.", row.grade.reason)
                                                          : fmt::format("Grade {}: {}.", row.grade.letter, row.grade.reason));
    if (row.minutesToBuild)
        section.paragraphs.push_back(
            fmt::format("First working build after {} (target {}).", formatMinutes(*row.minutesToBuild), formatMinutes(kBuildTarget)));
    if (row.minutesToBottleneck)
        section.paragraphs.push_back(fmt::format("Bottleneck found after {} (target {}).", formatMinutes(*row.minutesToBottleneck),
                                                 formatMinutes(kBottleneckTarget)));
    if (row.replayed)
        section.paragraphs.push_back("Run on recorded data: not counted in learning and totals.");
    return section;
}

ReportModel::Section mistakesSection(const SessionMaterial& material)
{
    ReportModel::Section section{"Mistakes and dead ends"};
    if (!material.row || (material.row->mistakes.empty() && material.row->wrongPaths.empty())) {
        section.paragraphs.push_back("No known mistakes were made.");
        return section;
    }
    ReportModel::Table mistakes{
        {"Mistake", "Times", "Caught by a rule", "Times before", "What was observed"}, {}, ReportModel::Table::kAllText};
    for (const Mistake& item : material.row->mistakes) {
        const auto& kinds = material.history.mistakes;
        const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const MistakeKind& row) { return row.id == item.id; });
        mistakes.rows.push_back({kind == kinds.end() ? item.id : kind->text, fmt::format("{}", item.count), fmt::format("{}", item.caught),
                                 fmt::format("{}", item.before), orDash(item.how)});
    }
    if (!mistakes.rows.empty())
        section.tables.push_back(std::move(mistakes));
    ReportModel::Table paths{{"Dead end", "Time"}, {}, 1};
    for (const WrongPath& path : material.row->wrongPaths)
        paths.rows.push_back({path.what, formatMinutes(path.minutes)});
    if (!paths.rows.empty())
        section.tables.push_back(std::move(paths));
    return section;
}

ReportModel::Section documentSection(const SessionMaterial& material)
{
    ReportModel::Section section{"Document"};
    ReportModel::Table table{{"Question", "Answer", ""}, {}, ReportModel::Table::kAllText};
    for (const DocumentAnswer& row : composeDocument(material.view))
        table.rows.push_back({std::string(row.question->text), orDash(row.text), row.drafted ? "drafted from the events" : "written"});
    section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section makeLearnedSection(const SessionMaterial& material)
{
    const SessionView& view = material.view;
    ReportModel::Section section{"What was learned"};
    std::size_t from = 0;
    while (from < view.retrospective.size()) {
        const std::size_t end = std::min(view.retrospective.find('\n', from), view.retrospective.size());
        if (end > from)
            section.paragraphs.push_back(view.retrospective.substr(from, end - from));
        from = end + 1;
    }
    for (const std::string& note : view.notes)
        section.paragraphs.push_back("Note: " + note);
    for (const std::string& stall : view.stalls)
        section.paragraphs.push_back("No progress reported: " + stall);
    ReportModel::Table table{{"Pattern applied", "Savings, claimed", "Savings, measured"}, {}, ReportModel::Table::kAllText};
    for (const std::string& slug : view.patternsApplied) {
        const auto found =
            std::find_if(material.patterns.begin(), material.patterns.end(), [&](const Pattern& pattern) { return pattern.slug == slug; });
        table.rows.push_back(
            {found == material.patterns.end() ? slug : found->title, formatQuotedSaving(material, slug), formatMeasured(material, slug)});
    }
    if (!table.rows.empty())
        section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section reviewSection(const SessionMaterial& material)
{
    ReportModel::Section section{"Review"};
    ReportModel::Table table{{"On", "Who", "When", "What"}, {}, ReportModel::Table::kAllText};
    for (const ReviewComment& comment : material.comments)
        table.rows.push_back({comment.target, comment.author, formatMinute(comment.at), comment.text});
    if (table.rows.empty())
        section.paragraphs.push_back("This session has no comments.");
    else
        section.tables.push_back(std::move(table));
    section.targets.push_back({"session", "The whole session"});
    return section;
}

ReportModel::Section environmentSection(const SessionMaterial& material)
{
    const SessionView& view = material.view;
    ReportModel::Section section{"Environment and versions"};
    ReportModel::Table machine{{"Item", "Value"}, {}, ReportModel::Table::kAllText};
    if (const std::optional<RunRecord>& run = view.baselineRun) {
        const DeviceInfo& device = run->device;
        machine.rows.push_back(
            {"GPU", fmt::format("{} ({}), compute capability {}, {} SMs, {}", device.name, orDash(device.uuid), computeCapability(device),
                                device.smCount, formatBytes(static_cast<double>(device.memoryBytes)))});
        if (!run->host.empty())
            machine.rows.push_back({"Host", run->host});
        machine.rows.push_back({"Driver", fmt::format("{}, CUDA {}.{}", orDash(device.driverVersion), device.cudaDriverVersion / 1000,
                                                      device.cudaDriverVersion % 1000 / 10)});
        machine.rows.push_back({"Kernel source", run->sourceHash});
        machine.rows.push_back({"Measured", formatMinute(run->startedAt)});
        if (run->baseline)
            machine.rows.push_back(
                {"Baseline", run->baseline->name + (run->baseline->version.empty() ? "" : ", " + run->baseline->version)});
        if (run->timing && run->timing->clockMhz)
            machine.rows.push_back({"SM clock while measuring", formatClock(*run->timing->clockMhz)});
        for (const Warning& warning : run->warnings)
            machine.rows.push_back({"Note", warning.text});
    }
    if (view.build && view.build->unavailable.empty())
        machine.rows.push_back(
            {"Build", fmt::format("{} for {}, {} warnings", view.build->status, view.build->arch, view.build->warnings)});
    if (!machine.rows.empty())
        section.tables.push_back(std::move(machine));
    if (!view.environment) {
        section.paragraphs.push_back("The environment was not checked.");
        return section;
    }
    ReportModel::Table checks{{"Check", "Result", "Found"}, {}, ReportModel::Table::kAllText};
    for (const EnvCheck& row : view.environment->checks)
        checks.rows.push_back({row.id + (row.requirement == Requirement::optional ? " (optional)" : ""),
                               row.result == CheckResult::pass   ? "✓ pass"
                               : row.result == CheckResult::fail ? "✕ fail"
                                                                 : "– skipped",
                               orDash(row.found)});
    section.tables.push_back(std::move(checks));
    return section;
}

} // namespace kl::inline report
