// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <nettle/sha2.h>
#include <string>
#include <string_view>

namespace kl {

/// SHA-256 (FIPS 180-4) of texts that are added one after the other. What a person has allowed is known by it, so that SHA-1, which can be
/// made to collide, will not do.
class Sha256 {
public:
    Sha256();

    void add(std::string_view bytes);

    /// Adds a text's length, then the text: a list of parts is then no other list's.
    void addPart(std::string_view part);

    /// The 32 bytes. Nothing may be added afterwards.
    std::array<std::uint8_t, 32> digest();

    /// The same as 64 hexadecimal digits.
    std::string hex();

private:
    sha256_ctx context_;
};

/// SHA-256 of one text.
std::array<std::uint8_t, 32> computeSha256(std::string_view text);

} // namespace kl
