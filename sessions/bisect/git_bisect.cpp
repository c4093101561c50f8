// SPDX-License-Identifier: MIT
#include "sessions/bisect/git_bisect.h"

#include "sessions/bisect/scratch_worktree.h"
#include "sessions/edit/git.h"

#include <fmt/format.h>
#include <sstream>

namespace kl {
namespace {

const char* toWord(RevisionState state)
{
    return state == RevisionState::good ? "good" : state == RevisionState::bad ? "bad" : "skip";
}

std::string firstLine(const std::string& text)
{
    return text.substr(0, text.find('\n'));
}

Result<std::string> commitOf(const std::string& root, const std::string& revision)
{
    const Result<CommandAnswer> answer =
        runCommand("git", {"-C", root, "rev-parse", "-q", "--verify", "--end-of-options", revision + "^{commit}"});
    if (!answer)
        return answer.error();
    if (answer->code != 0)
        return Error{ErrorCode::badInput,
                     fmt::format("\"{}\" is not a commit of {}.", revision, root),
                     "git log --oneline lists them.",
                     revision,
                     {}};
    return firstLine(answer->output);
}

Status isAncestor(const std::string& root, const std::string& good, const std::string& bad)
{
    const Result<CommandAnswer> answer = runCommand("git", {"-C", root, "merge-base", "--is-ancestor", good, bad});
    if (!answer)
        return answer.error();
    if (answer->code == 0 && good != bad)
        return {};
    return Error{ErrorCode::badInput, "The good revision is not an ancestor of the bad one: no commit between them introduced the problem.",
                 "Name an earlier --good, or swap the two to look for what fixed it.", good.substr(0, 12), answer->errors};
}

/// Judges what is checked out and notes it down.
Result<RevisionState> judgeHead(const ScratchWorktree& tree, const JudgeRevision& judge, const Job& job, BisectResult& result)
{
    if (job.stop.stop_requested())
        return Error{ErrorCode::interrupted, "Canceled; the repository is as it was.", {}, "bisect", {}};
    const Result<std::string> told = tree.git({"log", "-1", "--format=%H%n%s"});
    if (!told)
        return told.error();
    JudgedRevision revision{firstLine(*told), firstLine(told->substr(told->find('\n') + 1)), {}};
    job.report(fmt::format("revision {} ({})", revision.commit.substr(0, 12), revision.subject));
    Result<Judgment> judgment = judge(tree.root());
    if (!judgment)
        return judgment.error();
    revision.judgment = std::move(*judgment);
    result.judged.push_back(std::move(revision));
    return result.judged.back().judgment.state;
}

Status judgeEnd(const ScratchWorktree& tree, const std::string& commit, RevisionState said, const JudgeRevision& judge, const Job& job,
                BisectResult& result)
{
    if (const Result<std::string> moved = tree.git({"checkout", "--quiet", "--detach", commit}); !moved)
        return moved.error();
    const Result<RevisionState> state = judgeHead(tree, judge, job, result);
    if (!state)
        return state.error();
    if (*state == said)
        return {};
    const JudgedRevision& revision = result.judged.back();
    return Error{ErrorCode::badInput,
                 fmt::format("The {} revision {} is {}: {}", toWord(said), commit.substr(0, 12),
                             *state == RevisionState::skip ? "not testable" : toWord(*state), revision.judgment.seen),
                 "Choose another revision or another check.",
                 commit.substr(0, 12),
                 {}};
}

/// The result of the search in its log: "# first bad commit: [SHA] …", or one "# possible first bad commit: [SHA] …" per candidate.
std::vector<std::string> firstBadIn(const std::string& log)
{
    std::vector<std::string> found;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("# first bad commit: [") && !line.starts_with("# possible first bad commit: ["))
            continue;
        const std::size_t begin = line.find('[') + 1;
        found.push_back(line.substr(begin, line.find(']') - begin));
    }
    return found;
}

} // namespace

Result<BisectResult> bisectRevisions(const std::string& folder, const std::string& good, const std::string& bad, const JudgeRevision& judge,
                                     const Job& job)
{
    const Result<std::optional<GitTree>> repository = gitTreeOf(folder);
    if (!repository)
        return repository.error();
    if (!*repository)
        return Error{ErrorCode::badInput,
                     fmt::format("{} is not in a git repository, or git is not installed.", folder),
                     "bisect searches the history of one of your own kernels.",
                     folder,
                     {}};
    const std::string& root = (*repository)->root;
    const Result<std::string> from = commitOf(root, good);
    const Result<std::string> to = commitOf(root, bad);
    if (!from || !to)
        return from ? to.error() : from.error();
    if (const Status fine = isAncestor(root, *from, *to); !fine)
        return fine.error();
    const Result<ScratchWorktree> tree = ScratchWorktree::add(root, *from);
    if (!tree)
        return tree.error();
    BisectResult result;
    if (const Status fine = judgeEnd(*tree, *from, RevisionState::good, judge, job, result); !fine)
        return fine.error();
    if (const Status fine = judgeEnd(*tree, *to, RevisionState::bad, judge, job, result); !fine)
        return fine.error();
    if (const Result<std::string> begun = tree->git({"bisect", "start", *to, *from}); !begun)
        return begun.error();
    while (true) {
        const Result<std::string> log = tree->git({"bisect", "log"});
        if (!log)
            return log.error();
        result.firstBad = firstBadIn(*log);
        if (!result.firstBad.empty())
            return result;
        const Result<RevisionState> state = judgeHead(*tree, judge, job, result);
        if (!state)
            return state.error();
        constexpr int kOnlySkippedLeft = 2;
        if (const Result<std::string> moved = tree->git({"bisect", toWord(*state)}, {kOnlySkippedLeft}); !moved)
            return moved.error();
    }
}

} // namespace kl
