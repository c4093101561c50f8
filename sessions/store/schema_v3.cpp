// SPDX-License-Identifier: MIT
#include "sessions/store/schema.h"

namespace kl::inline store {

// run_series holds what run_blocks has no place for: the clock beside each cold sample, the hot and the host samples.
Status migrateTo3(const sqlite::Connection& connection)
{
    return connection.exec(R"sql(
CREATE TABLE noise(
    id TEXT PRIMARY KEY CHECK(id <> ''),
    device_uuid TEXT NOT NULL,
    device_name TEXT NOT NULL,
    driver TEXT NOT NULL,
    source TEXT NOT NULL CHECK(source IN ('live', 'sample', 'import')),
    kernel TEXT NOT NULL CHECK(kernel <> ''),
    problem TEXT NOT NULL,
    noise REAL NOT NULL CHECK(noise >= 0),
    repeats INTEGER NOT NULL CHECK(repeats >= 1),
    equivalent INTEGER NOT NULL CHECK(equivalent BETWEEN 0 AND repeats),
    different INTEGER NOT NULL CHECK(different BETWEEN 0 AND repeats),
    ratios BLOB NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX noise_by_device ON noise(device_uuid, at);
CREATE TABLE run_series(
    run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    series TEXT NOT NULL CHECK(series IN ('clock', 'hot', 'host')),
    n INTEGER NOT NULL CHECK(n >= 1),
    samples BLOB NOT NULL,
    PRIMARY KEY(run_id, series)
) STRICT, WITHOUT ROWID;
)sql");
}

} // namespace kl::inline store
