// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/diagnosis/quantities.h"
#include "sessions/confusion/corpus_confusion.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace kl::inline confusion {
namespace {

std::string formatRate(const Rate& rate)
{
    if (rate.of <= 0)
        return kNoValue;
    const double percent = rate.right < rate.of ? std::min(rate.percent(), 99.0) : 100; // 99.6 % is not all
    return fmt::format("{} of {} ({:.0f} %)", rate.right, rate.of, percent);
}

std::string rateRow(const CorpusConfusion& confusion, const std::string& name, const CorpusConfusion::Filter& filter)
{
    std::string row = fmt::format("| {} |", name);
    for (const Judge judge : kCorpusJudges)
        row += fmt::format(" {} |", formatRate(confusion.rate(judge, filter)));
    return row + '\n';
}

/// A table with a row for each value that `of` has.
std::string ratesBy(const CorpusConfusion& confusion, const char* title, std::string CorpusCase::*of)
{
    std::string out = fmt::format("| {} | with counters | without | ncu's top rule | ncu's speed of light |\n", title) +
                      "| --- | --- | --- | --- | --- |\n";
    std::set<std::string> values;
    for (const JudgedCase& one : confusion.cases)
        values.insert(one.label.*of);
    for (const std::string& value : values)
        out += rateRow(confusion, value, [&](const JudgedCase& one) { return one.label.*of == value; });
    return out + rateRow(confusion, "**all**", {});
}

std::string orNoValue(const std::string& word)
{
    return word.empty() ? std::string(kNoValue) : word;
}

std::string formatAccepted(const CorpusCase& label)
{
    return label.also.empty() ? label.expected : fmt::format("{} or {}", label.expected, fmt::join(label.also, " or "));
}

std::string callText(const CorpusCase& label)
{
    return label.arguments.empty() ? label.call : label.call + ", " + label.arguments;
}

std::string formatMissed(const CorpusConfusion& confusion)
{
    std::string out = "| case | call | expected | with counters | without | ncu |\n| --- | --- | --- | --- | --- | --- |\n";
    for (const JudgedCase& one : confusion.cases) {
        const auto misses = [&](Judge judge) { return !one.by(judge).empty() && !one.label.accepts(one.by(judge)); };
        if (misses(Judge::counters) || misses(Judge::inferred))
            out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", one.label.id, callText(one.label), formatAccepted(one.label),
                               orNoValue(one.by(Judge::counters)), orNoValue(one.by(Judge::inferred)), orNoValue(one.by(Judge::ncu)));
    }
    return out;
}

std::string formatContradicted(const CorpusConfusion& confusion)
{
    std::string out = "| case | found | but |\n| --- | --- | --- |\n";
    for (const JudgedCase* one : confusion.contradictions()) {
        const Quantity* unit = findQuantity(one->contradiction->unit);
        out += fmt::format("| {} | {} | {} {} |\n", one->label.id, one->by(Judge::counters), unit ? unit->title : one->contradiction->unit,
                           formatPercent(one->contradiction->percent));
    }
    return out;
}

std::string formatUnrecorded(const CorpusConfusion& confusion)
{
    std::string out;
    for (const JudgedCase& one : confusion.cases)
        for (const auto& [mode, why] : one.failed)
            out += fmt::format("- {}, {}: {}\n", one.label.id, mode, why);
    return fmt::format("{} of {} cases are recorded.\n", confusion.countRecorded(), confusion.cases.size()) +
           (out.empty() ? out : '\n' + out);
}

} // namespace

std::string corpusMarkdown(const CorpusConfusion& confusion)
{
    std::string out = "# How often is the diagnosis of real calls correct?\n\nCalls whose class follows from how they are made, ";
    out += confusion.heldOut ? "the held-out third only.\n\n" : "without the held-out third.\n\n";
    out += formatUnrecorded(confusion);
    out += "\n## By class\n\n" + ratesBy(confusion, "expected", &CorpusCase::expected);
    out += "\n## By framework\n\n" + ratesBy(confusion, "framework", &CorpusCase::framework);
    out += fmt::format("\n`balanced`: {}\n", formatRate(confusion.countBalanced()));
    out += fmt::format("\n## Contradictions of the speed of light: {}\n\n", confusion.contradictions().size());
    out += fmt::format("Another unit is at {:.0f} % of its peak or more, and none that the finding is about.\n", kUnitAtItsRoof);
    if (!confusion.contradictions().empty())
        out += '\n' + formatContradicted(confusion);
    return out + "\n## Not found\n\n" + formatMissed(confusion);
}

} // namespace kl::inline confusion
