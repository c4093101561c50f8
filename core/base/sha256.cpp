// SPDX-License-Identifier: MIT
#include "core/base/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace kl {
namespace {

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRounds{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::array<unsigned char, 8> bigEndian64(std::uint64_t value)
{
    std::array<unsigned char, 8> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<unsigned char>(value >> (56 - 8 * i));
    return bytes;
}

} // namespace

void Sha256::addBlock(const unsigned char* block)
{
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 16; ++i)
        w[i] = std::uint32_t{block[4 * i]} << 24U | std::uint32_t{block[4 * i + 1]} << 16U | std::uint32_t{block[4 * i + 2]} << 8U |
               block[4 * i + 3];
    for (std::size_t i = 16; i < w.size(); ++i) {
        const std::uint32_t a = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3U;
        const std::uint32_t b = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10U;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    std::array<std::uint32_t, 8> s = state_;
    for (std::size_t i = 0; i < w.size(); ++i) {
        const std::uint32_t turned = std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25);
        const std::uint32_t first = s[7] + turned + ((s[4] & s[5]) ^ (~s[4] & s[6])) + kRounds[i] + w[i];
        const std::uint32_t second =
            (std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        s = {first + second, s[0], s[1], s[2], s[3] + first, s[4], s[5], s[6]};
    }
    for (std::size_t i = 0; i < s.size(); ++i)
        state_[i] += s[i];
}

void Sha256::add(std::string_view bytes)
{
    while (!bytes.empty()) {
        const std::size_t held = bytes_ % pending_.size();
        const std::size_t taken = std::min(bytes.size(), pending_.size() - held);
        std::memcpy(pending_.data() + held, bytes.data(), taken);
        bytes_ += taken;
        bytes.remove_prefix(taken);
        if (held + taken == pending_.size())
            addBlock(pending_.data());
    }
}

void Sha256::addPart(std::string_view part)
{
    const std::array<unsigned char, 8> length = bigEndian64(part.size());
    add({reinterpret_cast<const char*>(length.data()), length.size()});
    add(part);
}

std::array<std::uint8_t, 32> Sha256::digest()
{
    const std::array<unsigned char, 8> bits = bigEndian64(bytes_ * 8);
    add("\x80");
    while (bytes_ % pending_.size() != pending_.size() - bits.size())
        add(std::string_view("\0", 1));
    add({reinterpret_cast<const char*>(bits.data()), bits.size()});
    std::array<std::uint8_t, 32> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(state_[i / 4] >> (24 - i % 4 * 8));
    return bytes;
}

std::string Sha256::hex()
{
    constexpr const char* kDigits = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : digest()) {
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 15U];
    }
    return text;
}

std::array<std::uint8_t, 32> sha256Of(std::string_view text)
{
    Sha256 sum;
    sum.add(text);
    return sum.digest();
}

} // namespace kl
