// SPDX-License-Identifier: MIT
// Names and tags of runs and sessions, and deleting both.
#include "core/base/try.h"
#include "sessions/store/sqlite_store.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::inline store {
namespace {

using sqlite::Connection;
using sqlite::Statement;

Error notThere(const char* what, const std::string& id)
{
    return {.code = ErrorCode::notFound, .message = fmt::format("There is no {} {}.", what, id), .where = fmt::format("{}:{}", what, id)};
}

Status requireRow(const Connection& db, const char* what, const std::string& id)
{
    KL_ASSIGN(Statement row, db.query(fmt::format("SELECT 1 FROM {}s WHERE id = ?", what), id));
    KL_ASSIGN(const bool there, row.row());
    return there ? Status{} : Status{notThere(what, id)};
}

Result<std::int64_t> countRows(const Connection& db, const char* sql, const std::string& value)
{
    KL_ASSIGN(Statement row, db.query(sql, value));
    KL_ASSIGN(const bool there, row.row());
    return there ? row.integer(0) : 0;
}

/// Of the events, which name runs and comparisons by their ids.
constexpr const char* kSessionsOfRun =
    "SELECT DISTINCT s.name FROM session_events e JOIN sessions s ON s.id = e.session_id WHERE instr(e.data, ?1) > 0 OR EXISTS "
    "(SELECT 1 FROM comparisons c WHERE 'run:' || ?1 IN (c.a, c.b) AND instr(e.data, c.id) > 0) ORDER BY s.created_at";

Result<Dependents> findRunDependents(const Connection& db, const RunId& id)
{
    KL_TRY(requireRow(db, "run", id.text));
    Dependents found;
    KL_ASSIGN(found.sessions,
              sqlite::readAll<std::string>(db.query(kSessionsOfRun, id.text), [](const Statement& row) { return row.text(0); }));
    KL_ASSIGN(found.comparisons, countRows(db, "SELECT count(*) FROM comparisons WHERE 'run:' || ?1 IN (a, b)", id.text));
    KL_ASSIGN(found.notes, countRows(db, "SELECT count(*) FROM notes WHERE subject = ? AND removed_at IS NULL", "run:" + id.text));
    return found;
}

} // namespace

Status SqliteStore::nameRun(const RunId& id, const std::string& name)
{
    return write([&]() -> Status {
        KL_TRY(requireRow(db_, "run", id.text));
        if (name.empty())
            return db_.run("DELETE FROM run_names WHERE run_id = ?", id.text);
        return db_.run("INSERT INTO run_names(run_id, name) VALUES(?, ?) ON CONFLICT DO UPDATE SET name = excluded.name", id.text, name);
    });
}

Result<Dependents> SqliteStore::dependents(const RunId& id) const
{
    const std::lock_guard lock(mutex_);
    return findRunDependents(db_, id);
}

Status SqliteStore::removeRun(const RunId& id)
{
    return write([&]() -> Status {
        KL_ASSIGN(const Dependents found, findRunDependents(db_, id));
        if (!found.sessions.empty())
            return Error{.code = ErrorCode::refused,
                         .message = fmt::format("Run {} is evidence in {} {}.", id.text,
                                                found.sessions.size() == 1 ? "session" : "sessions", fmt::join(found.sessions, ", ")),
                         .hint = "Delete the session first if neither is needed.",
                         .where = "run:" + id.text};
        KL_TRY(db_.run("DELETE FROM comparisons WHERE 'run:' || ?1 IN (a, b)", id.text));
        for (const char* table : {"notes", "tags"})
            KL_TRY(db_.run(fmt::format("DELETE FROM {} WHERE subject = ?", table), "run:" + id.text));
        return db_.run("DELETE FROM runs WHERE id = ?", id.text);
    });
}

Status SqliteStore::setTag(const std::string& subject, const std::string& tag, bool on)
{
    if (tag.empty() || std::ranges::any_of(tag, [](unsigned char c) { return std::isspace(c) != 0; }))
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("\"{}\" is not a valid tag.", tag),
                     .hint = "A tag is one word.",
                     .where = subject};
    return write([&]() -> Status {
        const std::size_t colon = subject.find(':');
        const bool ofRun = subject.starts_with("run:");
        KL_TRY(requireRow(db_, ofRun ? "run" : "session", subject.substr(colon + 1)));
        return db_.run(on ? "INSERT INTO tags(subject, tag) VALUES(?, ?) ON CONFLICT DO NOTHING"
                          : "DELETE FROM tags WHERE subject = ? AND tag = ?",
                       subject, tag);
    });
}

Result<std::vector<std::string>> SqliteStore::tags(const std::string& subject) const
{
    const std::lock_guard lock(mutex_);
    return sqlite::readAll<std::string>(db_.query("SELECT tag FROM tags WHERE subject = ? ORDER BY tag", subject),
                                        [](const Statement& row) { return row.text(0); });
}

Status SqliteStore::renameSession(const SessionId& id, const std::string& name)
{
    if (name.empty())
        return Error{.code = ErrorCode::badInput, .message = "A session's name cannot be empty.", .where = "session:" + id.text};
    return write([&]() -> Status {
        KL_TRY(requireRow(db_, "session", id.text));
        KL_ASSIGN(Statement taken, db_.query("SELECT 1 FROM sessions WHERE name = ? AND id <> ?", name, id.text));
        KL_ASSIGN(const bool there, taken.row());
        if (there)
            return Error{.code = ErrorCode::changedElsewhere,
                         .message = fmt::format("Another session is named \"{}\".", name),
                         .hint = "Give it another name.",
                         .where = name};
        return db_.run("UPDATE sessions SET name = ? WHERE id = ?", name, id.text);
    });
}

Result<Dependents> SqliteStore::dependents(const SessionId& id) const
{
    const std::lock_guard lock(mutex_);
    KL_TRY(requireRow(db_, "session", id.text));
    Dependents found;
    KL_ASSIGN(found.events, countRows(db_, "SELECT count(*) FROM session_events WHERE session_id = ?", id.text));
    KL_ASSIGN(found.costs, countRows(db_, "SELECT count(*) FROM cost_entries WHERE session_id = ? AND removed_at IS NULL", id.text));
    KL_ASSIGN(found.applications, countRows(db_, "SELECT count(*) FROM pattern_applications WHERE session_id = ?", id.text));
    KL_ASSIGN(found.notes, countRows(db_, "SELECT count(*) FROM notes WHERE subject = ? AND removed_at IS NULL", "session:" + id.text));
    return found;
}

Status SqliteStore::removeSession(const SessionId& id)
{
    return write([&]() -> Status {
        KL_TRY(requireRow(db_, "session", id.text));
        for (const char* table : {"cost_entries", "pattern_applications"})
            KL_TRY(db_.run(fmt::format("DELETE FROM {} WHERE session_id = ?", table), id.text));
        for (const char* table : {"notes", "tags"})
            KL_TRY(db_.run(fmt::format("DELETE FROM {} WHERE subject = ?", table), "session:" + id.text));
        return db_.run("DELETE FROM sessions WHERE id = ?", id.text);
    });
}

} // namespace kl::inline store
