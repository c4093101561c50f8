// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <vector>

namespace kl {

/// The git work tree that a file lies in.
struct GitTree {
    std::string root;   ///< absolute path
    std::string branch; ///< short name; empty with a detached head
    std::string head;   ///< commit; empty before the first one
    std::string busy;   ///< what is under way: "a merge", "a rebase" …; empty: nothing
};

/// Nothing where the folder lies in no work tree, or git is not installed: then there is nothing to commit to. Error environment: git
/// fails.
Result<std::optional<GitTree>> gitTreeOf(const std::string& folder);

/// Whether HEAD holds a file with exactly this text, line-end conversion and filters applied. No text: whether HEAD lacks the file.
Result<bool> headHolds(const GitTree& tree, const std::string& path, const std::optional<std::string>& text);

/// Commits the files as they lie on disk, and nothing else: what is staged or changed besides stays as it is. Hooks run. Gives the commit.
/// Errors badInput: no branch, something under way, a hook that says no, no user name; git's own words stand in the detail. Nothing is
/// changed then.
Result<std::string> commitFiles(const GitTree& tree, const std::vector<std::string>& paths, const std::string& message);

/// Takes the newest commit back: the branch returns to its parent, the files on disk and whatever else is staged stay as they are. Errors
/// badInput: it is no longer the newest, has no parent, or a remote branch has it.
Status takeBackCommit(const GitTree& tree, const std::string& commit, const std::vector<std::string>& paths);

} // namespace kl
