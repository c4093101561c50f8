// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace kl {

/// A command contained in a file, not entered by the user of this program: a project's build, a reference script. It is started only
/// with that person's consent, which is remembered under `hash`.
struct FileCommand {
    std::string file;                    ///< that names it, or is the script itself; absolute where that is known
    std::vector<std::string> command;    ///< program and arguments
    std::string folder;                  ///< where it runs; empty: a private folder, removed afterwards
    std::string hash;                    ///< SHA-256 of what runs, 64 hexadecimal digits; the same wherever the files lie
    std::string afterwards;              ///< what is started with it, in words; may be empty
    std::vector<std::string> files = {}; ///< beside `file`, relative to the folder: those that the hash covers, too
    std::string changedSince = {};       ///< when another version of it was allowed, ISO 8601; empty: none was
    std::string question = {};           ///< what the user is asked; empty: whether what the file names may run

    bool operator==(const FileCommand&) const = default;
};

} // namespace kl
