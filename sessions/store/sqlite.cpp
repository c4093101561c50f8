// SPDX-License-Identifier: MIT
#include "sessions/store/sqlite.h"

#include "core/base/try.h"

#include <algorithm>
#include <fmt/format.h>
#include <sqlite3.h>
#include <utility>

namespace kl::inline store::sqlite {
namespace {

thread_local WorkDone done;

} // namespace

WorkDone readWorkDone() noexcept
{
    return done;
}

Error toError(sqlite3* db, int code)
{
    const std::string detail = db != nullptr && sqlite3_errcode(db) != SQLITE_OK ? sqlite3_errmsg(db) : sqlite3_errstr(code);
    const auto make = [&](ErrorCode kind, std::string message, std::string hint) {
        return Error{.code = kind,
                     .message = std::move(message),
                     .hint = std::move(hint),
                     .where = "database",
                     .detail = fmt::format("SQLite {}: {}", code, detail)};
    };
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return make(ErrorCode::environment, "Another program is writing to the database and did not finish in time.",
                    "Try again; if this persists, look for another KernelLoop that is stuck.");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return make(ErrorCode::badInput, "The database file is damaged or is not a database.", "Open a backup instead.");
    case SQLITE_CANTOPEN:
        return make(ErrorCode::badInput, "The database file cannot be opened.",
                    "Check that the path exists and that you may read and write it.");
    case SQLITE_READONLY:
    case SQLITE_PERM: return make(ErrorCode::badInput, "The database is read-only.", "Copy it to a writable folder, and open the copy.");
    case SQLITE_FULL: return make(ErrorCode::environment, "The disk is full: nothing was stored.", "Free some space and try again.");
    case SQLITE_IOERR:
        return make(ErrorCode::environment, "Reading or writing the database file failed.",
                    "Check the disk's free space and your quota, and that the file is not on a network share.");
    case SQLITE_CONSTRAINT: return make(ErrorCode::badInput, fmt::format("The database refused a row: {}.", detail), {});
    default: return make(ErrorCode::internal, fmt::format("The database reported: {}.", detail), {});
    }
}

/// Statements of a connection that nobody uses at the moment, the latest last.
class IdleStatements {
public:
    ~IdleStatements() { close(); }

    /// Null where there is none of this text.
    sqlite3_stmt* take(std::string_view sql)
    {
        const auto found = std::ranges::find_if(idle_, [&](sqlite3_stmt* one) { return sqlite3_sql(one) == sql; });
        if (found == idle_.end())
            return nullptr;
        sqlite3_stmt* taken = *found;
        idle_.erase(found);
        return taken;
    }

    void put(sqlite3_stmt* statement)
    {
        if (closed_ || statement == nullptr) {
            sqlite3_finalize(statement);
            return;
        }
        sqlite3_reset(statement);
        sqlite3_clear_bindings(statement);
        idle_.push_back(statement);
        if (idle_.size() > kMost) {
            sqlite3_finalize(idle_.front());
            idle_.erase(idle_.begin());
        }
    }

    /// Those that come later are not kept: their connection is closed.
    void close()
    {
        for (sqlite3_stmt* one : idle_)
            sqlite3_finalize(one);
        idle_.clear();
        closed_ = true;
    }

private:
    static constexpr std::size_t kMost = 24; ///< more than storing a run takes

    std::vector<sqlite3_stmt*> idle_;
    bool closed_ = false;
};

Statement::Statement(sqlite3* db, sqlite3_stmt* handle, std::shared_ptr<IdleStatements> idle) noexcept
    : db_(db), handle_(handle), idle_(std::move(idle))
{
}

Statement::Statement(Statement&& other) noexcept
    : db_(other.db_), handle_(std::exchange(other.handle_, nullptr)), idle_(std::move(other.idle_)), next_(other.next_),
      bindCode_(other.bindCode_)
{
}

Statement::~Statement()
{
    if (handle_ != nullptr)
        idle_->put(handle_);
}

void Statement::bind(std::int64_t value)
{
    check(sqlite3_bind_int64(handle_, ++next_, value));
}

void Statement::bind(double value)
{
    check(sqlite3_bind_double(handle_, ++next_, value));
}

void Statement::bind(std::string_view text)
{
    // A view without data would bind NULL.
    check(sqlite3_bind_text64(handle_, ++next_, text.empty() ? "" : text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bind(Blob blob)
{
    check(sqlite3_bind_blob64(handle_, ++next_, blob.bytes.empty() ? "" : blob.bytes.data(), blob.bytes.size(), SQLITE_TRANSIENT));
}

void Statement::bindNull()
{
    check(sqlite3_bind_null(handle_, ++next_));
}

Result<bool> Statement::row()
{
    if (bindCode_ != SQLITE_OK)
        return toError(db_, bindCode_);
    const int code = sqlite3_step(handle_);
    if (code == SQLITE_ROW) {
        ++done.rows;
        return true;
    }
    if (code == SQLITE_DONE)
        return false;
    return toError(db_, code);
}

Status Statement::run()
{
    for (;;) {
        KL_ASSIGN(const bool more, row());
        if (!more)
            return {};
    }
}

std::string Statement::text(int column) const
{
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
    return bytes == nullptr ? std::string() : std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)));
}

