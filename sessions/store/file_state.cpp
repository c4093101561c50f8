// SPDX-License-Identifier: MIT
#include "sessions/store/file_state.h"

#include "core/base/try.h"
#include "sessions/store/schema.h"
#include "sessions/store/sound_files.h"

#include <cctype>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace kl::inline store {
namespace {

constexpr std::uintmax_t kSmallestDatabase = 512; // one page

bool mayWrite(const std::filesystem::path& path)
{
    return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

Error refuse(const std::filesystem::path& file, std::string message, std::string detail = {})
{
    return {.code = ErrorCode::badInput,
            .message = std::move(message),
            .hint = "The file was left as it is. Choose another file for the database.",
            .where = file.string(),
            .detail = std::move(detail)};
}

Error refuseForeign(const std::filesystem::path& file)
{
    return refuse(file, fmt::format("{} is a database of another program.", file.string()));
}

/// One path from the root of each table to a leaf: what a few reads find of a damaged file.
Status readOutline(const sqlite::Connection& connection)
{
    KL_ASSIGN(const std::vector<std::string> tables,
              connection.texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"));
    for (const std::string& table : tables)
        KL_TRY(connection.exec(fmt::format("SELECT 1 FROM \"{}\" LIMIT 1", table)));
    return {};
}

Status quickCheck(const sqlite::Connection& connection, const std::filesystem::path& file)
{
    KL_ASSIGN(const std::vector<std::string> problems, connection.texts("PRAGMA quick_check(10)"));
    if (problems != std::vector<std::string>{"ok"})
        return refuse(file, fmt::format("{} is damaged.", file.string()), fmt::format("{}", fmt::join(problems, "\n")));
    return {};
}

/// An error in SQLite's own words, with the file that it is about.
Error nameFile(Error error, const std::filesystem::path& file)
{
    if (error.where != "database")
        return error;
    return refuse(file, fmt::format("{} cannot be used: {}", file.string(), error.message), error.detail);
}

/// Reads identity and soundness over one connection.
Status readState(const std::filesystem::path& file, OpenMode mode, const SoundFiles& sound, FileState& state)
{
    KL_ASSIGN(const sqlite::Connection connection, sqlite::Connection::open(databaseUri(file, mode), false, false));
    const Result<std::int64_t> application = connection.number("PRAGMA application_id");
    if (!application)
        return connection.foundNoDatabase() ? refuse(file, fmt::format("{} is not a database.", file.string()), application.error().detail)
                                            : application.error();
    const Result<std::int64_t> version = connection.number("PRAGMA user_version");
    const Result<std::int64_t> tables = connection.number("SELECT count(*) FROM sqlite_schema");
    if (!version || !tables)
        return version ? tables.error() : version.error();
    state.fresh = *application == 0 && *tables == 0;
    if (*application != kApplicationId && !state.fresh)
        return refuseForeign(file);
    state.version = static_cast<int>(*version);
    const std::optional<std::string> identity = sound.identifyFile(file);
    state.unchecked = identity && !sound.holds(file, *identity);
    return identity ? readOutline(connection) : quickCheck(connection, file);
}

/// Takes back the transaction of a program that was killed while it wrote, as the next SQLite connection that may write always does; but
/// not in a file that, as far as it was written, is another program's.
Status rollBackUnfinished(const std::filesystem::path& file, const FileState& state)
{
    KL_ASSIGN(const sqlite::Connection reader, sqlite::Connection::open(databaseUri(file, OpenMode::readOnly), false, false));
    if (reader.number("PRAGMA application_id") || !reader.needsRollback())
        return {};
    if (!state.fileWritable || !state.folderWritable)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} holds an unfinished transaction: the program that wrote it was killed.", file.string()),
                     .hint = "Open it once where the file and its folder are writable, which rolls that transaction back.",
                     .where = file.string()};
    KL_ASSIGN(const sqlite::Connection unfinished, sqlite::Connection::open(databaseUri(file, OpenMode::immutable), false, false));
    if (const Result<std::int64_t> application = unfinished.number("PRAGMA application_id"); application) {
        const Result<std::int64_t> tables = unfinished.number("SELECT count(*) FROM sqlite_schema");
        if (*application != kApplicationId && (*application != 0 || (tables && *tables > 0)))
            return refuseForeign(file);
    }
    KL_ASSIGN(const sqlite::Connection writer, sqlite::Connection::open(databaseUri(file, OpenMode::writable), true, false));
    KL_ASSIGN([[maybe_unused]] const std::int64_t version, writer.number("PRAGMA schema_version"));
    return {};
}

/// What another program does to a file shows in this: nothing of it is opened.
std::string fingerprintFile(const std::filesystem::path& file)
{
    std::string outside;
    for (const char* suffix : {"", "-wal", "-journal"}) {
        struct stat found = {};
        if (::stat((file.string() + suffix).c_str(), &found) == 0)
            outside += fmt::format("{} {} {} {}.{};", suffix, found.st_ino, found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec);
    }
    return outside;
}

/// readState(), again when another program may have written meanwhile: pages of two states look like damage to a connection that takes
/// no locks. A file system counts time in ticks, so that what failed is looked at again in any case.
Status readUndisturbed(const std::filesystem::path& file, const SoundFiles& sound, FileState& state)
{
    constexpr int kAttempts = 50;
    constexpr std::chrono::milliseconds kPause{20}; // more than a tick
    std::error_code ignored;
    const auto beside = [&](const char* suffix) { return std::filesystem::exists(file.string() + suffix, ignored); };
    if (beside("-journal"))
        KL_TRY(rollBackUnfinished(file, state));
    std::string failedAt;
    for (int attempt = 1;; ++attempt) {
        const std::string before = fingerprintFile(file);
        state.walThere = beside("-wal");
        state.journalThere = beside("-journal");
        // Without side files no program has it open: opened as immutable, so that no files appear next to a foreign file.
        const bool quiet = !state.walThere && !state.journalThere;
        Status read = readState(file, quiet ? OpenMode::immutable : OpenMode::readOnly, sound, state);
        const bool damaged = !read && read.error().code == ErrorCode::badInput;
        if (!damaged || attempt == kAttempts || (before == failedAt && fingerprintFile(file) == before))
            return read;
        failedAt = before;
        std::this_thread::sleep_for(kPause);
    }
}

} // namespace

