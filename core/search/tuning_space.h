// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kl::inline spaces {

/// A point of a TuningSpace: its place in the space's order.
using PointIndex = std::uint32_t;

/// A tunable with its values, in the order that makes two of them adjacent.
struct TuningAxis {
    std::string name;
    std::vector<std::string> values;
    std::vector<double> numbers; ///< of the values; empty when one of them is not a number

    /// Numbers where every value is one. Values keep their order.
    static TuningAxis of(std::string name, std::vector<std::string> values);
};

/// A point by its place on every axis.
using AxisPlaces = std::vector<std::uint16_t>;

/// The valid combinations of some tunables, each found by its values in constant time, so that neighbors are looked up and not searched.
class TuningSpace {
public:
    static constexpr std::size_t kMostPoints = 1U << 22U;

    /// Points in their order, each with a place per axis. Errors badInput: no axes, more than 65,535 values on one, more than kMostPoints
    /// points, two equal ones. Precondition: every place is one of its axis.
    static Result<TuningSpace> make(std::vector<TuningAxis> axes, const std::vector<AxisPlaces>& points);
    /// From a text per tunable and point. An axis has the values that occur, numbers in their order, words in that of their appearance.
    /// Errors: make's. Precondition: every row has a text per name.
    static Result<TuningSpace> fromTexts(const std::vector<std::string>& names, const std::vector<std::vector<std::string>>& rows);

    std::size_t size() const { return size_; }
    const std::vector<TuningAxis>& axes() const { return axes_; }

    std::uint16_t place(PointIndex point, std::size_t axis) const
    {
        return static_cast<std::uint16_t>(words_[point * stride_ + axis / 4] >> (16 * (axis % 4)));
    }
    AxisPlaces places(PointIndex point) const;
    /// "block_size_x=32,block_size_y=4"
    std::string text(PointIndex point) const;

    /// Unset: no valid combination.
    std::optional<PointIndex> find(std::span<const std::uint16_t> places) const;

    /// The number of axes on which two points differ.
    int distance(PointIndex a, PointIndex b) const;

    /// Replaces `out` with the points that differ from this one on one axis.
    void neighbors(PointIndex point, std::vector<PointIndex>& out) const;

private:
    TuningSpace() = default;
    std::optional<PointIndex> findWords(const std::uint64_t* words) const;
    std::size_t slotFor(const std::uint64_t* words) const;

    std::vector<TuningAxis> axes_;
    std::size_t size_ = 0;
    std::size_t stride_ = 0;           ///< words per point
    std::vector<std::uint64_t> words_; ///< four places each
    std::vector<std::uint32_t> table_; ///< open addressing: point + 1, 0 where empty
};

} // namespace kl::inline spaces
