// SPDX-License-Identifier: MIT
// The worktree in which a history search tests revisions: what a repository's own configuration names does not run there.
#include "kernels/catalog.h"
#include "kernels/user_kernel.h"
#include "sessions/bisect/kernel_bisect.h"
#include "sessions/bisect/scratch_worktree.h"
#include "sessions/edit/command.h"
#include "tests/support/fake_collector.h"
#include "tests/support/store_support.h"

#include <gmock/gmock.h>

namespace kl::test {
namespace {

class ScratchWorktrees : public ::testing::Test {
protected:
    ScratchWorktrees()
    {
        std::filesystem::create_directories(folder / "repo");
        git({"init", "--quiet", "--initial-branch=main"});
        git({"config", "user.name", "t"});
        git({"config", "user.email", "t@t"});
        write("number", "1");
        commit("one");
        write("number", "2");
        commit("two");
    }
    void write(const std::string& name, const std::string& text) const { support::writeBytes(folder / "repo" / name, text); }
    void commit(const std::string& subject) const
    {
        git({"add", "."});
        git({"commit", "--quiet", "-m", subject});
    }
    std::string git(std::vector<std::string> words) const
    {
        words.insert(words.begin(), {"-C", repository()});
        const Result<CommandAnswer> answer = runCommand("git", words);
        EXPECT_TRUE(answer && answer->code == 0) << words[2];
        return answer ? answer->output : std::string();
    }
    std::string repository() const { return (folder / "repo").string(); }
    std::filesystem::path descriptor() const { return folder / "repo/kernels/flip/kernel.json"; }

    /// Commits a kernel and three edits of it, of which the last is wrong on the GPU. Returns the first, which is right.
    std::string commitKernel()
    {
        std::filesystem::create_directories(descriptor().parent_path());
        for (const char* name : {"kernel.json", "flip.cu"})
            write(std::string("kernels/flip/") + name,
                  support::readBytes(std::filesystem::path(KL_SOURCE_DIR "/tests/data/own_transpose") / name));
        commit("kernel");
        const std::string good = git({"rev-parse", "HEAD"}).substr(0, 40);
        const std::string source = support::readBytes(folder / "repo/kernels/flip/flip.cu");
        for (const char* line : {"// a\n", "// b\n", "// c\n"}) {
            write("kernels/flip/flip.cu", line + source);
            commit(line);
        }
        gpu.kernels["flip/plain"].right = true;
        Catalog catalog({});
        const Result<KernelFamily> now = loadKernel(descriptor());
        EXPECT_TRUE(now && catalog.add(*now));
        gpu.kernels["flip/plain#" + catalog.identify({"flip", "plain", {}}, {})->sourceHash].right = false;
        return good;
    }

