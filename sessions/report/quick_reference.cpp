// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/base/resource.h"
#include "core/base/try.h"
#include "core/codec/json.h"
#include "core/diagnosis/decide.h"
#include "sessions/report/report.h"
#include "sessions/session/rules.h"
#include "sessions/session/session_template.h"
#include "sessions/session/template_library.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

constexpr const char* kCommands = "resources/quick-reference.json";

ReportModel::Section decisionsSection()
{
    ReportModel::Section section{"First look: speedup = baseline time / kernel time"};
    ReportModel::Table table{{"Speedup", "Level", "Do"}, {}, 99};
    for (const auto& [range, at] :
         {std::pair{"below 0.5", 0.25}, std::pair{"0.5 to 1.0", 0.75}, std::pair{"1.0 to 2.0", 1.5}, std::pair{"2.0 and more", 2.5}}) {
        const Decision decision = decide(at, 1.0);
        table.rows.push_back({range, decision.level, decision.action});
    }
    section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section templateGatesSection(const SessionTemplate& plan)
{
    ReportModel::Section section{fmt::format("Gates ({}, {})", plan.kind, formatMinutes(plan.budgetMinutes))};
    ReportModel::Table table{{"Gate", "Passes when"}, {}, 99};
    for (const SessionTemplate::Gate& gate : plan.gates)
        table.rows.push_back({gate.id + ' ' + gate.title, gate.rule});
    section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section rulesSection()
{
    ReportModel::Section section{"Rules"};
    ReportModel::Table table{{"Rule", "Because"}, {}, 99};
    for (const Rule& rule : rules())
        table.rows.push_back({rule.name, rule.cost});
    section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section treeSection(const DiagnosisTree& tree)
{
    ReportModel::Section section{"Bottleneck classes, in the order in which they are tested"};
    ReportModel::Table table{{"Question", "Class"}, {}, 99};
    for (const DiagnosisTree::Node& node : tree.nodes())
        table.rows.push_back({node.title, node.classId.empty() ? kNoValue : node.classId});
    section.tables.push_back(std::move(table));
    return section;
}

} // namespace

Result<Report> quickReference(const DiagnosisTree& tree)
{
    KL_ASSIGN(const std::string text, templateText("optimize"));
    KL_ASSIGN(const SessionTemplate plan, parseTemplate(text, "optimize"));
    KL_ASSIGN(const std::string_view file, resource(kCommands));
    KL_ASSIGN(const Json listed, parseJson(file, kCommands));
    Report report;
    report.model.title = "KernelLoop quick reference";
    report.model.subtitle = "Measure, explain, change one thing, measure again";
    report.model.verdict = "Every figure is measured on one GPU, against its baseline, in the same run.";
    report.model.tone = "neutral";
    ReportModel::Section commands{"Commands"};
    for (const Json& line : listed["commands"])
        commands.code += fmt::format("{}{:<49}{}", commands.code.empty() ? "" : "\n", line.at("command").get<std::string>(),
                                     line.at("about").get<std::string>());
    commands.paragraphs.push_back(
        "Exit codes: 0 good · 1 gate failed, refused or slower · 2 usage · 3 inconclusive · 4 bad input · 5 no GPU or "
        "permission · 6 internal · 130 interrupted.");
    report.model.sections = {decisionsSection(), templateGatesSection(plan), rulesSection(), treeSection(tree), std::move(commands)};
    report.json = encodePretty(Json{{"schema", "kernelloop.quick-reference/1"}, {"markdown", toMarkdown(report.model)}}) + '\n';
    report.csv = {{"section", "item", "text"}, {}, 99};
    for (const ReportModel::Section& section : report.model.sections)
        for (const ReportModel::Table& table : section.tables)
            for (const std::vector<std::string>& row : table.rows)
                report.csv.rows.push_back({section.title, row.front(), row.back()});
    return report;
}

} // namespace kl
