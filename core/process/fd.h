// SPDX-License-Identifier: MIT
#pragma once

#include <system_error>
#include <utility>

namespace kl::inline process {

/// A file descriptor with one owner.
class Fd {
public:
    Fd() = default;
    explicit Fd(int number) : number_(number) {}
    Fd(Fd&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Fd& operator=(Fd&& other) noexcept;
    ~Fd() { close(); }

    /// −1 without a descriptor.
    int get() const noexcept { return number_; }
    explicit operator bool() const noexcept { return number_ >= 0; }
    void close() noexcept;

private:
    int number_ = -1;
};

/// What is written to `input` is read from `output`.
struct Pipe {
    Fd output;
    Fd input;
};

// All of these are closed in every program that is started, from the moment they exist: another thread may be starting one. Where there
// are none left, the descriptors are empty and `failure` says why; it is cleared otherwise.

Pipe makePipe(std::error_code& failure);

/// Two connected sockets: writing to one whose other end is closed can be an error code and no signal (MSG_NOSIGNAL).
std::pair<Fd, Fd> makeSocketPair(std::error_code& failure);

/// A file in memory, without a name on any disk. `name` shows in /proc/PID/fd.
Fd makeMemoryFile(const char* name, std::error_code& failure);

} // namespace kl::inline process
