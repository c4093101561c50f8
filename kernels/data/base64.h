// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kl::inline kernels {

/// RFC 4648's standard alphabet with padding, on one line: bytes inside JSON.
std::string toBase64(std::string_view bytes);

/// Inverse of toBase64; unset for invalid text.
std::optional<std::string> fromBase64(std::string_view text);

} // namespace kl::inline kernels
