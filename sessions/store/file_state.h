// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace kl {

class SoundFiles;

/// What is known of a database file before anything of it is written.
struct FileState {
    bool fresh = false; ///< missing, or holding no tables: may be created
    int version = 0;    ///< user_version
    bool fileWritable = true;
    bool folderWritable = true;
    bool walThere = false;     ///< a -wal file stands beside it: another program has it open, or one crashed
    bool journalThere = false; ///< a -journal file does: half a transaction is to be taken back
};

/// How a file is to be opened.
enum class OpenMode {
    writable,
    readOnly,  ///< another program's writes are seen; SQLite leaves the side files that it makes
    tidy,      ///< as readOnly, over a connection that could write, which takes away its side files: only where none stand there
    immutable, ///< no side files are made or looked at: only for a folder that cannot be written, without a -wal
};

/// The rule: writable where file and folder are, unless the file is newer than kSchemaVersion, which is only read.
OpenMode openModeOf(const FileState& state);

/// Looks at the file, read-only: header, application_id, user_version and a quick check, but for one that passed it as it is now.
/// Errors: badInput for a file that is no SQLite database, another program's, or damaged; it is left as it was.
Result<FileState> inspectFile(const std::filesystem::path& file, const SoundFiles& sound);

/// "file:/path?mode=ro", with the path escaped as SQLite's URIs want it.
std::string databaseUri(const std::filesystem::path& file, OpenMode mode);

} // namespace kl
