// SPDX-License-Identifier: MIT
#include "profiler/remote/frame.h"

#include <charconv>

namespace kl::inline remote {
namespace {

constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kHead = 1 + kLengthBytes;
constexpr int kByteBits = 8;
constexpr std::string_view kKept = "IEOSX";
constexpr std::string_view kTypes = "IEOSXRKPQ";

} // namespace

bool isKept(FrameType type) noexcept
{
    return kKept.find(static_cast<char>(type)) != std::string_view::npos;
}

std::string encodeFrame(FrameType type, std::string_view payload)
{
    std::string bytes(1, static_cast<char>(type));
    for (std::size_t i = 0; i < kLengthBytes; ++i)
        bytes += static_cast<char>(payload.size() >> (kByteBits * i) & 0xFFU);
    return bytes.append(payload);
}

std::string countText(std::uint64_t count)
{
    return std::to_string(count);
}

std::optional<std::uint64_t> countIn(std::string_view text)
{
    std::uint64_t count = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), count);
    return problem == std::errc() && end == text.data() + text.size() ? std::optional(count) : std::nullopt;
}

Result<std::optional<Frame>> FrameReader::next()
{
    const std::string_view rest = std::string_view(bytes_).substr(begin_);
    std::size_t length = 0;
    if (rest.size() >= kHead)
        for (std::size_t i = 0; i < kLengthBytes; ++i)
            length |= static_cast<std::size_t>(static_cast<unsigned char>(rest[1 + i])) << (kByteBits * i);
    if ((!rest.empty() && kTypes.find(rest.front()) == std::string_view::npos) || length > kMostPayload)
        return Error{.code = ErrorCode::internal,
                     .message = "The connection to a worker carries bytes that are not of its protocol.",
                     .hint = "Something on the way changes them: check ProxyCommand and RemoteCommand in your ssh configuration.",
                     .where = "ssh"};
    if (rest.size() < kHead || rest.size() < kHead + length) {
        bytes_.erase(0, begin_);
        begin_ = 0;
        return std::optional<Frame>();
    }
    begin_ += kHead + length;
    return std::optional(Frame{static_cast<FrameType>(rest.front()), std::string(rest.substr(kHead, length))});
}

} // namespace kl::inline remote
