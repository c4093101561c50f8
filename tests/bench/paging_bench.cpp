// SPDX-License-Identifier: MIT
#include "bench.h"

#include "core/base/try.h"
#include "sessions/store/sqlite.h"
#include "sessions/store/store.h"

#include <benchmark/benchmark.h>
#include <cstdio>
#include <cstdlib>

namespace kl::bench {
namespace {

constexpr int kRuns = 100000;
constexpr const char* kFirstAt = "2026-01-01T00:00:00.000Z";

[[noreturn]] void giveUp(const Error& error)
{
    std::fprintf(stderr, "kl_bench: %s %s\n", error.message.c_str(), error.detail.c_str());
    std::exit(1);
}

RunRecord firstRun()
{
    RunRecord run;
    run.id = {newUuid()};
    run.kernel = {"transpose", "naive", {}};
    run.problem = {{"M", std::int64_t{4096}}, {"N", std::int64_t{4096}}};
    run.sourceHash = "bench";
    run.device.uuid = "GPU-bench";
    run.device.name = "bench";
    run.startedAt = kFirstAt;
    run.correctness.result = CorrectnessResult::correct;
    run.timing.emplace();
    run.timing->gpu = {269e3, 268e3, 270e3, 3};
    return run;
}

/// Copies the one run of the file under new ids and times, a second apart. In SQL: storing each through Store would take minutes.
Status multiply(const std::filesystem::path& file)
{
    KL_ASSIGN(sqlite::Connection db, sqlite::Connection::open(file.string(), true, false));
    KL_ASSIGN(const std::vector<std::string> columns,
              db.texts("SELECT name FROM pragma_table_info('runs') WHERE name NOT IN ('id', 'started_at') ORDER BY cid"));
    std::string names;
    for (const std::string& column : columns)
        names += ", " + column;
    return sqlite::inTransaction(db, [&] {
        return db.run("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
                      "INSERT INTO runs(id, started_at" +
                          names +
                          ") SELECT lower(substr(id, 1, 24) || printf('%012x', i)), "
                          "strftime('%Y-%m-%dT%H:%M:%S.000Z', ?, '+' || i || ' seconds')" +
                          names + " FROM runs, n",
                      kRuns - 1, std::string(kFirstAt));
    });
}

void readPage(benchmark::State& state)
{
    const Store& store = ManyRuns::instance().store();
    RunQuery query;
    query.limit = 200;
    // From the middle of the history, where an offset would have to read 50 000 rows first.
    query.beforeStartedAt = "2026-01-01T13:53:20.000Z";
    query.beforeId = "~";
    for (auto _ : state) {
        const auto rows = store.runs(query);
        if (!rows || rows->size() != 200)
            state.SkipWithError("not 200 rows");
        benchmark::DoNotOptimize(rows);
    }
}
BENCHMARK(readPage)->Name(kPage)->Unit(benchmark::kMillisecond);

void readAll(benchmark::State& state)
{
    const Store& store = ManyRuns::instance().store();
    RunQuery query;
    query.limit = kRuns;
    for (auto _ : state) {
        const auto rows = store.runs(query);
        if (!rows || rows->size() != kRuns)
            state.SkipWithError("not 100 000 rows");
        benchmark::DoNotOptimize(rows);
    }
}
BENCHMARK(readAll)->Name(kAllRows)->Unit(benchmark::kMillisecond);

} // namespace

ManyRuns& ManyRuns::instance()
{
    static ManyRuns runs;
    return runs;
}

ManyRuns::ManyRuns() : folder_(std::filesystem::temp_directory_path() / ("kl-bench-" + newUuid()))
{
    std::filesystem::create_directories(folder_);
    const std::filesystem::path file = folder_ / "bench.db";
    Result<std::unique_ptr<Store>> store = Store::open(file.string());
    if (!store)
        giveUp(store.error());
    if (const Status saved = (*store)->saveRun(firstRun()); !saved)
        giveUp(saved.error());
    if (const Status done = multiply(file); !done)
        giveUp(done.error());
    store_ = std::move(*store);
}

ManyRuns::~ManyRuns()
{
    store_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

} // namespace kl::bench
