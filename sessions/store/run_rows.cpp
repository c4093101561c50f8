// SPDX-License-Identifier: MIT
#include "sessions/store/sqlite_store.h"

#include "core/base/parallel.h"
#include "core/base/try.h"
#include "core/codec/code_codec.h"
#include "core/codec/cut_member.h"
#include "core/codec/model_fields.h"
#include "core/codec/run_codec.h"
#include "sessions/store/blob.h"
#include "sessions/store/diagnosis_rows.h"
#include "sessions/store/sample_rows.h"

#include <cmath>

namespace kl::inline store {
namespace {

using sqlite::Blob;
using sqlite::Connection;
using sqlite::Statement;

/// Rows that several runs share: device, host, kernel, variant, problem. Existing ones are kept.
Status saveSubjects(const Connection& db, const RunRecord& run)
{
    const DeviceInfo& d = run.device;
    KL_TRY(db.run("INSERT INTO devices(uuid, name, cc_major, cc_minor, sm_count, memory_bytes, chip) VALUES(?,?,?,?,?,?,?) "
                  "ON CONFLICT DO NOTHING",
                  d.uuid, d.name, d.ccMajor, d.ccMinor, d.smCount, d.memoryBytes, d.chip));
    KL_TRY(db.run("INSERT INTO kernels(family) VALUES(?) ON CONFLICT DO NOTHING", run.kernel.family));
    KL_TRY(db.run("INSERT INTO variants(kernel_id, variant, tunables, source_hash) "
                  "SELECT id, ?, ?, ? FROM kernels WHERE family = ? ON CONFLICT DO NOTHING",
                  run.kernel.variant, toText(run.kernel.tunables), run.sourceHash, run.kernel.family));
    KL_TRY(db.run("INSERT INTO problems(kernel_id, sizes) SELECT id, ? FROM kernels WHERE family = ? ON CONFLICT DO NOTHING",
                  toText(run.problem), run.kernel.family));
    if (run.host.empty())
        return {};
    return db.run("INSERT INTO hosts(name) VALUES(?) ON CONFLICT DO NOTHING", run.host);
}

/// The whole record but its samples, which have tables of their own, and what is computed of them.
Json encodeBareRecord(const RunRecord& run)
{
    Json record = runToJson(run);
    if (run.timing) {
        record["timing"]["distribution"] = nullptr;
        for (Json& series : record["samples"])
            series = Json::array();
    }
    return record;
}

/// As a figure that is not finite is written. Whether there was one.
bool nullNonFinite(Json& json)
{
    if (!json.is_structured()) {
        const bool found = json.is_number_float() && !std::isfinite(json.get<double>());
        if (found)
            json = nullptr;
        return found;
    }
    bool found = false;
    for (Json& part : json)
        found |= nullNonFinite(part);
    return found;
}

/// A figure that is not finite has no JSON: better refused now than unreadable later. Metrics, nearly all of a record, may be null and are
/// left out of the trial.
Status readsBack(Json& record, const RunId& id)
{
    Json metrics = Json::object();
    const auto place = record.find("metrics");
    if (place != record.end())
        place->swap(metrics);
    const Result<RunRecord> run = runFromJson(record);
    if (place != record.end())
        place->swap(metrics);
    if (run)
        return {};
    return Error{.code = ErrorCode::badInput,
                 .message = "Run " + id.text + " contains a value that is not a number and was not stored.",
                 .hint = "A missing measurement must be absent, with its reason.",
                 .where = "run:" + id.text,
                 .detail = run.error().message};
}

/// A run's record as it is stored.
Result<std::string> packRecord(const RunRecord& run)
{
    if (run.id.empty())
        return Error{.code = ErrorCode::internal, .message = "A run without an id cannot be stored.", .where = "run"};
    Json record = encodeBareRecord(run);
    if (nullNonFinite(record))
        KL_TRY(readsBack(record, run.id));
    return packBytes(encode(record));
}

Result<bool> isStored(const Connection& db, const RunId& id)
{
    Result<Statement> known = db.query("SELECT 1 FROM runs WHERE id = ?", id.text);
    return known ? known->row() : Result<bool>(known.error());
}

std::string describeWhere(const RunId& id)
{
    return "run " + id.text;
}

Result<std::string> readStoredText(const Connection& db, const RunId& id)
{
    KL_ASSIGN(Statement found, db.query("SELECT record FROM runs WHERE id = ?", id.text));
    KL_ASSIGN(const bool there, found.row());
    if (!there)
        return Error{.code = ErrorCode::notFound,
                     .message = "There is no run " + id.text + ".",
                     .hint = "Give the id that a run prints, or family/variant for its newest run.",
                     .where = "run:" + id.text};
    return unpackBytes(found.blob(0));
}

std::optional<std::string> toOptionalText(const std::string& text)
{
    return text.empty() ? std::nullopt : std::optional(text);
}

/// What the column takes: its words are those of the first version, and the record itself has the whole result.
const char* columnWord(CorrectnessResult result)
{
    return result == CorrectnessResult::notChecked ? "not-checked" : isRefuted(result) ? "fail" : "pass";
}

Status saveRow(const Connection& db, const RunRecord& run, const std::string& record)
{
    const Timing* t = run.timing ? &*run.timing : nullptr;
    const auto gpu = [&](double Summary::*member) { return t != nullptr && t->gpu.n > 0 ? std::optional(t->gpu.*member) : std::nullopt; };
    const Finding* finding = run.diagnosis ? &run.diagnosis->finding : nullptr;
    const std::optional<double> baselineNs = run.baseline && run.baseline->gpu ? std::optional(run.baseline->gpu->median) : std::nullopt;
    return db.run(
        "INSERT INTO runs(id, address, variant_id, problem_id, device_id, host_id, source, started_at, driver, status, reason, "
        "correctness, "
        "gpu_ns, gpu_ns_low, gpu_ns_high, gpu_ns_hot, host_ns, clock_mhz, baseline_name, baseline_ns, speedup, memory_bytes, class, "
        "priority, record) SELECT ?, ?, v.id, p.id, d.id, (SELECT id FROM hosts WHERE name = ?), "
        "?,?,?,?,?,?, ?,?,?,?,?,?, ?,?,?,?,?,?,? "
        "FROM kernels k JOIN variants v ON v.kernel_id = k.id AND v.variant = ? AND v.tunables = ? AND v.source_hash = ? "
        "JOIN problems p ON p.kernel_id = k.id AND p.sizes = ? JOIN devices d ON d.uuid = ? AND d.name = ? WHERE k.family = ?",
        run.id.text, toText(run.kernel), run.host, std::string(toWord(run.source)), run.startedAt, run.device.driverVersion,
        std::string(toWord(run.status)), run.reason, std::string(columnWord(run.correctness.result)), gpu(&Summary::median),
        gpu(&Summary::low), gpu(&Summary::high), t != nullptr ? t->gpuHot : std::nullopt, t != nullptr ? t->host : std::nullopt,
        t != nullptr ? t->clockMhz : std::nullopt, run.baseline ? toOptionalText(run.baseline->name) : std::nullopt, baselineNs,
        run.speedup, run.memoryBytes, finding != nullptr ? std::optional(finding->classId) : std::nullopt,
        finding != nullptr ? std::optional(finding->priority) : std::nullopt, Blob{record}, run.kernel.variant, toText(run.kernel.tunables),
        run.sourceHash, toText(run.problem), run.device.uuid, run.device.name, run.kernel.family);
}

/// Measurements are immutable: a run that is there stays as it is.
Status insertRun(const Connection& db, const RunRecord& run, const std::string& record)
{
    const Result<bool> there = isStored(db, run.id);
    if (!there || *there)
        return there ? Status{} : Status{there.error()};
    Status saved = saveSubjects(db, run);
    saved = saved ? saveRow(db, run, record) : saved;
    if (saved && run.diagnosis)
        saved = saveFindings(db, run.id, *run.diagnosis);
    return saved ? saveSamples(db, run) : saved;
}

} // namespace

Status SqliteStore::saveRuns(const std::vector<const RunRecord*>& runs)
{
    if (runs.empty())
        return {};
    std::vector<Result<std::string>> records(runs.size(), std::string());
    inParallel(runs.size(), [&](std::size_t i) { records[i] = packRecord(*runs[i]); });
    for (const Result<std::string>& record : records)
        if (!record)
            return record.error();
    if (readOnly_) { // replays that the store already holds ask for no writing
        const std::lock_guard lock(mutex_);
        for (const RunRecord* run : runs)
            if (const Result<bool> there = isStored(db_, run->id); !there || !*there)
                return there ? checkStorable(*this) : Status(there.error());
        return {};
    }
    return write([&]() -> Status {
        Status saved;
        for (std::size_t i = 0; i < runs.size() && saved; ++i)
            saved = insertRun(db_, *runs[i], *records[i]);
        return saved;
    });
}

Status SqliteStore::saveCode(const RunId& id, const SharedCode& code)
{
    return write([&]() -> Status {
        KL_ASSIGN(const std::string text, readStoredText(db_, id));
        KL_ASSIGN(Json record, parseJson(text, describeWhere(id)));
        const auto source = record.find("source");
        if (source == record.end() || !source->is_object() || !source->contains("code"))
            return Error{
                .code = ErrorCode::notFound, .message = "No machine code was kept of run " + id.text + ".", .where = "run:" + id.text};
        (*source)["code"] = codeToJson(code);
        return db_.run("UPDATE runs SET record = ? WHERE id = ?", Blob{packBytes(encode(record))}, id.text);
    });
}

Result<RunRecord> SqliteStore::readStoredRun(const RunId& id, Code code) const
{
    KL_ASSIGN(std::string text, readStoredText(db_, id));
    if (code == Code::left)
        text = cutMember(text, {"source", "code"});
    KL_ASSIGN(const Json record, parseJson(text, describeWhere(id)));
    return runFromJson(record);
}

Result<RunRecord> SqliteStore::readRun(const RunId& id, Code code) const
{
    const std::lock_guard lock(mutex_);
    KL_ASSIGN(RunRecord run, readStoredRun(id, code));
    if (run.timing)
        KL_TRY(readSamples(db_, id, *run.timing));
    KL_TRY(readNewestDiagnosis(db_, run));
    return run;
}

Result<RunId> SqliteStore::runStarting(const std::string& prefix) const
{
    const std::lock_guard lock(mutex_);
    // '~' sorts after every character of an id.
    KL_ASSIGN(std::vector<RunId> found,
              sqlite::readAll<RunId>(db_.query("SELECT id FROM runs WHERE id >= ?1 AND id < ?1 || '~' ORDER BY id LIMIT 4", prefix),
                                     [](const Statement& row) { return RunId{row.text(0)}; }));
    if (found.size() == 1 && !prefix.empty())
        return found.front();
    if (found.empty())
        return Error{.code = ErrorCode::notFound,
                     .message = "There is no run " + prefix + ".",
                     .hint = "Give the id that a run prints, or the start of it, or family/variant for its newest run.",
                     .where = "run:" + prefix};
    std::string names;
    for (const RunId& id : found)
        names += (names.empty() ? "" : ", ") + id.text;
    return Error{.code = ErrorCode::badInput,
                 .message = "Several runs start with \"" + prefix + "\": " + names + (found.size() == 4 ? " …" : "") + '.',
                 .hint = "Give more characters of the id.",
                 .where = "run:" + prefix};
}

} // namespace kl::inline store
