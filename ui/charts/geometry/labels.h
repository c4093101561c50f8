// SPDX-License-Identifier: MIT
#pragma once

#include <QLineF>
#include <QRectF>

#include <vector>

namespace kl::ui {

/// A label to be placed next to a point of a plot. All in pixels.
struct LabelWish {
    QPointF at;
    double width = 0;
    bool alongLine = false; ///< on a horizontal line across the plot: any place along it will do

    bool operator==(const LabelWish&) const = default;
};

/// Where each label goes, kLabelHeight high and inside the plot: above its place or below it, and along its line at the left, the right or
/// between, wherever it is crossed by the fewest lines, hides no marker (a line of no length) and lies on no other label; of equally free
/// places the first in that order. Beside another label's horizontal line it lies only where there is no other room.
std::vector<QRectF> placeLabels(const std::vector<LabelWish>& wishes, const std::vector<QLineF>& lines, const QRectF& plot);

inline constexpr double kLabelHeight = 15;

} // namespace kl::ui
