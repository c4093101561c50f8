// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace kl::support {

/// Sets a variable of the environment for as long as it lives.
class SetVariable {
public:
    SetVariable(const char* name, const char* value) : name_(name)
    {
        if (const char* before = std::getenv(name))
            before_ = before;
        value ? ::setenv(name, value, 1) : ::unsetenv(name);
    }
    ~SetVariable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }
    SetVariable(const SetVariable&) = delete;

private:
    const char* name_;
    std::optional<std::string> before_;
};

} // namespace kl::support
