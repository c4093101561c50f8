// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"
#include "core/base/held_error.h"

#include <cassert>
#include <memory>
#include <utility>

namespace kl {

/// A value or the Error that prevented it. Every fallible function of KernelLoop returns one; ignoring it does not compile.
///
///     Result<int> r = parse(text);
///     if (!r) return r.error();
///     use(*r);
template <class T> class [[nodiscard]] Result {
public:
    Result(T value) : value_(std::move(value)), ok_(true) {}
    Result(const Error& error) : error_(error) {}
    Result(Error&& error) : error_(std::move(error)) {}
    Result(const Result& other) : error_(other.error_), ok_(other.ok_)
    {
        if (ok_)
            std::construct_at(&value_, other.value_);
    }
    Result(Result&& other) noexcept : error_(std::move(other.error_)), ok_(other.ok_)
    {
        if (ok_)
            std::construct_at(&value_, std::move(other.value_));
    }
    /// By copy or by move: the argument is a Result of its own, whose content is taken over.
    Result& operator=(Result other) noexcept
    {
        std::destroy_at(this);
        return *std::construct_at(this, std::move(other));
    }
    ~Result()
    {
        if (ok_)
            std::destroy_at(&value_);
    }

    bool ok() const noexcept { return ok_; }
    explicit operator bool() const noexcept { return ok_; }

    /// Precondition: ok().
    T& value() &
    {
        assert(ok_);
        return value_;
    }
    const T& value() const&
    {
        assert(ok_);
        return value_;
    }
    T&& value() &&
    {
        assert(ok_);
        return std::move(value_);
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    /// Precondition: !ok().
    const Error& error() const&
    {
        assert(!ok_);
        return *error_;
    }
    Error&& error() &&
    {
        assert(!ok_);
        return std::move(*error_);
    }

private:
    // A std::variant says the same, but every T then compiles 34 functions instead of these: an eighth of all code.
    union {
        T value_;
    };
    HeldError error_;
    bool ok_ = false; // of its own: an error that was moved away leaves no value behind
};

/// Success without a value, or an Error.
template <> class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(const Error& error) : error_(error) {}
    Result(Error&& error) : error_(std::move(error)) {}

    bool ok() const noexcept { return error_.empty(); }
    explicit operator bool() const noexcept { return ok(); }

    /// Precondition: !ok().
    const Error& error() const& { return *error_; }

private:
    HeldError error_;
};

using Status = Result<void>;

} // namespace kl
