// SPDX-License-Identifier: MIT
#include "sessions/store/schema.h"

namespace kl::inline store {

// The search index holds its own text: rowids of `patterns` may change when the file is copied (VACUUM INTO). It is written by
// savePattern, not by triggers, which trusted_schema=OFF restricts.
Status migrateTo4(const sqlite::Connection& connection)
{
    return connection.exec(R"sql(
ALTER TABLE patterns ADD COLUMN learned_in TEXT NOT NULL DEFAULT '';
CREATE VIRTUAL TABLE pattern_search USING fts5(slug, title, problem, advice, tokenize = 'porter unicode61');
INSERT INTO pattern_search(slug, title, problem, advice) SELECT slug, title, problem, advice FROM patterns;
CREATE TABLE cost_entries(
    id TEXT PRIMARY KEY CHECK(id <> ''),
    session_id TEXT NOT NULL REFERENCES sessions(id),
    at TEXT NOT NULL,
    kind TEXT NOT NULL CHECK(kind IN ('gpu', 'assistant', 'other', 'value')),
    dollars REAL NOT NULL CHECK(dollars >= 0),
    note TEXT NOT NULL,
    removed_at TEXT
) STRICT;
CREATE INDEX cost_entries_by_session ON cost_entries(session_id);
)sql");
}

} // namespace kl::inline store
