// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace kl {

/// What its owner does before it goes, since nothing else would: a job that nobody cancels keeps a GPU. Where the program is stopped in the
/// middle, the act does it, in another thread and while the owner lives; it takes seconds at most. What it returns, unless empty, is a line
/// for the user.
class LastAct {
public:
    explicit LastAct(std::function<std::string()> act);
    LastAct(const LastAct&) = delete;
    LastAct& operator=(const LastAct&) = delete;
    /// Waits for an act that has begun.
    ~LastAct();

private:
    friend std::vector<std::string> doLastActs();
    std::function<std::string()> act_;
};

/// Does all that are registered, before the process ends. Their lines for the user.
std::vector<std::string> doLastActs();

} // namespace kl
