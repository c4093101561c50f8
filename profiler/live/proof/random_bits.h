// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kl::inline live {

/// bitsAt() of the device code: random bits of a key and a place, by the finalizer of SplitMix64.
constexpr std::uint64_t randomBitsAt(std::uint64_t key, std::uint64_t place) noexcept
{
    std::uint64_t z = key + (place + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

} // namespace kl::inline live
