// SPDX-License-Identifier: MIT
#pragma once

#include "ui/style/tokens.h"

#include <QRectF>
#include <QString>

#include <optional>
#include <utility>
#include <vector>

class QPainter;

namespace kl::ui {

/// A figure of a run against that of a baseline.
struct Delta {
    std::optional<double> before; ///< the baseline's; unset if it was not measured there
    QString text;                 ///< deltaText()
    Token token = Token::muted;   ///< the baseline's color

    bool operator==(const Delta&) const = default;
};
/// One per baseline, in their order.
using Deltas = std::vector<Delta>;

/// "−70 %" or "+12 %" of a figure that it was; "×3.4" from twice as much on; "+4.2 pts" of a share in percent; "=" where both round to the
/// same; "new" where it was 0. "n/a" if one of the two is unset.
QString deltaText(std::optional<double> now, std::optional<double> before, bool share);

/// "Δ −70 %, =": for a tooltip or a table; empty without any.
QString joinDeltas(const Deltas& deltas);

/// A text in several colors.
using Segments = std::vector<std::pair<QString, Token>>;
void addSegments(Segments& segments, const Deltas& deltas);
/// Draws the segments side by side in the box, aligned to its left, right or center, and clipped there. Returns their width.
double paintSegments(QPainter& painter, const QRectF& box, int flags, const Segments& segments);

} // namespace kl::ui
