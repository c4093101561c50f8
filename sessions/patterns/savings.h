// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kl::inline patterns {

/// Input for measured savings from one session: its phase times, and the phase of each applied pattern.
struct PhaseTimes {
    std::string session; ///< id
    std::string kind;
    std::map<std::string, double> minutes;                    ///< phase to working minutes, of finished phases
    std::vector<std::pair<std::string, std::string>> applied; ///< pattern's slug and phase
};

/// Sessions that a phase must have been timed in, without the pattern, before a saving can be measured.
inline constexpr std::size_t kLeastReferences = 3;

/// Minutes that one application saved, or why that is unknown.
struct MeasuredSaving {
    std::string session;
    std::string pattern;
    std::string phase;
    std::optional<double> minutes; ///< below 0 where the phase took longer than usual
    double reference = 0;          ///< median minutes of the phase without the pattern
    int references = 0;
    std::string why; ///< how it was computed, or what is missing

    bool operator==(const MeasuredSaving&) const = default;
};

/// The saving of a phase is the median time of the same phase over finished sessions of the same kind in which none of this phase's
/// patterns was applied to it, minus the phase's time here. Patterns applied in one phase of one session share its saving equally, so that
/// no minute is counted twice. With fewer than kLeastReferences such sessions nothing is measured.
std::vector<MeasuredSaving> computeMeasuredSavings(const std::vector<PhaseTimes>& sessions);

} // namespace kl::inline patterns
