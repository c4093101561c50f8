// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/tree_geometry.h"

#include "core/base/format.h"

#include <algorithm>

namespace kl {
namespace {

constexpr double kLeastWidth = 132;
constexpr double kHeight = 46;
constexpr double kGapX = 18;
constexpr double kGapY = 12;

std::string signOf(const std::string& sense)
{
    if (sense == ">=")
        return "≥";
    if (sense == "<=")
        return "≤";
    return sense;
}

/// The opposite comparison: what made a branch not be taken.
std::string inverse(const std::string& sense)
{
    if (sense == ">=")
        return "<";
    if (sense == "<=")
        return ">";
    if (sense == ">")
        return "≤";
    if (sense == "<")
        return "≥";
    return sense;
}

std::string wordsOf(const PathEntry& entry)
{
    if (!entry.value)
        return "not measured";
    if (!entry.threshold)
        return formatNumber(*entry.value);
    return formatNumber(*entry.value) + ' ' + (entry.taken ? signOf(entry.sense) : inverse(entry.sense)) + ' ' + formatNumber(*entry.threshold);
}

/// Whether all comparisons of a node held: that node gave the class.
bool isTaken(const std::vector<const PathEntry*>& entries)
{
    return std::all_of(entries.begin(), entries.end(), [](const PathEntry* entry) { return entry->taken; });
}

const PathEntry* decisive(const std::vector<const PathEntry*>& entries, bool taken)
{
    if (taken)
        return entries.back();
    for (const PathEntry* entry : entries)
        if (!entry->taken && entry->value)
            return entry;
    for (const PathEntry* entry : entries)
        if (!entry->value)
            return entry;
    return entries.front();
}

} // namespace

TreeLayout layoutTree(const std::vector<DiagnosisTree::Node>& nodes, const std::vector<PathEntry>& path, double width)
{
    TreeLayout layout;
    const int columns = std::max(1, static_cast<int>((width + kGapX) / (kLeastWidth + kGapX)));
    const double boxWidth = (width - kGapX * (columns - 1)) / columns;
    const std::string last = path.empty() ? std::string() : path.back().node;
    int at = 0;
    for (const DiagnosisTree::Node& node : nodes) {
        std::vector<const PathEntry*> entries;
        for (const PathEntry& entry : path)
            if (entry.node == node.id)
                entries.push_back(&entry);
        TreeBox box{node.id, node.title, {}, node.help};
        if (!entries.empty()) {
            const bool taken = node.id == last && isTaken(entries);
            const PathEntry* shown = decisive(entries, taken);
            box.state = taken ? TreeState::taken : shown->value ? TreeState::passed : TreeState::unknown;
            box.words = wordsOf(*shown);
        }
        box.x = (at % columns) * (boxWidth + kGapX);
        box.y = (at / columns) * (kHeight + kGapY);
        box.width = boxWidth;
        box.height = kHeight;
        layout.boxes.push_back(std::move(box));
        ++at;
    }
    const int rows = (at + columns - 1) / columns;
    layout.height = rows == 0 ? 0 : rows * kHeight + (rows - 1) * kGapY;
    return layout;
}

} // namespace kl
