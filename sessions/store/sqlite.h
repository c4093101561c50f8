// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/base/try.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace kl::inline store::sqlite {

/// Bytes to bind as a BLOB rather than as text.
struct Blob {
    std::string_view bytes;
};

class IdleStatements;

/// A prepared statement. Parameters are bound in order, from 1; a failed bind is reported by the next row() or run().
/// Column numbers count from 0; reading another type than the column's uses SQLite's conversion.
class Statement {
public:
    Statement(sqlite3* db, sqlite3_stmt* handle, std::shared_ptr<IdleStatements> idle) noexcept;
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&&) = delete;
    ~Statement();

    void bind(std::int64_t value);
    void bind(double value); ///< NaN becomes NULL, as SQLite does
    void bind(std::string_view text);
    void bind(Blob blob);
    void bindNull();
    template <class T> void bind(const std::optional<T>& value)
    {
        if (value)
            bindAny(*value);
        else
            bindNull();
    }
    template <class T> void bindAny(const T& value)
    {
        if constexpr (std::is_same_v<T, bool> || std::is_integral_v<T>)
            bind(static_cast<std::int64_t>(value));
        else
            bind(value);
    }

    /// Advances: true for a row, false at the end.
    Result<bool> row();
    /// Runs to the end, discarding rows.
    Status run();

    std::string text(int column) const;
    std::int64_t integer(int column) const;
    std::optional<double> real(int column) const; ///< unset for NULL
    std::string blob(int column) const;
    bool null(int column) const;

private:
    void check(int code) noexcept
    {
        if (bindCode_ == 0)
            bindCode_ = code;
    }

    sqlite3* db_;
    sqlite3_stmt* handle_;
    std::shared_ptr<IdleStatements> idle_; ///< where it goes afterwards
    int next_ = 0;
    int bindCode_ = 0;
};

/// One database connection. Not thread-safe: its owner serializes.
class Connection {
public:
    /// `uri` is a file name, ":memory:" or a "file:" URI. Errors: badInput (not a database, cannot be opened).
    static Result<Connection> open(const std::string& uri, bool writable, bool create);
    /// A whole database in memory, read-only. Nothing is copied, and pages are read when they are needed: `image` outlives the
    /// connection. It is the copy that VACUUM INTO writes, not a file in WAL mode. Error badInput: not a database.
    static Result<Connection> openImage(std::string_view image);

    Connection(Connection&& other) noexcept;
    Connection& operator=(Connection&& other) noexcept;
    ~Connection();

    /// A statement of the same text that was in use before is used again: preparing takes longer than most statements.
    Result<Statement> prepare(std::string_view sql) const;
    /// One or several statements without parameters.
    Status exec(const std::string& sql) const;

    /// Prepares and binds, ready for row().
    template <class... A> Result<Statement> query(std::string_view sql, const A&... args) const
    {
        Result<Statement> statement = prepare(sql);
        if (statement)
            (statement->bindAny(args), ...);
        return statement;
    }
    /// Prepares, binds and runs.
    template <class... A> Status run(std::string_view sql, const A&... args) const
    {
        KL_ASSIGN(Statement statement, query(sql, args...));
        return statement.run();
    }
    /// First column of the first row as an integer; 0 when there is no row.
    Result<std::int64_t> number(std::string_view sql) const;
    /// First column of every row as text.
    Result<std::vector<std::string>> texts(std::string_view sql) const;

    bool foundNoDatabase() const noexcept;      ///< whether the latest call failed because the file is not an SQLite database
    bool needsRollback() const noexcept;        ///< whether it failed because only a connection that may write takes back a transaction
    void interrupt() const noexcept;            ///< ends what it runs, from any thread
    int changes() const noexcept;               ///< rows of the latest INSERT, UPDATE or DELETE
    std::int64_t totalChanges() const noexcept; ///< rows since the connection was opened

private:
    explicit Connection(sqlite3* handle);
    sqlite3* handle_ = nullptr;
    std::shared_ptr<IdleStatements> idle_;
};

/// Every row of a query as read(row) makes it; the error of the query, or of a row, instead.
template <class T, class Read> Result<std::vector<T>> readAll(Result<Statement> rows, Read read)
{
    if (!rows)
        return rows.error();
    std::vector<T> found;
    for (;;) {
        KL_ASSIGN(const bool more, rows->row());
        if (!more)
            return found;
        found.push_back(read(*rows));
    }
}

/// BEGIN IMMEDIATE … COMMIT: the write lock is taken at once, since a read transaction that turns into a write one fails
/// without waiting. Rolls back when it goes out of scope uncommitted.
class Transaction {
public:
    static Result<Transaction> begin(const Connection& connection);
    Transaction(Transaction&& other) noexcept;
    Transaction& operator=(Transaction&&) = delete;
    ~Transaction();
    Status commit();

private:
    explicit Transaction(const Connection& connection) noexcept : connection_(&connection) {}
    const Connection* connection_;
};

/// Runs body inside a transaction; commits when it returns success.
template <class Body> Status inTransaction(const Connection& connection, Body body)
{
    KL_ASSIGN(Transaction transaction, Transaction::begin(connection));
    KL_TRY(body());
    return transaction.commit();
}

/// For as long as it lives, how long calls of this thread wait for another program that writes: 5 s without one.
class LockWait {
public:
    explicit LockWait(std::chrono::milliseconds most);
    LockWait(LockWait&&) = delete;
    ~LockWait();

private:
    std::chrono::milliseconds before_;
};

/// What connections of this thread have done, for tests and benchmarks that bound it.
struct WorkDone {
    std::int64_t statements = 0; ///< prepared, or used again
    std::int64_t rows = 0;       ///< read
};
WorkDone readWorkDone() noexcept;

/// SQLite's busy handler: 0 gives up.
int waitForLock(void* unused, int times);

/// Whether this says that another program was writing.
bool isBusy(const Error& error);

/// An SQLite result code as an Error: busy and I/O trouble are `environment`, a damaged or foreign file `badInput`.
Error toError(sqlite3* db, int code);

} // namespace kl::inline store::sqlite
