// SPDX-License-Identifier: MIT
#include "sessions/edit/git.h"

#include "core/base/try.h"
#include "sessions/edit/command.h"

#include <filesystem>
#include <fmt/format.h>

namespace kl::inline edit {
namespace {

namespace fs = std::filesystem;

std::string withoutLineEnd(std::string text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    return text;
}

Result<CommandAnswer> git(const std::string& folder, std::vector<std::string> words, const std::string& input = {})
{
    words.insert(words.begin(), {"-C", folder, "-c", "core.fsmonitor=false"}); // a program that the repository names
    return runCommand("git", words, input);
}

Error makeGitError(const std::string& what, const std::string& hint, const std::string& where, const CommandAnswer& answer)
{
    return {.code = ErrorCode::badInput,
            .message = what,
            .hint = hint,
            .where = where,
            .detail = withoutLineEnd(answer.errors.empty() ? answer.output : answer.errors)};
}

/// What keeps a commit of single files from being made in this state of the repository.
Status canCommit(const GitTree& tree)
{
    if (!tree.busy.empty())
        return Error{.code = ErrorCode::badInput,
                     .message =
                         fmt::format("{} is in progress in {}: git cannot commit single files until it is finished.", tree.busy, tree.root),
                     .hint = "Finish it, then keep again; or keep without a git commit, and commit by hand.",
                     .where = tree.root};
    if (tree.branch.empty())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("HEAD of {} is detached: the commit would not be on a branch.", tree.root),
                     .hint = "git switch -c NAME, then keep again; or keep without a git commit.",
                     .where = tree.root};
    return {};
}

std::string busyWith(const fs::path& folder)
{
    std::error_code failure;
    static constexpr struct {
        const char* file;
        const char* what;
    } kStates[] = {{"MERGE_HEAD", "A merge"},
                   {"rebase-merge", "A rebase"},
                   {"rebase-apply", "A rebase"},
                   {"CHERRY_PICK_HEAD", "A cherry-pick"},
                   {"REVERT_HEAD", "A revert"}};
    for (const auto& row : kStates)
        if (fs::exists(folder / row.file, failure))
            return row.what;
    return {};
}

std::vector<std::string> withPaths(std::vector<std::string> words, const std::vector<std::string>& paths)
{
    words.emplace_back("--");
    for (const std::string& path : paths)
        words.push_back(":(literal)" + path);
    return words;
}

} // namespace

Result<std::optional<GitTree>> findGitTree(const std::string& folder)
{
    const Result<CommandAnswer> where = git(folder, {"rev-parse", "--show-toplevel", "--absolute-git-dir"});
    if (!where && where.error().code == ErrorCode::notFound)
        return std::optional<GitTree>();
    if (!where)
        return where.error();
    const std::size_t line = where->output.find('\n');
    if (where->code != 0 || line == std::string::npos)
        return std::optional<GitTree>();
    GitTree tree;
    tree.root = where->output.substr(0, line);
    tree.busy = busyWith(withoutLineEnd(where->output.substr(line + 1)));
    const Result<CommandAnswer> branch = git(tree.root, {"symbolic-ref", "--short", "-q", "HEAD"});
    const Result<CommandAnswer> head = git(tree.root, {"rev-parse", "-q", "--verify", "HEAD^{commit}"});
    if (!branch || !head)
        return branch ? head.error() : branch.error();
    tree.branch = withoutLineEnd(branch->output);
    tree.head = head->code == 0 ? withoutLineEnd(head->output) : std::string();
    return std::optional(tree);
}

Result<std::string> findOldestCommit(const GitTree& tree, const std::string& path)
{
    KL_ASSIGN(const CommandAnswer answer, git(tree.root, {"log", "--follow", "--format=%H", "--", path}));
    const std::string commits = withoutLineEnd(answer.output);
    if (answer.code != 0 || commits.empty())
        return makeGitError(fmt::format("No commit of {} has {}.", tree.root, path), "Commit the kernel first.", path, answer);
    return commits.substr(commits.find_last_of('\n') + 1); // npos + 1 is 0: the only one
}

Result<bool> headHolds(const GitTree& tree, const std::string& path, const std::optional<std::string>& text)
{
    const std::string name = fs::path(path).lexically_relative(tree.root).generic_string();
    KL_ASSIGN(const CommandAnswer held, git(tree.root, {"rev-parse", "-q", "--verify", "HEAD:" + name}));
    if (!text)
        return held.code != 0;
    KL_ASSIGN(const CommandAnswer wanted, git(tree.root, {"hash-object", "--path=" + name, "--stdin"}, *text));
    return held.code == 0 && wanted.code == 0 && held.output == wanted.output;
}

Result<std::string> commitFiles(const GitTree& tree, const std::vector<std::string>& paths, const std::string& message)
{
    KL_TRY(canCommit(tree));
    std::vector<std::string> fresh; // git commits by name only what it knows
    for (const std::string& path : paths) {
        KL_ASSIGN(const CommandAnswer known, git(tree.root, withPaths({"ls-files", "--error-unmatch"}, {path})));
        if (known.code != 0)
            fresh.push_back(path);
    }
    if (!fresh.empty()) {
        KL_ASSIGN(const CommandAnswer added, git(tree.root, withPaths({"add", "--intent-to-add"}, fresh)));
        if (added.code != 0)
            return makeGitError("git does not accept a file of the kernel.", "Is it ignored? Add it by hand.", fresh.front(), added);
    }
    const Result<CommandAnswer> made = git(tree.root, withPaths({"commit", "--only", "--quiet", "--file=-"}, paths), message);
    if (!made || made->code != 0) {
        if (!fresh.empty())
            static_cast<void>(git(tree.root, withPaths({"reset", "--quiet"}, fresh)));
        if (!made)
            return made.error();
        return makeGitError("git refused the commit; nothing is changed.",
                            "Fix what git reports (a hook, user.name), then keep again; or keep without a git commit.", tree.root, *made);
    }
    KL_ASSIGN(const CommandAnswer head, git(tree.root, {"rev-parse", "HEAD"}));
    return withoutLineEnd(head.output);
}

Status takeBackCommit(const GitTree& tree, const std::string& commit, const std::vector<std::string>& paths)
{
    KL_TRY(canCommit(tree));
    const std::string hint = fmt::format("git revert {} undoes it in a commit of its own.", commit.substr(0, 12));
    if (tree.head != commit)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} is no longer the newest commit.", commit.substr(0, 12)),
                     .hint = hint,
                     .where = tree.root};
    KL_ASSIGN(const CommandAnswer remote, git(tree.root, {"branch", "--remotes", "--contains", commit}));
    if (!withoutLineEnd(remote.output).empty())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} is on a remote branch already.", commit.substr(0, 12)),
                     .hint = hint,
                     .where = tree.root};
    KL_ASSIGN(const CommandAnswer moved, git(tree.root, {"update-ref", "-m", "kloop: undo keep", "HEAD", commit + "^", commit}));
    if (moved.code != 0)
        return makeGitError("git could not undo the commit.", hint, tree.root, moved);
    KL_ASSIGN(const CommandAnswer unstaged, git(tree.root, withPaths({"reset", "--quiet"}, paths)));
    return unstaged.code == 0 ? Status{} : Status(makeGitError("git could not unstage the files.", "See git status.", tree.root, unstaged));
}

} // namespace kl::inline edit
