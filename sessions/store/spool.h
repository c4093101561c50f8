// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/store/unstored.h"

#include <filesystem>
#include <string>
#include <vector>

namespace kl::inline store {

/// Files with data that a database could not store, each until it is stored: next to the database, else in the user's cache folder, else in
/// the temporary one. A file is a bundle (sessions/import/bundle.h) that has the rest under "unstored", so that its runs can be
/// imported on any machine.
class Spool {
public:
    /// Of the database at this location; one in memory has none.
    explicit Spool(const std::string& location);

    /// Writes a new file, whole and safe from a power cut. Errors: internal for what cannot be read back; that of the last folder tried.
    Result<std::filesystem::path> keep(const Unstored& what) const;

    /// All files, the oldest first.
    std::vector<std::filesystem::path> files() const;

    /// Error badInput for a damaged file.
    Result<Unstored> read(const std::filesystem::path& file) const;

    /// A file that another program has removed already is not an error.
    static void remove(const std::filesystem::path& file);

private:
    struct Folder {
        std::filesystem::path path;
        std::string prefix; ///< of the files' names
        bool shared;        ///< anyone may write there: ours is a folder that no one else may
    };
    std::string database_; ///< with all links followed; empty for one in memory
    std::vector<Folder> folders_;
};

/// The result of emptying a spool.
struct Emptied {
    std::size_t stored = 0;            ///< files
    std::vector<std::string> troubles; ///< a sentence for each file that stays although the database is writable, and for dropped data
};

/// Stores the content of this store's spool, without waiting for another program that writes: it then stays for the next time. Any
/// number of programs may do so at once.
Emptied emptySpool(Store& store);

/// "2 measurements that could not be stored earlier are stored now. …"; empty when there was nothing.
std::string composeSentence(const Emptied& emptied);

} // namespace kl::inline store
