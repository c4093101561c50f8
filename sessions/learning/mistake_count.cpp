// SPDX-License-Identifier: MIT
#include "sessions/learning/mistake_count.h"

#include <algorithm>

namespace kl::inline learning {
namespace {

/// Whether the sessions that count are those of this database: else they are the shipped ones.
bool hasOwn(const History& history)
{
    return std::ranges::any_of(history.rows, [](const HistoryRow& row) { return !row.sample && !row.replayed; });
}

} // namespace

MistakeCount mistakeCount(const History& history, const std::string& id)
{
    MistakeCount count;
    const bool own = hasOwn(history);
    for (const HistoryRow& row : history.rows)
        for (const Mistake& mistake : row.mistakes)
            if (mistake.id == id && !row.replayed && row.sample != own) {
                count.made += mistake.count;
                count.caught += mistake.caught;
            }
    return count;
}

MistakeTotals mistakeTotals(const History& history)
{
    const HistoryTotals& totals = hasOwn(history) ? history.own : history.sample;
    return {totals.mistakes, totals.repeated, totals.blind, totals.wrongMinutes};
}

} // namespace kl::inline learning
