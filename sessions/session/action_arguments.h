// SPDX-License-Identifier: MIT
#pragma once

namespace kl::inline session {

/// Argument of choose-fix: the user edits the source, in an editor of their own.
inline constexpr const char* kOwnEdit = "own-edit";
/// Arguments of keep: the edit becomes a commit in the user's repository, or does not, whatever the option git says.
inline constexpr const char* kKeepWithGit = "git";
inline constexpr const char* kKeepWithoutGit = "no-git";

} // namespace kl::inline session
