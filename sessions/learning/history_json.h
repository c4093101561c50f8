// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "sessions/learning/history.h"
#include "sessions/learning/roadmap.h"

namespace kl::inline learning {

/// {value, how, source}, a list of them; figures of different kinds are never added.
Json figuresToJson(const std::vector<Figure>& figures);

/// Money of a session: {gpu, assistant, other, value (lists of figures), engineer, spent, why}.
Json moneyToJson(const SessionMoney& money);

/// One session with all its metrics.
Json historyRowToJson(const HistoryRow& row);

/// Sums of a group of sessions, each kind of saving and of value apart.
Json totalsToJson(const HistoryTotals& totals);

/// `kloop learn`: {schema, sessions[], own, sample, learning: {rate, steps[]}, convergence, expert, expected[], mistakes[], patterns[],
/// notes[], engineer_rate, session_cost_target}.
Json historyToJson(const History& history);

/// {schema, origin, weeks: [{week, title, steps: [{id, title, sessions[], done, state}]}]}.
Json roadmapToJson(const Roadmap& roadmap, const std::vector<HistoryRow>& rows);

} // namespace kl::inline learning
