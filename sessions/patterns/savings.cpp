// SPDX-License-Identifier: MIT
#include "sessions/patterns/savings.h"

#include "core/base/format.h"
#include "core/stats/robust.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace kl::inline patterns {
namespace {

/// Times of a phase in other sessions of the kind in which none of these patterns was applied to it.
std::vector<double> referencesFor(const std::vector<PhaseTimes>& sessions, const PhaseTimes& here, const std::string& phase,
                                  const std::set<std::string>& patterns)
{
    std::vector<double> times;
    for (const PhaseTimes& other : sessions) {
        const auto timed = other.minutes.find(phase);
        const bool touched = std::any_of(other.applied.begin(), other.applied.end(),
                                         [&](const auto& use) { return use.second == phase && patterns.contains(use.first); });
        if (other.session != here.session && other.kind == here.kind && timed != other.minutes.end() && !touched)
            times.push_back(timed->second);
    }
    return times;
}

} // namespace

std::vector<MeasuredSaving> computeMeasuredSavings(const std::vector<PhaseTimes>& sessions)
{
    std::vector<MeasuredSaving> savings;
    for (const PhaseTimes& here : sessions) {
        std::map<std::string, std::set<std::string>> byPhase;
        for (const auto& [pattern, phase] : here.applied)
            byPhase[phase].insert(pattern);
        for (const auto& [phase, patterns] : byPhase) {
            const auto timed = here.minutes.find(phase);
            const std::vector<double> times = referencesFor(sessions, here, phase, patterns);
            for (const std::string& pattern : patterns) {
                MeasuredSaving saving{here.session, pattern, phase, {}, computeMedian(times), static_cast<int>(times.size()), {}};
                if (timed == here.minutes.end())
                    saving.why = phase.empty() ? "it was applied to no stage" : fmt::format("the stage {} was not timed", phase);
                else if (times.size() < kLeastReferences)
                    saving.why = fmt::format("{} of {} sessions that timed {} without it", times.size(), kLeastReferences, phase);
                else {
                    saving.minutes = (saving.reference - timed->second) / static_cast<double>(patterns.size());
                    saving.why = fmt::format("{} took {}, {} in the median of {} sessions without it{}", phase,
                                             formatMinutes(timed->second), formatMinutes(saving.reference), times.size(),
                                             patterns.size() > 1 ? fmt::format("; shared by {} patterns", patterns.size()) : "");
                }
                savings.push_back(std::move(saving));
            }
        }
    }
    return savings;
}

} // namespace kl::inline patterns
