// SPDX-License-Identifier: MIT
#include "sessions/store/sqlite_store.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/store/artifact_names.h"
#include "sessions/store/blob.h"

namespace kl::inline store {

using sqlite::Statement;

Status SqliteStore::saveNote(const Note& note)
{
    return write([&] {
        return db_.run("INSERT INTO notes(id, subject, at, text) VALUES(?,?,?,?) ON CONFLICT(id) DO UPDATE SET text = excluded.text",
                       note.id, note.subject, note.at, note.text);
    });
}

Status SqliteStore::removeNote(const std::string& id)
{
    return write([&]() -> Status {
        Status done = db_.run("UPDATE notes SET removed_at = ? WHERE id = ? AND removed_at IS NULL", isoNow(), id);
        if (done && db_.changes() == 0)
            return Error{
                .code = ErrorCode::notFound, .message = "There is no note " + id + ", or it was already removed.", .where = "note:" + id};
        return done;
    });
}

Result<std::vector<Note>> SqliteStore::notes(const std::string& subject) const
{
    const std::lock_guard lock(mutex_);
    return sqlite::readAll<Note>(
        db_.query("SELECT id, subject, at, text FROM notes WHERE subject = ? AND removed_at IS NULL ORDER BY at, rowid", subject),
        [](const Statement& row) {
            return Note{row.text(0), row.text(1), row.text(2), row.text(3)};
        });
}

Status SqliteStore::saveArtifact(const std::string& name, const std::string& content)
{
    const std::string packed = packBytes(content);
    return write([&] {
        return db_.run("INSERT INTO artifacts(name, at, content) VALUES(?,?,?) "
                       "ON CONFLICT(name) DO UPDATE SET at = excluded.at, content = excluded.content",
                       name, isoNow(), sqlite::Blob{packed});
    });
}

Result<std::string> SqliteStore::artifact(const std::string& name) const
{
    const std::lock_guard lock(mutex_);
    KL_ASSIGN(Statement row, db_.query("SELECT content FROM artifacts WHERE name = ?", name));
    KL_ASSIGN(const bool there, row.row());
    if (!there)
        return Error{.code = ErrorCode::notFound, .message = "There is no stored item named " + name + ".", .where = "artifact:" + name};
    return unpackBytes(row.blob(0));
}

Result<std::vector<std::string>> SqliteStore::artifactNames(const std::string& prefix) const
{
    const std::lock_guard lock(mutex_);
    return sqlite::readAll<std::string>(
        db_.query("SELECT name FROM artifacts WHERE substr(name, 1, length(?1)) = ?1 ORDER BY name", prefix),
        [](const Statement& row) { return row.text(0); });
}

Result<std::vector<std::string>> artifactNames(const Store& store, const std::string& prefix)
{
    const auto* database = dynamic_cast<const SqliteStore*>(&store);
    if (database == nullptr)
        return Error{.code = ErrorCode::internal, .message = "This store cannot list what it holds.", .where = prefix};
    return database->artifactNames(prefix);
}

Status SqliteStore::setSetting(const std::string& key, const std::string& value)
{
    return write([&] {
        return db_.run("INSERT INTO settings(key, value) VALUES(?,?) ON CONFLICT(key) DO UPDATE SET value = excluded.value", key, value);
    });
}

std::optional<std::string> SqliteStore::setting(const std::string& key) const
{
    const std::lock_guard lock(mutex_);
    Result<Statement> row = db_.query("SELECT value FROM settings WHERE key = ?", key);
    if (!row)
        return std::nullopt;
    // A database that cannot be read at this point fails on its next real query, with its reason.
    const Result<bool> there = row->row();
    return there && *there ? std::optional(row->text(0)) : std::nullopt;
}

} // namespace kl::inline store
