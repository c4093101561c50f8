// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kl::inline learning {

/// An expert's time to a working kernel at 2× the baseline, minutes: 1.5 to 2 h (October 2025 documents).
inline constexpr double kExpertMinutesLow = 90;
inline constexpr double kExpertMinutesHigh = 120;
inline constexpr double kExpertSpeedup = 2.0;
/// Sessions to convergence as expected by the October 2025 documents: 10 to 15.
inline constexpr int kQuotedConvergenceLow = 10;
inline constexpr int kQuotedConvergenceHigh = 15;
/// Fewer sessions give no estimate.
inline constexpr std::size_t kLeastForConvergence = 4;

/// The fitted minutes of the session at a position, with the 95 % band of the fit.
struct TrendPoint {
    int position = 0; ///< sessions after the first
    double minutes = 0;
    double low = 0;
    double high = 0;

    bool operator==(const TrendPoint&) const = default;
};

/// After how many sessions the working time meets the expert's.
struct Convergence {
    std::optional<double> sessions; ///< sessions after the first; unset when the fit never gets there
    std::optional<double> low;      ///< 95 % interval, low end
    std::optional<double> high;     ///< high end; unset when more than 2.5 % of the resamples never get there
    int used = 0;                   ///< sessions used for the fit
    double targetMinutes = kExpertMinutesHigh;
    std::optional<double> decay;   ///< minutes of a session over those of the one before; below 1 is learning
    std::vector<TrendPoint> trend; ///< the sessions used and kTrendAhead more; empty without a fit
    std::string why;               ///< why there is no estimate, or its basis
};

/// Fits minutes = a × decayⁱ (least squares on the logarithms; i counts sessions) and asks where it falls to 120 min. The interval is
/// the 2.5 and 97.5 percentile over 2,000 resamples of the residuals (each divided by the square root of 1 − its leverage), with a fixed
/// seed, so that the same history gives the same answer. Values that are not above 0 are left out.
Convergence estimateConvergence(const std::vector<double>& minutes, double targetMinutes = kExpertMinutesHigh);

} // namespace kl::inline learning
