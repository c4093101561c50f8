// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace kl {

enum class Sha1By {
    fastest, ///< the processor's own instructions where it has them: four times as fast
    hand,    ///< what every processor has
};

/// SHA-1 (FIPS 180-4) of a text, its 20 bytes in order. An identity, not a security measure. Ours, because the one in Boost is an internal
/// of another library and takes four times as long, and reports to import have hundreds of megabytes.
std::array<std::uint8_t, 20> sha1Of(std::string_view text, Sha1By by = Sha1By::fastest);

} // namespace kl
