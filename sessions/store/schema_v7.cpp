// SPDX-License-Identifier: MIT
#include "sessions/store/schema.h"

namespace kl::inline store {

// A run's record stays as it was measured, with the finding of that day's tree; `record` here is the diagnosis of a later one, as
// zstd-compressed JSON. The columns of `runs` and the rows of `findings` are those of the newest.
Status migrateTo7(const sqlite::Connection& connection)
{
    return connection.exec(R"sql(
CREATE TABLE diagnoses(
    run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK(seq >= 1),
    at TEXT NOT NULL,
    tree_version TEXT NOT NULL,
    record BLOB NOT NULL,
    PRIMARY KEY(run_id, seq)
) STRICT, WITHOUT ROWID;
)sql");
}

} // namespace kl::inline store
