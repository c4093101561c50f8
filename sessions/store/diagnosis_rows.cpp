// SPDX-License-Identifier: MIT
#include "sessions/store/diagnosis_rows.h"

#include "core/base/try.h"
#include "core/codec/model_fields.h"
#include "sessions/store/blob.h"
#include "sessions/store/sqlite_store.h"

namespace kl::inline store {
namespace {

using sqlite::Blob;
using sqlite::Connection;
using sqlite::Statement;

Result<Diagnosis> unpackDiagnosis(const std::string& blob, const RunId& id)
{
    const std::string where = "a diagnosis of run " + id.text;
    KL_ASSIGN(const std::string text, unpackBytes(blob));
    KL_ASSIGN(const Json json, parseJson(text, where));
    return fromJson<Diagnosis>(json, where);
}

Status saveFinding(const Connection& db, const RunId& id, const Finding& f, std::int64_t rank)
{
    return db.run(
        "INSERT INTO findings(run_id, rank, class, title, priority, confidence, inferred, runtime_reduction) VALUES(?,?,?,?,?,?,?,?)",
        id.text, rank, f.classId, f.title, f.priority, f.confidence, f.inferred,
        f.estimate ? std::optional(f.estimate->runtimeReduction) : std::nullopt);
}

} // namespace

Status saveFindings(const Connection& db, const RunId& id, const Diagnosis& diagnosis)
{
    KL_TRY(db.run("DELETE FROM findings WHERE run_id = ?", id.text));
    KL_TRY(saveFinding(db, id, diagnosis.finding, 0));
    for (std::size_t i = 0; i < diagnosis.secondary.size(); ++i)
        KL_TRY(saveFinding(db, id, diagnosis.secondary[i], static_cast<std::int64_t>(i) + 1));
    return {};
}

Status readNewestDiagnosis(const Connection& db, RunRecord& run)
{
    KL_ASSIGN(Statement newest, db.query("SELECT record FROM diagnoses WHERE run_id = ? ORDER BY seq DESC LIMIT 1", run.id.text));
    KL_ASSIGN(const bool there, newest.row());
    if (there) {
        KL_ASSIGN(run.diagnosis, unpackDiagnosis(newest.blob(0), run.id));
    }
    return {};
}

Status SqliteStore::saveDiagnosis(const RunId& id, const StoredDiagnosis& stored)
{
    const Finding& finding = stored.diagnosis.finding;
    const std::string record = packBytes(encode(toJson(stored.diagnosis)));
    return write([&]() -> Status {
        KL_ASSIGN(Statement known, db_.query("SELECT 1 FROM runs WHERE id = ?", id.text));
        KL_ASSIGN(const bool there, known.row());
        if (!there)
            return Error{.code = ErrorCode::notFound, .message = "There is no run " + id.text + ".", .where = "run:" + id.text};
        KL_TRY(db_.run("INSERT INTO diagnoses(run_id, seq, at, tree_version, record) "
                       "SELECT ?1, coalesce(max(seq), 0) + 1, ?2, ?3, ?4 FROM diagnoses WHERE run_id = ?1",
                       id.text, stored.at, stored.diagnosis.treeVersion, Blob{record}));
        KL_TRY(db_.run("UPDATE runs SET class = ?, priority = ? WHERE id = ?", finding.classId, finding.priority, id.text));
        return saveFindings(db_, id, stored.diagnosis);
    });
}

Result<std::vector<StoredDiagnosis>> SqliteStore::diagnoses(const RunId& id) const
{
    const std::lock_guard lock(mutex_);
    KL_ASSIGN(const RunRecord measured, readStoredRun(id, Code::left));
    std::vector<StoredDiagnosis> all;
    if (measured.diagnosis)
        all.push_back({measured.startedAt, *measured.diagnosis});
    KL_ASSIGN(Statement rows, db_.query("SELECT at, record FROM diagnoses WHERE run_id = ? ORDER BY seq", id.text));
    for (;;) {
        KL_ASSIGN(const bool there, rows.row());
        if (!there)
            return all;
        KL_ASSIGN(Diagnosis diagnosis, unpackDiagnosis(rows.blob(1), id));
        all.push_back({rows.text(0), std::move(diagnosis)});
    }
}

} // namespace kl::inline store
