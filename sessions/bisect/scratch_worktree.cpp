// SPDX-License-Identifier: MIT
#include "sessions/bisect/scratch_worktree.h"

#include "core/base/leftovers.h"
#include "core/base/try.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <sstream>
#include <utility>

namespace kl::inline bisection {
namespace {

/// "filter.NAME." of each filter that the repository itself configures, whose programs a checkout would start. Those of the user's own
/// configuration stay, as for large files.
std::set<std::string> ownFilters(const std::string& folder)
{
    std::set<std::string> filters;
    const Result<CommandAnswer> listed =
        runCommand("git", {"-C", folder, "config", "--local", "--includes", "--name-only", "--get-regexp", "^filter[.]"});
    std::istringstream lines(listed ? listed->output : std::string());
    for (std::string line; std::getline(lines, line);)
        if (const std::size_t dot = line.rfind('.'); dot != std::string::npos)
            filters.insert(line.substr(0, dot + 1));
    return filters;
}

/// Nothing that a repository's own configuration names is started: it may be somebody else's.
Result<CommandAnswer> gitIn(const std::string& folder, const std::vector<std::string>& words)
{
    std::vector<std::string> all{"-C", folder, "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"};
    for (const std::string& filter : ownFilters(folder))
        for (const char* setting : {"smudge=", "clean=", "process=", "required=false"})
            all.insert(all.end(), {"-c", filter + setting});
    all.insert(all.end(), words.begin(), words.end());
    return runCommand("git", all);
}

} // namespace

ScratchWorktree::ScratchWorktree(std::string repository, ScratchFolder folder)
    : repository_(std::move(repository)), folder_(std::move(folder)), root_((folder_.path() / "tree").string())
{
}

ScratchWorktree::~ScratchWorktree()
{
    if (folder_.path().empty())
        return;
    const Finishing finishing; // git would keep a record of the removed worktree
    static_cast<void>(gitIn(repository_, {"worktree", "remove", "--force", root_}));
}

Result<ScratchWorktree> ScratchWorktree::add(const std::string& repository, const std::string& commit)
{
    KL_ASSIGN(ScratchFolder folder, ScratchFolder::make());
    ScratchWorktree tree(repository, std::move(folder));
    KL_ASSIGN(const CommandAnswer made, gitIn(repository, {"worktree", "add", "--quiet", "--detach", tree.root_, commit}));
    if (made.code != 0)
        return Error{.code = ErrorCode::environment,
                     .message = "git could not make a temporary worktree.",
                     .hint = "See the output of git.",
                     .where = repository,
                     .detail = made.errors};
    return tree;
}

Result<std::string> ScratchWorktree::git(const std::vector<std::string>& words, const std::vector<int>& others) const
{
    KL_ASSIGN(CommandAnswer answer, gitIn(root_, words));
    if (answer.code != 0 && std::find(others.begin(), others.end(), answer.code) == others.end())
        return Error{.code = ErrorCode::environment,
                     .message = fmt::format("git {} failed.", words.front()),
                     .hint = "See the output of git.",
                     .where = repository_,
                     .detail = answer.errors.empty() ? answer.output : answer.errors};
    return std::move(answer.output);
}

} // namespace kl::inline bisection
