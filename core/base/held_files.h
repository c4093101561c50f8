// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace kl {

/// Marks a database as open in this process. Closing any descriptor of a file drops every POSIX lock that the process holds on it, SQLite's
/// included ("How To Corrupt An SQLite Database File", section 2.2): while it is marked, nothing but SQLite may open it.
class HeldFile {
public:
    explicit HeldFile(std::filesystem::path file);
    HeldFile(HeldFile&& other) noexcept;
    HeldFile& operator=(HeldFile&&) = delete;
    ~HeldFile();

private:
    std::filesystem::path file_; ///< empty: moved from
};

/// Whether a path leads to a marked database or to one of SQLite's files beside it, under whatever name. Check this before opening a file
/// of the user's choice, for reading or writing.
bool isHeld(const std::filesystem::path& file);

} // namespace kl
