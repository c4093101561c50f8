// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "core/model/params.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline session {

/// A published figure of the kernel or its baseline, kept apart from local measurements.
struct Claim {
    std::string source;           ///< whose: "README of flash-x"
    std::string figure;           ///< "1.5x", "12 us", "900 GB/s", "40 TFLOP/s"; other texts are shown but not compared
    std::string about = "kernel"; ///< or "baseline"

    bool operator==(const Claim&) const = default;
};

/// A claim and the measurement of the same quantity.
struct ClaimView {
    Claim claim;
    std::string measured;          ///< "1.12×"; empty until the baseline is measured
    std::optional<double> reached; ///< measured figure over the claimed one, for times the inverse: below 1 misses the claim
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
    std::string unavailable; ///< why there was no build: a recording may not have it

    bool operator==(const BuildFacts&) const = default;
};

/// compute-sanitizer's memcheck and initcheck on a candidate, and the tools that found an error earlier in the session.
struct MemoryCheck {
    std::string sourceHash;
    std::string seen;        ///< what each tool found, or why it could not run; if a kernel ran
    std::string unavailable; ///< why no tool ran, and what to do about it; empty if they did
    int found = 0;           ///< places in the code with an error
    bool complete = false;   ///< every tool completed, or found an error

    bool operator==(const MemoryCheck&) const = default;
};

/// One debugging iteration: hypothesis, check, observation, attempted fix, conclusion.
struct DebugIteration {
    int number = 1;
    std::string believed;
    std::string instrument;
    std::string seen;      ///< the minimal failing case and its figures
    std::string sanitizer; ///< what each run of compute-sanitizer found, or why it could not run; empty: not run
    std::string analysis;  ///< conclusion from it
    std::string fix;
    std::string result; ///< of the fix: on the failing case, then on every size
    std::string learned;
    std::string evidence; ///< "run:ID" of the failing case, or empty

    bool operator==(const DebugIteration&) const = default;
};

/// A candidate that is an edit of the kernel's source, the size of one commit.
struct SourceChange {
    std::string file;
    std::string before;     ///< contentHash of the current source
    std::string after;      ///< contentHash of the edited source
    std::string summary;    ///< "+3 −2 lines"
    std::string diff;       ///< unified
    std::string copyBefore; ///< artifact with the kernel's files at that time, see encodeFiles
    std::string copyAfter;  ///< artifact with the edited files
    bool git = false;       ///< the file is in a git work tree
    std::string goal;       ///< title of the finding's fix that it implements; empty: none

    bool operator==(const SourceChange&) const = default;
};

/// A one-variable step with a gain too small to be kept alone.
struct ParkedStep {
    Address from;
    Address to;
    std::string title;
    ComparisonId comparison;
    Ratio ratio;                        ///< time(from) / time(to)
    std::optional<SourceChange> source; ///< set for an edit of the source; its text is then in the file

    bool operator==(const ParkedStep&) const = default;
};

/// The edits among the parked steps and the current one as one change: from the text before the first to that after the last. Unset where
/// no step edits the source.
std::optional<SourceChange> wholeEdit(const std::vector<ParkedStep>& parked, const std::optional<SourceChange>& last);

/// An edit in progress, not taken yet.
struct BegunEdit {
    std::string file;   ///< absolute path of the kernel's source
    std::string before; ///< contentHash of the current source
    std::string copy;   ///< artifact with the kernel's files at that time
    bool git = false;
    std::string fix;  ///< id of the finding's fix that it implements, or "own-edit"
    std::string goal; ///< that fix's title; empty: none

    bool operator==(const BegunEdit&) const = default;
};

/// The newest keep or revert, while it can be undone.
struct LastDecision {
    int seq = 0;
    bool kept = false;
    std::string commit;   ///< made for it; empty: none
    std::string copy;     ///< artifact with the files as a revert found them; empty: it changed no file
    std::string restored; ///< artifact with the files as the revert left them

    bool operator==(const LastDecision&) const = default;
};

/// Parked steps together with the current one: ratios multiply, since each step is measured against the result of the one before.
/// The ends of the interval multiply too: the standard deviation of a sum is at most the sum of the standard deviations, however
/// the errors are correlated, so the product covers the true ratio at least as often as each interval covers its own.
/// A step is parked only if its interval is above 1, which favors lucky measurements by at most one half-width per step; the
/// product of the lower ends, which decides, compensates all of these half-widths.
Ratio computeProduct(const std::vector<ParkedStep>& steps, const std::optional<Ratio>& last);

/// "1 step set aside", "2 steps set aside".
std::string formatParked(std::size_t count);

} // namespace kl::inline session
