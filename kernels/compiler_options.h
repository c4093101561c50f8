// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

namespace kl::inline kernels {

/// Why an option may not reach the compiler.
struct OptionFault {
    std::string message; ///< no full stop
    std::string hint;    ///< what is allowed instead
};

/// Whether an option from a file may be passed to NVRTC. Descriptors may be untrusted, so only listed options are allowed: those that
/// change the code, none that reads or writes a file, takes a header from elsewhere, or names an architecture. One option is one text:
/// "-DTILE=32", not "-D" and "TILE=32", since the second would be an unchecked option.
std::optional<OptionFault> compilerOptionFault(const std::string& option);

} // namespace kl::inline kernels
