// SPDX-License-Identifier: MIT
#pragma once

namespace kl::inline session {

/// Argument of choose-fix: the user edits the source, in an editor of their own.
inline constexpr const char* kOwnEdit = "own-edit";
/// Argument of choose-fix: the fastest point of the current variant's tunables, found by a search, is the one change; also the id of that
/// fix. "search:60" measures for at most 60 s.
inline constexpr const char* kSearchFix = "search";
/// Arguments of keep: the edit becomes a commit in the user's repository, or does not, whatever the option git says.
inline constexpr const char* kKeepWithGit = "git";
inline constexpr const char* kKeepWithoutGit = "no-git";

} // namespace kl::inline session
