// SPDX-License-Identifier: MIT
#include "sessions/subject/program_bisect.h"

#include "core/base/try.h"
#include "sessions/edit/git.h"

#include <filesystem>
#include <fmt/format.h>

namespace kl::inline subjects {

Result<BisectResult> bisectProgram(Workbench& bench, const KernelFamily& family, const ProgramBisect& wanted, const Job& job)
{
    const std::unique_ptr<Subject> subject = makeSubject(bench, family);
    const std::string folder = std::filesystem::path(subject->historyFile()).parent_path().string();
    KL_ASSIGN(const std::optional<GitTree> tree, findGitTree(folder));
    if (!tree)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} is not in a git repository, or git is not installed.", folder),
                     .hint = "A search needs the history of the program's files.",
                     .where = folder};
    return bisectRevisions(folder, wanted.good, wanted.bad, subject->judge(wanted.question, tree->root, job), job);
}

} // namespace kl::inline subjects
