// SPDX-License-Identifier: MIT
#include "core/base/try.h"
#include "sessions/store/schema.h"

#include <array>

namespace kl::inline store {
namespace {

struct Renamed {
    const char* before;
    const char* now;
};

constexpr const char* kPatternBefore = "measure-before-optimising";
constexpr const char* kPattern = "measure-before-optimizing";

/// Ids in the texts of sessions: checks of a template, a rule that refused an action, a pattern that was applied.
constexpr std::array<Renamed, 7> kIds{{{"\"smallest-right\"", "\"smallest-correct\""},
                                       {"\"kernel-right\"", "\"kernel-correct\""},
                                       {"\"start-right\"", "\"start-correct\""},
                                       {"\"suite-right\"", "\"suite-correct\""},
                                       {"\"both-right\"", "\"both-correct\""},
                                       {"\"profile-before-optimising\"", "\"profile-before-optimizing\""},
                                       {"\"measure-before-optimising\"", "\"measure-before-optimizing\""}}};

} // namespace

// Where somebody has a pattern of the new name, the old one stays beside it. The search's table follows the patterns' own.
Status migrateTo9(const sqlite::Connection& connection)
{
    for (const auto& [before, now] : kIds) {
        KL_TRY(connection.run("UPDATE sessions SET template = replace(template, ?1, ?2) WHERE instr(template, ?1)", before, now));
        KL_TRY(connection.run("UPDATE session_events SET data = replace(data, ?1, ?2) WHERE instr(data, ?1)", before, now));
    }
    KL_TRY(connection.exec("PRAGMA defer_foreign_keys = ON"));
    KL_TRY(connection.run("UPDATE OR IGNORE patterns SET slug = ?2 WHERE slug = ?1", kPatternBefore, kPattern));
    KL_TRY(connection.run("UPDATE pattern_applications SET pattern = ?2 WHERE pattern = ?1", kPatternBefore, kPattern));
    return connection.run("UPDATE pattern_search SET slug = ?2 WHERE slug = ?1 AND NOT EXISTS (SELECT 1 FROM patterns WHERE slug = ?1)",
                          kPatternBefore, kPattern);
}

} // namespace kl::inline store
