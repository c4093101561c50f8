// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <stop_token>
#include <string>

namespace kl::inline store {

class SoundFiles;

/// The state of a database file before any write.
struct FileState {
    bool fresh = false; ///< missing, or holding no tables: may be created
    int version = 0;    ///< user_version
    bool fileWritable = true;
    bool folderWritable = true;
    bool walThere = false;     ///< a -wal file is next to it: another program has it open, or one crashed
    bool journalThere = false; ///< the same for a -journal file: a partial transaction has to be rolled back
    bool unchecked = false;    ///< large, and never checked as a whole on this machine: see checkWhole()
};

/// How to open a file.
enum class OpenMode {
    writable,
    readOnly,  ///< another program's writes are seen; SQLite leaves the side files that it makes
    tidy,      ///< as readOnly, over a connection that could write, which takes away its side files: only where there are none
    immutable, ///< side files are neither created nor read: only for a folder that cannot be written, without a -wal
};

/// Whether file and folder can be written, and the file is not newer than kSchemaVersion, which is only read.
bool mayBeWritten(const FileState& state);

/// The rule: writable where it may be written and was checked.
OpenMode chooseOpenMode(const FileState& state);

/// Looks at the file, read-only, once SQLite has rolled back what a killed program left half written: header, application_id, user_version
/// and a quick check, of a large file its outline alone. Errors: badInput for a file that is not a SQLite database, another program's, or
/// damaged; it is left as it was.
Result<FileState> inspectFile(const std::filesystem::path& file, const SoundFiles& sound);

/// SQLite's quick check of all of a large file, over a connection of its own; one that passes is remembered in `sound`, and not read again
/// if it is there. Errors: badInput for a damaged file; interrupted.
Status checkWhole(const std::filesystem::path& file, OpenMode mode, const SoundFiles& sound, const std::stop_token& stop);

/// "file:/path?mode=ro", with the path escaped for SQLite.
std::string databaseUri(const std::filesystem::path& file, OpenMode mode);

} // namespace kl::inline store
