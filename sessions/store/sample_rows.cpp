// SPDX-License-Identifier: MIT
#include "sessions/store/sample_rows.h"

#include "core/base/try.h"
#include "sessions/store/blob.h"

#include <cmath>
#include <limits>

namespace kl::inline store {
namespace {

using sqlite::Blob;
using sqlite::Connection;
using sqlite::Statement;

Status saveCold(const Connection& db, const RunRecord& run)
{
    if (!run.timing || run.timing->samples.empty())
        return {};
    const std::string samples = packSamples(run.timing->samples);
    return db.run("INSERT INTO run_blocks(run_id, block, n, median_ns, samples) VALUES(?, 0, ?, ?, ?)", run.id.text,
                  static_cast<std::int64_t>(run.timing->samples.size()), run.timing->gpu.median, Blob{samples});
}

/// A clock that could not be read is a NaN among the doubles.
std::vector<double> packable(const std::vector<std::optional<double>>& clocks)
{
    std::vector<double> values;
    for (const std::optional<double>& clock : clocks)
        values.push_back(clock.value_or(std::numeric_limits<double>::quiet_NaN()));
    return values;
}

Status saveSeries(const Connection& db, const RunRecord& run)
{
    if (!run.timing)
        return {};
    const auto save = [&](const char* series, const std::vector<double>& values) -> Status {
        if (values.empty())
            return {};
        const std::string packed = packSamples(values);
        return db.run("INSERT INTO run_series(run_id, series, n, samples) VALUES(?,?,?,?)", run.id.text, std::string(series),
                      static_cast<std::int64_t>(values.size()), Blob{packed});
    };
    Status saved = save("clock", packable(run.timing->clocks));
    saved = saved ? save("hot", run.timing->hotSamples) : saved;
    return saved ? save("host", run.timing->hostSamples) : saved;
}

Status readCold(const Connection& db, const RunId& id, Timing& timing)
{
    KL_ASSIGN(Statement row, db.query("SELECT samples FROM run_blocks WHERE run_id = ? AND block = 0", id.text));
    KL_ASSIGN(const bool there, row.row());
    if (!there)
        return {};
    KL_ASSIGN(std::vector<double> samples, unpackSamples(row.blob(0)));
    timing.samples = std::move(samples);
    return {};
}

Status readSeries(const Connection& db, const RunId& id, Timing& timing)
{
    KL_ASSIGN(Statement rows, db.query("SELECT series, samples FROM run_series WHERE run_id = ?", id.text));
    for (;;) {
        KL_ASSIGN(const bool more, rows.row());
        if (!more)
            return {};
        KL_ASSIGN(std::vector<double> values, unpackSamples(rows.blob(1)));
        const std::string series = rows.text(0);
        if (series == "clock")
            for (const double clock : values)
                timing.clocks.push_back(std::isnan(clock) ? std::nullopt : std::optional(clock));
        else
            (series == "hot" ? timing.hotSamples : timing.hostSamples) = std::move(values);
    }
}

} // namespace

Status saveSamples(const Connection& db, const RunRecord& run)
{
    const Status saved = saveCold(db, run);
    return saved ? saveSeries(db, run) : saved;
}

Status readSamples(const Connection& db, const RunId& id, Timing& timing)
{
    const Status read = readCold(db, id, timing);
    return read ? readSeries(db, id, timing) : read;
}

} // namespace kl::inline store
