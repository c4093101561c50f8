// SPDX-License-Identifier: MIT
#include "sessions/store/sqlite_store.h"

#include "core/base/data_folder.h"
#include "core/base/try.h"
#include "sessions/store/schema.h"
#include "sessions/store/spool.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <thread>

namespace kl::inline store {
namespace {

constexpr const char* kMemory = ":memory:";

/// A complete copy beside the file, before a migration touches it. VACUUM INTO reads through SQLite: copying the file itself
/// would lose what is still in the -wal. It fills an empty file, by which each of two programs that migrate at once has a name of its own.
Result<std::filesystem::path> backUpBeforeMigration(const sqlite::Connection& connection, const std::string& file, int version)
{
    std::filesystem::path target = fmt::format("{}.v{}.bak", file, version);
    std::FILE* made = std::fopen(target.c_str(), "wxe");
    for (int n = 2; !made && errno == EEXIST; ++n) {
        target = fmt::format("{}.v{}-{}.bak", file, version, n);
        made = std::fopen(target.c_str(), "wxe");
    }
    if (made)
        std::fclose(made);
    if (Status copied = connection.run("VACUUM INTO ?", target.string()); !copied) {
        std::error_code ignored;
        if (made)
            std::filesystem::remove(target, ignored); // half a copy
        Error error = copied.error();
        error.message =
            fmt::format("The database was not migrated: its backup {} could not be written. {}", target.string(), error.message);
        return error;
    }
    return target;
}

/// Several programs may bring a file into WAL mode at once: a program that holds a read lock and wants the write lock of another gets
/// "locked" at once, since waiting could never end. Tried again, it finds the file in WAL mode.
Status useWriteAheadLog(const sqlite::Connection& connection)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    for (;;) {
        Status done = connection.exec("PRAGMA journal_mode = WAL");
        if (done || done.error().code != ErrorCode::environment || std::chrono::steady_clock::now() > end)
            return done;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

/// Settings of a connection that writes. synchronous=FULL: a verdict once shown survives a power cut.
Status configureWriter(const sqlite::Connection& connection)
{
    KL_TRY(useWriteAheadLog(connection));
    return connection.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF");
}

Status configureReader(const sqlite::Connection& connection)
{
    return connection.exec("PRAGMA query_only = ON; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF");
}

Error atFile(Error error, const std::string& file)
{
    error.message = fmt::format("{}: {}", file, error.message);
    error.where = file;
    return error;
}

Result<sqlite::Connection> connect(const std::string& file, OpenMode mode)
{
    const bool writable = mode == OpenMode::writable;
    Result<sqlite::Connection> connection = sqlite::Connection::open(databaseUri(file, mode), writable || mode == OpenMode::tidy, writable);
    if (!connection)
        return atFile(connection.error(), file);
    if (Status done = writable ? configureWriter(*connection) : configureReader(*connection); !done)
        return atFile(done.error(), file);
    return connection;
}

} // namespace

Result<std::unique_ptr<Store>> Store::open(const std::string& location)
{
    KL_ASSIGN(std::unique_ptr<SqliteStore> store, location == kMemory ? SqliteStore::inMemory(location) : SqliteStore::openFile(location));
    if (!store->readOnly() && !store->unchecked()) // else with the first measurement that is stored
        store->addNotice(composeSentence(emptySpool(*store)));
    return std::unique_ptr<Store>(std::move(store));
}

std::string Store::defaultLocation()
{
    const char* chosen = std::getenv("KERNELLOOP_DB"); // NOLINT(concurrency-mt-unsafe): read at start-up
    return chosen && *chosen ? std::string(chosen) : (dataFolder() / "kernelloop.db").string();
}

SqliteStore::SqliteStore(std::string location, sqlite::Connection connection) : location_(std::move(location)), db_(std::move(connection))
{
}

Result<std::unique_ptr<SqliteStore>> SqliteStore::inMemory(const std::string& location)
{
    KL_ASSIGN(sqlite::Connection connection, sqlite::Connection::open(":memory:", true, true));
    KL_TRY(connection.exec("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF"));
    KL_TRY(migrate(connection, 0));
    return std::unique_ptr<SqliteStore>(new SqliteStore(location, std::move(connection)));
}

Result<std::unique_ptr<SqliteStore>> SqliteStore::openImage(const std::string& location, std::string_view image, std::string notice,
                                                            const std::string& views)
{
    KL_ASSIGN(sqlite::Connection connection, sqlite::Connection::openImage(image));
    KL_TRY(connection.exec("PRAGMA trusted_schema = OFF"));
    KL_ASSIGN(const std::int64_t version, connection.number("PRAGMA user_version"));
    if (version != kSchemaVersion)
        return Error{.code = ErrorCode::internal,
                     .message = fmt::format("The database {} in this program has version {}, not {}.", location, version, kSchemaVersion),
                     .hint = "Build the program again.",
                     .where = location};
    KL_TRY(connection.exec(views));
    std::unique_ptr<SqliteStore> store(new SqliteStore(location, std::move(connection)));
    KL_TRY(store->freeze(std::move(notice)));
    return store;
}

Result<std::unique_ptr<SqliteStore>> SqliteStore::openFile(const std::string& location, const SoundFiles& sound)
{
    const std::filesystem::path file(location);
    std::error_code failed;
    const std::filesystem::path folder = std::filesystem::absolute(file, failed).parent_path();
    if (!failed && !std::filesystem::exists(folder, failed) && !failed)
        std::filesystem::create_directories(folder, failed);
    if (failed)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("The folder of {} cannot be created: {}.", location, failed.message()),
                     .hint = "Choose a writable place for the database.",
                     .where = location};
    HeldFile held(location); // from before the first connection until after the last
    KL_ASSIGN(FileState state, inspectFile(file, sound));
    const bool writable = mayBeWritten(state);
    if (state.fresh && !writable)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} cannot be created: the folder is read-only.", location),
                     .hint = "Choose a writable place for the database.",
                     .where = location};

    if (state.unchecked && writable && state.version < kSchemaVersion) { // migrating writes, after a backup that reads everything as well
        KL_TRY(checkWhole(file, chooseOpenMode(state), sound, {}));
        state.unchecked = false;
    }
    const OpenMode mode = chooseOpenMode(state);
    KL_ASSIGN(sqlite::Connection connection, connect(location, mode));
    std::string notice;
    if (writable && state.version < kSchemaVersion) {
        if (!state.fresh) {
            KL_ASSIGN(const std::filesystem::path copy, backUpBeforeMigration(connection, location, state.version));
            notice = fmt::format("The database was migrated from version {} to {}. Backup of the old file: {}", state.version,
                                 kSchemaVersion, copy.string());
        }
        if (Status done = migrate(connection, state.version); !done)
            return atFile(done.error(), location);
    }
    std::unique_ptr<SqliteStore> store(new SqliteStore(location, std::move(connection)));
    store->held_.emplace(std::move(held));
    store->onlyReads_ = mode != OpenMode::writable;
    store->readOnly_ = !writable;
    store->unchecked_ = state.unchecked;
    if (state.unchecked)
        store->firstCheck_ = FirstCheck{mode, sound};
    if (state.version > kSchemaVersion)
        notice =
            fmt::format("This database was written by a newer KernelLoop (version {}; this one supports up to {}): it is open read-only.",
                        state.version, kSchemaVersion);
    else if (!writable && state.version < kSchemaVersion)
        return Error{
            .code = ErrorCode::badInput,
            .message = fmt::format("{} has the older version {} and cannot be migrated because it is read-only.", location, state.version),
            .hint = "Copy it to a writable folder, and open the copy.",
            .where = location};
    else if (!writable)
        notice = fmt::format("{} cannot be written: it is open read-only.", location);
    store->notice_ = std::move(notice);
    return store;
}

