// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"

#include <functional>
#include <string>
#include <vector>

namespace kl::inline bisection {

enum class RevisionState { good, bad, skip }; ///< skip: not testable, like exit status 125 of git bisect

/// The result for one revision.
struct Judgment {
    RevisionState state = RevisionState::skip;
    std::string seen; ///< in words, with figures
};

struct JudgedRevision {
    std::string commit;
    std::string subject; ///< first line of its message
    Judgment judgment;
};

struct BisectResult {
    std::vector<std::string> firstBad;  ///< the first bad commit; several if skipped commits leave it ambiguous
    std::vector<JudgedRevision> judged; ///< in order; the good and the bad revision first
};

/// Tests the files of a revision below `root`. Error: it could not be tried at all; that ends the search.
using JudgeRevision = std::function<Result<Judgment>(const std::string& root)>;

/// Lets git bisect search between two revisions of the repository that holds `folder`, in a temporary worktree: the user's files, index,
/// branches and their own bisect are not changed. The good revision is tested first, then the bad one, then what git picks. Errors
/// badInput: no repository, no such revision, the good one is not an ancestor of the bad one, or one of the two is not as the caller
/// stated; interrupted; the judge's.
Result<BisectResult> bisectRevisions(const std::string& folder, const std::string& good, const std::string& bad, const JudgeRevision& judge,
                                     const Job& job);

} // namespace kl::inline bisection
