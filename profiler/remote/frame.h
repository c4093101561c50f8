// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kl::inline remote {

/// What a frame between a relay and the supervisor of its worker carries. A frame is its type, the length of its payload in four bytes, the
/// lowest first, and the payload.
enum class FrameType : char {
    // Kept by its sender until the other end has acknowledged it, and sent again over the next connection.
    input = 'I',    ///< to the worker: bytes of its standard input
    inputEnd = 'E', ///< to the worker: there is no more of it
    output = 'O',   ///< of the worker's standard output
    errors = 'S',   ///< of its standard error
    ended = 'X',    ///< the worker ended: its exit status, then a space and the signal if one ended it
    // About one connection, and lost with it.
    resume = 'R',      ///< first in each direction: how many kept frames this end has received so far, as countText()
    acknowledge = 'K', ///< the same, later
    ping = 'P',        ///< answered with another one
    quit = 'Q',        ///< to the supervisor: kill the worker and end
};

struct Frame {
    FrameType type = FrameType::ping;
    std::string payload;
};

/// Of one frame: small enough for a slow line to acknowledge one before its other end takes it for dead.
inline constexpr std::size_t kMostPayload = std::size_t{64} << 10;

/// Whether frames of this type survive a cut.
bool isKept(FrameType type) noexcept;

/// `payload` has kMostPayload bytes at most.
std::string encodeFrame(FrameType type, std::string_view payload);

std::string countText(std::uint64_t count);
/// Inverse of countText; unset for any other text.
std::optional<std::uint64_t> countIn(std::string_view text);

/// Splits a stream of bytes into frames.
class FrameReader {
public:
    void append(std::string_view bytes) { bytes_.append(bytes); }
    /// The next whole frame; unset until more bytes arrive. Error internal: the bytes are not a frame.
    Result<std::optional<Frame>> next();

private:
    std::string bytes_;
    std::size_t begin_ = 0; ///< of what is not read yet
};

} // namespace kl::inline remote
