// SPDX-License-Identifier: MIT
#include "sessions/store/schema.h"

namespace kl::inline store {

// Names and tags are beside the runs, which are immutable. An index for each order and filter that a list of runs has: a page of a long
// history reads its own rows.
Status migrateTo6(const sqlite::Connection& connection)
{
    return connection.exec(R"sql(
CREATE TABLE run_names(
    run_id TEXT PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
    name TEXT NOT NULL CHECK(name <> '')
) STRICT, WITHOUT ROWID;
CREATE TABLE tags(
    subject TEXT NOT NULL,
    tag TEXT NOT NULL CHECK(tag <> '' AND tag NOT GLOB '* *'),
    PRIMARY KEY(subject, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_by_tag ON tags(tag, subject);
CREATE INDEX runs_by_gpu_ns ON runs(gpu_ns, id) WHERE gpu_ns IS NOT NULL;
CREATE INDEX runs_by_class ON runs(class, started_at, id) WHERE class IS NOT NULL;
CREATE INDEX profiles_by_time ON runs(started_at, id) WHERE class IS NOT NULL;
CREATE INDEX comparisons_by_a ON comparisons(a);
CREATE INDEX comparisons_by_b ON comparisons(b);
CREATE INDEX sessions_by_time ON sessions(created_at, id);
)sql");
}

} // namespace kl::inline store
