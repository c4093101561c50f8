// SPDX-License-Identifier: MIT
#pragma once

namespace kl::test {

/// Whether the tests were built with the address sanitizer, which needs memory and address space of its own: no place to measure either.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kAddressSanitized = true;
#else
inline constexpr bool kAddressSanitized = false;
#endif

} // namespace kl::test
