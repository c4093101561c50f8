// SPDX-License-Identifier: MIT
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 cannot read libstdc++'s concepts
#include "sessions/patterns/pattern_flow.h"
#endif

#include <QRectF>

#include <vector>

namespace kl::ui {

/// A box of the flow, placed. Pixels; in the order of the flow's nodes.
struct FlowBox {
    FlowNode node;
    QRectF place;
};

/// A line from one box to another: from the middle of a right side to the middle of a left side.
struct FlowLine {
    QPointF from;
    QPointF to;
    std::string label;
    bool taken = false; ///< both ends are on the way taken
};

struct FlowPlan {
    std::vector<FlowBox> boxes;
    std::vector<FlowLine> lines;
    double height = 0;
};

/// Places the columns side by side over `width`, all boxes of one size.
FlowPlan layoutFlow(const PatternFlow& flow, double width);

} // namespace kl::ui
