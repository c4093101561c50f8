// SPDX-License-Identifier: MIT
#include "core/search/tuning_space.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <numeric>

namespace kl::inline spaces {
namespace {

constexpr std::size_t kMostWords = 64; ///< 256 axes
constexpr std::uint64_t kHigh = 0x8000800080008000U;

/// How many of the four 16-bit lanes differ.
int countDifferingLanes(std::uint64_t a, std::uint64_t b)
{
    const std::uint64_t x = a ^ b;
    const std::uint64_t nonZero = (((x & ~kHigh) + ~kHigh) | x) & kHigh;
    return static_cast<int>(((nonZero >> 15U) * 0x0001000100010001U) >> 48U);
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t word)
{
    hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 32U);
}

Error badSpace(std::string message, std::string hint)
{
    return {.code = ErrorCode::badInput, .message = std::move(message), .hint = std::move(hint), .where = "space"};
}

} // namespace

TuningAxis TuningAxis::of(std::string name, std::vector<std::string> values)
{
    TuningAxis axis{std::move(name), std::move(values), {}};
    for (const std::string& value : axis.values) {
        double number = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
        if (error != std::errc() || end != value.data() + value.size()) {
            axis.numbers.clear();
            break;
        }
        axis.numbers.push_back(number);
    }
    return axis;
}

Result<TuningSpace> TuningSpace::make(std::vector<TuningAxis> axes, const std::vector<AxisPlaces>& points)
{
    if (axes.empty() || axes.size() > 4 * kMostWords)
        return badSpace(fmt::format("A space has 1 to {} tunables, not {}.", 4 * kMostWords, axes.size()), "Fix some of them.");
    if (points.size() > kMostPoints)
        return badSpace(fmt::format("The space has {} points; a search takes at most {}.", points.size(), kMostPoints),
                        "Fix a tunable, or add a constraint.");
    for (const TuningAxis& axis : axes)
        if (axis.values.size() > 65535)
            return badSpace(fmt::format("{} has {} values; a tunable has at most 65535.", axis.name, axis.values.size()),
                            "Leave values out.");
    TuningSpace space;
    space.axes_ = std::move(axes);
    space.size_ = points.size();
    space.stride_ = (space.axes_.size() + 3) / 4;
    space.words_.assign(points.size() * space.stride_, 0);
    space.table_.assign(std::bit_ceil(std::max<std::size_t>(2, 2 * points.size())), 0);
    for (std::size_t p = 0; p < points.size(); ++p) {
        std::uint64_t* words = &space.words_[p * space.stride_];
        for (std::size_t axis = 0; axis < space.axes_.size(); ++axis)
            words[axis / 4] |= std::uint64_t{points[p][axis]} << (16 * (axis % 4));
        const std::size_t slot = space.slotFor(words);
        if (space.table_[slot] != 0)
            return badSpace(fmt::format("{} is in the space twice.", space.text(static_cast<PointIndex>(p))), "Remove one of them.");
        space.table_[slot] = static_cast<std::uint32_t>(p + 1);
    }
    return space;
}

Result<TuningSpace> TuningSpace::fromTexts(const std::vector<std::string>& names, const std::vector<std::vector<std::string>>& rows)
{
    std::vector<TuningAxis> axes;
    std::vector<AxisPlaces> points(rows.size());
    for (std::size_t column = 0; column < names.size(); ++column) {
        std::map<std::string, std::uint16_t> places;
        std::vector<std::string> values;
        for (const std::vector<std::string>& row : rows)
            if (places.emplace(row[column], 0).second)
                values.push_back(row[column]);
        TuningAxis axis = TuningAxis::of(names[column], std::move(values));
        if (!axis.numbers.empty()) {
            std::vector<std::size_t> order(axis.values.size());
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::ranges::stable_sort(order, {}, [&](std::size_t i) { return axis.numbers[i]; });
            std::vector<std::string> sorted;
            for (const std::size_t i : order)
                sorted.push_back(axis.values[i]);
            axis = TuningAxis::of(names[column], std::move(sorted));
        }
        for (std::size_t place = 0; place < axis.values.size(); ++place)
            places[axis.values[place]] = static_cast<std::uint16_t>(place);
        for (std::size_t i = 0; i < rows.size(); ++i)
            points[i].push_back(places.at(rows[i][column]));
        axes.push_back(std::move(axis));
    }
    return make(std::move(axes), points);
}

/// Where these words are in the table, or the empty slot where they would be.
std::size_t TuningSpace::slotFor(const std::uint64_t* words) const
{
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < stride_; ++i)
        hash = mix(hash, words[i]);
    std::size_t slot = hash & (table_.size() - 1);
    while (table_[slot] != 0 && !std::equal(words, words + stride_, &words_[(table_[slot] - 1) * stride_]))
        slot = (slot + 1) & (table_.size() - 1);
    return slot;
}

std::optional<PointIndex> TuningSpace::findWords(const std::uint64_t* words) const
{
    const std::uint32_t entry = table_[slotFor(words)];
    return entry == 0 ? std::nullopt : std::optional<PointIndex>(entry - 1);
}

AxisPlaces TuningSpace::places(PointIndex point) const
{
    AxisPlaces places(axes_.size());
    for (std::size_t axis = 0; axis < places.size(); ++axis)
        places[axis] = place(point, axis);
    return places;
}

std::string TuningSpace::text(PointIndex point) const
{
    std::string text;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis)
        text += fmt::format("{}{}={}", axis > 0 ? "," : "", axes_[axis].name, axes_[axis].values[place(point, axis)]);
    return text;
}

std::optional<PointIndex> TuningSpace::find(std::span<const std::uint16_t> places) const
{
    std::array<std::uint64_t, kMostWords> words{};
    for (std::size_t axis = 0; axis < places.size(); ++axis)
        words[axis / 4] |= std::uint64_t{places[axis]} << (16 * (axis % 4));
    return findWords(words.data());
}

int TuningSpace::distance(PointIndex a, PointIndex b) const
{
    int distance = 0;
    for (std::size_t i = 0; i < stride_; ++i)
        distance += countDifferingLanes(words_[a * stride_ + i], words_[b * stride_ + i]);
    return distance;
}

void TuningSpace::neighbors(PointIndex point, std::vector<PointIndex>& out) const
{
    out.clear();
    std::array<std::uint64_t, kMostWords> words{};
    std::copy_n(&words_[point * stride_], stride_, words.begin());
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
        std::uint64_t& word = words[axis / 4];
        const std::uint64_t kept = word;
        const std::size_t shift = 16 * (axis % 4);
        for (std::size_t place = 0; place < axes_[axis].values.size(); ++place) {
            word = (kept & ~(std::uint64_t{0xFFFF} << shift)) | (std::uint64_t{place} << shift);
            if (word != kept)
                if (const std::optional<PointIndex> found = findWords(words.data()))
                    out.push_back(*found);
        }
        word = kept;
    }
}

} // namespace kl::inline spaces
