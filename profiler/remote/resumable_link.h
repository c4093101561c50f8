// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/remote/frame.h"

#include <deque>
#include <vector>

namespace kl::inline remote {

/// One end of a conversation that survives cuts of its connection: what it sends is kept until the other end has acknowledged it, and what
/// that had not received is sent again over the next connection, once and in order. Moves no bytes itself.
class ResumableLink {
public:
    /// Sends a kept frame; a payload that is too long for one becomes several.
    void send(FrameType type, std::string_view payload);
    /// Sends a frame of this connection alone; without one it is dropped.
    void sendNow(FrameType type);

    /// A new connection: both ends say first what they have received.
    void connect();
    void disconnect();

    /// Bytes to write to the connection; the caller removes what it wrote.
    std::string& unsent() noexcept { return unsent_; }

    /// Reads bytes of the connection. Its kept frames in the order of sending, each exactly once over all connections; pings and quits
    /// among them. Error internal: what it reads is not this protocol; the connection is useless then.
    Result<std::vector<Frame>> receive(std::string_view bytes);

    /// Size of what the other end has not acknowledged.
    std::size_t keptBytes() const noexcept { return keptBytes_; }

private:
    Status forgetUpTo(std::string_view count);
    void queue(FrameType type, std::string_view payload);

    std::deque<std::string> kept_; ///< encoded, the oldest first
    std::size_t keptBytes_ = 0;
    std::uint64_t acknowledged_ = 0; ///< of those that were sent: they are not in kept_
    std::uint64_t received_ = 0;
    std::string unsent_;
    FrameReader reader_;
    bool connected_ = false;
    bool resumed_ = false; ///< the other end has said over this connection what it received
};

} // namespace kl::inline remote
