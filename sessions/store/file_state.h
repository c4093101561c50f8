// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <filesystem>
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
};

/// How to open a file.
enum class OpenMode {
    writable,
    readOnly,  ///< another program's writes are seen; SQLite leaves the side files that it makes
    tidy,      ///< as readOnly, over a connection that could write, which takes away its side files: only where there are none
    immutable, ///< side files are neither created nor read: only for a folder that cannot be written, without a -wal
};

/// The rule: writable where file and folder are, unless the file is newer than kSchemaVersion, which is only read.
OpenMode openModeOf(const FileState& state);

/// Looks at the file, read-only: header, application_id, user_version and a quick check, of a large file that passed it before an outline
/// alone. Errors: badInput for a file that is not a SQLite database, another program's, or damaged; it is left as it was.
Result<FileState> inspectFile(const std::filesystem::path& file, const SoundFiles& sound);

/// "file:/path?mode=ro", with the path escaped for SQLite.
std::string databaseUri(const std::filesystem::path& file, OpenMode mode);

} // namespace kl::inline store
