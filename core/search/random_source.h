// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace kl::inline spaces {

/// Random numbers that are the same with every standard library, which its distributions and std::shuffle are not.
class RandomSource {
public:
    explicit RandomSource(std::uint64_t seed) : engine_(seed) {}

    /// Uniform in [0, count). Precondition: count > 0. The bias of the remainder is below count / 2^64.
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
    /// Uniform in [0, 1).
    double unit() { return static_cast<double>(engine_() >> 11U) * 0x1p-53; }

    template <class T> void shuffle(std::vector<T>& values)
    {
        for (std::size_t i = values.size(); i > 1; --i)
            std::swap(values[i - 1], values[below(i)]);
    }

private:
    std::mt19937_64 engine_;
};

} // namespace kl::inline spaces
