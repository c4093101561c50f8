// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/tree_geometry.h"

#include "core/base/format.h"
#include "core/diagnosis/quantities.h"

#include <algorithm>

namespace kl {
namespace {

/// Boxes of one kind: how narrow, how high, how far apart.
struct Grid {
    double leastWidth;
    double height;
    double gapX;
    double gapY;
};
constexpr Grid kAsked{228, 44, 18, 10};
constexpr Grid kChip{124, 22, 6, 6}; ///< questions that were not reached need no room
constexpr double kGapKinds = 12;

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
    return formatNumber(*entry.value) + ' ' + (entry.taken ? signOf(entry.sense) : inverse(entry.sense)) + ' ' +
           formatNumber(*entry.threshold);
}

std::string titleOf(const std::string& quantity)
{
    const Quantity* known = findQuantity(quantity);
    return known ? std::string(known->title) : quantity;
}

/// The way that was taken is what held at the end: ways before it ended with a comparison that did not.
const PathEntry* mainOfLastWay(const std::vector<const PathEntry*>& entries)
{
    const PathEntry* main = entries.back();
    for (auto at = entries.rbegin(); at != entries.rend() && (*at)->taken; ++at)
        main = *at; // a way asks its main question first
    return main;
}

const PathEntry* decisive(const std::vector<const PathEntry*>& entries, bool taken)
{
    if (taken)
        return mainOfLastWay(entries);
    for (const PathEntry* entry : entries)
        if (!entry->taken && entry->value)
            return entry;
    for (const PathEntry* entry : entries)
        if (!entry->value)
            return entry;
    return entries.front();
}

/// Fills `width` with equal boxes from `top` on. The height that they take.
double place(const std::vector<TreeBox*>& boxes, const Grid& grid, double top, double width)
{
    const int columns = std::max(1, static_cast<int>((width + grid.gapX) / (grid.leastWidth + grid.gapX)));
    const double boxWidth = (width - grid.gapX * (columns - 1)) / columns;
    int at = 0;
    for (TreeBox* box : boxes) {
        box->x = (at % columns) * (boxWidth + grid.gapX);
        box->y = top + (at / columns) * (grid.height + grid.gapY);
        box->width = boxWidth;
        box->height = grid.height;
        ++at;
    }
    const int rows = (at + columns - 1) / columns;
    return rows == 0 ? 0 : rows * grid.height + (rows - 1) * grid.gapY;
}

} // namespace

TreeLayout layoutTree(const std::vector<DiagnosisTree::Node>& nodes, const std::vector<PathEntry>& path, double width)
{
    TreeLayout layout;
    const std::string last = path.empty() ? std::string() : path.back().node;
    for (const DiagnosisTree::Node& node : nodes) {
        std::vector<const PathEntry*> entries;
        for (const PathEntry& entry : path)
            if (entry.node == node.id)
                entries.push_back(&entry);
        TreeBox box{node.id, node.title, {}, node.help, node.klass, node.asks};
        if (!entries.empty()) {
            const bool taken = node.id == last && entries.back()->taken;
            box.comparisons.clear();
            for (const PathEntry* entry : entries)
                box.comparisons.push_back(titleOf(entry->metric) + ": " + wordsOf(*entry));
            const PathEntry* shown = decisive(entries, taken);
            box.state = taken ? TreeState::taken : shown->value ? TreeState::passed : TreeState::unknown;
            box.words = wordsOf(*shown);
        }
        layout.boxes.push_back(std::move(box));
    }
    std::vector<TreeBox*> asked;
    std::vector<TreeBox*> rest;
    for (TreeBox& box : layout.boxes)
        (box.state == TreeState::notAsked ? rest : asked).push_back(&box);
    layout.height = place(asked, kAsked, 0, width);
    if (!rest.empty()) {
        const double top = asked.empty() ? 0 : layout.height + kGapKinds;
        layout.height = top + place(rest, kChip, top, width);
    }
    return layout;
}

} // namespace kl
