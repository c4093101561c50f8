// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline store {
class Store;
}

namespace kl::inline learning {

/// A session with this tag had its steps taken by a script. It is listed with all that it measured, but nothing about people is learned
/// from its time: it counts for no learning rate, convergence, cost of an engineer or quoted saving, and its phases are compared with those
/// of other scripted sessions alone.
inline constexpr const char* kScriptedTag = "scripted";

/// Ids of the sessions with that tag.
Result<std::set<std::string>> listScriptedSessions(const Store& store);

/// The kind by which a row of the history has such a session: "optimize, scripted".
std::string nameScriptedKind(const std::string& kind);
bool isScriptedKind(std::string_view kind);

struct HistoryRow;

/// What finished sessions that a script drove measured, which totals of people's work leave out.
struct ScriptedTotals {
    int kept = 0;               ///< changes
    std::optional<double> gain; ///< geometric mean of the gains of those changes
    double minutes = 0;
    std::optional<double> saved; ///< minutes by which patterns shortened them, from phase times
    std::optional<double> cost;  ///< dollars

    std::optional<double> computeSavedShare() const; ///< of the time that they would have taken
    std::optional<double> computeSavedCost() const;  ///< dollars, at what their minutes cost
};

ScriptedTotals computeScriptedTotals(const std::vector<HistoryRow>& rows);

} // namespace kl::inline learning
