// SPDX-License-Identifier: MIT
// Copies of a kernel's files, what an edit changed in them, and the programs that are run for it.
#include "sessions/edit/command.h"
#include "sessions/edit/git.h"
#include "sessions/edit/kernel_files.h"
#include "tests/sessions/text_lines.h"
#include "tests/support/set_variable.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"

#include <gmock/gmock.h>

namespace kl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

KernelFiles twoFiles()
{
    KernelFiles files;
    files.descriptor = "/p/kernel.json";
    files.texts = {{"/p/kernel.json", "{}"}, {"/p/k.cu", "a\nb\n"}, {"/p/sub/h.cuh", std::string("x\0y", 3)}, {"/p/ref.py", "print()"}};
    files.other = {{"/p/in.npy", "hash"}, {"/p/gone.npy", "hash"}};
    return files;
}

TEST(KernelFilesOf, AreReadAsTheyWereWritten)
{
    KernelFiles files = twoFiles();
    EXPECT_EQ(*decodeFiles(encodeFiles(files)), files);
    files.program = true;
    EXPECT_EQ(*decodeFiles(encodeFiles(files)), files);
    for (const char* damaged : {"", "[]", "{}", R"({"texts": {}, "descriptor": "a"})", R"({"texts": {}, "other": {}})",
                                R"({"descriptor": "a", "other": {}})", R"({"texts": {"a": "?"}, "descriptor": "a", "other": {}})"})
        EXPECT_EQ(decodeFiles(damaged).error().code, ErrorCode::badInput) << damaged;
}

TEST(KernelFilesOf, AnEditIsOfSourcesAndOfWhatJudgesThem)
{
    const KernelFiles before = twoFiles();
    KernelFiles after = before;
    EXPECT_THAT(editBetween(before, after).sources, IsEmpty());
    EXPECT_THAT(editBetween(before, after).others, IsEmpty());
    after.texts["/p/k.cu"] = "a\nc\ne\n";
    after.texts["/p/sub/new.cuh"] = "1\n";
    after.texts.erase("/p/sub/h.cuh");
    after.texts["/p/ref.py"] = "other";
    after.texts["/p/kernel.json"] = "[]";
    after.other["/p/in.npy"] = "changed";
    after.other["/p/new.npy"] = "made";
    after.other.erase("/p/gone.npy");
    const KernelEdit edit = editBetween(before, after);
    EXPECT_THAT(edit.sources, ElementsAre("/p/k.cu", "/p/sub/h.cuh", "/p/sub/new.cuh"));
    EXPECT_THAT(edit.others, ElementsAre("/p/gone.npy", "/p/in.npy", "/p/new.npy", "/p/kernel.json", "/p/ref.py"));
    EXPECT_EQ(edit.diff.added, 3U);
    EXPECT_EQ(edit.diff.removed, 2U);
    EXPECT_THAT(edit.diff.unified, testing::AllOf(HasSubstr("--- a/k.cu\n"), HasSubstr("+++ b/sub/new.cuh\n")));
    KernelFiles program = before, changed = after;
    program.program = changed.program = true;
    EXPECT_THAT(editBetween(program, changed).sources, ElementsAre("/p/k.cu", "/p/ref.py", "/p/sub/h.cuh", "/p/sub/new.cuh"));
    EXPECT_THAT(editBetween(program, changed).others, ElementsAre("/p/gone.npy", "/p/in.npy", "/p/kernel.json"))
        << "what it wrote is not an edit";
}

TEST(KernelFilesOf, AreReadFromTheDescriptorAndRestored)
{
    const support::TempDir folder;
    std::filesystem::copy(KL_SOURCE_DIR "/tests/data/own_transpose", folder.path(), std::filesystem::copy_options::recursive);
    const Result<KernelFiles> files = readKernelFiles((folder / "kernel.json").string());
    ASSERT_TRUE(files) << files.error().message;
    EXPECT_EQ(files->descriptor, (folder / "kernel.json").string());
    EXPECT_FALSE(files->program);
    const std::string source = (folder / "flip.cu").string();
    ASSERT_TRUE(files->texts.contains(source));
    EXPECT_EQ(files->texts.at(source), support::readBytes(source));
    EXPECT_TRUE(files->texts.contains(files->descriptor));
    support::writeBytes(source, "edited");
    support::writeBytes(folder / "other.cu", "stays");
    ASSERT_TRUE(restoreFiles(*files, {source, (folder / "other.cu").string()}));
    EXPECT_EQ(support::readBytes(source), files->texts.at(source));
    EXPECT_EQ(support::readBytes(folder / "other.cu"), "stays") << "the copy does not have it";
    std::filesystem::remove(source);
    ASSERT_TRUE(restoreFiles(*files, {source}));
    EXPECT_EQ(support::readBytes(source), files->texts.at(source));
    const Status nowhere = restoreFiles(*files, {source, "/no/such/folder/k.cu"});
    EXPECT_EQ(nowhere.error().code, ErrorCode::badInput);
    EXPECT_EQ(nowhere.error().where, "/no/such/folder/k.cu");
}

