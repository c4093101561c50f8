// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline edit {

/// The git work tree of a file.
struct GitTree {
    std::string root;   ///< absolute path
    std::string branch; ///< short name; empty with a detached head
    std::string head;   ///< commit; empty before the first one
    std::string busy;   ///< operation in progress: "a merge", "a rebase" …; empty: nothing
};

/// Unset if the folder is not in a work tree, or git is not installed. Error environment: git
/// fails.
Result<std::optional<GitTree>> findGitTree(const std::string& folder);

/// The oldest commit of HEAD's history that has the file, renames followed. Error badInput: no commit has it.
Result<std::string> findOldestCommit(const GitTree& tree, const std::string& path);

/// Whether HEAD holds a file with exactly this text, line-end conversion and filters applied. No text: whether HEAD lacks the file.
Result<bool> headHolds(const GitTree& tree, const std::string& path, const std::optional<std::string>& text);

/// Commits the files as they are on disk, and nothing else: other staged or changed files are not touched. Hooks run. Returns the commit.
/// Errors badInput: no branch, an operation in progress, a failing hook, no user name; the detail has the message of git. Nothing is
/// changed then.
Result<std::string> commitFiles(const GitTree& tree, const std::vector<std::string>& paths, const std::string& message);

/// Undoes the newest commit: the branch returns to its parent; the files on disk and other staged files are not touched. Errors
/// badInput: it is no longer the newest, has no parent, or a remote branch has it.
Status takeBackCommit(const GitTree& tree, const std::string& commit, const std::vector<std::string>& paths);

} // namespace kl::inline edit
