// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "sessions/learning/history_parts.h"
#include "sessions/learning/scripted.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::inline learning {
namespace {

constexpr const char* kNoneYet = "none yet";

std::string librarySize(const std::vector<Pattern>& patterns)
{
    const auto of = [&](std::string_view kind) { return std::ranges::count(patterns, kind, &Pattern::kind); };
    std::string text = fmt::format("{} operational, {} planned", of("operational"), of("planned"));
    if (const auto own = of("own"); own > 0)
        text += fmt::format(", {} own", own);
    return text;
}

/// The newest ones, of those that were finished on a GPU.
std::string listFinishedNames(const std::vector<HistoryRow>& rows)
{
    constexpr std::size_t kMost = 4;
    std::vector<std::string> names;
    for (const HistoryRow& row : rows)
        if (!row.sample && !row.replayed && row.status != SessionStatus::open)
            names.push_back(row.name);
    if (names.empty())
        return kNoneYet;
    const std::size_t first = names.size() > kMost ? names.size() - kMost : 0;
    return fmt::format("{}{}", first > 0 ? fmt::format("{}, the last ones ", names.size()) : std::string(),
                       fmt::join(names.begin() + static_cast<std::ptrdiff_t>(first), names.end(), ", "));
}

/// People's figures.
std::string peopleText(const std::string& id, const History& history, const ScriptedTotals& script)
{
    const HistoryTotals& own = history.own;
    if (id == "time-saved")
        return own.valueMeasured ? formatMinutes(own.savedMeasured.value_or(0) - script.saved.value_or(0)) + ", measured" : "";
    if (id == "cost-saved")
        return own.valueMeasured ? formatMoney(*own.valueMeasured) + ", measured time at the engineering rate" : "";
    if (id == "average-gain")
        return history.learningRate ? formatPercent(*history.learningRate * 100) + " less time" : "";
    const std::optional<double> worth = own.valueEntered ? own.valueEntered : own.valueMeasured;
    const std::optional<double> earned = returnOnInvestment(worth, own.sumSpent());
    return earned ? fmt::format("{}, {}", formatRatio(*earned), own.valueEntered ? "value entered" : "measured savings") : "";
}

/// What sessions driven by a script measured of the same. Nobody was at work in them: their savings are of GPU time, their gains kernels'.
std::string scriptText(const std::string& id, const ScriptedTotals& script)
{
    if (id == "average-gain")
        return script.gain ? fmt::format("kernels {} faster, geometric mean of {} kept", formatRatio(*script.gain), script.kept) : "";
    if (script.saved.value_or(0) <= 0)
        return {};
    const std::optional<double> share = script.computeSavedShare();
    const std::optional<double> dollars = script.computeSavedCost();
    if (id == "time-saved")
        return share ? fmt::format("{} of session time ({})", formatPercent(*share * 100), formatMinutes(*script.saved)) : "";
    if (id == "cost-saved")
        return dollars ? formatMoney(*dollars) + " of GPU time" : "";
    const std::optional<double> earned = returnOnInvestment(dollars, script.cost);
    return earned ? formatRatio(*earned) + ", GPU time saved over spent" : "";
}

std::string ownText(const std::string& id, const History& history, const std::vector<Pattern>& patterns, const ScriptedTotals& script)
{
    if (id == "library")
        return librarySize(patterns);
    if (id == "sessions")
        return listFinishedNames(history.rows);
    const std::string people = peopleText(id, history, script);
    const std::string scripted = scriptText(id, script);
    if (scripted.empty())
        return people.empty() ? kNoneYet : people;
    return fmt::format("{}{}{}, in sessions driven by a script", people, people.empty() ? "" : "; ", scripted);
}

} // namespace

void fillDashboard(History& history, const std::vector<Pattern>& patterns)
{
    const ScriptedTotals script = computeScriptedTotals(history.rows);
    for (DashboardRow& row : history.dashboard) {
        row.own = ownText(row.id, history, patterns, script);
        if (history.sampleOrigin.empty()) {
            row.quoted.clear();
            row.source.clear();
        }
    }
}

} // namespace kl::inline learning
