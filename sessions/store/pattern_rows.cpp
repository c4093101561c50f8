// SPDX-License-Identifier: MIT
#include "sessions/store/sqlite_store.h"

namespace kl {
namespace {

using sqlite::Statement;

std::optional<std::string> filled(const std::string& text)
{
    return text.empty() ? std::nullopt : std::optional(text);
}

Pattern patternOf(const Statement& row)
{
    return {row.text(0), row.text(1), row.text(2), row.text(3), row.text(4), row.text(5),
            row.text(6), row.real(7), row.real(8), row.real(9), row.text(10)};
}

PatternApplication applicationOf(const Statement& row)
{
    return {row.text(0), row.text(1), row.text(2), row.text(3), row.real(4), row.real(5), row.real(6), row.integer(7) != 0, row.text(8)};
}

} // namespace

Status SqliteStore::savePattern(const Pattern& p)
{
    return write([&] {
        return db_.run(
            "INSERT INTO patterns(slug, label, title, kind, problem, advice, applies_when, quoted_minutes, quoted_minutes_high, "
            "quoted_dollars, origin, position) VALUES(?,?,?,?,?,?,?,?,?,?,?, (SELECT coalesce(max(position), 0) + 1 FROM patterns)) "
            "ON CONFLICT(slug) DO UPDATE SET label = excluded.label, title = excluded.title, kind = excluded.kind, "
            "problem = excluded.problem, advice = excluded.advice, applies_when = excluded.applies_when, "
            "quoted_minutes = excluded.quoted_minutes, quoted_minutes_high = excluded.quoted_minutes_high, "
            "quoted_dollars = excluded.quoted_dollars, origin = excluded.origin",
            p.slug, p.label, p.title, p.kind, p.problem, p.advice, p.when, p.quotedMinutes, p.quotedMinutesHigh, p.quotedDollars, p.origin);
    });
}

Result<std::vector<Pattern>> SqliteStore::patterns() const
{
    const std::lock_guard lock(mutex_);
    return sqlite::readAll<Pattern>(
        db_.prepare("SELECT slug, label, title, kind, problem, advice, applies_when, quoted_minutes, quoted_minutes_high, "
                    "quoted_dollars, origin FROM patterns ORDER BY position"),
        patternOf);
}

Status SqliteStore::saveApplication(const PatternApplication& a)
{
    return write([&] {
        return db_.run("INSERT INTO pattern_applications(id, pattern, session_id, at, measured_minutes, quoted_minutes, quoted_dollars, "
                       "derived, note) VALUES(?,?,?,?,?,?,?,?,?) ON CONFLICT(id) DO NOTHING",
                       a.id, a.pattern, filled(a.session), a.at, a.measuredMinutes, a.quotedMinutes, a.quotedDollars, a.derived, a.note);
    });
}

Result<std::vector<PatternApplication>> SqliteStore::applications() const
{
    const std::lock_guard lock(mutex_);
    return sqlite::readAll<PatternApplication>(
        db_.prepare("SELECT id, pattern, coalesce(session_id, ''), at, measured_minutes, quoted_minutes, "
                    "quoted_dollars, derived, note FROM pattern_applications ORDER BY at, rowid"),
        applicationOf);
}

} // namespace kl
