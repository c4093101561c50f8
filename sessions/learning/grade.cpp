// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "sessions/learning/history_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::inline learning {
namespace {

std::string findGateResult(const HistoryRow& row, const char* gate)
{
    for (const GateOutcome& outcome : row.gates)
        if (outcome.gate == gate)
            return outcome.result;
    return {};
}

/// Whether a kept change relies on a gate that did not pass.
bool keptUnproven(const HistoryRow& row)
{
    if (row.statusText != "kept")
        return false;
    for (const char* gate : {"G4", "G5"})
        if (const std::string result = findGateResult(row, gate); !result.empty() && result != "pass")
            return true;
    return false;
}

void addTimes(const HistoryRow& row, double costTarget, std::vector<std::string>& missing)
{
    const std::optional<Figure> minutes = findShownFigure(row.minutes);
    if (minutes && row.budgetMinutes && minutes->value > *row.budgetMinutes)
        missing.push_back(fmt::format("{} of {} budgeted", formatMinutes(minutes->value), formatMinutes(*row.budgetMinutes)));
    if (const std::optional<double> cash = computeCash(row.money); cash && *cash > costTarget)
        missing.push_back(fmt::format("it cost {}, the cost target is {}", formatMoney(*cash), formatMoney(costTarget)));
    if (row.minutesToBuild && *row.minutesToBuild > kBuildTarget)
        missing.push_back(fmt::format("the first working build took {}", formatMinutes(*row.minutesToBuild)));
    if (row.minutesToBottleneck && *row.minutesToBottleneck > kBottleneckTarget)
        missing.push_back(fmt::format("the bottleneck was found after {}", formatMinutes(*row.minutesToBottleneck)));
}

} // namespace

Grade gradeRow(const HistoryRow& row, double sessionCostTarget)
{
    if (row.sample && !row.grade.letter.empty())
        return {row.grade.letter, row.grade.reason, FigureKind::quoted};
    if (row.sample)
        return {{}, "not graded: the October 2025 documents do not record its events"};
    if (row.status == SessionStatus::open)
        return {{}, "not graded while the session is open"};
    if (row.status == SessionStatus::endedEarly)
        return {"D", "it ended before a measurement decided anything"};
    if (keptUnproven(row))
        return {"D", "a change was kept although gate G4 or G5 had not passed"};
    std::vector<std::string> missing;
    for (const GateOutcome& gate : row.gates)
        if (gate.result == "waived")
            missing.push_back(fmt::format("gate {} was waived", gate.gate));
    int mistakes = 0;
    for (const Mistake& item : row.mistakes)
        mistakes += item.count;
    if (mistakes > 0) // a blind optimization is one of them: it is named, not counted twice
        missing.push_back(fmt::format("{} known {}{}", mistakes, mistakes == 1 ? "mistake" : "mistakes",
                                      row.blind.value_or(0) > 0 ? fmt::format(", {} of them unprofiled", *row.blind) : ""));
    if (!row.replayed)
        addTimes(row, sessionCostTarget, missing);
    const std::string note = row.replayed ? " (on recorded data: times and money left out)" : "";
    if (missing.empty())
        return {"A", "decided by measurement, nothing missing" + note};
    return {missing.size() <= 2 ? "B" : "C", fmt::format("{}{}", fmt::join(missing, "; "), note)};
}

} // namespace kl::inline learning
