// SPDX-License-Identifier: MIT
#include "ui/charts/geometry/labels.h"

#include <algorithm>
#include <array>

namespace kl::ui {

namespace {

constexpr double kGap = 2;
constexpr int kMarkerWeight = 4;   ///< a label can hide a marker completely; a line stays visible on both sides
constexpr int kLabelWeight = 1000; ///< overlapping another label is worse than any number of lines

bool crosses(const QLineF& line, const QRectF& box)
{
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
    if (wish.alongLine)
        for (const double share : {1.0, 0.5, 0.25, 0.75})
            lefts.push_back(plot.left() + share * (plot.width() - wish.width));
    const bool roomAbove = wish.at.y() - kLabelHeight - kGap >= plot.top();
    std::vector<QRectF> all;
    for (const double left : lefts)
        for (const bool above : {true, false})
            if (!above || roomAbove)
                all.emplace_back(std::clamp(left, plot.left() + kGap, most), above ? wish.at.y() - kLabelHeight - kGap : wish.at.y() + kGap,
                                 wish.width, kLabelHeight);
    return all;
}

} // namespace

std::vector<QRectF> placeLabels(const std::vector<LabelWish>& wishes, const std::vector<QLineF>& lines, const QRectF& plot)
{
    std::vector<QRectF> taken;
    for (const LabelWish& wish : wishes) {
        QRectF best;
        int least = -1;
        for (const QRectF& box : places(wish, plot)) {
            int trouble = box.bottom() > plot.bottom() ? kLabelWeight : 0;
            for (const QRectF& other : taken)
                trouble += box.intersects(other) ? kLabelWeight : 0;
            for (const QLineF& line : lines)
                trouble += !crosses(line, box) ? 0 : line.isNull() ? kMarkerWeight : 1;
            if (least < 0 || trouble < least) {
                least = trouble;
                best = box;
            }
        }
        taken.push_back(best);
    }
    return taken;
}

} // namespace kl::ui
