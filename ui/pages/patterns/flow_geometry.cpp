// SPDX-License-Identifier: MIT
#include "ui/pages/patterns/flow_geometry.h"

#include <algorithm>

namespace kl::ui {
namespace {

constexpr double kBoxHeight = 64;
constexpr double kNarrowBox = 96;  ///< below it titles take more lines
constexpr double kTallHeight = 88; ///< of a narrow box
constexpr double kGapRows = 10;
constexpr double kWidestBox = 220;
constexpr double kShareOfGap = 0.24; ///< of a column's width: room for lines and their labels

const FlowBox& findBox(const FlowPlan& plan, const std::string& id)
{
    return *std::ranges::find(plan.boxes, id, [](const FlowBox& box) { return box.node.id; });
}

bool onTheWay(FlowState state)
{
    return state == FlowState::done || state == FlowState::now;
}

} // namespace

FlowPlan layoutFlow(const PatternFlow& flow, double width)
{
    int columns = 1;
    int rows = 1;
    for (const FlowNode& node : flow.nodes) {
        columns = std::max(columns, node.column + 1);
        rows = std::max(rows, node.row + 1);
    }
    // The last column has no lines to its right.
    const double step = width / (columns - kShareOfGap);
    const double box = std::min(kWidestBox, step * (1 - kShareOfGap));
    FlowPlan plan;
    const double height = box < kNarrowBox ? kTallHeight : kBoxHeight;
    plan.height = rows * height + (rows - 1) * kGapRows;
    for (const FlowNode& node : flow.nodes)
        plan.boxes.push_back({node, QRectF(node.column * step, node.row * (height + kGapRows), box, height)});
    for (const FlowEdge& edge : flow.edges) {
        const FlowBox& from = findBox(plan, edge.from);
        const FlowBox& to = findBox(plan, edge.to);
        plan.lines.push_back({QPointF(from.place.right(), from.place.center().y()), QPointF(to.place.left(), to.place.center().y()),
                              edge.label, onTheWay(from.node.state) && onTheWay(to.node.state)});
    }
    return plan;
}

} // namespace kl::ui
