// SPDX-License-Identifier: MIT
#include "sessions/bisect/git_bisect.h"

#include "core/base/try.h"
#include "sessions/bisect/scratch_worktree.h"
#include "sessions/edit/git.h"

#include <fmt/format.h>
#include <sstream>

namespace kl::inline bisection {
namespace {

const char* toWord(RevisionState state)
{
    return state == RevisionState::good ? "good" : state == RevisionState::bad ? "bad" : "skip";
}

std::string firstLine(const std::string& text)
{
    return text.substr(0, text.find('\n'));
}

Result<std::string> resolveCommit(const std::string& root, const std::string& revision)
{
    KL_ASSIGN(const CommandAnswer answer,
              runCommand("git", {"-C", root, "rev-parse", "-q", "--verify", "--end-of-options", revision + "^{commit}"}));
    if (answer.code != 0)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("\"{}\" is not a commit of {}.", revision, root),
                     .hint = "git log --oneline lists them.",
                     .where = revision};
    return firstLine(answer.output);
}

Status isAncestor(const std::string& root, const std::string& good, const std::string& bad)
{
    KL_ASSIGN(const CommandAnswer answer, runCommand("git", {"-C", root, "merge-base", "--is-ancestor", good, bad}));
    if (answer.code == 0 && good != bad)
        return {};
    return Error{.code = ErrorCode::badInput,
                 .message = "The good revision is not an ancestor of the bad one: no commit between them introduced the problem.",
                 .hint = "Name an earlier good revision, or swap the two to look for what fixed it.",
                 .where = good.substr(0, 12),
                 .detail = answer.errors};
}

/// Judges what is checked out and notes it down.
Result<RevisionState> judgeHead(const ScratchWorktree& tree, const JudgeRevision& judge, const Job& job, BisectResult& result)
{
    if (job.stop.stop_requested())
        return Error{.code = ErrorCode::interrupted, .message = "Canceled; the repository is as it was.", .where = "bisect"};
    KL_ASSIGN(const std::string logEntry, tree.git({"log", "-1", "--format=%H%n%s"}));
    JudgedRevision revision{firstLine(logEntry), firstLine(logEntry.substr(logEntry.find('\n') + 1)), {}};
    job.report(fmt::format("revision {} ({})", revision.commit.substr(0, 12), revision.subject));
    KL_ASSIGN(Judgment judgment, judge(tree.root()));
    revision.judgment = std::move(judgment);
    result.judged.push_back(std::move(revision));
    return result.judged.back().judgment.state;
}

Status judgeEnd(const ScratchWorktree& tree, const std::string& commit, RevisionState expectedState, const JudgeRevision& judge,
                const Job& job, BisectResult& result)
{
    KL_ASSIGN([[maybe_unused]] const std::string moved, tree.git({"checkout", "--quiet", "--detach", commit}));
    KL_ASSIGN(const RevisionState state, judgeHead(tree, judge, job, result));
    if (state == expectedState)
        return {};
    const JudgedRevision& revision = result.judged.back();
    return Error{.code = ErrorCode::badInput,
                 .message = fmt::format("The {} revision {} is {}: {}", toWord(expectedState), commit.substr(0, 12),
                                        state == RevisionState::skip ? "not testable" : toWord(state), revision.judgment.seen),
                 .hint = "Choose another revision or another check.",
                 .where = commit.substr(0, 12)};
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
    KL_ASSIGN(const std::optional<GitTree> repository, findGitTree(folder));
    if (!repository)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} is not in a git repository, or git is not installed.", folder),
                     .hint = "bisect searches the history of one of your own kernels.",
                     .where = folder};
    const std::string& root = repository->root;
    const Result<std::string> from = resolveCommit(root, good);
    const Result<std::string> to = resolveCommit(root, bad);
    if (!from || !to)
        return from ? to.error() : from.error();
    KL_TRY(isAncestor(root, *from, *to));
    KL_ASSIGN(const ScratchWorktree tree, ScratchWorktree::add(root, *from));
    BisectResult result;
    KL_TRY(judgeEnd(tree, *from, RevisionState::good, judge, job, result));
    KL_TRY(judgeEnd(tree, *to, RevisionState::bad, judge, job, result));
    KL_ASSIGN([[maybe_unused]] const std::string begun, tree.git({"bisect", "start", *to, *from}));
    while (true) {
        KL_ASSIGN(const std::string log, tree.git({"bisect", "log"}));
        result.firstBad = firstBadIn(log);
        if (!result.firstBad.empty())
            return result;
        KL_ASSIGN(const RevisionState state, judgeHead(tree, judge, job, result));
        constexpr int kOnlySkippedLeft = 2;
        KL_ASSIGN([[maybe_unused]] const std::string moved, tree.git({"bisect", toWord(state)}, {kOnlySkippedLeft}));
    }
}

} // namespace kl::inline bisection