void SqliteStore::addNotice(const std::string& text)
{
    notice_ += (notice_.empty() || text.empty() ? "" : " ") + text;
}

Status SqliteStore::freeze(std::string notice)
{
    const std::lock_guard lock(mutex_);
    KL_TRY(db_.exec("PRAGMA query_only = ON"));
    onlyReads_ = true;
    readOnly_ = true;
    notice_ = std::move(notice);
    return {};
}

Status SqliteStore::checkOnce(const std::stop_token& stop)
{
    if (!firstCheck_)
        return {};
    const std::lock_guard oneAtATime(checking_);
    if (damage_)
        return *damage_;
    if (!unchecked_)
        return {};
    if (Status sound = checkWhole(location_, firstCheck_->mode, firstCheck_->sound, stop); !sound) {
        if (sound.error().code == ErrorCode::badInput) {
            damage_ = sound.error();
            unchecked_ = false;
        }
        return sound;
    }
    if (!readOnly_)
        KL_TRY(becomeWritable());
    unchecked_ = false;
    return {};
}

Status SqliteStore::becomeWritable()
{
    const std::lock_guard lock(mutex_);
    KL_ASSIGN(sqlite::Connection writer, connect(location_, OpenMode::writable));
    firstVersion_ = seenVersion_ + (std::int64_t{1} << 32);
    db_ = std::move(writer);
    onlyReads_ = false;
    readVersion();
    return {};
}

Status checkStorable(Store& store)
{
    if (!store.readOnly())
        return store.checkOnce();
    return Error{.code = ErrorCode::badInput,
                 .message = fmt::format("{} is open read-only: nothing can be stored in it.", store.location()),
                 .hint = "Choose a writable database.",
                 .where = store.location()};
}

std::int64_t SqliteStore::dataVersion() const
{
    const std::unique_lock lock(mutex_, std::try_to_lock);
    return lock ? readVersion() : seenVersion_.load();
}

std::int64_t SqliteStore::readVersion() const
{
    // data_version counts commits of others, total_changes our own rows.
    const Result<std::int64_t> others = db_.number("PRAGMA data_version");
    seenVersion_ = firstVersion_ + ((others ? *others : 0) << 32) + db_.totalChanges();
    return seenVersion_;
}

} // namespace kl::inline store
