// SPDX-License-Identifier: MIT
// The search of git's history in a worktree of its own, judged by a number in a file.
#include "sessions/bisect/git_bisect.h"
#include "sessions/edit/command.h"
#include "tests/support/store_support.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace kl {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

/// Commits 0 to 7 on one branch, each with its number in the file "number".
class GitBisect : public ::testing::Test {
protected:
    GitBisect()
    {
        git({"init", "--quiet", "--initial-branch=main"});
        git({"config", "user.name", "t"});
        git({"config", "user.email", "t@t"});
        for (int i = 0; i < 8; ++i) {
            support::writeBytes(folder / "number", std::to_string(i));
            git({"add", "number"});
            git({"commit", "--quiet", "-m", "number " + std::to_string(i) + "\n\nmore"});
            commits.push_back(git({"rev-parse", "HEAD"}));
        }
    }

    std::string git(std::vector<std::string> words) const
    {
        words.insert(words.begin(), {"-C", folder.path().string()});
        const Result<CommandAnswer> answer = runCommand("git", words);
        EXPECT_TRUE(answer && answer->code == 0) << words[2];
        return answer ? answer->output.substr(0, answer->output.find('\n')) : std::string();
    }

    /// Good below `bad`; those of `skipped` cannot be tested.
    Result<BisectResult> search(const std::string& good, const std::string& last, int bad, const std::set<int>& skipped = {},
                                const Job& job = {}) const
    {
        const JudgeRevision judge = [&](const std::string& root) -> Result<Judgment> {
            EXPECT_NE(std::filesystem::path(root), folder.path());
            const int number = std::stoi(support::readBytes(std::filesystem::path(root) / "number"));
            const RevisionState state = skipped.contains(number) ? RevisionState::skip
                                        : number < bad           ? RevisionState::good
                                                                 : RevisionState::bad;
            return Judgment{state, std::to_string(number)};
        };
        return bisectRevisions(folder.path().string(), good, last, judge, job);
    }

    /// The code of what has to fail.
    static ErrorCode getErrorCode(const Result<BisectResult>& result) { return result ? ErrorCode::internal : result.error().code; }

    support::TempDir folder;
    std::vector<std::string> commits;
};

TEST_F(GitBisect, FindsTheFirstBadCommitBetweenTheTwo)
{
    for (const int bad : {1, 4, 7}) {
        const Result<BisectResult> found = search(commits.front(), "main", bad);
        ASSERT_TRUE(found) << found.error().message;
        EXPECT_THAT(found->firstBad, ElementsAre(commits[static_cast<std::size_t>(bad)])) << bad;
        ASSERT_GE(found->judged.size(), 2U);
        EXPECT_EQ(found->judged[0].commit, commits.front());
        EXPECT_EQ(found->judged[0].subject, "number 0");
        EXPECT_EQ(found->judged[0].judgment.state, RevisionState::good);
        EXPECT_EQ(found->judged[1].commit, commits.back());
        EXPECT_EQ(found->judged[1].judgment.state, RevisionState::bad);
        EXPECT_EQ(found->judged[1].judgment.seen, "7");
        EXPECT_LE(found->judged.size(), 2U + 3U) << "git halves what is left";
    }
}

TEST_F(GitBisect, LeavesTheRepositoryAsItWas)
{
    support::writeBytes(folder / "number", "edited");
    ASSERT_TRUE(search("HEAD~7", "HEAD", 4));
    EXPECT_EQ(support::readBytes(folder / "number"), "edited");
    EXPECT_EQ(git({"rev-parse", "--abbrev-ref", "HEAD"}), "main");
    EXPECT_EQ(git({"rev-parse", "HEAD"}), commits.back());
    const Result<CommandAnswer> trees = runCommand("git", {"-C", folder.path().string(), "worktree", "list", "--porcelain"});
    ASSERT_TRUE(trees);
    EXPECT_EQ(trees->output.find("worktree "), trees->output.rfind("worktree ")) << "none is left: " << trees->output;
}

TEST_F(GitBisect, WhatCannotBeTestedLeavesSeveral)
{
    const Result<BisectResult> found = search(commits.front(), commits.back(), 4, {3, 4});
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_THAT(found->firstBad, UnorderedElementsAre(commits[3], commits[4], commits[5]));
    EXPECT_TRUE(std::ranges::any_of(found->judged, [](const JudgedRevision& one) { return one.judgment.state == RevisionState::skip; }));
}

TEST_F(GitBisect, EndsThatAreNotAsStatedAreRefused)
{
    EXPECT_EQ(getErrorCode(search(commits.front(), commits.back(), 9)), ErrorCode::badInput) << "the last is good, too";
    EXPECT_EQ(getErrorCode(search(commits.front(), commits.back(), 0)), ErrorCode::badInput) << "the first is bad already";
    EXPECT_EQ(getErrorCode(search(commits.front(), commits.back(), 4, {0})), ErrorCode::badInput) << "the first cannot be tested";
    EXPECT_EQ(getErrorCode(search(commits.back(), commits.front(), 4)), ErrorCode::badInput) << "swapped";
    EXPECT_EQ(getErrorCode(search(commits.front(), commits.front(), 4)), ErrorCode::badInput) << "one commit";
    EXPECT_EQ(getErrorCode(search("nosuch", "main", 4)), ErrorCode::badInput);
    const Result<BisectResult> unknown = search(commits.front(), "--all", 4);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::badInput);
    EXPECT_EQ(unknown.error().where, "--all");
    const support::TempDir bare;
    EXPECT_EQ(getErrorCode(bisectRevisions(bare.path().string(), "a", "b", {}, {})), ErrorCode::badInput);
}

TEST_F(GitBisect, EndsWhenItIsStoppedOrItsJudgeFails)
{
    std::stop_source source;
    source.request_stop();
    Job job;
    job.stop = source.get_token();
    EXPECT_EQ(getErrorCode(search(commits.front(), commits.back(), 4, {}, job)), ErrorCode::interrupted);
    int judged = 0;
    const auto failing = bisectRevisions(folder.path().string(), commits.front(), commits.back(),
                                         [&](const std::string&) -> Result<Judgment> {
                                             if (++judged < 3)
                                                 return Judgment{judged == 1 ? RevisionState::good : RevisionState::bad, {}};
                                             return Error{.code = ErrorCode::environment, .message = "the GPU is gone"};
                                         },
                                         {});
    EXPECT_EQ(getErrorCode(failing), ErrorCode::environment);
    EXPECT_EQ(judged, 3);
}

} // namespace
} // namespace kl
