// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/store/rows.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline patterns {

/// The savings of one pattern, from its applications. Each kind of figure is summed apart: measured ones come from phase times
/// in the database, quoted and derived ones from the October 2025 documents. Unset if no application has such a figure.
struct PatternReturn {
    std::string slug;
    std::string title;
    int applications = 0;
    std::optional<double> measuredMinutes;
    std::optional<double> quotedMinutes;
    std::optional<double> derivedMinutes;
    std::optional<double> quotedDollars;
    /// Value of the measured minutes at the engineer's rate, dollars; unset without measured minutes or without a rate.
    std::optional<double> measuredValue;
    /// Value of the quoted minutes at the same rate plus the quoted dollars.
    std::optional<double> quotedValue;
    /// Minutes spent on the lesson (see Investment); low and high where notes disagree.
    std::optional<double> investedLow;
    std::optional<double> investedHigh;
    std::string learnedIn; ///< name of the session that taught it
    /// Return on investment: minutes saved / minutes invested (the high figure, to be cautious). Unset without either.
    std::optional<double> measuredReturn;
    std::optional<double> quotedReturn;

    bool operator==(const PatternReturn&) const = default;
};

/// One row per pattern, in the order given, unused ones too; applications of unknown patterns get a row of their own at the end.
/// `dollarsPerHour`: the engineer's rate ($30 in the October 2025 documents; setting "engineer-rate").
std::vector<PatternReturn> patternReturns(const std::vector<Pattern>& patterns, const std::vector<PatternApplication>& applications,
                                          std::optional<double> dollarsPerHour);

/// Minutes of the session that taught a pattern, shared equally by all patterns that it taught.
struct Investment {
    std::string slug;
    std::string session; ///< name
    std::optional<double> minutesLow;
    std::optional<double> minutesHigh;
};

/// Fills in the investment of each pattern and the returns; patterns without an investment keep none.
void addInvestments(std::vector<PatternReturn>& rows, const std::vector<Investment>& investments);

/// The sum over rows, each kind apart. Its returns cover only the patterns whose investment is known.
PatternReturn computeTotal(const std::vector<PatternReturn>& rows);

/// Return on investment: value delivered / money spent, as in the 7.7× of the October 2025 documents. Unset unless spent is above 0.
std::optional<double> returnOnInvestment(std::optional<double> value, std::optional<double> spent);

} // namespace kl::inline patterns
