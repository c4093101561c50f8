// SPDX-License-Identifier: MIT
#include "app/kloop/render.h"
#include "app/kloop/table.h"
#include "core/base/format.h"
#include "core/diagnosis/quantities.h"

#include <fmt/format.h>

namespace kl {
namespace {

std::string answerOf(const std::vector<const PathEntry*>& entries)
{
    if (entries.empty())
        return toned("not asked", Tone::faint);
    for (const PathEntry* entry : entries)
        if (!entry->value)
            return "not known";
    return "no";
}

std::string comparisons(const std::vector<const PathEntry*>& entries)
{
    Table table({"quantity", "value>", "", "threshold>", "", "made of"});
    for (const PathEntry* entry : entries) {
        const Quantity* quantity = findQuantity(entry->metric);
        const auto shown = [&](std::optional<double> value) {
            return !value ? std::string("not measured") : quantity ? formatWithUnit(*value, quantity->unit) : formatNumber(*value);
        };
        table.add({quantity ? std::string(quantity->title) : entry->metric, shown(entry->value), entry->sense, shown(entry->threshold),
                   entry->taken ? "holds" : "does not", quantity ? std::string(quantity->how) : std::string()});
    }
    return table.empty() ? std::string() : table.text("     ");
}

} // namespace

std::string renderExplanation(const Diagnosis& diagnosis, const DiagnosisTree& tree)
{
    const std::vector<PathEntry>& path = diagnosis.finding.path;
    std::string text = toned("How the tree came to it", Tone::strong) + '\n';
    int number = 0;
    bool decided = false;
    for (const DiagnosisTree::Node& node : tree.nodes()) {
        std::vector<const PathEntry*> entries;
        for (const PathEntry& entry : path)
            if (entry.node == node.id)
                entries.push_back(&entry);
        // The last question needs no comparison: it is what is left.
        const bool decides = !decided && node.klass == diagnosis.finding.klass && (entries.empty() || path.back().node == node.id);
        decided = decided || decides;
        text +=
            fmt::format("\n  {}. {} {}\n", ++number, node.title, decides ? toned("yes: " + node.klass, Tone::strong) : answerOf(entries));
        if (!entries.empty() || decides)
            text += fmt::format("     {}\n{}", node.help, comparisons(entries));
    }
    return text;
}

} // namespace kl
