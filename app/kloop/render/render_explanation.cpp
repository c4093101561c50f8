// SPDX-License-Identifier: MIT
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/diagnosis/quantities.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::cli {
namespace {

std::string composeAnswer(const std::vector<const PathEntry*>& entries)
{
    if (entries.empty())
        return applyTone("not reached", Tone::faint);
    for (const PathEntry* entry : entries)
        if (!entry->value)
            return "not evaluated";
    return "no";
}

std::string comparisons(const std::vector<const PathEntry*>& entries)
{
    Table table({"Quantity", "Value>", "", "Threshold>", "", "Computed from"});
    for (const PathEntry* entry : entries) {
        std::vector<std::string> cells = comparisonCells(*entry);
        cells.emplace_back(!entry->value ? "not evaluated" : entry->taken ? "true" : "false");
        const Quantity* quantity = findQuantity(entry->metric);
        cells.emplace_back(quantity ? quantity->how : std::string_view());
        table.add(std::move(cells));
    }
    return table.empty() ? std::string() : table.text("     ");
}

/// Where the finding is: the node of the path's last comparison where that one holds. Else no comparison led to it: the next node of its
/// class.
std::size_t findDecidingNode(const Finding& finding, const std::vector<DiagnosisTree::Node>& nodes)
{
    const std::vector<PathEntry>& path = finding.path;
    const auto last = path.empty() ? nodes.begin() : std::ranges::find(nodes, path.back().node, &DiagnosisTree::Node::id);
    if (!path.empty() && path.back().taken)
        return static_cast<std::size_t>(last - nodes.begin());
    return static_cast<std::size_t>(std::ranges::find(last, nodes.end(), finding.classId, &DiagnosisTree::Node::classId) - nodes.begin());
}

} // namespace

std::vector<std::string> comparisonCells(const PathEntry& entry)
{
    const Quantity* quantity = findQuantity(entry.metric);
    const std::string_view flag = quantity ? flagInWords(*quantity, entry.sense) : std::string_view();
    if (!flag.empty())
        return {std::string(flag), entry.value ? "" : "not measured", "", ""};
    const std::string_view unit = quantity ? quantity->unit : std::string_view();
    return {quantity ? std::string(quantity->title) : entry.metric, entry.value ? formatWithUnit(*entry.value, unit) : "not measured",
            entry.sense, entry.threshold ? formatWithUnit(*entry.threshold, unit) : std::string()};
}

std::string renderExplanation(const RunRecord& run, const DiagnosisTree& tree)
{
    if (!run.diagnosis)
        return {};
    const Finding& finding = run.diagnosis->finding;
    const std::size_t decides = findDecidingNode(finding, tree.nodes());
    std::string text = '\n' + applyTone("How the tree reached this finding", Tone::strong) + '\n';
    for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
        const DiagnosisTree::Node& node = tree.nodes()[i];
        std::vector<const PathEntry*> entries;
        for (const PathEntry& entry : finding.path)
            if (entry.node == node.id)
                entries.push_back(&entry);
        text += fmt::format("\n  {}. {} {}\n", i + 1, node.title,
                            i == decides ? applyTone("yes: " + node.classId, Tone::strong) : composeAnswer(entries));
        if (!entries.empty() || i == decides)
            text += fmt::format("     {}\n{}", node.help, comparisons(entries));
    }
    return text;
}

} // namespace kl::cli
