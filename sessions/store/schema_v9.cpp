// SPDX-License-Identifier: MIT
#include "core/base/try.h"
#include "sessions/store/schema.h"

#include <string>

namespace kl::inline store {
namespace {

constexpr const char* kPatternBefore = "measure-before-optimising";
constexpr const char* kPattern = "measure-before-optimizing";

Status renameInEvents(const sqlite::Connection& connection, const std::string& before, const std::string& now)
{
    return connection.run("UPDATE session_events SET data = replace(data, ?1, ?2) WHERE instr(data, ?1)", '"' + before + '"',
                          '"' + now + '"');
}

} // namespace

// Where somebody has a pattern of the new name, the old one stays beside it, with its uses. The search's table follows the patterns' own.
Status migrateTo9(const sqlite::Connection& connection)
{
    KL_TRY(renameInEvents(connection, "profile-before-optimising", "profile-before-optimizing"));
    KL_TRY(connection.exec("PRAGMA defer_foreign_keys = ON"));
    KL_TRY(connection.run("UPDATE OR IGNORE patterns SET slug = ?2 WHERE slug = ?1", kPatternBefore, kPattern));
    KL_ASSIGN(const std::int64_t kept, connection.number("SELECT count(*) FROM patterns WHERE slug = 'measure-before-optimising'"));
    if (kept > 0)
        return {};
    KL_TRY(renameInEvents(connection, kPatternBefore, kPattern));
    KL_TRY(connection.run("UPDATE pattern_applications SET pattern = ?2 WHERE pattern = ?1", kPatternBefore, kPattern));
    return connection.run("UPDATE pattern_search SET slug = ?2 WHERE slug = ?1", kPatternBefore, kPattern);
}

} // namespace kl::inline store
