// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/tree.h"
#include "core/model/run.h"
#include "kernels/catalog.h"
#include "sessions/confusion/holdout.h"
#include "sessions/confusion/ncu_rules.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline confusion {

/// What names the class of a kernel: the tree with hardware counters, the tree without, the tree before counters are read and without
/// experiments (Workbench::profile's early look), Nsight Compute's top rule (ncuOpinion), what its speed-of-light section says.
enum class Judge { counters, inferred, early, ncu, ncuSpeedOfLight };
inline constexpr std::array<Judge, 5> kJudges{Judge::counters, Judge::inferred, Judge::early, Judge::ncu, Judge::ncuSpeedOfLight};

/// Which labeled kernels a rate is over: those that thresholds were tuned on, those held out (Holdout), those measured after the last
/// threshold was set, on sizes never seen before.
enum class Part { all, tuned, heldOut, unseen };

/// One labeled kernel: the class expected in it, and the class that each judge gave it.
struct Judged {
    Address kernel;
    Params problem;
    std::string expected;
    std::array<std::string, kJudges.size()> found; ///< by Judge; empty: not evaluated
    Part part = Part::tuned;

    const std::string& by(Judge judge) const { return found[static_cast<std::size_t>(judge)]; }
};

/// A step of a series: the fix of an expected class, the estimate of the finding before it, and the realized reduction.
struct SeriesStep {
    Address from;
    Address to;
    Params problem;
    std::string fixed;               ///< the class expected in `from`
    std::string after;               ///< class of `to`, by counters
    std::optional<double> estimated; ///< runtime reduction, 0 to 1; unset if the finding had another class or no estimate
    double realized = 0;             ///< 1 - time of `to` / time of `from`, see computeRealizedReduction
    Part part = Part::tuned;

    bool lost() const { return after != fixed; }
    /// The estimate is within a factor of two of the realized reduction.
    bool isWithinTwo() const { return estimated && *estimated <= 2 * realized && *estimated >= realized / 2; }
};

/// The number of cases, and of correct ones.
struct Rate {
    int right = 0;
    int of = 0;

    double percent() const { return of > 0 ? 100.0 * right / of : 0; }
};

/// What is known of how often the diagnosis is correct.
struct Confusion {
    std::vector<Judged> kernels;
    std::vector<SeriesStep> steps;

    Rate rate(Judge judge, Part part = Part::all) const;
    Rate lost() const;
    Rate estimates() const; ///< of the steps whose finding had an estimate
};

/// Diagnoses each run, which must be a profile of a catalog's variant, with its counters and without, and compares the classes with the
/// expected ones. Runs of variants without a label are used as the end of a step. A run that failed is left out. `unseen`:
/// runs of Part::unseen, regardless of the holdout.
Confusion computeConfusion(const std::vector<RunRecord>& runs, const std::vector<RunRecord>& unseen, const Catalog& catalog,
                           const DiagnosisTree& tree, const Holdout& holdout, const NcuRules& ncu);

/// Tables of a markdown document: rates, a matrix for each judge, incorrect ones by name, the steps.
std::string confusionMarkdown(const Confusion& confusion, const Holdout& holdout);

} // namespace kl::inline confusion
