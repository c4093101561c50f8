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

} // namespace kl::inline learning
