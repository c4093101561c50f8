// SPDX-License-Identifier: MIT
#include "sessions/patterns/totals.h"

#include <algorithm>

namespace kl::inline patterns {
namespace {

void add(std::optional<double>& sum, const std::optional<double>& value)
{
    if (value)
        sum = sum.value_or(0) + *value;
}

std::optional<double> worth(const std::optional<double>& minutes, const std::optional<double>& dollarsPerHour)
{
    return minutes && dollarsPerHour ? std::optional(*minutes / 60 * *dollarsPerHour) : std::nullopt;
}

PatternReturn& findOrAddRow(std::vector<PatternReturn>& rows, const std::string& slug)
{
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const PatternReturn& row) { return row.slug == slug; });
    if (found != rows.end())
        return *found;
    rows.push_back({slug, slug});
    return rows.back();
}

} // namespace

std::vector<PatternReturn> patternReturns(const std::vector<Pattern>& patterns, const std::vector<PatternApplication>& applications,
                                          std::optional<double> dollarsPerHour)
{
    std::vector<PatternReturn> rows;
    for (const Pattern& pattern : patterns)
        rows.push_back({pattern.slug, pattern.title});
    for (const PatternApplication& application : applications) {
        PatternReturn& row = findOrAddRow(rows, application.pattern);
        ++row.applications;
        add(row.measuredMinutes, application.measuredMinutes);
        add(application.derived ? row.derivedMinutes : row.quotedMinutes, application.quotedMinutes);
        add(row.quotedDollars, application.quotedDollars);
    }
    for (PatternReturn& row : rows) {
        row.measuredValue = worth(row.measuredMinutes, dollarsPerHour);
        row.quotedValue = worth(row.quotedMinutes, dollarsPerHour);
        add(row.quotedValue, row.quotedDollars);
    }
    return rows;
}

void addInvestments(std::vector<PatternReturn>& rows, const std::vector<Investment>& investments)
{
    for (PatternReturn& row : rows)
        for (const Investment& investment : investments) {
            if (investment.slug != row.slug)
                continue;
            row.learnedIn = investment.session;
            row.investedLow = investment.minutesLow;
            row.investedHigh = investment.minutesHigh;
            row.measuredReturn = returnOnInvestment(row.measuredMinutes, row.investedHigh);
            row.quotedReturn = returnOnInvestment(row.quotedMinutes, row.investedHigh);
        }
}

PatternReturn computeTotal(const std::vector<PatternReturn>& rows)
{
    PatternReturn total;
    total.title = "All patterns";
    PatternReturn known; // of the patterns whose investment is known
    for (const PatternReturn& row : rows) {
        total.applications += row.applications;
        add(total.measuredMinutes, row.measuredMinutes);
        add(total.quotedMinutes, row.quotedMinutes);
        add(total.derivedMinutes, row.derivedMinutes);
        add(total.quotedDollars, row.quotedDollars);
        add(total.measuredValue, row.measuredValue);
        add(total.quotedValue, row.quotedValue);
        if (!row.investedHigh)
            continue;
        add(total.investedLow, row.investedLow);
        add(total.investedHigh, row.investedHigh);
        add(known.measuredMinutes, row.measuredMinutes);
        add(known.quotedMinutes, row.quotedMinutes);
    }
    total.measuredReturn = returnOnInvestment(known.measuredMinutes, total.investedHigh);
    total.quotedReturn = returnOnInvestment(known.quotedMinutes, total.investedHigh);
    return total;
}

std::optional<double> returnOnInvestment(std::optional<double> value, std::optional<double> spent)
{
    return value && spent && *spent > 0 ? std::optional(*value / *spent) : std::nullopt;
}

} // namespace kl::inline patterns
