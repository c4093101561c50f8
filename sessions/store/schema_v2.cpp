// SPDX-License-Identifier: MIT
#include "sessions/store/schema.h"

namespace kl::inline store {

Status migrateTo2(const sqlite::Connection& connection)
{
    return connection.exec(R"sql(
CREATE TABLE settings(key TEXT PRIMARY KEY CHECK(key <> ''), value TEXT NOT NULL) STRICT, WITHOUT ROWID;
ALTER TABLE notes ADD COLUMN removed_at TEXT;
)sql");
}

} // namespace kl::inline store
