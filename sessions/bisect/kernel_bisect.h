// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/bisect/revision_judge.h"

#include <filesystem>
#include <string>

namespace kl::inline bisection {

/// A search for the commit that broke, or slowed down, a user's kernel.
struct KernelBisect {
    std::filesystem::path descriptor; ///< kernel.json, absolute
    std::string good;
    std::string bad = "HEAD";
    BisectQuestion question; ///< its descriptor is filled in
};

/// Searches with git bisect, see bisectRevisions and RevisionJudge. Borrows the collector. Errors: those of both.
Result<BisectResult> bisectKernel(Collector& collector, KernelBisect wanted, const Job& job);

/// "good", "bad", "skipped".
const char* toWord(RevisionState state) noexcept;

} // namespace kl::inline bisection