TEST(Commands, HaveTheirInputOutputAndStatus)
{
    const Result<CommandAnswer> answer = runCommand("sh", {"-c", "cat; echo err >&2; exit 3"}, "in");
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->code, 3);
    EXPECT_EQ(answer->output, "in");
    EXPECT_EQ(answer->errors, "err\n");
    EXPECT_EQ(runCommand("sh", {"-c", "kill -9 $$"})->code, -1);
    const std::string much(300'000, 'x');
    EXPECT_EQ(runCommand("cat", {}, much)->output, much) << "more than a pipe holds";
    EXPECT_EQ(runCommand("no-such-program-here", {}).error().code, ErrorCode::notFound);
}

/// A repository with one commit of a.cu.
class GitFiles : public testing::Test {
protected:
    GitFiles()
    {
        git({"init", "--quiet", "--initial-branch=main"});
        git({"config", "user.name", "t"});
        git({"config", "user.email", "t@t"});
        support::writeBytes(file("a.cu"), "one\n");
        first = commit({"a.cu"}, "first");
    }
    std::string file(const std::string& name) const { return (folder / name).string(); }
    std::string git(std::vector<std::string> words) const
    {
        words.insert(words.begin(), {"-C", folder.path().string()});
        const Result<CommandAnswer> answer = runCommand("git", words);
        EXPECT_TRUE(answer && answer->code == 0) << words[2] << (answer ? answer->errors : "");
        return answer ? answer->output.substr(0, answer->output.find('\n')) : std::string();
    }
    std::string commit(const std::vector<std::string>& names, const std::string& message) const
    {
        for (const std::string& name : names)
            git({"add", name});
        git({"commit", "--quiet", "-m", message});
        return git({"rev-parse", "HEAD"});
    }
    GitTree tree() const
    {
        const auto found = findGitTree(folder.path().string());
        EXPECT_TRUE(found && found->has_value());
        return found && *found ? **found : GitTree{};
    }
    support::TempDir folder;
    std::string first;
};

TEST_F(GitFiles, ATreeHasItsBranchHeadAndWhatItIsBusyWith)
{
    EXPECT_EQ(tree().branch, "main");
    EXPECT_EQ(tree().head, first);
    EXPECT_EQ(tree().busy, "");
    EXPECT_EQ(std::filesystem::canonical(tree().root), std::filesystem::canonical(folder.path()));
    for (const auto& [name, what] :
         {std::pair{"MERGE_HEAD", "merge"}, std::pair{"CHERRY_PICK_HEAD", "cherry-pick"}, std::pair{"REVERT_HEAD", "revert"}}) {
        support::writeBytes(file(std::string(".git/") + name), first + "\n");
        EXPECT_THAT(tree().busy, HasSubstr(what));
        EXPECT_EQ(commitFiles(tree(), {file("a.cu")}, "m").error().code, ErrorCode::badInput);
        std::filesystem::remove(file(std::string(".git/") + name));
    }
    for (const char* name : {"rebase-merge", "rebase-apply"}) {
        std::filesystem::create_directory(file(std::string(".git/") + name));
        EXPECT_THAT(tree().busy, HasSubstr("rebase"));
        std::filesystem::remove(file(std::string(".git/") + name));
    }
    git({"checkout", "--quiet", "--detach"});
    EXPECT_EQ(tree().branch, "");
    EXPECT_EQ(commitFiles(tree(), {file("a.cu")}, "m").error().code, ErrorCode::badInput);
    const support::TempDir none;
    EXPECT_FALSE(findGitTree(none.path().string())->has_value());
}

