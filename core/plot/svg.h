// SPDX-License-Identifier: MIT
#pragma once

#include "core/plot/palette.h"

#include <string>

namespace kl::plot {

/// Writes one SVG picture. Every text is escaped; a coordinate that is not finite is left out with its element.
class Svg {
public:
    /// `name`: the accessible sentence, the picture's <title>.
    Svg(double width, double height, const std::string& name, const Palette& palette);

    enum class Anchor { start, middle, end };

    void line(double x1, double y1, double x2, double y2, const std::string& color, double width = 1, const std::string& dash = {});
    /// `tip`: shown on hover.
    void circle(double x, double y, double radius, const std::string& fill, const std::string& tip = {});
    void text(double x, double y, const std::string& words, const std::string& color, Anchor anchor = Anchor::start, double size = 12,
              bool bold = false);

    /// The whole document.
    std::string finish() const;

private:
    std::string body_;
    double width_;
    double height_;
    std::string name_;
    std::string surface_;
};

} // namespace kl::plot