    support::TempDir folder;
    FakeCollector gpu;
};

TEST_F(ScratchWorktrees, HoldsACommitAndGoesAwayWithIt)
{
    std::string root;
    {
        const Result<ScratchWorktree> tree = ScratchWorktree::add(repository(), "HEAD~1");
        ASSERT_TRUE(tree) << tree.error().message;
        root = tree->root();
        EXPECT_EQ(support::readBytes(std::filesystem::path(root) / "number"), "1");
        EXPECT_EQ(*tree->git({"log", "-1", "--format=%s"}), "one\n");
        EXPECT_EQ(tree->git({"rev-parse", "--verify", "nosuch"}).error().code, ErrorCode::environment);
        EXPECT_TRUE(tree->git({"diff", "--quiet", "HEAD", "main"}, {1})) << "a status that is an answer";
        EXPECT_FALSE(tree->git({"diff", "--quiet", "HEAD", "main"}, {2}));
    }
    EXPECT_FALSE(std::filesystem::exists(root));
    EXPECT_EQ(git({"worktree", "list", "--porcelain"}).find(root), std::string::npos);
    const Result<ScratchWorktree> none = ScratchWorktree::add(repository(), "nosuch");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::environment);
    EXPECT_EQ(none.error().where, repository());
    EXPECT_FALSE(none.error().detail.empty());
}

TEST_F(ScratchWorktrees, StartsNeitherHooksNorFiltersOfTheRepository)
{
    const std::string ran = (folder / "ran").string();
    write(".gitattributes", "number filter=mine\n");
    commit("attributes");
    support::writeBytes(folder / "repo/.git/hooks/post-checkout", "#!/bin/sh\necho hook >> " + ran + "\n");
    std::filesystem::permissions(folder / "repo/.git/hooks/post-checkout", std::filesystem::perms::owner_all);
    for (const char* kind : {"smudge", "clean"})
        git({"config", std::string("filter.mine.") + kind, "sh -c 'echo filter >> " + ran + "; cat'"});
    git({"config", "filter.mine.required", "true"});
    git({"config", "core.fsmonitor", "sh -c 'echo monitor >> " + ran + "'"});
    std::filesystem::remove(ran);
    {
        const Result<ScratchWorktree> tree = ScratchWorktree::add(repository(), "HEAD");
        ASSERT_TRUE(tree) << tree.error().message << tree.error().detail;
        EXPECT_EQ(support::readBytes(std::filesystem::path(tree->root()) / "number"), "2");
        EXPECT_TRUE(tree->git({"checkout", "--quiet", "HEAD~1"}));
        EXPECT_TRUE(tree->git({"status", "--short"}));
    }
    EXPECT_EQ(support::readBytes(ran), "");
}

TEST_F(ScratchWorktrees, AKernelIsSearchedByItsPlaceInTheRepository)
{
    KernelBisect wanted{descriptor(), commitKernel()};
    const Result<BisectResult> found = bisectKernel(gpu, wanted, {});
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_THAT(found->firstBad, testing::ElementsAre(git({"rev-parse", "HEAD"}).substr(0, 40)));
    wanted.bad = "HEAD~1";
    EXPECT_EQ(bisectKernel(gpu, wanted, {}).error().code, ErrorCode::badInput) << "that one is good, too";
}

TEST_F(ScratchWorktrees, AKernelIsSearchedThroughALinkOrARelativeName)
{
    const std::string good = commitKernel();
    std::filesystem::create_directory_symlink(folder / "repo/kernels/flip", folder / "linked");
    const std::string newest = git({"rev-parse", "HEAD"}).substr(0, 40);
    for (const std::filesystem::path& place : {folder / "linked/kernel.json", std::filesystem::relative(descriptor())}) {
        const Result<BisectResult> found = bisectKernel(gpu, {place, good}, {});
        ASSERT_TRUE(found) << place << ' ' << found.error().message;
        EXPECT_THAT(found->firstBad, testing::ElementsAre(newest)) << place;
    }
}

TEST_F(ScratchWorktrees, StartsNoFilterOfAFileThatTheRepositoryIncludes)
{
    const std::string ran = (folder / "ran").string();
    write(".gitattributes", "number filter=theirs\n");
    commit("attributes");
    support::writeBytes(folder / "repo/.git/more", "[filter \"theirs\"]\n\tsmudge = sh -c 'echo filter >> " + ran +
                                                       "; cat'\n\tclean = sh -c 'echo filter >> " + ran + "; cat'\n\trequired = true\n");
    git({"config", "include.path", "more"});
    {
        const Result<ScratchWorktree> tree = ScratchWorktree::add(repository(), "HEAD");
        ASSERT_TRUE(tree) << tree.error().message << tree.error().detail;
        EXPECT_EQ(support::readBytes(std::filesystem::path(tree->root()) / "number"), "2");
        EXPECT_TRUE(tree->git({"checkout", "--quiet", "HEAD~1"}));
    }
    EXPECT_FALSE(std::filesystem::exists(ran));
}

TEST_F(ScratchWorktrees, StartsNoFilterThatRunsAsAProcess)
{
    const std::string ran = (folder / "ran").string();
    write(".gitattributes", "number filter=long\n");
    commit("attributes");
    git({"config", "filter.long.process", "sh -c 'echo process >> " + ran + "'"});
    git({"config", "filter.long.required", "true"});
    {
        const Result<ScratchWorktree> tree = ScratchWorktree::add(repository(), "HEAD");
        ASSERT_TRUE(tree) << tree.error().message << tree.error().detail;
        EXPECT_EQ(support::readBytes(std::filesystem::path(tree->root()) / "number"), "2");
        EXPECT_TRUE(tree->git({"checkout", "--quiet", "HEAD~2"}));
        EXPECT_EQ(support::readBytes(std::filesystem::path(tree->root()) / "number"), "1");
    }
    EXPECT_FALSE(std::filesystem::exists(ran));
}

TEST_F(ScratchWorktrees, LeavesTheRepositoryAndItsBranchAsTheyWere)
{
    write("number", "not committed");
    const std::string head = git({"rev-parse", "HEAD"});
    {
        const Result<ScratchWorktree> tree = ScratchWorktree::add(repository(), "HEAD");
        ASSERT_TRUE(tree) << tree.error().message;
        EXPECT_EQ(support::readBytes(std::filesystem::path(tree->root()) / "number"), "2");
        support::writeBytes(std::filesystem::path(tree->root()) / "number", "changed there");
        EXPECT_TRUE(tree->git({"checkout", "--quiet", "--force", "HEAD~1"}));
    }
    EXPECT_EQ(git({"rev-parse", "HEAD"}), head);
    EXPECT_EQ(git({"symbolic-ref", "--short", "HEAD"}), "main\n");
    EXPECT_EQ(support::readBytes(folder / "repo/number"), "not committed");
}

} // namespace
} // namespace kl::test