TEST_F(GitFiles, HeadHoldsExactlyTheCommittedText)
{
    EXPECT_TRUE(*headHolds(tree(), file("a.cu"), "one\n"));
    EXPECT_FALSE(*headHolds(tree(), file("a.cu"), "two\n"));
    EXPECT_FALSE(*headHolds(tree(), file("a.cu"), std::nullopt));
    EXPECT_TRUE(*headHolds(tree(), file("b.cu"), std::nullopt));
    EXPECT_FALSE(*headHolds(tree(), file("b.cu"), ""));
}

TEST_F(GitFiles, TheOldestCommitFollowsRenames)
{
    git({"mv", "a.cu", "b.cu"});
    git({"commit", "--quiet", "-m", "renamed"});
    support::writeBytes(file("c.cu"), "c\n");
    const std::string later = commit({"c.cu"}, "later");
    EXPECT_EQ(*findOldestCommit(tree(), file("b.cu")), first);
    EXPECT_EQ(*findOldestCommit(tree(), file("c.cu")), later);
    EXPECT_EQ(findOldestCommit(tree(), file("none.cu")).error().code, ErrorCode::badInput);
}

TEST_F(GitFiles, ACommitTakesItsFilesAloneAndIsTakenBack)
{
    support::writeBytes(file("a.cu"), "two\n");
    support::writeBytes(file("new.cu"), "new\n");
    support::writeBytes(file("staged.cu"), "staged\n");
    git({"add", "staged.cu"});
    const Result<std::string> made = commitFiles(tree(), {file("a.cu"), file("new.cu")}, "Keep it\n\nBecause.");
    ASSERT_TRUE(made) << made.error().message << made.error().detail;
    EXPECT_EQ(*made, tree().head);
    EXPECT_EQ(git({"log", "-1", "--format=%s"}), "Keep it");
    EXPECT_EQ(git({"diff", "--cached", "--name-only"}), "staged.cu");
    EXPECT_EQ(takeBackCommit(tree(), first, {file("a.cu")}).error().code, ErrorCode::badInput) << "not the newest";
    git({"update-ref", "refs/remotes/origin/main", "HEAD"});
    const Error pushed = takeBackCommit(tree(), *made, {file("a.cu")}).error();
    EXPECT_EQ(pushed.code, ErrorCode::badInput);
    EXPECT_THAT(pushed.message, HasSubstr(made->substr(0, 12)));
    git({"update-ref", "-d", "refs/remotes/origin/main"});
    ASSERT_TRUE(takeBackCommit(tree(), *made, {file("a.cu"), file("new.cu")}));
    EXPECT_EQ(tree().head, first);
    EXPECT_EQ(support::readBytes(file("a.cu")), "two\n") << "the files stay";
    EXPECT_EQ(git({"diff", "--cached", "--name-only"}), "staged.cu");
    EXPECT_EQ(takeBackCommit(tree(), first, {file("a.cu")}).error().code, ErrorCode::badInput) << "it has no parent";
    support::writeBytes(file(".git/hooks/pre-commit"), "#!/bin/sh\necho no >&2\nexit 1\n");
    std::filesystem::permissions(file(".git/hooks/pre-commit"), std::filesystem::perms::owner_all);
    const auto refused = commitFiles(tree(), {file("a.cu"), file("new.cu")}, "m");
    EXPECT_EQ(refused.error().detail, "no");
    EXPECT_EQ(git({"diff", "--cached", "--name-only"}), "staged.cu") << "nothing is left staged";
}

TEST(KernelFilesOf, ScriptsAreTextsAndDataAndCompiledCodeAreHashed)
{
    const support::TempDir folder;
    std::filesystem::copy(KL_SOURCE_DIR "/tests/data/own_transpose", folder.path(), std::filesystem::copy_options::recursive);
    std::string json = support::readBytes(folder / "kernel.json");
    const auto change = [&](const std::string& from, const std::string& to) {
        ASSERT_NE(json.find(from), std::string::npos) << from;
        json.replace(json.find(from), from.size(), to);
        support::writeBytes(folder / "kernel.json", json);
    };
    change(R"("function": "transpose", "params": {"rows": "M", "cols": "N"}, "inputs": ["in"])",
           R"("python": "flip.py", "inputs": ["in"])");
    support::writeBytes(folder / "flip.py", "print(2)\n");
    const Result<KernelFiles> scripted = readKernelFiles((folder / "kernel.json").string());
    ASSERT_TRUE(scripted) << scripted.error().message;
    EXPECT_EQ(scripted->texts.at((folder / "flip.py").string()), "print(2)\n");
    EXPECT_THAT(scripted->other, IsEmpty());
    change("flip.cu", "flip.ptx");
    support::writeBytes(folder / "flip.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry flip() { ret; }\n");
    const Result<KernelFiles> compiled = readKernelFiles((folder / "kernel.json").string());
    ASSERT_TRUE(compiled) << compiled.error().message;
    EXPECT_FALSE(compiled->texts.contains((folder / "flip.ptx").string()));
    ASSERT_TRUE(compiled->other.contains((folder / "flip.ptx").string()));
    support::writeBytes(folder / "flip.ptx", ".version 8.1\n.target sm_90\n.address_size 64\n.visible .entry flip() { ret; }\n");
    const Result<KernelFiles> again = readKernelFiles((folder / "kernel.json").string());
    EXPECT_THAT(editBetween(*compiled, *again).others, ElementsAre((folder / "flip.ptx").string()));
    EXPECT_THAT(editBetween(*compiled, *again).sources, IsEmpty());
}