bool mayBeWritten(const FileState& state)
{
    return state.fileWritable && state.folderWritable && state.version <= kSchemaVersion;
}

OpenMode chooseOpenMode(const FileState& state)
{
    if (mayBeWritten(state) && !state.unchecked)
        return OpenMode::writable;
    if (state.fileWritable && state.folderWritable && !state.walThere && !state.journalThere)
        return OpenMode::tidy;
    return state.folderWritable || state.walThere ? OpenMode::readOnly : OpenMode::immutable;
}

std::string databaseUri(const std::filesystem::path& file, OpenMode mode)
{
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(file).string())
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("/-._~").find(c) != std::string_view::npos)
            uri += c;
        else
            uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    if (mode == OpenMode::readOnly)
        uri += "?mode=ro";
    if (mode == OpenMode::immutable)
        uri += "?immutable=1";
    return uri;
}

Result<FileState> inspectFile(const std::filesystem::path& file, const SoundFiles& sound)
{
    FileState state;
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
    state.folderWritable = mayWrite(folder);
    std::error_code failed;
    if (!std::filesystem::exists(file, failed)) {
        if (failed)
            return refuse(file, fmt::format("{} cannot be inspected: {}.", file.string(), failed.message()));
        state.fresh = true;
        return state;
    }
    if (!std::filesystem::is_regular_file(file, ignored))
        return refuse(file, fmt::format("{} is not a file.", file.string()));
    state.fileWritable = mayWrite(file);
    const std::uintmax_t size = std::filesystem::file_size(file, ignored);
    if (size == 0) {
        state.fresh = true;
        return state;
    }
    if (size < kSmallestDatabase) // SQLite takes one of a single byte for an empty one
        return refuse(file, fmt::format("{} is not a database.", file.string()));
    // Through SQLite alone: a descriptor of our own, once closed, would take with it every lock that this process holds on the file.
    if (const Status read = readUndisturbed(file, sound, state); !read)
        return nameFile(read.error(), file);
    return state;
}

Status checkWhole(const std::filesystem::path& file, OpenMode mode, const SoundFiles& sound, const std::stop_token& stop)
{
    const std::optional<std::string> identity = sound.identifyFile(file);
    if (identity && sound.holds(file, *identity)) // another program was first
        return {};
    KL_ASSIGN(const sqlite::Connection connection, sqlite::Connection::open(databaseUri(file, mode), mode == OpenMode::tidy, false));
    // As long as a statement is active, an interruption also ends those that begin after it.
    KL_ASSIGN(sqlite::Statement active, connection.prepare("SELECT 1"));
    KL_ASSIGN([[maybe_unused]] const bool row, active.row());
    const std::stop_callback interrupts(stop, [&connection] { connection.interrupt(); });
    const Status passed = quickCheck(connection, file);
    if (stop.stop_requested())
        return Error{.code = ErrorCode::interrupted,
                     .message = "The check of the database was canceled.",
                     .hint = "Nothing is written to it until it is checked: open it again.",
                     .where = file.string()};
    if (!passed)
        return nameFile(passed.error(), file);
    if (identity)
        sound.keep(file, *identity);
    return {};
}

} // namespace kl::inline store
