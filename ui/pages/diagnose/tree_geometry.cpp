// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/tree_geometry.h"

#include "core/base/format.h"
#include "core/diagnosis/quantities.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <span>

namespace kl::ui {
namespace {

/// Boxes of one kind: minimum width, height and gaps.
struct Grid {
    double leastWidth;
    double height;
    double gapX;
    double gapY;
};
constexpr Grid kReached{228, 44, 18, 10};
constexpr Grid kChip{124, 22, 6, 6}; ///< for questions that were not reached
constexpr double kGapKinds = 12;
constexpr double kTitleLine = 15; ///< a second line of a question

std::string negateSense(const std::string& sense)
{
    if (sense == ">=")
        return "≥";
    if (sense == "<=")
        return "≤";
    return sense;
}

/// The opposite comparison, for branches that were not taken.
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

std::string describeComparison(const PathEntry& entry)
{
    if (!entry.value)
        return "not measured";
    const Quantity* quantity = findQuantity(entry.metric);
    if (quantity && !quantity->untrue.empty())
        return *entry.value >= 1 ? "yes" : "no";
    const std::string_view unit = quantity ? quantity->unit : std::string_view();
    const auto figure = [unit](double value) { return utf8(figureWithMark(exact(formatWithUnit(value, unit)))); };
    if (!entry.threshold)
        return figure(*entry.value);
    return figure(*entry.value) + ' ' + (entry.taken ? negateSense(entry.sense) : inverse(entry.sense)) + ' ' + figure(*entry.threshold);
}

std::string findTitle(const std::string& quantity)
{
    const Quantity* known = findQuantity(quantity);
    return known ? std::string(known->title) : quantity;
}

/// The way that was taken is the one whose comparisons hold at the end; earlier ways ended with one that does not.
const PathEntry* findLastMainEntry(const std::vector<const PathEntry*>& entries)
{
    const PathEntry* main = entries.back();
    if (!main->taken) { // fallback: any comparison that holds
        const auto held = std::ranges::find_if(entries, &PathEntry::taken);
        return held == entries.end() ? main : *held;
    }
    for (auto at = entries.rbegin(); at != entries.rend() && (*at)->taken; ++at)
        main = *at; // the main question of a way comes first
    return main;
}

const PathEntry* decisive(const std::vector<const PathEntry*>& entries, bool taken)
{
    if (taken)
        return findLastMainEntry(entries);
    for (const PathEntry* entry : entries)
        if (!entry->taken && entry->value)
            return entry;
    for (const PathEntry* entry : entries)
        if (!entry->value)
            return entry;
    return entries.front();
}

/// The deciding node: that of the last comparison if it holds, else the next one of the class, which needs no way.
const DiagnosisTree::Node* findDecidingNode(const std::vector<DiagnosisTree::Node>& nodes, const std::vector<PathEntry>& path,
                                            const std::string& classId)
{
    const auto last = path.empty() ? nodes.begin() : std::ranges::find(nodes, path.back().node, &DiagnosisTree::Node::id);
    const bool held = !path.empty() && path.back().taken;
    const auto at = held ? last : std::ranges::find(last, nodes.end(), classId, &DiagnosisTree::Node::classId);
    return at == nodes.end() || (!held && classId.empty()) ? nullptr : &*at;
}

/// Fills `width` with equal boxes starting at `top`. Returns their total height.
double place(const std::vector<TreeBox*>& boxes, const Grid& grid, double top, double width, const TitleFits& fits)
{
    const auto columns = static_cast<std::size_t>(std::max(1.0, (width + grid.gapX) / (grid.leastWidth + grid.gapX)));
    const double boxWidth = (width - grid.gapX * static_cast<double>(columns - 1)) / static_cast<double>(columns);
    double y = top;
    for (std::size_t first = 0; first < boxes.size(); first += columns) {
        const std::span<TreeBox* const> row = std::span(boxes).subspan(first, std::min(columns, boxes.size() - first));
        const bool fit =
            !fits || std::ranges::all_of(row, [&](const TreeBox* box) { return fits(box->title, boxWidth - kTreeBoxMargins); });
        const double height = grid.height + (fit ? 0 : kTitleLine);
        double x = 0;
        for (TreeBox* box : row) {
            box->x = x;
            box->y = y;
            box->width = boxWidth;
            box->height = height;
            x += boxWidth + grid.gapX;
        }
        y += height + grid.gapY;
    }
    return boxes.empty() ? 0 : y - grid.gapY - top;
}

} // namespace

TreeLayout layoutTree(const std::vector<DiagnosisTree::Node>& nodes, const std::vector<PathEntry>& path, double width,
                      const TitleFits& fits, const std::string& classId)
{
    TreeLayout layout;
    const DiagnosisTree::Node* decides = findDecidingNode(nodes, path, classId);
    for (const DiagnosisTree::Node& node : nodes) {
        std::vector<const PathEntry*> entries;
        for (const PathEntry& entry : path)
            if (entry.node == node.id)
                entries.push_back(&entry);
        TreeBox box{node.id, node.title, {}, {}, node.help, node.classId, node.asks};
        const bool taken = &node == decides;
        if (taken)
            box.state = TreeState::taken;
        if (!entries.empty()) {
            box.comparisons.clear();
            for (const PathEntry* entry : entries)
                box.comparisons.push_back(findTitle(entry->metric) + ": " + describeComparison(*entry));
            const PathEntry* shown = decisive(entries, taken);
            box.state = taken ? TreeState::taken : shown->value ? TreeState::passed : TreeState::unknown;
            box.words = describeComparison(*shown);
            box.quantity = findTitle(shown->metric);
        }
        layout.boxes.push_back(std::move(box));
    }
    std::vector<TreeBox*> reachedBoxes;
    std::vector<TreeBox*> rest;
    for (TreeBox& box : layout.boxes)
        (box.state == TreeState::notReached ? rest : reachedBoxes).push_back(&box);
    layout.height = place(reachedBoxes, kReached, 0, width, fits);
    if (!rest.empty()) {
        const double top = reachedBoxes.empty() ? 0 : layout.height + kGapKinds;
        layout.height = top + place(rest, kChip, top, width, {});
    }
    return layout;
}

} // namespace kl::ui
