// SPDX-License-Identifier: MIT
#include "ui/charts/geometry/labels.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace kl::ui {

namespace {

constexpr double kGap = 2;
constexpr int kRows = 6;                    ///< above and below a point
constexpr int kStepsAlong = 64;             ///< places along a line
constexpr int kMarkerWeight = 4;            ///< a label can hide a marker completely; a line stays visible on both sides
constexpr int kForeignWeight = 100;         ///< beside another reference line it would be read as that line's
constexpr int kLabelWeight = 1000;          ///< overlapping another label is worse than any number of lines
constexpr double kClear = kLabelHeight / 2; ///< from a label to the lines that are not its own

bool crosses(const QLineF& line, const QRectF& box)
{
    if (std::max(line.x1(), line.x2()) < box.left() || std::min(line.x1(), line.x2()) > box.right() ||
        std::max(line.y1(), line.y2()) < box.top() || std::min(line.y1(), line.y2()) > box.bottom())
        return false; // nearly all
    if (box.contains(line.p1()) || box.contains(line.p2()))
        return true;
    const std::array sides{QLineF(box.topLeft(), box.topRight()), QLineF(box.bottomLeft(), box.bottomRight()),
                           QLineF(box.topLeft(), box.bottomLeft()), QLineF(box.topRight(), box.bottomRight())};
    return std::any_of(sides.begin(), sides.end(),
                       [&](const QLineF& side) { return line.intersects(side) == QLineF::BoundedIntersection; });
}

std::vector<QRectF> places(const LabelWish& wish, const QRectF& plot)
{
    const double most = std::max(plot.left() + kGap, plot.right() - wish.width - kGap);
    std::vector<double> lefts{wish.at.x() + 2 * kGap};
    if (wish.alongLine) {
        for (const double share : {1.0, 0.5, 0.25, 0.75})
            lefts.push_back(plot.left() + share * (plot.width() - wish.width));
        for (int step = 1; step < kStepsAlong; ++step) // a gap in the data may be anywhere
            lefts.push_back(plot.left() + step * (plot.width() - wish.width) / kStepsAlong);
    } else
        lefts.push_back(wish.at.x() - 2 * kGap - wish.width);
    std::vector<QRectF> all;
    for (int row = 0; row < (wish.alongLine ? 1 : kRows); ++row) // farther away where it is crowded
        for (const double left : lefts)
            for (const double top : {wish.at.y() - kGap - (row + 1) * kLabelHeight, wish.at.y() + kGap + row * kLabelHeight})
                if (top >= plot.top())
                    all.emplace_back(std::clamp(left, plot.left() + kGap, most), top, wish.width, kLabelHeight);
    return all;
}

/// Whether a label lies on another wish's line, or so near to it that it could be that line's.
bool seemsForeign(const QRectF& box, const LabelWish& wish, const LabelWish& other)
{
    const double y = other.at.y();
    return wish.alongLine && other.alongLine && y != wish.at.y() && y > box.top() - kClear && y < box.bottom() + kClear;
}

} // namespace

std::vector<QRectF> placeLabels(const std::vector<LabelWish>& wishes, const std::vector<QLineF>& lines, const QRectF& plot)
{
    std::vector<std::size_t> order(wishes.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t i) { return !wishes[i].alongLine; }); // a point has fewer places than a line
    std::vector<QRectF> boxes(wishes.size());
    std::vector<QRectF> taken;
    for (const std::size_t i : order) {
        int least = -1;
        for (const QRectF& box : places(wishes[i], plot)) {
            int trouble = box.bottom() > plot.bottom() ? kLabelWeight : 0;
            for (const QRectF& other : taken)
                trouble += box.intersects(other) ? kLabelWeight : 0;
            for (const QLineF& line : lines)
                trouble += !crosses(line, box) ? 0 : line.isNull() ? kMarkerWeight : 1;
            for (const LabelWish& other : wishes)
                trouble += seemsForeign(box, wishes[i], other) ? kForeignWeight : 0;
            if (least < 0 || trouble < least) {
                least = trouble;
                boxes[i] = box;
            }
        }
        taken.push_back(boxes[i]);
    }
    return boxes;
}

} // namespace kl::ui
