// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace kl::inline timelines {

/// The buffer that marked code writes. Slot s (from 0) is warp s % blockWarps of block s / blockWarps. First come the rings: `slots` + 1 of
/// `capacity` records each, of which the first is unused; then as many headers. All numbers are little-endian.
///
/// Record, 16 bytes: the low word of the SM's clock; a word of slot + 1 (bits 20 to 30) and the mark's number, modulo 2^20 (bits 0 to 19);
/// the site's id; the object. Mark number n lies at n % capacity.
/// Header, 64 bytes: clock64 and globaltimer at the warp's begin; %smid; linear index of the block; clock64 and globaltimer at its end; the
/// word of the mark that would have been next. Bytes that were never written are kUnwritten.
struct RingLayout {
    int slots = 0;
    int capacity = 4096; ///< records of a warp; a power of two, at most kMostNumbers
    int blockWarps = 1;

    std::size_t headersAt() const noexcept;
    std::size_t bytes() const noexcept;
};

inline constexpr std::size_t kRecordBytes = 16;
inline constexpr std::size_t kHeaderBytes = 64;
inline constexpr std::uint8_t kUnwritten = 0xff;
inline constexpr int kNumberBits = 20;
inline constexpr int kSlotBits = 11;
inline constexpr std::uint32_t kMostNumbers = 1U << kNumberBits;
inline constexpr int kMostSlots = (1 << kSlotBits) - 2;
inline constexpr int kUserSites = 1024; ///< ids of KL_MARK are below; those of automatic marks from here on

inline std::size_t RingLayout::headersAt() const noexcept
{
    return static_cast<std::size_t>(slots + 1) * static_cast<std::size_t>(capacity) * kRecordBytes;
}

inline std::size_t RingLayout::bytes() const noexcept
{
    return headersAt() + static_cast<std::size_t>(slots + 1) * kHeaderBytes;
}

} // namespace kl::inline timelines
