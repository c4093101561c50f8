// SPDX-License-Identifier: MIT
#include "sessions/learning/scripted.h"

#include "core/base/try.h"
#include "sessions/learning/history.h"

#include <cmath>
#include <limits>

namespace kl::inline learning {
namespace {

constexpr std::string_view kMark = ", scripted";

} // namespace

Result<std::set<std::string>> listScriptedSessions(const Store& store)
{
    KL_ASSIGN(const std::vector<SessionHeader> sessions,
              store.sessions(SessionQuery{.tag = kScriptedTag, .brief = true, .limit = std::numeric_limits<int>::max()}));
    std::set<std::string> ids;
    for (const SessionHeader& session : sessions)
        ids.insert(session.id.text);
    return ids;
}

std::string nameScriptedKind(const std::string& kind)
{
    return kind + std::string(kMark);
}

bool isScriptedKind(std::string_view kind)
{
    return kind.ends_with(kMark);
}

std::optional<double> ScriptedTotals::computeSavedShare() const
{
    return saved && minutes + *saved > 0 ? std::optional(*saved / (minutes + *saved)) : std::nullopt;
}

std::optional<double> ScriptedTotals::computeSavedCost() const
{
    return saved && cost && minutes > 0 ? std::optional(*saved * *cost / minutes) : std::nullopt;
}

ScriptedTotals computeScriptedTotals(const std::vector<HistoryRow>& rows)
{
    ScriptedTotals totals;
    double logarithms = 0;
    for (const HistoryRow& row : rows) {
        if (row.sample || row.replayed || !isScriptedKind(row.kind) || row.status == SessionStatus::open)
            continue;
        if (row.gain && *row.gain > 0) {
            ++totals.kept;
            logarithms += std::log(*row.gain);
        }
        if (const std::optional<Figure> minutes = findShownFigure(row.minutes))
            totals.minutes += minutes->value;
        if (const std::optional<double> saved = findFirst(row.savedMinutes, FigureKind::measured))
            totals.saved = totals.saved.value_or(0) + *saved;
        if (const std::optional<double> cost = computeCash(row.money))
            totals.cost = totals.cost.value_or(0) + *cost;
    }
    if (totals.kept > 0)
        totals.gain = std::exp(logarithms / totals.kept);
    return totals;
}

} // namespace kl::inline learning
