// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/catalog.h"
#include "sessions/bisect/git_bisect.h"

#include <optional>
#include <string>

namespace kl::inline bisection {

/// What a bisect tests in each revision of a user's kernel.
struct BisectQuestion {
    enum class About {
        builds, ///< bad: it does not compile. Needs only NVRTC
        wrong,  ///< bad: a size of its suite, or the problem, comes out incorrect or faults
        slower, ///< bad: it takes more than `ratio` times the good revision's time
    };
    About about = About::wrong;
    double ratio = 1.1;
    std::string descriptor;     ///< kernel.json, relative to the repository's root
    Address kernel;             ///< variant and tunables; no variant: the first of the good revision
    Params problem;             ///< empty: the kernel's default
    std::string arch = "sm_90"; ///< of builds
};

/// Tests the kernel of one revision after another. A revision without the kernel, or one that does not compile when something else is
/// tested, is skipped, and so is one whose interleaved A/B against the good revision spans the ratio after 20 blocks.
class RevisionJudge {
public:
    /// Borrows the collector.
    RevisionJudge(Collector& collector, BisectQuestion question) : collector_(collector), question_(std::move(question)) {}

    /// Precondition: the good revision is tested first; others are timed against it. Errors: the collector's.
    Result<Judgment> judge(const std::string& root, const Job& job);

private:
    Result<Judgment> builds(WorkSpec work, const Job& job) const;
    Result<Judgment> isCorrect(const Catalog& kernels, WorkSpec work, const Job& job) const;
    Result<Judgment> isFast(WorkSpec work, const Job& job) const;

    Collector& collector_;
    BisectQuestion question_;
    std::optional<WorkSpec> good_; ///< of the good revision, for About::slower
};

} // namespace kl::inline bisection
