// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>

namespace kl::plot {

/// Colors of a chart, "#RRGGBB". The default is the light palette of the window's tokens.
struct Palette {
    std::string surface = "#FFFFFF";
    std::string border = "#D5DCE6";
    std::string text = "#17202B";
    std::string muted = "#556273";
    std::string accent = "#0B5CAD";
    std::string better = "#00669E";
    std::string worse = "#B84300";
    std::string neutral = "#5F6B7A";
    std::array<std::string, 8> series{"#0072B2", "#D55E00", "#009E73", "#AA4499", "#332288", "#117733", "#882255", "#666666"};
};

} // namespace kl::plot
