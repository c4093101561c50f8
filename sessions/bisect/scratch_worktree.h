// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/scratch_folder.h"
#include "sessions/edit/command.h"

#include <string>
#include <vector>

namespace kl::inline bisection {

/// A worktree of a repository in a temporary folder, with a detached HEAD; removed by the destructor. Hooks do not run in it.
class ScratchWorktree {
public:
    /// Error environment: git cannot create it.
    static Result<ScratchWorktree> add(const std::string& repository, const std::string& commit);

    ScratchWorktree(ScratchWorktree&&) noexcept = default;
    ScratchWorktree& operator=(ScratchWorktree&&) = delete;
    ~ScratchWorktree();

    const std::string& root() const noexcept { return root_; }

    /// Runs git in it. Error environment, with git's output, for an exit status other than 0 and `others`.
    Result<std::string> git(const std::vector<std::string>& words, const std::vector<int>& others = {}) const;

private:
    ScratchWorktree(std::string repository, ScratchFolder folder);

    std::string repository_;
    ScratchFolder folder_; ///< holds the worktree
    std::string root_;
};

} // namespace kl::inline bisection
