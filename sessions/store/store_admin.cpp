// SPDX-License-Identifier: MIT
#include "core/base/leftovers.h"
#include "core/base/try.h"
#include "sessions/store/schema.h"
#include "sessions/store/sqlite_store.h"

#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <system_error>

namespace kl::inline store {

Result<std::vector<std::pair<std::string, std::string>>> SqliteStore::info() const
{
    const std::lock_guard lock(mutex_);
    std::vector<std::pair<std::string, std::string>> rows{{"location", location_}};
    std::error_code none;
    const auto size = std::filesystem::file_size(location_, none);
    if (!none)
        rows.emplace_back("bytes", std::to_string(size));
    KL_ASSIGN(const std::int64_t version, db_.number("PRAGMA user_version"));
    rows.emplace_back("schema", std::to_string(version));
    rows.emplace_back("read-only", readOnly_ ? "yes" : "no");
    KL_ASSIGN(
        const std::vector<std::string> tables,
        db_.texts(
            "SELECT s.name FROM sqlite_schema s JOIN pragma_table_list t ON t.name = s.name AND t.schema = 'main' AND t.type = 'table' "
            "WHERE s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY s.rowid"));
    for (const std::string& table : tables) {
        KL_ASSIGN(const std::int64_t count, db_.number(fmt::format("SELECT count(*) FROM \"{}\"", table)));
        rows.emplace_back(table, std::to_string(count));
    }
    return rows;
}

Result<std::vector<std::string>> SqliteStore::check() const
{
    const std::lock_guard lock(mutex_);
    KL_ASSIGN(std::vector<std::string> problems, db_.texts("PRAGMA integrity_check(100)"));
    if (problems == std::vector<std::string>{"ok"})
        problems.clear();
    KL_ASSIGN(const std::vector<std::string> orphans,
              db_.texts("SELECT \"table\" || ' row ' || coalesce(rowid, '?') || ' refers to a missing row of ' || "
                        "parent FROM pragma_foreign_key_check"));
    problems.insert(problems.end(), orphans.begin(), orphans.end());
    return problems;
}

namespace {

/// Makes a copy of all tables. Temporary views, which VACUUM would take for the tables of their names, go for as long.
Status copyInto(const sqlite::Connection& db, const std::string& target)
{
    constexpr const char* kViews = "FROM temp.sqlite_master WHERE type = 'view'";
    KL_ASSIGN(const std::vector<std::string> drop, db.texts(fmt::format("SELECT 'DROP VIEW temp.' || name {}", kViews)));
    KL_ASSIGN(const std::vector<std::string> make, db.texts(fmt::format("SELECT 'CREATE TEMP ' || substr(sql, 8) {}", kViews)));
    KL_TRY(db.exec(fmt::format("{}", fmt::join(drop, ";"))));
    const Status done = db.run("VACUUM INTO ?", target);
    KL_TRY(db.exec(fmt::format("{}", fmt::join(make, ";"))));
    return done;
}

} // namespace

Status SqliteStore::backup(const std::filesystem::path& target) const
{
    const std::lock_guard lock(mutex_);
    std::FILE* made = std::fopen(target.c_str(), "wxe"); // an empty file, which VACUUM INTO fills: the name is this backup's from here on
    if (!made && errno == EEXIST)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} already exists.", target.string()),
                     .hint = "Name a new file: a backup never replaces one.",
                     .where = target.string()};
    if (!made)
        return Error{.code = ErrorCode::badInput,
                     .message =
                         fmt::format("The backup {} could not be written: {}.", target.string(), std::generic_category().message(errno)),
                     .hint = "Check that its folder exists and that you may write to it.",
                     .where = target.string()};
    std::fclose(made);
    const Leftover unfinished(target);
    // query_only, which keeps the file as it is, would refuse to write the copy too.
    Status done = onlyReads_ ? db_.exec("PRAGMA query_only = OFF") : Status{};
    if (done)
        done = copyInto(db_, target.string());
    if (onlyReads_)
        if (const Status again = db_.exec("PRAGMA query_only = ON"); done && !again)
            done = again;
    if (!done) {
        std::error_code ignored;
        std::filesystem::remove(target, ignored); // half a copy, and in the way of the next attempt
        Error error = done.error();
        error.message = fmt::format("The backup {} could not be written: {}", target.string(), error.message);
        error.where = target.string();
        return error;
    }
    return {};
}

} // namespace kl::inline store
