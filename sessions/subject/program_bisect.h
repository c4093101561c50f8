// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/bisect/git_bisect.h"
#include "sessions/measure/workbench.h"
#include "sessions/subject/subject.h"

#include <string>

namespace kl::inline subjects {

/// A search for the commit that broke a program.
struct ProgramBisect {
    std::string good;
    std::string bad = "HEAD";
    RevisionQuestion question; ///< its variant does not matter
};

/// Searches with git bisect, see bisectRevisions, in the repository that holds the program: each revision of the edited files is built and
/// checked on the problem and on every size of the suite, with today's scripts where it had none. Errors: bisectRevisions's, needsConsent;
/// badInput outside of a repository.
Result<BisectResult> bisectProgram(Workbench& bench, const KernelFamily& family, const ProgramBisect& wanted, const Job& job);

} // namespace kl::inline subjects
