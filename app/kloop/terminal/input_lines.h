// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <stop_token>
#include <string>

namespace kl::cli {

/// Standard input, line by line, for as long as nobody asks to stop: at a prompt a signal ends the command at once.
class InputLines {
public:
    explicit InputLines(std::stop_token stop) : stop_(std::move(stop)) {}

    /// The next line without its end; nothing at the end of the input, or when stop was requested.
    std::optional<std::string> next();

private:
    bool readMore();

    std::stop_token stop_;
    std::string read_;
    bool ended_ = false;
};

} // namespace kl::cli
