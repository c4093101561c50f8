// SPDX-License-Identifier: MIT
#include "sessions/store/sqlite_store.h"

#include "core/base/try.h"
#include "core/codec/model_fields.h"

namespace kl::inline store {
namespace {

using sqlite::Connection;
using sqlite::Statement;

constexpr const char* kHeader = "SELECT id, name, kind, objective, kernel, source, created_at, template FROM sessions";

constexpr const char* kBriefHeader = "SELECT id, name, kind, objective, kernel, source, created_at, '' FROM sessions";

SessionHeader buildHeader(const Statement& row)
{
    SessionHeader header;
    header.id.text = row.text(0);
    header.name = row.text(1);
    header.kind = row.text(2);
    header.objective = row.text(3);
    header.kernel = row.text(4);
    for (const auto& [value, word] : enumWords(Source{}))
        if (row.text(5) == word)
            header.source = value;
    header.createdAt = row.text(6);
    header.templateJson = row.text(7);
    return header;
}

Error noSession(const SessionId& id)
{
    return Error{
        .code = ErrorCode::notFound, .message = "There is no session " + id.text + ".", .hint = "List them.", .where = "session:" + id.text}
        .leadTo({StepId::listSessions});
}

Error makeChangedElsewhereError(const SessionId& id)
{
    return {.code = ErrorCode::changedElsewhere,
            .message = "This session was changed by another program.",
            .hint = "Check it, then repeat the step if it is still needed.",
            .where = "session:" + id.text};
}

Result<bool> isNameTaken(const Connection& db, const std::string& name)
{
    Result<Statement> row = db.query("SELECT 1 FROM sessions WHERE name = ?", name);
    return row ? row->row() : Result<bool>(row.error());
}

Status insertEvent(const Connection& db, const SessionId& session, const SessionEvent& event)
{
    const std::string data = event.dataJson.empty() ? "{}" : event.dataJson;
    KL_ASSIGN([[maybe_unused]] const Json json, parseJson(data, "The data of event \"" + event.type + "\""));
    return db.run("INSERT INTO session_events(session_id, seq, at, type, data) VALUES(?,?,?,?,?)", session.text, event.seq, event.at,
                  event.type, data);
}

/// The highest seq of a session, 0 without events; unset when there is no such session.
Result<std::optional<std::int64_t>> lastSeq(const Connection& db, const SessionId& session)
{
    KL_ASSIGN(Statement row,
              db.query("SELECT (SELECT coalesce(max(seq), 0) FROM session_events WHERE session_id = s.id) FROM sessions s WHERE s.id = ?",
                       session.text));
    KL_ASSIGN(const bool there, row.row());
    return there ? std::optional(row.integer(0)) : std::nullopt;
}

} // namespace

/// Error makeChangedElsewhereError where the id or the name is taken: an earlier check may have found it free.
Status SqliteStore::createSession(const SessionHeader& header, const SessionEvent& opened)
{
    return write([&]() -> Status {
        KL_ASSIGN(const std::optional<std::int64_t> present, lastSeq(db_, header.id));
        if (present)
            return makeChangedElsewhereError(header.id);
        KL_ASSIGN(const bool taken, isNameTaken(db_, header.name));
        if (taken)
            return Error{.code = ErrorCode::changedElsewhere,
                         .message = "A session named \"" + header.name + "\" already exists.",
                         .hint = "Give it another name.",
                         .where = header.name};
        if (Status s =
                db_.run("INSERT INTO sessions(id, name, kind, objective, kernel, source, created_at, template) VALUES(?,?,?,?,?,?,?,?)",
                        header.id.text, header.name, header.kind, header.objective, header.kernel, std::string(toWord(header.source)),
                        header.createdAt, header.templateJson);
            !s)
            return s;
        return insertEvent(db_, header.id, opened);
    });
}

Status SqliteStore::appendEvent(const SessionId& session, const SessionEvent& event)
{
    return write([&]() -> Status {
        KL_ASSIGN(const std::optional<std::int64_t> last, lastSeq(db_, session));
        if (!last)
            return noSession(session);
        if (event.seq <= *last)
            return makeChangedElsewhereError(session);
        if (event.seq != *last + 1)
            return Error{
                .code = ErrorCode::internal, .message = "An event would leave a gap in its session.", .where = "session:" + session.text};
        return insertEvent(db_, session, event);
    });
}

Result<SessionHeader> SqliteStore::session(const SessionId& id) const
{
    const std::lock_guard lock(mutex_);
    KL_ASSIGN(Statement row, db_.query(std::string(kHeader) + " WHERE id = ?", id.text));
    KL_ASSIGN(const bool there, row.row());
    if (!there)
        return noSession(id);
    return buildHeader(row);
}

Result<std::vector<SessionHeader>> SqliteStore::sessions() const
{
    const std::lock_guard lock(mutex_);
    return sqlite::readAll<SessionHeader>(db_.prepare(std::string(kHeader) + " ORDER BY created_at, rowid"), buildHeader);
}

Result<std::vector<SessionHeader>> SqliteStore::sessions(const SessionQuery& query) const
{
    const std::lock_guard lock(mutex_);
    std::string sql = std::string(query.brief ? kBriefHeader : kHeader) + " WHERE 1";
    std::vector<std::string> values;
    if (!query.kind.empty()) {
        sql += " AND kind = ?";
        values.push_back(query.kind);
    }
    if (query.unfinished)
        sql += " AND template <> '' AND kind <> 'sample' AND NOT EXISTS (SELECT 1 FROM session_events e WHERE e.session_id = sessions.id "
               "AND e.type = 'finished')";
    if (!query.tag.empty()) {
        sql += " AND id IN (SELECT substr(subject, 9) FROM tags WHERE tag = ? AND subject GLOB 'session:*')";
        values.push_back(query.tag);
    }
    for (const std::string& word : query.words) {
        sql += " AND instr(lower(name || ' ' || objective || ' ' || kernel || ' ' || kind || ' ' || "
               "coalesce((SELECT group_concat(tag, ' ') FROM tags WHERE subject = 'session:' || id), '')), lower(?)) > 0";
        values.push_back(word);
    }
    if (!query.after.empty()) {
        sql += " AND (created_at, id) < (SELECT created_at, id FROM sessions WHERE id = ?)";
        values.push_back(query.after.text);
    }
    Result<Statement> rows = db_.prepare(sql + " ORDER BY created_at DESC, id DESC LIMIT " + std::to_string(query.limit));
    if (rows)
        for (const std::string& value : values)
            rows->bind(value);
    return sqlite::readAll<SessionHeader>(std::move(rows), buildHeader);
}

Result<std::vector<SessionEvent>> SqliteStore::events(const SessionId& id) const
{
    const std::lock_guard lock(mutex_);
    KL_ASSIGN(const std::optional<std::int64_t> last, lastSeq(db_, id));
    if (!last)
        return noSession(id);
    return sqlite::readAll<SessionEvent>(
        db_.query("SELECT seq, at, type, data FROM session_events WHERE session_id = ? ORDER BY seq", id.text), [](const Statement& row) {
            return SessionEvent{static_cast<int>(row.integer(0)), row.text(1), row.text(2), row.text(3)};
        });
}

} // namespace kl::inline store