TEST(Commands, AreFoundInTheFoldersOfThePathAlone)
{
    const support::TempDir folder;
    std::filesystem::create_directories(folder / "first");
    std::filesystem::create_directories(folder / "second");
    support::writeBytes(folder / "second/tool", "#!/bin/sh\necho second\n");
    std::filesystem::permissions(folder / "second/tool", std::filesystem::perms::owner_all);
    support::writeBytes(folder / "first/tool", "#!/bin/sh\necho not executable\n");
    std::filesystem::permissions(folder / "first/tool", std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    const support::SetVariable path("PATH", ((folder / "first").string() + ":" + (folder / "second").string()).c_str());
    EXPECT_EQ(runCommand("tool", {})->output, "second\n");
    const Result<CommandAnswer> none = runCommand("git", {"status"});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::notFound);
    EXPECT_EQ(none.error().where, "git");
}

TEST_F(GitFiles, WithoutGitThereIsNoTree)
{
    const support::TempDir empty;
    const support::SetVariable path("PATH", empty.path().c_str());
    const auto found = findGitTree(folder.path().string());
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_FALSE(found->has_value());
}

TEST_F(GitFiles, ATreeWithoutACommitHasABranchAlone)
{
    const support::TempDir fresh;
    ASSERT_EQ(runCommand("git", {"-C", fresh.path().string(), "init", "--quiet", "--initial-branch=first"})->code, 0);
    const auto found = findGitTree(fresh.path().string());
    ASSERT_TRUE(found && found->has_value());
    EXPECT_EQ((*found)->branch, "first");
    EXPECT_EQ((*found)->head, "");
}

TEST_F(GitFiles, RefusalsNameTheRepositoryOrTheFile)
{
    const std::string root = tree().root;
    EXPECT_EQ(findOldestCommit(tree(), file("none.cu")).error().where, file("none.cu"));
    EXPECT_EQ(takeBackCommit(tree(), std::string(40, 'a'), {file("a.cu")}).error().where, root);
    support::writeBytes(file(".git/MERGE_HEAD"), first + "\n");
    EXPECT_EQ(commitFiles(tree(), {file("a.cu")}, "m").error().where, root);
    EXPECT_EQ(takeBackCommit(tree(), first, {file("a.cu")}).error().where, root);
    std::filesystem::remove(file(".git/MERGE_HEAD"));
    support::writeBytes(file(".gitignore"), "*.ptx\n");
    support::writeBytes(file("k.ptx"), "x\n");
    const Result<std::string> ignored = commitFiles(tree(), {file("k.ptx")}, "m");
    EXPECT_EQ(ignored.error().where, file("k.ptx"));
    EXPECT_THAT(ignored.error().detail, HasSubstr("k.ptx"));
    EXPECT_EQ(tree().head, first);
}

TEST_F(GitFiles, ARefusedCommitLeavesNewFilesAsTheyWere)
{
    support::writeBytes(file("a.cu"), "two\n");
    support::writeBytes(file("new.cu"), "new\n");
    const auto status = [&] { return runCommand("git", {"-C", folder.path().string(), "status", "--porcelain"})->output; };
    const std::string before = status();
    support::writeBytes(file(".git/hooks/pre-commit"), "#!/bin/sh\nexit 1\n");
    std::filesystem::permissions(file(".git/hooks/pre-commit"), std::filesystem::perms::owner_all);
    EXPECT_FALSE(commitFiles(tree(), {file("a.cu"), file("new.cu")}, "m"));
    EXPECT_EQ(status(), before) << "git does not know the new one";
    EXPECT_EQ(before, " M a.cu\n?? new.cu\n");
    std::filesystem::remove(file(".git/hooks/pre-commit"));
    EXPECT_TRUE(commitFiles(tree(), {file("a.cu"), file("new.cu")}, "m"));
    EXPECT_EQ(status(), "");
}

