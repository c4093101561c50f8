// SPDX-License-Identifier: MIT
#include "sessions/store/sqlite_store.h"

#include "core/base/try.h"
#include "core/codec/model_fields.h"
#include "core/stats/correctness_text.h"
#include "sessions/store/blob.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kl::inline store {
namespace {

using sqlite::Statement;

constexpr const char* kSummary =
    "SELECT r.id, r.address, p.sizes, d.name, r.source, r.started_at, r.status, r.correctness, r.gpu_ns, r.speedup, r.class, r.priority, "
    "CASE WHEN r.correctness = 'fail' THEN r.record END, n.name, "
    "(SELECT group_concat(tag, ' ') FROM tags WHERE subject = 'run:' || r.id), v.source_hash, d.uuid ";
constexpr const char* kJoined = "JOIN problems p ON p.id = r.problem_id JOIN devices d ON d.id = r.device_id "
                                "JOIN variants v ON v.id = r.variant_id LEFT JOIN run_names n ON n.run_id = r.id WHERE 1";

/// The column says that a result is refuted, the record alone by what. One that cannot be read leaves it at that.
void addRefutation(const std::string& record, RunSummary& summary)
{
    const Result<std::string> text = unpackBytes(record);
    const Result<Json> json = text ? parseJson(*text, "run " + summary.id.text) : Result<Json>(text.error());
    if (!json || !json->contains("correctness"))
        return;
    const Result<Correctness> correctness = fromJson<Correctness>((*json)["correctness"], "correctness");
    if (!correctness || !isRefuted(correctness->result))
        return;
    summary.correctness = correctness->result;
    summary.refutation = refutationText(*correctness);
}

RunSummary readSummary(const Statement& row)
{
    RunSummary s;
    s.id.text = row.text(0);
    s.kernel = row.text(1);
    s.problem = row.text(2);
    s.device = row.text(3);
    s.source = enumFrom<Source>(row.text(4));
    s.startedAt = row.text(5);
    s.status = enumFrom<ResultStatus>(row.text(6));
    s.correctness = enumFrom<CorrectnessResult>(row.text(7));
    s.gpuNs = row.real(8);
    s.speedup = row.real(9);
    s.classId = row.text(10);
    s.priority = row.text(11);
    if (isRefuted(s.correctness))
        addRefutation(row.blob(12), s);
    s.name = row.text(13);
    s.tags = row.text(14);
    s.sourceHash = row.text(15);
    s.deviceUuid = row.text(16);
    return s;
}

constexpr int kMostScanned = 20000; ///< runs that one page looks at

/// Where a word can be: what runs share, and what people wrote. Each is looked through once, far less than all runs.
constexpr const char* kVariantsWith = "SELECT v.id FROM variants v JOIN kernels k ON k.id = v.kernel_id WHERE instr(lower(k.family || CASE "
                                      "v.variant WHEN '' THEN '' ELSE '/' END || "
                                      "v.variant || CASE v.tunables WHEN '' THEN '' ELSE '@' END || v.tunables), lower(?)) > 0";
constexpr const char* kProblemsWith = "SELECT id FROM problems WHERE instr(lower(sizes), lower(?)) > 0";
constexpr const char* kDevicesWith = "SELECT id FROM devices WHERE instr(lower(name), lower(?)) > 0";
constexpr const char* kClassesWith = "WITH RECURSIVE known(class) AS (SELECT min(class) FROM runs WHERE class IS NOT NULL UNION ALL "
                                     "SELECT (SELECT min(r.class) FROM runs r WHERE r.class IS NOT NULL AND r.class > known.class) FROM "
                                     "known WHERE known.class IS NOT NULL) "
                                     "SELECT class FROM known WHERE instr(lower(class), lower(?)) > 0";
constexpr const char* kNamedWith = "SELECT run_id FROM run_names WHERE instr(lower(name), lower(?)) > 0";
constexpr const char* kTaggedWith = "SELECT substr(subject, 5) FROM tags WHERE subject GLOB 'run:*' AND instr(lower(tag), lower(?)) > 0";

constexpr std::array<std::pair<const char*, const char*>, 6> kPlaces{{{"r.variant_id", kVariantsWith},
                                                                      {"r.problem_id", kProblemsWith},
                                                                      {"r.device_id", kDevicesWith},
                                                                      {"r.class", kClassesWith},
                                                                      {"r.id", kNamedWith},
                                                                      {"r.id", kTaggedWith}}};

/// The condition that a run has a word somewhere; the word is bound once for each place.
std::string hasWord()
{
    std::string any;
    for (const auto& [column, found] : kPlaces)
        any += fmt::format("{}{} IN ({})", any.empty() ? "" : " OR ", column, found);
    return " AND (" + any + ')';
}

/// Whether it is anywhere at all.
Result<bool> isKnown(const sqlite::Connection& db, const std::string& word)
{
    for (const auto& place : kPlaces) {
        KL_ASSIGN(Statement found, db.query(place.second, word));
        KL_ASSIGN(const bool there, found.row());
        if (there)
            return true;
    }
    return false;
}

/// The columns of an order, by which an index has the runs, and their direction.
struct Order {
    const char* columns;
    const char* terms;
    const char* sorted; ///< the same terms, for which no index is used: few runs are left to sort
    bool ascending;
};

Order chooseOrder(RunOrder order)
{
    switch (order) {
    case RunOrder::fastest: return {"gpu_ns, id", "r.gpu_ns, r.id", "+r.gpu_ns, +r.id", true};
    case RunOrder::slowest: return {"gpu_ns, id", "r.gpu_ns DESC, r.id DESC", "+r.gpu_ns DESC, +r.id DESC", false};
    default: return {"started_at, id", "r.started_at DESC, r.id DESC", "+r.started_at DESC, +r.id DESC", false};
    }
}

/// The runs that an index finds, in order; its parameters are added to `values`.
std::string composeIndexedRuns(const RunQuery& query, std::vector<std::string>& values)
{
    const Order order = chooseOrder(query.order);
    std::string sql = "FROM runs r WHERE 1";
    const auto add = [&](const char* condition, std::initializer_list<std::string> bound) {
        sql += condition;
        values.insert(values.end(), bound);
    };
    // A prefix ends where a part of the address ends: "copy" is not "copy2", "attention/fused" has "attention/fused@WARPS=8".
    if (!query.kernel.empty())
        add(" AND r.address >= ? AND r.address < ? || char(0x10ffff) AND substr(r.address, length(?) + 1, 1) IN ('', '/', '@', ',')",
            {query.kernel, query.kernel, query.kernel});
    if (query.profilesOnly || !query.classId.empty())
        add(" AND r.class IS NOT NULL", {});
    if (!query.classId.empty())
        add(query.kernel.empty() ? " AND r.class = ?" : " AND +r.class = ?", {query.classId}); // the index of the family, not of the class
    if (!query.tag.empty())
        add(" AND r.id IN (SELECT substr(subject, 5) FROM tags WHERE tag = ? AND subject GLOB 'run:*')", {query.tag});
    if (query.order != RunOrder::newest)
        add(" AND r.gpu_ns IS NOT NULL", {});
    if (!query.beforeStartedAt.empty() || !query.beforeId.empty())
        add(" AND (r.started_at, r.id) < (?, ?)", {query.beforeStartedAt, query.beforeId});
    if (!query.after.empty()) {
        sql += std::string(" AND (r.") + (query.order == RunOrder::newest ? "started_at" : "gpu_ns") + ", r.id) " +
               (order.ascending ? ">" : "<") + " (SELECT " + order.columns + " FROM runs WHERE id = ?)";
        values.push_back(query.after.text);
    }
    return sql + " ORDER BY " + (query.kernel.empty() ? order.terms : order.sorted);
}

Result<Statement> prepareWith(const sqlite::Connection& db, const std::string& sql, const std::vector<std::string>& values)
{
    Result<Statement> statement = db.prepare(sql);
    if (statement)
        for (const std::string& value : values)
            statement->bind(value);
    return statement;
}

} // namespace

