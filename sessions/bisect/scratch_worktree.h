// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/scratch_folder.h"
#include "sessions/edit/command.h"

#include <string>
#include <vector>

namespace kl {

/// A worktree of a repository in a temporary folder, with a detached head; gone with the object. Hooks do not run in it.
class ScratchWorktree {
public:
    /// Error environment: git cannot make it.
    static Result<ScratchWorktree> add(const std::string& repository, const std::string& commit);

    ScratchWorktree(ScratchWorktree&&) noexcept = default;
    ScratchWorktree& operator=(ScratchWorktree&&) = delete;
    ~ScratchWorktree();

    const std::string& root() const noexcept { return root_; }

    /// Runs git in it. Error environment where git answers another status than 0, with its words; `others` are as good.
    Result<std::string> git(const std::vector<std::string>& words, const std::vector<int>& others = {}) const;

private:
    ScratchWorktree(std::string repository, ScratchFolder folder);

    std::string repository_;
    ScratchFolder folder_; ///< holds the worktree
    std::string root_;
};

} // namespace kl
