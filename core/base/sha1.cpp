// SPDX-License-Identifier: MIT
#include "core/base/sha1.h"

#include "core/base/sha1_x86.h"

#include <bit>
#include <cstring>
#include <utility>

namespace kl {
namespace {

constexpr std::size_t kBlock = 64;

std::uint32_t bigEndian(const unsigned char* bytes)
{
    return std::uint32_t{bytes[0]} << 24U | std::uint32_t{bytes[1]} << 16U | std::uint32_t{bytes[2]} << 8U | bytes[3];
}

/// The word of round I. After the first sixteen, each comes of four earlier ones and takes the place of the oldest.
template <int I> [[gnu::always_inline]] inline std::uint32_t word(std::array<std::uint32_t, 16>& w)
{
    if constexpr (I >= 16)
        w[I % 16] = std::rotl(w[(I + 13) % 16] ^ w[(I + 8) % 16] ^ w[(I + 2) % 16] ^ w[I % 16], 1);
    return w[I % 16];
}

/// Round I. The five variables change places from round to round: names are turned instead, so that nothing is copied.
template <int I> [[gnu::always_inline]] inline void round(std::array<std::uint32_t, 5>& s, std::array<std::uint32_t, 16>& w)
{
    constexpr int kTurn = 80 - I;
    const std::uint32_t b = s[(kTurn + 1) % 5];
    const std::uint32_t c = s[(kTurn + 2) % 5];
    const std::uint32_t d = s[(kTurn + 3) % 5];
    std::uint32_t mixed = 0;
    if constexpr (I < 20)
        mixed = (d ^ (b & (c ^ d))) + 0x5a827999;
    else if constexpr (I < 40)
        mixed = (b ^ c ^ d) + 0x6ed9eba1;
    else if constexpr (I < 60)
        mixed = (b & c) + (d & (b ^ c)) + 0x8f1bbcdc;
    else
        mixed = (b ^ c ^ d) + 0xca62c1d6;
    s[(kTurn + 4) % 5] += std::rotl(s[kTurn % 5], 5) + mixed + word<I>(w);
    s[(kTurn + 1) % 5] = std::rotl(b, 30);
}

template <int... I>
[[gnu::always_inline]] inline void rounds(std::array<std::uint32_t, 5>& s, std::array<std::uint32_t, 16>& w,
                                          std::integer_sequence<int, I...> /*unused*/)
{
    (round<I>(s, w), ...);
}

void addBlock(std::array<std::uint32_t, 5>& state, const unsigned char* block)
{
    std::array<std::uint32_t, 16> words{};
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = bigEndian(block + 4 * i);
    std::array<std::uint32_t, 5> next = state;
    rounds(next, words, std::make_integer_sequence<int, 80>());
    for (std::size_t i = 0; i < state.size(); ++i)
        state[i] += next[i];
}

void addBlocksByHand(std::array<std::uint32_t, 5>& state, const unsigned char* blocks, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        addBlock(state, blocks + i * kBlock);
}

} // namespace

std::array<std::uint8_t, 20> sha1Of(std::string_view text, Sha1By by)
{
    static const bool instructions = hasSha1Instructions();
    const auto addBlocks = instructions && by == Sha1By::fastest ? addBlocksByInstructions : addBlocksByHand;
    std::array<std::uint32_t, 5> state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    const std::size_t at = text.size() / kBlock * kBlock;
    addBlocks(state, bytes, text.size() / kBlock);
    // The rest, a bit of one, zeros, and the length in bits fill one block more, or two.
    std::array<unsigned char, 2 * kBlock> tail{};
    const std::size_t rest = text.size() - at;
    if (rest > 0)
        std::memcpy(tail.data(), bytes + at, rest);
    tail[rest] = 0x80;
    const std::size_t length = rest + 9 <= kBlock ? kBlock : 2 * kBlock;
    for (std::size_t i = 0; i < 8; ++i)
        tail[length - 1 - i] = static_cast<unsigned char>(std::uint64_t{text.size()} * 8 >> 8 * i);
    addBlocks(state, tail.data(), length / kBlock);

    std::array<std::uint8_t, 20> digest{};
    for (std::size_t i = 0; i < digest.size(); ++i)
        digest[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
    return digest;
}

} // namespace kl
