// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"

#include <cassert>
#include <optional>
#include <utility>
#include <variant>

namespace kl {

/// A value or the Error that prevented it. Every fallible function of KernelLoop returns one; ignoring it does not compile.
///
///     Result<int> r = parse(text);
///     if (!r) return r.error();
///     use(*r);
template <class T> class [[nodiscard]] Result {
public:
    Result(T value) : data_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : data_(std::in_place_index<1>, std::move(error)) {}

    bool ok() const noexcept { return data_.index() == 0; }
    explicit operator bool() const noexcept { return ok(); }

    /// Precondition: ok().
    T& value() &
    {
        assert(ok());
        return *std::get_if<0>(&data_);
    }
    const T& value() const&
    {
        assert(ok());
        return *std::get_if<0>(&data_);
    }
    T&& value() &&
    {
        assert(ok());
        return std::move(*std::get_if<0>(&data_));
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    /// Precondition: !ok().
    const Error& error() const&
    {
        assert(!ok());
        return *std::get_if<1>(&data_);
    }
    Error&& error() &&
    {
        assert(!ok());
        return std::move(*std::get_if<1>(&data_));
    }

private:
    std::variant<T, Error> data_;
};

/// Success without a value, or an Error.
template <> class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    bool ok() const noexcept { return !error_; }
    explicit operator bool() const noexcept { return ok(); }
    const Error& error() const&
    {
        assert(error_);
        return *error_;
    }

private:
    std::optional<Error> error_;
};

using Status = Result<void>;

} // namespace kl
