// SPDX-License-Identifier: MIT
#include "sessions/store/sqlite_store.h"

#include "core/base/try.h"

#include <cctype>

namespace kl::inline store {
namespace {

using sqlite::Statement;

std::optional<std::string> unlessEmpty(const std::string& text)
{
    return text.empty() ? std::nullopt : std::optional(text);
}

Pattern readPattern(const Statement& row)
{
    return {row.text(0), row.text(1), row.text(2), row.text(3), row.text(4),  row.text(5),
            row.text(6), row.real(7), row.real(8), row.real(9), row.text(10), row.text(11)};
}

PatternApplication readApplication(const Statement& row)
{
    return {row.text(0), row.text(1), row.text(2), row.text(3), row.real(4), row.real(5), row.real(6), row.integer(7) != 0, row.text(8)};
}

/// Every word as a quoted prefix, all of them wanted: what somebody types is never taken for FTS5's own query language.
std::string makeMatchQuery(const std::string& text)
{
    std::string match;
    std::string word;
    const auto flush = [&] {
        if (!word.empty())
            match += (match.empty() ? "\"" : " \"") + word + "\"*";
        word.clear();
    };
    for (const char c : text) {
        if (std::isalnum(static_cast<unsigned char>(c)) || (static_cast<unsigned char>(c) & 0x80U) != 0)
            word += c;
        else
            flush();
    }
    flush();
    return match;
}

} // namespace

Status SqliteStore::savePattern(const Pattern& p)
{
    return write([&]() -> Status {
        KL_TRY(db_.run("DELETE FROM pattern_search WHERE slug = ?", p.slug));
        KL_TRY(db_.run("INSERT INTO pattern_search(slug, title, problem, advice) VALUES(?,?,?,?)", p.slug, p.title, p.problem, p.advice));
        return db_.run("INSERT INTO patterns(slug, label, title, kind, problem, advice, applies_when, quoted_minutes, quoted_minutes_high, "
                       "quoted_dollars, origin, learned_in, position) VALUES(?,?,?,?,?,?,?,?,?,?,?,?, (SELECT coalesce(max(position), 0) + "
                       "1 FROM patterns)) "
                       "ON CONFLICT(slug) DO UPDATE SET label = excluded.label, title = excluded.title, kind = excluded.kind, "
                       "problem = excluded.problem, advice = excluded.advice, applies_when = excluded.applies_when, "
                       "quoted_minutes = excluded.quoted_minutes, quoted_minutes_high = excluded.quoted_minutes_high, "
                       "quoted_dollars = excluded.quoted_dollars, origin = excluded.origin, learned_in = excluded.learned_in",
                       p.slug, p.label, p.title, p.kind, p.problem, p.advice, p.when, p.quotedMinutes, p.quotedMinutesHigh, p.quotedDollars,
                       p.origin, p.learnedIn);
    });
}

Result<std::vector<Pattern>> SqliteStore::patterns() const
{
    const std::lock_guard lock(mutex_);
    return sqlite::readAll<Pattern>(
        db_.prepare("SELECT slug, label, title, kind, problem, advice, applies_when, quoted_minutes, quoted_minutes_high, "
                    "quoted_dollars, origin, learned_in FROM patterns ORDER BY position"),
        readPattern);
}

Result<std::vector<std::string>> SqliteStore::searchPatterns(const std::string& text) const
{
    const std::lock_guard lock(mutex_);
    const auto slug = [](const Statement& row) { return row.text(0); };
    const std::string match = makeMatchQuery(text);
    if (match.empty())
        return sqlite::readAll<std::string>(db_.prepare("SELECT slug FROM patterns ORDER BY position"), slug);
    // bm25 is lower for a better match; a hit in title or slug counts more than one in the text.
    return sqlite::readAll<std::string>(
        db_.query("SELECT slug FROM pattern_search WHERE pattern_search MATCH ? ORDER BY bm25(pattern_search, 4, 8, 2, 2), rowid", match),
        slug);
}

Status SqliteStore::saveApplication(const PatternApplication& a)
{
    return write([&] {
        return db_.run("INSERT INTO pattern_applications(id, pattern, session_id, at, measured_minutes, quoted_minutes, quoted_dollars, "
                       "derived, note) VALUES(?,?,?,?,?,?,?,?,?) ON CONFLICT(id) DO NOTHING",
                       a.id, a.pattern, unlessEmpty(a.session), a.at, a.measuredMinutes, a.quotedMinutes, a.quotedDollars, a.derived,
                       a.note);
    });
}

Result<std::vector<PatternApplication>> SqliteStore::applications() const
{
    const std::lock_guard lock(mutex_);
    return sqlite::readAll<PatternApplication>(
        db_.prepare("SELECT id, pattern, coalesce(session_id, ''), at, measured_minutes, quoted_minutes, "
                    "quoted_dollars, derived, note FROM pattern_applications ORDER BY at, rowid"),
        readApplication);
}

} // namespace kl::inline store
