// SPDX-License-Identifier: MIT
#include "sessions/learning/mistake_count.h"

namespace kl::inline learning {

MistakeCount mistakeCount(const History& history, const std::string& id)
{
    MistakeCount count;
    for (const HistoryRow& row : history.rows)
        for (const Mistake& mistake : row.mistakes)
            if (mistake.id == id && !row.replayed) {
                count.made += mistake.count;
                count.caught += mistake.caught;
            }
    return count;
}

MistakeTotals mistakeTotals(const History& history)
{
    MistakeTotals all;
    for (const HistoryTotals* totals : {&history.own, &history.sample}) {
        all.made += totals->mistakes;
        all.repeated += totals->repeated;
        all.blind += totals->blind;
        all.wrongMinutes += totals->wrongMinutes;
    }
    return all;
}

} // namespace kl::inline learning
