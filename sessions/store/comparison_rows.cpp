// SPDX-License-Identifier: MIT
#include "sessions/store/sqlite_store.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/model_fields.h"
#include "core/codec/run_codec.h"
#include "sessions/store/blob.h"

namespace kl::inline store {
namespace {

using sqlite::Blob;
using sqlite::Connection;
using sqlite::Statement;

Status saveBlocks(const Connection& db, const Comparison& comparison)
{
    for (std::size_t i = 0; i < comparison.data.size(); ++i) {
        const std::string a = packSamples(comparison.data[i].a);
        const std::string b = packSamples(comparison.data[i].b);
        KL_TRY(db.run("INSERT INTO comparison_blocks(comparison_id, block, a, b) VALUES(?,?,?,?)", comparison.id.text,
                      static_cast<std::int64_t>(i), Blob{a}, Blob{b}));
    }
    return {};
}

Status readBlocks(const Connection& db, Comparison& comparison)
{
    KL_ASSIGN(Statement rows, db.query("SELECT a, b FROM comparison_blocks WHERE comparison_id = ? ORDER BY block", comparison.id.text));
    for (;;) {
        KL_ASSIGN(const bool more, rows.row());
        if (!more)
            return {};
        Result<std::vector<double>> a = unpackSamples(rows.blob(0));
        Result<std::vector<double>> b = unpackSamples(rows.blob(1));
        if (!a || !b)
            return a ? b.error() : a.error();
        comparison.data.push_back({std::move(*a), std::move(*b)});
    }
}

} // namespace

Status SqliteStore::saveComparison(const Comparison& comparison)
{
    Comparison bare = comparison;
    bare.data.clear();
    const std::string record = packBytes(encode(comparisonToJson(bare)));
    const auto ratio = [&](double Ratio::*member) { return comparison.ratio ? std::optional((*comparison.ratio).*member) : std::nullopt; };
    return write([&]() -> Status {
        Status saved =
            db_.run("INSERT INTO comparisons(id, a, b, stored_at, verdict, reason, ratio, ratio_low, ratio_high, blocks, record) "
                    "VALUES(?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(id) DO NOTHING",
                    comparison.id.text, comparison.a, comparison.b, isoNow(), std::string(toWord(comparison.verdict)), comparison.reason,
                    ratio(&Ratio::value), ratio(&Ratio::low), ratio(&Ratio::high), comparison.blocks, Blob{record});
        if (!saved || db_.changes() == 0) // already there
            return saved;
        return saveBlocks(db_, comparison);
    });
}

Result<Comparison> SqliteStore::comparison(const ComparisonId& id) const
{
    const std::lock_guard lock(mutex_);
    KL_ASSIGN(Statement found, db_.query("SELECT record FROM comparisons WHERE id = ?", id.text));
    KL_ASSIGN(const bool there, found.row());
    if (!there)
        return Error{.code = ErrorCode::notFound, .message = "There is no comparison " + id.text + ".", .where = "comparison:" + id.text};
    KL_ASSIGN(const std::string text, unpackBytes(found.blob(0)));
    KL_ASSIGN(const Json json, parseJson(text, "comparison " + id.text));
    Result<Comparison> comparison = comparisonFromJson(json);
    if (comparison)
        KL_TRY(readBlocks(db_, *comparison));
    return comparison;
}

Result<std::optional<Ratio>> SqliteStore::ratio(const ComparisonId& id) const
{
    const std::lock_guard lock(mutex_);
    KL_ASSIGN(Statement row, db_.query("SELECT ratio, ratio_low, ratio_high FROM comparisons WHERE id = ?", id.text));
    KL_ASSIGN(const bool there, row.row());
    if (!there)
        return Error{.code = ErrorCode::notFound, .message = "There is no comparison " + id.text + ".", .where = "comparison:" + id.text};
    const std::optional<double> value = row.real(0);
    return value ? std::optional(Ratio{*value, row.real(1).value_or(*value), row.real(2).value_or(*value)}) : std::nullopt;
}

} // namespace kl::inline store
