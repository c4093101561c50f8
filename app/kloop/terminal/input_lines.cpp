// SPDX-License-Identifier: MIT
#include "app/kloop/terminal/input_lines.h"

#include <array>
#include <cerrno>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace kl::cli {

std::optional<std::string> InputLines::next()
{
    while (!stop_.stop_requested()) {
        const auto end = read_.find('\n');
        if (end != std::string::npos || ended_) {
            if (read_.empty())
                return {};
            std::string line = read_.substr(0, end);
            read_.erase(0, end == std::string::npos ? end : end + 1);
            return line;
        }
        ended_ = !readMore();
    }
    return {};
}

/// False at the end of the input.
bool InputLines::readMore()
{
    constexpr int kWaitMs = 50; // between two looks at the stop
    pollfd waiting{STDIN_FILENO, POLLIN, 0};
    if (::poll(&waiting, 1, kWaitMs) <= 0)
        return true;
    std::array<char, 65536> chunk{};
    const ssize_t got = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (got > 0)
        read_.append(chunk.data(), static_cast<std::size_t>(got));
    return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

} // namespace kl::cli
