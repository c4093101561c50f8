// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/diagnosis/classes.h"
#include "sessions/confusion/confusion.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace kl::inline confusion {
namespace {

const char* titleFor(Judge judge)
{
    switch (judge) {
    case Judge::counters: return "The tree, with hardware counters";
    case Judge::inferred: return "The tree, without hardware counters";
    case Judge::early: return "The tree, first finding before counters";
    case Judge::ncu: return "Nsight Compute's top rule";
    case Judge::ncuSpeedOfLight: return "Nsight Compute's speed of light";
    }
    return "";
}

std::string words(const Rate& rate)
{
    if (rate.of <= 0)
        return kNoValue;
    const double percent = rate.right < rate.of ? std::min(rate.percent(), 99.0) : 100; // 99.6 % is not all
    return fmt::format("{} of {} ({:.0f} %)", rate.right, rate.of, percent);
}

std::string rates(const Confusion& confusion)
{
    std::string out = "| classified by | all | tuned on | held out | never seen |\n| --- | --- | --- | --- | --- |\n";
    for (const Judge judge : kJudges) {
        out += fmt::format("| {} |", titleFor(judge));
        for (const Part part : {Part::all, Part::tuned, Part::heldOut, Part::unseen})
            out += fmt::format(" {} |", words(confusion.rate(judge, part)));
        out += '\n';
    }
    return out;
}

const char* nameFor(Part part)
{
    switch (part) {
    case Part::heldOut: return "held out";
    case Part::unseen: return "never seen";
    default: return "";
    }
}

/// Rows: expected; columns: found. Only classes that occur.
std::string matrix(const Confusion& confusion, Judge judge)
{
    std::map<std::string, std::map<std::string, int>> counts;
    std::map<std::string, bool> columns;
    for (const Judged& one : confusion.kernels)
        if (!one.by(judge).empty()) {
            ++counts[one.expected][one.by(judge)];
            columns[one.by(judge)] = true;
        }
    if (counts.empty())
        return "Not evaluated.\n";
    std::vector<std::string> names;
    for (const std::string_view classId : kClasses)
        if (columns.erase(std::string(classId)) > 0)
            names.emplace_back(classId);
    for (const auto& [name, used] : columns) // what is not a class of ours: "none"
        names.push_back(name);
    std::string out = "| expected \\ found |";
    std::string line = "| --- |";
    for (const std::string& name : names) {
        out += fmt::format(" {} |", name);
        line += " ---: |";
    }
    out += '\n' + line + '\n';
    for (const std::string_view classId : kClasses) {
        const auto row = counts.find(std::string(classId));
        if (row == counts.end())
            continue;
        out += fmt::format("| {} |", classId);
        for (const std::string& name : names) {
            const auto cell = row->second.find(name);
            const std::string count = cell == row->second.end() ? std::string() : std::to_string(cell->second);
            out += name == classId && !count.empty() ? fmt::format(" **{}** |", count) : fmt::format(" {} |", count);
        }
        out += '\n';
    }
    return out;
}

/// How much was judged: variants, classes, measured sizes.
std::string formatCounted(const Confusion& confusion)
{
    std::set<std::string> variants, classes;
    for (const Judged& one : confusion.kernels) {
        variants.insert(toText(one.kernel));
        classes.insert(one.expected);
    }
    return fmt::format("{} labeled variants of {} classes, measured {} times.", variants.size(), classes.size(), confusion.kernels.size());
}

std::string wrongOnes(const Confusion& confusion)
{
    std::string out = "| kernel | problem | expected | with counters | without | ncu | |\n| --- | --- | --- | --- | --- | --- | --- |\n";
    for (const Judged& one : confusion.kernels)
        if (one.by(Judge::counters) != one.expected || one.by(Judge::inferred) != one.expected)
            out += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", toText(one.kernel), toText(one.problem), one.expected,
                               one.by(Judge::counters), one.by(Judge::inferred), one.by(Judge::ncu), nameFor(one.part));
    return out;
}

std::string steps(const Confusion& confusion)
{
    std::string out =
        "| step | problem | fixes | then | estimate | realized | within 2 x |\n| --- | --- | --- | --- | ---: | ---: | --- |\n";
    for (const SeriesStep& step : confusion.steps)
        out +=
            fmt::format("| {} > {} | {} | {} | {} | {} | {} | {} |\n", toText(step.from), step.to.variant, toText(step.problem), step.fixed,
                        step.after, step.estimated ? formatPercent(100 * *step.estimated) : kNoValue, formatPercent(100 * step.realized),
                        !step.estimated      ? kNoValue
                        : step.isWithinTwo() ? "yes"
                                             : "no");
    return out;
}

} // namespace

std::string confusionMarkdown(const Confusion& confusion, const Holdout& holdout)
{
    std::string out = "# How often is the diagnosis correct?\n\nEvery labeled kernel of the catalog on every problem that is measured: its "
                      "expected class and the class found. ";
    out += formatCounted(confusion) + "\n\n";
    out += rates(confusion);
    out += fmt::format("\nHeld out, chosen {}: {}\n", holdout.chosenAt, holdout.how);
    if (confusion.rate(Judge::counters, Part::unseen).of > 0)
        out += fmt::format("\nNever seen: {}\n", holdout.unseen);
    for (const Judge judge : kJudges)
        out += fmt::format("\n## {}\n\n{}", titleFor(judge), matrix(confusion, judge));
    out += "\n## Incorrect diagnoses\n\n" + wrongOnes(confusion);
    out += fmt::format("\n## Steps: the expected class is gone in {}; the estimate is within a factor of two in {}\n\n{}",
                       words(confusion.lost()), words(confusion.estimates()), steps(confusion));
    return out;
}

} // namespace kl::inline confusion
