// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <utility>

namespace kl {

struct Error;

/// The Error of a Result, or none. It lies on the heap and is made and destroyed out of line: a Result is on every path of the program,
/// and an Error has many parts.
class HeldError {
public:
    HeldError() noexcept = default;
    explicit HeldError(const Error& error);
    explicit HeldError(Error&& error);
    HeldError(const HeldError& other);
    HeldError(HeldError&& other) noexcept : error_(std::exchange(other.error_, nullptr)) {}
    HeldError& operator=(HeldError other) noexcept
    {
        std::swap(error_, other.error_);
        return *this;
    }
    ~HeldError()
    {
        if (error_)
            destroy();
    }

    bool empty() const noexcept { return !error_; }

    /// Precondition: !empty().
    Error& operator*() const
    {
        assert(error_);
        return *error_;
    }

private:
    void destroy() noexcept;

    Error* error_ = nullptr;
};

} // namespace kl
