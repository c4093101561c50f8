// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace kl {

/// A file or folder that is useless once this process ends: its creator also holds this object, so that a program that is stopped in
/// the middle can remove it.
class Leftover {
public:
    explicit Leftover(std::filesystem::path path);
    Leftover(Leftover&& other) noexcept;
    Leftover& operator=(Leftover&&) = delete;
    ~Leftover();

    /// Empty when moved from.
    const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
};

/// While one lives, a program that is stopped is waited for: it puts things in order that would else stay out of order, and that takes a
/// moment which is known to end.
class Finishing {
public:
    Finishing() noexcept;
    ~Finishing();
    Finishing(const Finishing&) = delete;
    Finishing& operator=(const Finishing&) = delete;

    static bool any() noexcept;
};

/// Removes every leftover from the disk, from any thread, just before the process ends.
void removeLeftovers() noexcept;

} // namespace kl
