// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/store/sqlite_store.h"

namespace kl::inline store {

Status SqliteStore::saveCost(const CostEntry& c)
{
    return write([&] {
        return db_.run("INSERT INTO cost_entries(id, session_id, at, kind, dollars, note) VALUES(?,?,?,?,?,?) ON CONFLICT(id) DO NOTHING",
                       c.id, c.session, c.at, c.kind, c.dollars, c.note);
    });
}

Status SqliteStore::removeCost(const std::string& id)
{
    return write([&]() -> Status {
        KL_TRY(db_.run("UPDATE cost_entries SET removed_at = ? WHERE id = ? AND removed_at IS NULL", isoNow(), id));
        if (db_.changes() > 0)
            return {};
        return Error{.code = ErrorCode::notFound, .message = "There is no cost entry " + id + ".", .hint = "List them.", .where = id}
            .leadTo({StepId::listCosts});
    });
}

Result<std::vector<CostEntry>> SqliteStore::costs() const
{
    const std::lock_guard lock(mutex_);
    return sqlite::readAll<CostEntry>(
        db_.prepare("SELECT id, session_id, at, kind, dollars, note FROM cost_entries WHERE removed_at IS NULL ORDER BY at, rowid"),
        [](const sqlite::Statement& row) {
            return CostEntry{row.text(0), row.text(1), row.text(2), row.text(3), row.real(4).value_or(0), row.text(5)};
        });
}

} // namespace kl::inline store
