// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <utility>

namespace kl::ui {

/// Vertical axes side by side, each with some places from the bottom up.
struct ParallelAxes {
    double left = 0; ///< of the first axis
    double right = 1;
    double top = 0;
    double bottom = 1;
    std::size_t count = 1;

    double x(std::size_t axis) const;
    /// Of a place among `places`; a single one is in the middle.
    double y(std::size_t place, std::size_t places) const;
    /// The axis next to this x.
    std::size_t axisAt(double x) const;
    /// First and last place that a drag from `from` to `to` covers: those whose height lies between, at least the one nearest to `to`.
    std::pair<std::size_t, std::size_t> placesBetween(double from, double to, std::size_t places) const;
};

} // namespace kl::ui
