// SPDX-License-Identifier: MIT
#include "sessions/bisect/scratch_worktree.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace kl {
namespace {

namespace fs = std::filesystem;

Result<CommandAnswer> gitIn(const std::string& folder, const std::vector<std::string>& words)
{
    std::vector<std::string> all{"-C", folder, "-c", "core.hooksPath=/dev/null"};
    all.insert(all.end(), words.begin(), words.end());
    return runCommand("git", all);
}

} // namespace

ScratchWorktree::ScratchWorktree(std::string repository, std::string folder)
    : repository_(std::move(repository)), folder_(std::move(folder)), root_(folder_ + "/tree")
{
}

ScratchWorktree::ScratchWorktree(ScratchWorktree&& other) noexcept
    : repository_(std::move(other.repository_)), folder_(std::exchange(other.folder_, {})), root_(std::move(other.root_))
{
}

ScratchWorktree::~ScratchWorktree()
{
    if (folder_.empty())
        return;
    static_cast<void>(gitIn(repository_, {"worktree", "remove", "--force", root_}));
    std::error_code failure;
    fs::remove_all(folder_, failure);
}

Result<ScratchWorktree> ScratchWorktree::add(const std::string& repository, const std::string& commit)
{
    std::error_code failure;
    std::string folder = (fs::temp_directory_path(failure) / "kloop-bisect-XXXXXX").string();
    if (failure || !::mkdtemp(folder.data()))
        return Error{ErrorCode::environment, "There is no place for a temporary worktree.", "Let TMPDIR name a folder that can be written.",
                     folder, std::strerror(errno)};
    ScratchWorktree tree(repository, folder);
    const Result<CommandAnswer> made = gitIn(repository, {"worktree", "add", "--quiet", "--detach", tree.root_, commit});
    if (!made)
        return made.error();
    if (made->code != 0)
        return Error{ErrorCode::environment, "git could not make a temporary worktree.", "See what git says.", repository, made->errors};
    return tree;
}

Result<std::string> ScratchWorktree::git(const std::vector<std::string>& words, const std::vector<int>& others) const
{
    Result<CommandAnswer> answer = gitIn(root_, words);
    if (!answer)
        return answer.error();
    if (answer->code != 0 && std::find(others.begin(), others.end(), answer->code) == others.end())
        return Error{ErrorCode::environment, fmt::format("git {} failed.", words.front()), "See what git says.", repository_,
                     answer->errors.empty() ? answer->output : answer->errors};
    return std::move(answer->output);
}

} // namespace kl
