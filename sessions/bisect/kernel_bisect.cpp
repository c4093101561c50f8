// SPDX-License-Identifier: MIT
#include "sessions/bisect/kernel_bisect.h"

#include "core/base/try.h"
#include "sessions/edit/git.h"

namespace kl::inline bisection {

namespace fs = std::filesystem;

Result<BisectResult> bisectKernel(Collector& collector, KernelBisect wanted, const Job& job)
{
    const std::string folder = wanted.descriptor.parent_path().string();
    KL_ASSIGN(const std::optional<GitTree> tree, findGitTree(folder));
    if (tree)
        wanted.question.descriptor = fs::weakly_canonical(wanted.descriptor).lexically_relative(fs::weakly_canonical(tree->root)).string();
    RevisionJudge judge(collector, std::move(wanted.question));
    return bisectRevisions(
        folder, wanted.good, wanted.bad, [&](const std::string& root) { return judge.judge(root, job); }, job);
}

const char* toWord(RevisionState state) noexcept
{
    return state == RevisionState::good ? "good" : state == RevisionState::bad ? "bad" : "skipped";
}

} // namespace kl::inline bisection
