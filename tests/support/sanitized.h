// SPDX-License-Identifier: MIT
#pragma once

extern "C" __attribute__((weak)) void __asan_init(); // NOLINT(bugprone-reserved-identifier): the sanitizer's own name

namespace kl::test {

/// Whether the program runs with the address sanitizer, which needs memory and address space of its own: no place to measure either. Asked
/// of the program, since ./dev test --full links tests that were compiled without it.
inline bool isAddressSanitized()
{
    return __asan_init != nullptr;
}

} // namespace kl::test
