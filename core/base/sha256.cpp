// SPDX-License-Identifier: MIT
#include "core/base/sha256.h"

namespace kl {

Sha256::Sha256()
{
    sha256_init(&context_);
}

void Sha256::add(std::string_view bytes)
{
    sha256_update(&context_, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

void Sha256::addPart(std::string_view part)
{
    const std::uint64_t size = part.size();
    std::string length;
    for (int shift = 56; shift >= 0; shift -= 8)
        length += static_cast<char>(size >> shift);
    add(length);
    add(part);
}

std::array<std::uint8_t, 32> Sha256::digest()
{
    std::array<std::uint8_t, 32> bytes{};
    sha256_digest(&context_, bytes.size(), bytes.data());
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

std::array<std::uint8_t, 32> computeSha256(std::string_view text)
{
    Sha256 sum;
    sum.add(text);
    return sum.digest();
}

} // namespace kl