std::int64_t Statement::integer(int column) const
{
    return sqlite3_column_int64(handle_, column);
}

std::optional<double> Statement::real(int column) const
{
    return null(column) ? std::nullopt : std::optional(sqlite3_column_double(handle_, column));
}

std::string Statement::blob(int column) const
{
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(handle_, column));
    return bytes == nullptr ? std::string() : std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)));
}

bool Statement::null(int column) const
{
    return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

Result<Connection> Connection::open(const std::string& uri, bool writable, bool create)
{
    const int access = writable ? SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0) : SQLITE_OPEN_READONLY;
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(uri.c_str(), &handle, access | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
    Connection connection(handle);
    if (code != SQLITE_OK)
        return toError(handle, code);
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_busy_handler(handle, waitForLock, nullptr);
    // A file from elsewhere must not run functions from its schema, nor may SQL of ours damage the file's structure.
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    return connection;
}

Result<Connection> Connection::openImage(std::string_view image)
{
    KL_ASSIGN(Connection connection, open(":memory:", true, true));
    auto* bytes = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(image.data())); // SQLite writes none of a READONLY one
    const auto size = static_cast<sqlite3_int64>(image.size());
    if (const int code = sqlite3_deserialize(connection.handle_, "main", bytes, size, size, SQLITE_DESERIALIZE_READONLY); code != SQLITE_OK)
        return toError(connection.handle_, code);
    KL_ASSIGN([[maybe_unused]] const std::int64_t version, connection.number("PRAGMA schema_version")); // reads the header
    return connection;
}

Connection::Connection(sqlite3* handle) : handle_(handle), idle_(std::make_shared<IdleStatements>()) {}

Connection::Connection(Connection&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)), idle_(std::move(other.idle_)) {}

Connection& Connection::operator=(Connection&& other) noexcept
{
    std::swap(handle_, other.handle_);
    std::swap(idle_, other.idle_);
    return *this;
}

Connection::~Connection()
{
    if (idle_)
        idle_->close();
    sqlite3_close_v2(handle_);
}

Result<Statement> Connection::prepare(std::string_view sql) const
{
    ++done.statements;
    if (sqlite3_stmt* again = idle_->take(sql))
        return Statement(handle_, again, idle_);
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v2(handle_, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
    if (code != SQLITE_OK)
        return toError(handle_, code);
    return Statement(handle_, statement, idle_);
}

Status Connection::exec(const std::string& sql) const
{
    const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK)
        return toError(handle_, code);
    return {};
}

Result<std::int64_t> Connection::number(std::string_view sql) const
{
    KL_ASSIGN(Statement statement, prepare(sql));
    KL_ASSIGN(const bool there, statement.row());
    return there ? statement.integer(0) : 0;
}

Result<std::vector<std::string>> Connection::texts(std::string_view sql) const
{
    KL_ASSIGN(Statement statement, prepare(sql));
    std::vector<std::string> found;
    for (;;) {
        KL_ASSIGN(const bool there, statement.row());
        if (!there)
            return found;
        found.push_back(statement.text(0));
    }
}

bool Connection::foundNoDatabase() const noexcept
{
    return sqlite3_errcode(handle_) == SQLITE_NOTADB;
}

bool Connection::needsRollback() const noexcept
{
    return sqlite3_extended_errcode(handle_) == SQLITE_READONLY_ROLLBACK;
}

void Connection::interrupt() const noexcept
{
    sqlite3_interrupt(handle_);
}

int Connection::changes() const noexcept
{
    return sqlite3_changes(handle_);
}

std::int64_t Connection::totalChanges() const noexcept
{
    return sqlite3_total_changes64(handle_);
}

Result<Transaction> Transaction::begin(const Connection& connection)
{
    KL_TRY(connection.exec("BEGIN IMMEDIATE"));
    return Transaction(connection);
}

Transaction::Transaction(Transaction&& other) noexcept : connection_(std::exchange(other.connection_, nullptr)) {}

Transaction::~Transaction()
{
    if (connection_ != nullptr)
        static_cast<void>(connection_->exec("ROLLBACK").ok());
}

Status Transaction::commit()
{
    KL_TRY(connection_->exec("COMMIT")); // the destructor rolls back where it fails
    connection_ = nullptr;
    return {};
}

} // namespace kl::inline store::sqlite
