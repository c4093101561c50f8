// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/roofline.h"
#include "core/plot/palette.h"

#include <string>
#include <vector>

/// Whole pictures. Each has axes with units and an accessible sentence; with nothing to draw it says so in the picture.
namespace kl::plot {

struct Size {
    double width = 720;
    double height = 360;
};

/// Work over bytes, both on log axes: the roofs of every memory level and kind of arithmetic, those measured dashed, and each point with
/// the level whose bytes it counts. `roofs`: as computeRoofline gives them.
std::string svgRoofline(const std::vector<Roof>& roofs, const std::vector<RooflinePoint>& points, const Palette& palette = {},
                        Size size = {});

} // namespace kl::plot
