// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/base/resource.h"
#include "core/base/try.h"
#include "core/codec/json.h"
#include "core/device/device_table.h"
#include "core/diagnosis/decide.h"
#include "core/diagnosis/targets.h"
#include "sessions/report/report.h"
#include "sessions/session/checks.h"
#include "sessions/session/rules.h"
#include "sessions/session/session_template.h"
#include "sessions/session/template_library.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <set>

namespace kl::inline report {
namespace {

constexpr const char* kCommands = "resources/quick-reference.json";

ReportModel::Section decisionsSection()
{
    ReportModel::Section section{"First look: speedup = baseline time / kernel time"};
    ReportModel::Table table{{"Speedup", "Level", "Do"}, {}, 99};
    // One speedup inside each range: what `decide` answers there is the row.
    for (const auto& [range, at] : {std::pair{"below 0.5", 0.25}, std::pair{"0.5 to below 1.0", 0.75}, std::pair{"1.0 to 1.5", 1.25},
                                    std::pair{"above 1.5, below 2.0", 1.75}, std::pair{"2.0 and more", 2.5}}) {
        const Decision decision = decide(at, 1.0);
        table.rows.push_back({range, decision.level, decision.action.substr(decision.action.find(": ") + 2)});
    }
    section.paragraphs.push_back("A kernel shorter than 10 µs: ask about launch overhead first.");
    section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section templateGatesSection(const SessionTemplate& plan)
{
    ReportModel::Section section{fmt::format("Gates ({}, {})", plan.kind, formatMinutes(plan.budgetMinutes))};
    std::string gates;
    for (const SessionTemplate::Gate& gate : plan.gates)
        gates += fmt::format("{}{} {}: {}", gates.empty() ? "" : " · ", gate.id, gate.title, gate.question);
    section.paragraphs.push_back(gates);
    section.paragraphs.push_back(
        fmt::format("Below {}, G2 fails and only profiling is allowed. G4: largest difference at most {:g}; above {:g} it is a bug. "
                    "G5 requires at least {}.",
                    formatRatio(plan.threshold("speedup_min")), plan.threshold("max_abs_diff"), plan.threshold("gross_error"),
                    formatRatio(plan.keepAt())));
    return section;
}

ReportModel::Section metricsSection(const SessionTemplate& plan)
{
    ReportModel::Section section{"Metrics of a profile"};
    ReportModel::Table table{{"Metric", "Original target", "Target", "If it fails"}, {}, ReportModel::Table::kAllText};
    for (const TargetRow& row : compareWithTargets(RunRecord{}, collectLimits(plan)))
        table.rows.push_back({row.title, limitText(row, row.document), limitText(row, row.method), row.action});
    section.tables.push_back(std::move(table));
    return section;
}

ReportModel::Section gpusSection(const Json& names)
{
    ReportModel::Section section{"Limits of GPUs"};
    ReportModel::Table table{{"GPU", "Shared memory per block", "per SM", "DRAM bandwidth"}, {}, 1};
    for (const GpuRow& row : deviceTable().gpus)
        if (std::ranges::find(names, Json(row.name)) != names.end()) {
            const DeviceInfo device = describeDevice(row);
            table.rows.push_back({row.name, formatBytes(static_cast<double>(device.smemPerBlockOptin)),
                                  formatBytes(static_cast<double>(device.smemPerSm)), formatBandwidth(row.dramBytesPerSecond)});
        }
    section.tables.push_back(std::move(table));
    section.paragraphs.push_back(
        "255 registers per thread, 64 K registers per SM. Static shared memory: 48 KiB everywhere. The often quoted limits of "
        "48 KiB (L4), 164 KiB (A100) and 228 KiB (H100) are the static limit and two SM totals.");
    return section;
}

ReportModel::Section rulesSection()
{
    ReportModel::Section section{"Rules"};
    std::string list;
    for (const Rule& rule : rules())
        list += (list.empty() ? "" : " · ") + rule.name;
    section.paragraphs.push_back(list);
    return section;
}

/// What the tree can find, with the fixes of each group; a class that the list does not know yet is added at the end.
ReportModel::Section treeSection(const DiagnosisTree& tree, const Json& groups)
{
    ReportModel::Section section{"Bottlenecks and fixes"};
    ReportModel::Table table{{"Group", "Class", "Do"}, {}, ReportModel::Table::kAllText};
    std::set<std::string> listed;
    for (const Json& group : groups) {
        const auto classes = group.at("classes").get<std::vector<std::string>>();
        listed.insert(classes.begin(), classes.end());
        table.rows.push_back(
            {group.at("group").get<std::string>(), fmt::format("{}", fmt::join(classes, ", ")), group.at("do").get<std::string>()});
    }
    for (const DiagnosisTree::Node& node : tree.nodes())
        if (!node.classId.empty() && listed.insert(node.classId).second)
            table.rows.push_back({node.title, node.classId, node.help});
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
        "Exit codes: 0 success · 1 failed, refused or slower · 2 usage error · 3 inconclusive · 4 bad input · 5 no GPU or "
        "permission · 6 internal error · 130 interrupted.");
    report.model.sections = {decisionsSection(),          templateGatesSection(plan),
                             metricsSection(plan),        treeSection(tree, listed["bottlenecks"]),
                             gpusSection(listed["gpus"]), rulesSection(),
                             std::move(commands)};
    report.json = encodePretty(Json{{"schema", "kernelloop.quick-reference/1"}, {"markdown", toMarkdown(report.model)}}) + '\n';
    report.csv = {{"section", "item", "text"}, {}, 99};
    for (const ReportModel::Section& section : report.model.sections)
        for (const ReportModel::Table& table : section.tables)
            for (const std::vector<std::string>& row : table.rows)
                report.csv.rows.push_back({section.title, row.front(), row.back()});
    return report;
}

} // namespace kl::inline report
