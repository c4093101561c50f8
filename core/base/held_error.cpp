// SPDX-License-Identifier: MIT
#include "core/base/held_error.h"

#include "core/base/error.h"

namespace kl {

HeldError::HeldError(const Error& error) : error_(new Error(error)) {}

HeldError::HeldError(Error&& error) : error_(new Error(std::move(error))) {}

HeldError::HeldError(const HeldError& other) : error_(other.error_ ? new Error(*other.error_) : nullptr) {}

void HeldError::destroy() noexcept
{
    delete error_;
}

} // namespace kl
