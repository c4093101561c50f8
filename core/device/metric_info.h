// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace kl::inline device {

/// Which direction of a metric is good news, other things equal.
enum class Better { higher, lower, neutral };

/// A few names that the compiler knows.
class NameList {
public:
    using value_type = std::string_view;
    using const_iterator = const std::string_view*;
    using iterator = const_iterator;

    constexpr NameList() = default;
    constexpr NameList(std::initializer_list<std::string_view> names)
    {
        for (const std::string_view name : names)
            names_[size_++] = name;
    }

    constexpr const_iterator begin() const noexcept { return names_.data(); }
    constexpr const_iterator end() const noexcept { return names_.data() + size_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }

private:
    std::array<std::string_view, 5> names_{};
    std::size_t size_ = 0;
};

/// One hardware metric that a profile collects. Values are stored under `name` on every chip; a chip that spells it otherwise
/// is queried for the first of `alternatives` that it has.
struct MetricInfo {
    std::string_view name;  ///< CUPTI's
    int tier = 2;           ///< cheapest tier that holds it; tier n collects tiers 0 to n
    std::string_view title; ///< short, for table heads: "achieved occupancy"
    std::string_view unit;  ///< "%", "ns", "B", "sectors/request", "" for a plain count or ratio
    Better better = Better::neutral;
    std::string_view help; ///< what it says about a kernel, one or two sentences
    NameList alternatives = {};
    NameList lackedBy = {}; ///< chips without it, by the start of their name ("GB", "AD1")
    std::string_view lackedWhy = {};
};

} // namespace kl::inline device