class GitErrors : public GitFiles {};

TEST_F(GitErrors, SnapshotOfEachRefusal)
{
    std::string text = test::errorLine("a file of no commit", findOldestCommit(tree(), file("none.cu")).error());
    for (const char* state : {"MERGE_HEAD", "rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD", "REVERT_HEAD"}) {
        support::writeBytes(file(std::string(".git/") + state), first + "\n");
        text += test::errorLine(state, commitFiles(tree(), {file("a.cu")}, "m").error());
        std::filesystem::remove(file(std::string(".git/") + state));
    }
    git({"checkout", "--quiet", "--detach"});
    text += test::errorLine("no branch", commitFiles(tree(), {file("a.cu")}, "m").error());
    git({"checkout", "--quiet", "main"});
    support::writeBytes(file(".gitignore"), "*.ptx\n");
    support::writeBytes(file("k.ptx"), "x\n");
    text += test::errorLine("an ignored file", commitFiles(tree(), {file("k.ptx")}, "m").error());
    support::writeBytes(file(".git/hooks/pre-commit"), "#!/bin/sh\nexit 1\n");
    std::filesystem::permissions(file(".git/hooks/pre-commit"), std::filesystem::perms::owner_all);
    support::writeBytes(file("a.cu"), "two\n");
    text += test::errorLine("a hook", commitFiles(tree(), {file("a.cu")}, "m").error());
    text += test::errorLine("a commit without a parent", takeBackCommit(tree(), first, {file("a.cu")}).error());
    std::filesystem::remove(file(".git/hooks/pre-commit"));
    const Result<std::string> made = commitFiles(tree(), {file("a.cu")}, "m");
    ASSERT_TRUE(made) << made.error().message << made.error().detail;
    text += test::errorLine("an older commit", takeBackCommit(tree(), first, {file("a.cu")}).error());
    git({"update-ref", "refs/remotes/origin/main", "HEAD"});
    text += test::errorLine("a pushed commit", takeBackCommit(tree(), *made, {file("a.cu")}).error());
    for (const auto& [part, name] : {std::pair{tree().root, "FOLDER"}, std::pair{folder.path().string(), "FOLDER"},
                                     std::pair{first.substr(0, 12), "FIRST"}, std::pair{made->substr(0, 12), "COMMIT"}})
        text = test::withName(text, part, name);
    test::expectSnapshot("errors/git.txt", text);
}

TEST_F(GitFiles, ANameWithAStarIsThatFileAlone)
{
    support::writeBytes(file("a*.cu"), "star\n");
    support::writeBytes(file("ab.cu"), "other\n");
    const Result<std::string> made = commitFiles(tree(), {file("a*.cu")}, "m");
    ASSERT_TRUE(made) << made.error().message << made.error().detail;
    EXPECT_EQ(git({"ls-files", "ab.cu"}), "");
    EXPECT_EQ(git({"show", "--name-only", "--format=", "HEAD"}), "a*.cu");
    ASSERT_TRUE(takeBackCommit(tree(), *made, {file("a*.cu")}));
    EXPECT_EQ(git({"ls-files", "--cached", "a[*].cu"}), "") << "not staged any more";
}

TEST_F(GitFiles, AreFoundFromAFolderWithinTheRepository)
{
    std::filesystem::create_directories(folder / "kernels/flip");
    support::writeBytes(file("kernels/flip/k.cu"), "k\n");
    const std::string second = commit({"kernels/flip/k.cu"}, "second");
    const auto within = findGitTree(file("kernels/flip"));
    ASSERT_TRUE(within && within->has_value());
    EXPECT_EQ((*within)->root, tree().root);
    EXPECT_EQ((*within)->head, second);
    EXPECT_TRUE(*headHolds(**within, file("kernels/flip/k.cu"), "k\n"));
    EXPECT_FALSE(*headHolds(**within, file("kernels/flip/k.cu"), "k"));
    EXPECT_EQ(*findOldestCommit(**within, file("kernels/flip/k.cu")), second);
}

} // namespace
} // namespace kl
