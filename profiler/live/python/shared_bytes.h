// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace kl::inline live {

/// A piece of memory that a child process opens as a file by its path; it is not on disk and is released with its owner.
class SharedBytes {
public:
    /// Holds a copy of `bytes`; empty for output of the child. Error environment: no memory.
    static Result<SharedBytes> make(const std::vector<std::byte>& bytes = {});

    SharedBytes(SharedBytes&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    SharedBytes& operator=(SharedBytes&&) = delete;
    ~SharedBytes();

    /// "/proc/PID/fd/N", for as long as this lives.
    std::string path() const;

    /// The current content.
    Result<std::vector<std::byte>> read() const;

private:
    explicit SharedBytes(int file) noexcept : file_(file) {}

    int file_;
};

} // namespace kl::inline live
