// SPDX-License-Identifier: MIT
#include "sessions/store/schema.h"

#include "core/base/try.h"

namespace kl::inline store {
namespace {

// What was measured on: a device and a host a row, kernels with their variants and problems.
constexpr const char* kSubjects = R"sql(
CREATE TABLE devices(
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL,
    name TEXT NOT NULL,
    cc_major INTEGER NOT NULL CHECK(cc_major >= 0),
    cc_minor INTEGER NOT NULL CHECK(cc_minor >= 0),
    sm_count INTEGER NOT NULL CHECK(sm_count >= 0),
    memory_bytes INTEGER NOT NULL CHECK(memory_bytes >= 0),
    chip TEXT NOT NULL,
    UNIQUE(uuid, name)
) STRICT;
CREATE TABLE hosts(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE kernels(id INTEGER PRIMARY KEY, family TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE variants(
    id INTEGER PRIMARY KEY,
    kernel_id INTEGER NOT NULL REFERENCES kernels(id),
    variant TEXT NOT NULL,
    tunables TEXT NOT NULL,
    source_hash TEXT NOT NULL,
    UNIQUE(kernel_id, variant, tunables, source_hash)
) STRICT;
CREATE TABLE problems(
    id INTEGER PRIMARY KEY,
    kernel_id INTEGER NOT NULL REFERENCES kernels(id),
    sizes TEXT NOT NULL,
    UNIQUE(kernel_id, sizes)
) STRICT;
)sql";

// Measurements. `record` is the whole run as zstd-compressed JSON without its samples; the columns are for queries.
constexpr const char* kRuns = R"sql(
CREATE TABLE runs(
    id TEXT PRIMARY KEY CHECK(id <> ''),
    address TEXT NOT NULL,
    variant_id INTEGER NOT NULL REFERENCES variants(id),
    problem_id INTEGER NOT NULL REFERENCES problems(id),
    device_id INTEGER NOT NULL REFERENCES devices(id),
    host_id INTEGER REFERENCES hosts(id),
    source TEXT NOT NULL CHECK(source IN ('live', 'sample', 'import')),
    started_at TEXT NOT NULL,
    driver TEXT NOT NULL,
    status TEXT NOT NULL CHECK(status IN
        ('ok', 'computation_failed', 'validation_failed', 'compilation_failed', 'device_limits_exceeded')),
    reason TEXT NOT NULL,
    correctness TEXT NOT NULL CHECK(correctness IN ('not-checked', 'pass', 'fail')),
    gpu_ns REAL CHECK(gpu_ns >= 0),
    gpu_ns_low REAL,
    gpu_ns_high REAL,
    gpu_ns_hot REAL,
    host_ns REAL,
    clock_mhz REAL,
    baseline_name TEXT,
    baseline_ns REAL CHECK(baseline_ns >= 0),
    speedup REAL CHECK(speedup >= 0),
    memory_bytes INTEGER,
    class TEXT,
    priority TEXT,
    record BLOB NOT NULL
) STRICT;
CREATE INDEX runs_by_time ON runs(started_at, id);
CREATE INDEX runs_by_address ON runs(address, started_at, id);
CREATE TABLE run_blocks(
    run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    block INTEGER NOT NULL CHECK(block >= 0),
    n INTEGER NOT NULL CHECK(n >= 0),
    median_ns REAL,
    samples BLOB NOT NULL,
    PRIMARY KEY(run_id, block)
) STRICT, WITHOUT ROWID;
CREATE TABLE metrics(
    run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    value REAL,
    missing TEXT,
    PRIMARY KEY(run_id, name),
    CHECK((value IS NULL) = (missing IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE TABLE findings(
    run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    rank INTEGER NOT NULL CHECK(rank >= 0),
    class TEXT NOT NULL,
    title TEXT NOT NULL,
    priority TEXT NOT NULL,
    confidence REAL NOT NULL,
    inferred INTEGER NOT NULL CHECK(inferred IN (0, 1)),
    runtime_reduction REAL,
    PRIMARY KEY(run_id, rank)
) STRICT, WITHOUT ROWID;
CREATE INDEX findings_by_class ON findings(class);
CREATE TABLE comparisons(
    id TEXT PRIMARY KEY CHECK(id <> ''),
    a TEXT NOT NULL,
    b TEXT NOT NULL,
    stored_at TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK(verdict IN ('faster', 'slower', 'equivalent', 'inconclusive', 'not-comparable')),
    reason TEXT NOT NULL,
    ratio REAL,
    ratio_low REAL,
    ratio_high REAL,
    blocks INTEGER NOT NULL CHECK(blocks >= 0),
    record BLOB NOT NULL
) STRICT;
CREATE TABLE comparison_blocks(
    comparison_id TEXT NOT NULL REFERENCES comparisons(id) ON DELETE CASCADE,
    block INTEGER NOT NULL CHECK(block >= 0),
    a BLOB NOT NULL,
    b BLOB NOT NULL,
    PRIMARY KEY(comparison_id, block)
) STRICT, WITHOUT ROWID;
)sql";

// json_valid() may not be used in a CHECK under trusted_schema=OFF (SQLite 3.40): the store parses event data itself.
// The workflow: sessions as events, lessons, and what people attach.
constexpr const char* kWorkflow = R"sql(
CREATE TABLE sessions(
    id TEXT PRIMARY KEY CHECK(id <> ''),
    name TEXT NOT NULL CHECK(name <> ''),
    kind TEXT NOT NULL,
    objective TEXT NOT NULL,
    kernel TEXT NOT NULL,
    source TEXT NOT NULL CHECK(source IN ('live', 'sample', 'import')),
    created_at TEXT NOT NULL,
    template TEXT NOT NULL
) STRICT;
CREATE TABLE session_events(
    session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK(seq >= 1),
    at TEXT NOT NULL,
    type TEXT NOT NULL CHECK(type <> ''),
    data TEXT NOT NULL CHECK(data GLOB '{*}'),
    UNIQUE(session_id, seq)
) STRICT;
CREATE TABLE patterns(
    slug TEXT PRIMARY KEY CHECK(slug <> ''),
    label TEXT NOT NULL,
    title TEXT NOT NULL,
    kind TEXT NOT NULL CHECK(kind IN ('operational', 'expert', 'planned', 'own')),
    problem TEXT NOT NULL,
    advice TEXT NOT NULL,
    applies_when TEXT NOT NULL,
    quoted_minutes REAL CHECK(quoted_minutes >= 0),
    quoted_minutes_high REAL CHECK(quoted_minutes_high >= quoted_minutes),
    quoted_dollars REAL CHECK(quoted_dollars >= 0),
    origin TEXT NOT NULL,
    position INTEGER NOT NULL
) STRICT;
CREATE TABLE pattern_applications(
    id TEXT PRIMARY KEY CHECK(id <> ''),
    pattern TEXT NOT NULL REFERENCES patterns(slug),
    session_id TEXT REFERENCES sessions(id),
    at TEXT NOT NULL,
    measured_minutes REAL,
    quoted_minutes REAL,
    quoted_dollars REAL,
    derived INTEGER NOT NULL CHECK(derived IN (0, 1)),
    note TEXT NOT NULL
) STRICT;
CREATE INDEX applications_by_pattern ON pattern_applications(pattern);
CREATE TABLE notes(
    id TEXT PRIMARY KEY CHECK(id <> ''),
    subject TEXT NOT NULL,
    at TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX notes_by_subject ON notes(subject);
CREATE TABLE artifacts(name TEXT PRIMARY KEY CHECK(name <> ''), at TEXT NOT NULL, content BLOB NOT NULL) STRICT;
)sql";

} // namespace

Status createSchema1(const sqlite::Connection& connection)
{
    for (const char* part : {kSubjects, kRuns, kWorkflow})
        KL_TRY(connection.exec(part));
    return {};
}

} // namespace kl::inline store
