// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "core/model/params.h"

#include <optional>
#include <string>
#include <vector>

namespace kl {

/// What somebody says about the kernel or its baseline, kept apart from what is measured here (rule 7).
struct Claim {
    std::string source;           ///< whose: "README of flash-x"
    std::string figure;           ///< "1.5x", "12 us", "900 GB/s", "40 TFLOP/s"; any other words are shown and not compared
    std::string about = "kernel"; ///< or "baseline"

    bool operator==(const Claim&) const = default;
};

/// A claim beside our measurement of the same quantity.
struct ClaimView {
    Claim claim;
    std::string measured;          ///< "1.12×"; empty until the baseline is measured
    std::optional<double> reached; ///< our figure over the claimed one, for times the other way round: below 1 misses the claim
    std::string verdict;           ///< "not measured yet", "reached", "missed", or why the two cannot be compared
    std::string evidence;          ///< "run:ID", or empty
};

/// A verbose build of the start variant.
struct BuildFacts {
    std::string status; ///< "ok", or how it failed
    std::string reason;
    std::string log; ///< artifact that holds compiler and ptxas messages; empty when there were none
    std::string arch;
    double seconds = 0;
    int warnings = 0;        ///< lines of the log that warn
    std::string unavailable; ///< why no build was made: a recording may lack it

    bool operator==(const BuildFacts&) const = default;
};

/// compute-sanitizer's memcheck and initcheck on a candidate.
struct MemoryCheck {
    std::string sourceHash;
    std::string seen;        ///< what each tool found, or why it could not look; where a kernel ran
    std::string unavailable; ///< why neither tool was run, and what to do about it; empty: they were
    int found = 0;           ///< places in the code with an error
    bool complete = false;   ///< both tools saw the kernel to its end, or found an error

    bool operator==(const MemoryCheck&) const = default;
};

/// One pass through the debugging loop: what was believed, how it was looked at, what was seen, what was tried, what was learned.
struct DebugIteration {
    int number = 1;
    std::string believed;
    std::string instrument;
    std::string seen;      ///< the minimal failing case and its figures
    std::string sanitizer; ///< what compute-sanitizer found there, or why it could not look; empty: it was not asked
    std::string analysis;  ///< what that says
    std::string fix;
    std::string result; ///< of the fix: on the failing case, then on every size
    std::string learned;
    std::string evidence; ///< "run:ID" of the failing case, or empty

    bool operator==(const DebugIteration&) const = default;
};

/// A candidate that is the kernel's own source, edited: one commit's worth.
struct SourceChange {
    std::string file;
    std::string before;     ///< contentHash of the source that stands
    std::string after;      ///< contentHash of the edited source
    std::string summary;    ///< "+3 −2 lines"
    std::string diff;       ///< unified
    std::string copyBefore; ///< artifact with the kernel's files as they stood, see encodeFiles
    std::string copyAfter;  ///< artifact with the edited files
    bool git = false;       ///< the file lies in a git work tree
    std::string goal;       ///< title of the finding's fix that it is made for; empty: none of them

    bool operator==(const SourceChange&) const = default;
};

/// A one-variable step with a gain too small to be kept alone.
struct ParkedStep {
    Address from;
    Address to;
    std::string title;
    ComparisonId comparison;
    Ratio ratio;                        ///< time(from) / time(to)
    std::optional<SourceChange> source; ///< where the step is an edit of the source; its text then stands in the file

    bool operator==(const ParkedStep&) const = default;
};

/// The edits among parked steps and the one in hand as one change: from the text before the first to that after the last. Nothing where
/// no step edits the source.
std::optional<SourceChange> wholeEdit(const std::vector<ParkedStep>& parked, const std::optional<SourceChange>& last);

/// An edit that was begun and not taken yet: the user is at it.
struct BegunEdit {
    std::string file;   ///< absolute path of the kernel's source
    std::string before; ///< contentHash of the source that stands
    std::string copy;   ///< artifact with the kernel's files as they stood
    bool git = false;
    std::string fix;  ///< id of the finding's fix that it is made for, or "own-edit"
    std::string goal; ///< that fix's title; empty: none of them

    bool operator==(const BegunEdit&) const = default;
};

/// The newest keep or revert, for as long as it can be undone.
struct LastDecision {
    int seq = 0;
    bool kept = false;
    std::string commit;   ///< that was made for it; empty: none
    std::string copy;     ///< artifact with the files as a revert found them; empty: it changed no file
    std::string restored; ///< artifact with the files as the revert left them

    bool operator==(const LastDecision&) const = default;
};

/// Parked steps together with the one in hand: ratios multiply, since each step is measured against the variant that the one before
/// left. The ends of the interval multiply too: the standard deviation of a sum is at most the sum of the standard deviations, whatever
/// the steps' errors have to do with each other, so the product covers the true ratio at least as often as each interval does its own.
/// A step is parked only where its interval lies above 1, which favors lucky measurements by at most one half-width a step; the
/// multiplied lower ends, which decide, give all of these half-widths away.
Ratio productOf(const std::vector<ParkedStep>& steps, const std::optional<Ratio>& last);

/// "1 parked step", "2 parked steps".
std::string parkedWords(std::size_t count);

} // namespace kl