Result<RunSummary> SqliteStore::summary(const RunId& id) const
{
    const std::lock_guard lock(mutex_);
    KL_ASSIGN(Statement row, db_.query(std::string(kSummary) + "FROM runs r " + kJoined + " AND r.id = ?", id.text));
    KL_ASSIGN(const bool there, row.row());
    if (!there)
        return Error{.code = ErrorCode::notFound, .message = "There is no run " + id.text + ".", .where = "run:" + id.text};
    return readSummary(row);
}

Result<RunOutcome> SqliteStore::outcome(const RunId& id) const
{
    const std::lock_guard lock(mutex_);
    KL_ASSIGN(Statement row, db_.query("SELECT r.status, r.correctness, d.name, r.class FROM runs r JOIN devices d ON d.id = r.device_id "
                                       "WHERE r.id = ?",
                                       id.text));
    KL_ASSIGN(const bool there, row.row());
    if (!there)
        return Error{.code = ErrorCode::notFound, .message = "There is no run " + id.text + ".", .where = "run:" + id.text};
    return RunOutcome{enumFrom<ResultStatus>(row.text(0)), enumFrom<CorrectnessResult>(row.text(1)), row.text(2), row.text(3)};
}

Result<RunPage> SqliteStore::runPage(const RunQuery& query) const
{
    const std::lock_guard lock(mutex_);
    const int scanned = query.words.empty() ? query.limit : kMostScanned;
    std::vector<std::string> values;
    const std::string indexed = composeIndexedRuns(query, values);
    const std::size_t ofIndex = values.size();
    std::string sql = std::string(kSummary) + "FROM (SELECT r.rowid AS place " + indexed + " LIMIT " + std::to_string(scanned) +
                      ") c CROSS JOIN runs r ON r.rowid = c.place " + kJoined;
    for (const std::string& word : query.words) {
        KL_ASSIGN(const bool known, isKnown(db_, word));
        if (!known)
            return RunPage{};
        sql += hasWord();
        values.insert(values.end(), kPlaces.size(), word);
    }
    sql += std::string(" ORDER BY ") + chooseOrder(query.order).terms + " LIMIT " + std::to_string(query.limit);
    RunPage page;
    KL_ASSIGN(page.rows, sqlite::readAll<RunSummary>(prepareWith(db_, sql, values), readSummary));
    if (static_cast<int>(page.rows.size()) == query.limit) {
        if (query.limit > 0)
            page.next = page.rows.back().id;
    } else if (!query.words.empty()) {
        values.resize(ofIndex);
        KL_ASSIGN(Statement last,
                  prepareWith(db_, "SELECT r.id " + indexed + " LIMIT 1 OFFSET " + std::to_string(kMostScanned - 1), values));
        KL_ASSIGN(const bool more, last.row());
        if (more)
            page.next = RunId{last.text(0)};
    }
    return page;
}

Result<std::vector<RunSummary>> SqliteStore::runs(const RunQuery& query) const
{
    std::vector<RunSummary> rows;
    RunQuery rest = query;
    do {
        KL_ASSIGN(RunPage page, runPage(rest));
        rows.insert(rows.end(), std::make_move_iterator(page.rows.begin()), std::make_move_iterator(page.rows.end()));
        rest.limit = query.limit - static_cast<int>(rows.size());
        rest.after = page.next.value_or(RunId{});
    } while (rest.limit > 0 && !rest.after.empty());
    return rows;
}

} // namespace kl::inline store
