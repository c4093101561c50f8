// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kl::plot {

enum class Scale { linear, log };

struct Tick {
    double value = 0;
    std::string label;
};

/// A range of values laid along a length of pixels. `from` is the pixel of the lowest value: greater than `to` on a y axis.
class Axis {
public:
    /// A range that is empty, reversed, not finite, or not positive on a log scale is replaced by the nearest usable one.
    Axis(Scale scale, double low, double high, double from, double to);

    /// An axis round all values that can be drawn (finite; positive on a log scale), with ends on round numbers. Without any: 0 to 1,
    /// or 1 to 10.
    static Axis around(Scale scale, const std::vector<double>& values, double from, double to);

    Scale scale() const noexcept { return scale_; }
    double low() const noexcept { return low_; }
    double high() const noexcept { return high_; }

    /// The pixel of a value, clamped to the axis; unset for a value that cannot be drawn (not finite, not positive on a log scale).
    std::optional<double> pixel(double value) const;

    /// About `wanted` round values within the range: 1, 2, 5 × 10ⁿ, or the powers of ten on a log scale.
    std::vector<Tick> ticks(int wanted = 5) const;

private:
    Scale scale_;
    double low_;
    double high_;
    double from_;
    double to_;
};

} // namespace kl::plot
