// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <memory>
#include <string>

namespace kl::inline protocol {

/// A POSIX extended regular expression that is searched in demangled kernel names. POSIX's own, since std::regex overflows the stack on
/// the names of template libraries, which are thousands of characters long.
class KernelPattern {
public:
    /// Empty text matches every name. Error usage with the system's reason for a text that is not an expression.
    static Result<KernelPattern> parse(const std::string& text);

    bool matches(const std::string& demangledName) const;

private:
    struct Compiled;
    std::shared_ptr<const Compiled> compiled_; ///< null: everything
};

} // namespace kl::inline protocol
