// SPDX-License-Identifier: MIT
#include "core/stats/ratio_text.h"
#include "kernels/user_kernel.h"
#include "sessions/edit/command.h"
#include "sessions/edit/kernel_files.h"
#include "sessions/engine/attempts.h"
#include "tests/sessions/engine_support.h"
#include "tests/support/snapshot.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

namespace kl::test {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A session on a user's kernel in a folder of its own, walked by a new engine each time, as the command line does it.
class OwnEditTest : public EngineTest {
protected:
    OwnEditTest() : live(Source::live)
    {
        std::filesystem::create_directories(folder / "repo");
        for (const char* name : {"kernel.json", "flip.cu"})
            std::filesystem::copy_file(std::filesystem::path(KL_SOURCE_DIR "/tests/data/own_transpose") / name, file(name));
        live.kernels["flip/plain"] = {400'000, 50'000, true, "", 10};
    }
    std::filesystem::path file(const std::string& name) const { return folder / "repo" / name; }
    std::string text(const std::string& name) const { return support::readBytes(file(name)); }

    /// What the source costs as it lies on disk now.
    void costs(double ns, bool right = true, double dramPercent = 80)
    {
        const Catalog now = kernels();
        const std::string hash = unwrap(now.work({"flip", "plain", {}}, {})).sourceHash;
        live.kernels["flip/plain#" + hash] = {ns, 50'000, right, "", dramPercent};
    }
    Catalog kernels() const
    {
        Catalog all({});
        EXPECT_TRUE(all.add(unwrap(loadKernel(file("kernel.json")))).ok());
        return all;
    }
    template <class Work> auto with(Work work)
    {
        const Catalog now = kernels();
        TestBench own(now, tree, live, *store);
        TestEngine session(own);
        return work(session);
    }
    void openSession()
    {
        NewSession request;
        request.objective = "make it fast";
        request.kernel = "flip";
        id = with([&](SessionEngine& session) { return unwrap(session.create(request)).header.id; });
    }
    Result<SessionView> act(SessionAction action, const std::string& argument = {})
    {
        return with([&](SessionEngine& session) { return session.act(id, action, argument); });
    }
    Result<SessionView> step()
    {
        return with([&](SessionEngine& session) { return session.step(id); });
    }
    SessionView view()
    {
        return with([&](SessionEngine& session) { return unwrap(session.view(id)); });
    }
    void stepUntil(SessionAction action)
    {
        for (int i = 0; i < 20 && view().next.front().action != action; ++i)
            unwrap(step());
        ASSERT_EQ(view().next.front().action, action) << view().why;
    }
    /// From the start to an edit that is measured and waits for its decision.
    void edited(double ns = 100'000)
    {
        openSession();
        stepUntil(SessionAction::chooseFix);
        unwrap(step());
        support::writeBytes(file("flip.cu"), "// tiled\n" + text("flip.cu"));
        costs(ns);
        for (const SessionAction action :
             {SessionAction::takeEdit, SessionAction::verifySuite, SessionAction::checkMemory, SessionAction::evaluate}) {
            EXPECT_EQ(view().next.front().action, action);
            unwrap(step());
        }
    }
    /// With the option cumulative, up to the first edit parked: 400 to 360 µs.
    void parked()
    {
        NewSession request;
        request.objective = "make it fast";
        request.kernel = "flip";
        request.cumulative = true;
        id = with([&](SessionEngine& session) { return unwrap(session.create(request)).header.id; });
        live.spread = 0.002;
        stepUntil(SessionAction::chooseFix);
        unwrap(step());
        support::writeBytes(file("flip.cu"), "// one\n" + text("flip.cu"));
        costs(360'000, true, 10);
        stepUntil(SessionAction::park);
        unwrap(step());
    }
    Status measure()
    {
        const Catalog now = kernels();
        TestBench own(now, tree, live, *store);
        return measureAttempt(own, id);
    }
    Status goBack(int seq)
    {
        const Catalog now = kernels();
        TestBench own(now, tree, live, *store);
        return returnToAttempt(own, id, seq);
    }
    std::vector<Attempt> attempts() { return unwrap(listAttempts(*store, view())); }
    std::string git(std::vector<std::string> words)
    {
        words.insert(words.begin(), {"-C", file("").string(), "-c", "user.name=A", "-c", "user.email=a@b.c"});
        const Result<CommandAnswer> answer = runCommand("git", words);
        EXPECT_TRUE(answer.ok());
        return answer ? answer->output + answer->errors : std::string();
    }
    void makeRepository()
    {
        git({"init", "-q", "-b", "main"});
        git({"config", "user.name", "A"});
        git({"config", "user.email", "a@b.c"});
        support::writeBytes(file("staged.txt"), "1\n");
        support::writeBytes(file("loose.txt"), "1\n");
        git({"add", "."});
        git({"commit", "-qm", "first"});
        support::writeBytes(file("staged.txt"), "2\n");
        git({"add", "staged.txt"});
        support::writeBytes(file("loose.txt"), "2\n");
    }

    FakeCollector live;
    SessionId id;
};

TEST_F(OwnEditTest, AStepBeginsAnEditWaitsForItTakesItAndMeasuresItAgainstTheOldSource)
{
    openSession();
    stepUntil(SessionAction::chooseFix);
    EXPECT_EQ(view().next.front().argument, "coalesce") << "the finding's fix, which no variant has ready";
    EXPECT_TRUE(view().next.front().enabled);
    const SessionView begun = unwrap(step());
    EXPECT_EQ(begun.next.front().action, SessionAction::takeEdit);
    EXPECT_THAT(begun.why, HasSubstr(file("flip.cu").string()));
    const Result<SessionView> nothing = step();
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().code, ErrorCode::refused);
    EXPECT_THAT(nothing.error().hint, HasSubstr("flip.cu"));
    EXPECT_EQ(view().refusals, 0) << "waiting breaks no rule";

    support::writeBytes(file("flip.cu"), "// tiled\n" + text("flip.cu"));
    costs(100'000);
    EXPECT_EQ(view().next.front().action, SessionAction::takeEdit) << "the baseline is not stale: it is about the source before";
    const SessionView taken = unwrap(step());
    ASSERT_TRUE(taken.sourceChange);
    EXPECT_THAT(taken.sourceChange->summary, StartsWith("+1 −0"));
    EXPECT_EQ(taken.fix, "coalesce");
    EXPECT_THAT(taken.fixTitle, AllOf(StartsWith("Make accesses contiguous"), HasSubstr("flip.cu"), EndsWith(taken.sourceChange->summary)));
    EXPECT_THAT(taken.sourceChange->diff, HasSubstr("--- a/flip.cu\n+++ b/flip.cu\n@@ -1,3 +1,4 @@\n+// tiled\n // Transposes"));
    EXPECT_EQ(taken.next.front().action, SessionAction::verifySuite);
    unwrap(step());
    EXPECT_EQ(unwrap(step()).next.front().action, SessionAction::evaluate) << "its memory accesses are looked at before its times";
    const SessionView measured = unwrap(step());
    ASSERT_TRUE(measured.evaluation && measured.evaluation->ratio);
    EXPECT_NEAR(measured.evaluation->ratio->value, 4, 0.1) << "side A ran the old source";
    EXPECT_EQ(findGate(measured, "G4").result, GateResult::pass);
    EXPECT_EQ(findGate(measured, "G5").result, GateResult::pass);
    EXPECT_EQ(measured.next.front().action, SessionAction::keep);
}

TEST_F(OwnEditTest, ADescriptorThatChangedTooIsASecondVariable)
{
    openSession();
    stepUntil(SessionAction::chooseFix);
    unwrap(step());
    support::writeBytes(file("flip.cu"), text("flip.cu") + "// more\n");
    const std::string descriptor = text("kernel.json");
    support::writeBytes(file("kernel.json"), descriptor + "\n");
    const Result<SessionView> refused = step();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().where, "one-variable");
    EXPECT_THAT(refused.error().message, HasSubstr("kernel.json"));
    EXPECT_FALSE(act(SessionAction::chooseFix, "flip/plain")) << "nor is a second fix begun beside it";
    support::writeBytes(file("kernel.json"), descriptor);
    EXPECT_TRUE(step());
}

TEST_F(OwnEditTest, AFurtherEditHasToBeTakenAgainBeforeItCounts)
{
    edited();
    support::writeBytes(file("flip.cu"), text("flip.cu") + "// more\n");
    costs(90'000);
    EXPECT_EQ(view().next.front().action, SessionAction::takeEdit);
    EXPECT_EQ(act(SessionAction::keep).error().where, "one-variable");
    EXPECT_EQ(unwrap(step()).sourceChange->summary, "+2 −0 lines");
    EXPECT_EQ(view().next.front().action, SessionAction::verifySuite) << "what was measured before is void";
}

TEST_F(OwnEditTest, ARevertRestoresTheFileAndCanBeUndone)
{
    edited(395'000);
    const std::string edit = text("flip.cu");
    EXPECT_EQ(view().next.front().action, SessionAction::revert);
    const SessionView reverted = unwrap(step());
    EXPECT_NE(text("flip.cu"), edit);
    EXPECT_EQ(text("flip.cu"), support::readBytes(KL_SOURCE_DIR "/tests/data/own_transpose/flip.cu"));
    EXPECT_EQ(reverted.phase, "document");
    support::writeBytes(file("flip.cu"), "// other work\n" + text("flip.cu"));
    const Error refused = act(SessionAction::undo).error();
    EXPECT_EQ(refused.code, ErrorCode::refused);
    EXPECT_EQ(refused.where, file("flip.cu")) << "the edit since would be lost";
    support::writeBytes(file("flip.cu"), support::readBytes(KL_SOURCE_DIR "/tests/data/own_transpose/flip.cu"));
    const SessionView undone = unwrap(act(SessionAction::undo));
    EXPECT_EQ(text("flip.cu"), edit);
    EXPECT_EQ(undone.next.front().action, SessionAction::revert) << "the decision is open again";
    EXPECT_TRUE(undone.evaluation);
    EXPECT_FALSE(act(SessionAction::undo));
}

TEST_F(OwnEditTest, AnEditThatIsGivenUpIsKeptInTheDatabase)
{
    openSession();
    stepUntil(SessionAction::chooseFix);
    unwrap(step());
    support::writeBytes(file("flip.cu"), "// half done\n");
    ::chmod(file("flip.cu").c_str(), 0444);
    if (::access(file("flip.cu").c_str(), W_OK) != 0) {
        EXPECT_THAT(act(SessionAction::revert).error().message, HasSubstr(file("flip.cu").string()));
        EXPECT_EQ(text("flip.cu"), "// half done\n");
    }
    ::chmod(file("flip.cu").c_str(), 0644);
    const SessionView back = unwrap(act(SessionAction::revert));
    EXPECT_THAT(text("flip.cu"), HasSubstr("Transposes"));
    EXPECT_EQ(back.next.front().action, SessionAction::chooseFix);
    unwrap(act(SessionAction::undo));
    EXPECT_EQ(text("flip.cu"), "// half done\n");
}

TEST_F(OwnEditTest, ARevertRestoresEverySourceThatTheEditChanged)
{
    const std::string old = "#define TILE 32\n";
    support::writeBytes(file("tile.h"), old);
    support::writeBytes(file("flip.cu"), "#include \"tile.h\"\n" + text("flip.cu"));
    const std::string source = text("flip.cu");
    openSession();
    stepUntil(SessionAction::chooseFix);
    unwrap(step());
    support::writeBytes(file("tile.h"), "#define TILE 16\n");
    support::writeBytes(file("flip.cu"), "// tiled\n" + source);
    unwrap(act(SessionAction::revert));
    EXPECT_EQ(text("flip.cu"), source);
    EXPECT_EQ(text("tile.h"), old);
    unwrap(act(SessionAction::undo));
    EXPECT_EQ(text("flip.cu"), "// tiled\n" + source);
    EXPECT_EQ(text("tile.h"), "#define TILE 16\n");
}

TEST_F(OwnEditTest, KeepCommitsTheEditAloneWithItsResultAndUndoTakesItBack)
{
    makeRepository();
    edited();
    const SessionView before = view();
    EXPECT_TRUE(std::any_of(before.next.begin(), before.next.end(), [](const NextAction& next) { return next.argument == "git"; }));
    const SessionView kept = unwrap(act(SessionAction::keep, "git"));
    EXPECT_EQ(git({"rev-parse", "HEAD"}), kept.commit + '\n');
    const std::string message = git({"log", "-1", "--format=%B"});
    EXPECT_THAT(message, HasSubstr("flip/plain: 4.0"));
    EXPECT_THAT(message, HasSubstr("make it fast"));
    EXPECT_THAT(message, HasSubstr("95 % CI"));
    EXPECT_THAT(message, HasSubstr("Fake H200"));
    EXPECT_EQ(git({"show", "--name-only", "--format="}), "flip.cu\n");
    EXPECT_EQ(git({"status", "--short"}), " M loose.txt\nM  staged.txt\n") << "other changes stay as they were";
    const SessionView undone = unwrap(act(SessionAction::undo));
    EXPECT_EQ(git({"log", "--format=%s"}), "first\n");
    EXPECT_EQ(git({"status", "--short"}), " M flip.cu\n M loose.txt\nM  staged.txt\n");
    EXPECT_EQ(undone.next.front().action, SessionAction::keep);
    EXPECT_TRUE(undone.commit.empty());
    EXPECT_TRUE(act(SessionAction::keep, "git"));
    EXPECT_TRUE(step());
    EXPECT_EQ(unwrap(step()).outcome, "kept");
}

TEST_F(OwnEditTest, ACommitThatGitRefusesLosesNothing)
{
    makeRepository();
    edited();
    support::writeBytes(file(".git/hooks/pre-commit"), "#!/bin/sh\necho the hook says no\nexit 1\n");
    ::chmod(file(".git/hooks/pre-commit").c_str(), 0755);
    const Error hook = act(SessionAction::keep, "git").error();
    EXPECT_THAT(hook.detail, HasSubstr("the hook says no"));
    EXPECT_EQ(git({"status", "--short"}), " M flip.cu\n M loose.txt\nM  staged.txt\n");
    std::filesystem::remove(file(".git/hooks/pre-commit"));
    const std::string root = git({"rev-parse", "--show-toplevel"});
    const auto refused = [&](SessionAction action, const std::string& argument, const std::string& named) {
        const Error error = act(action, argument).error();
        EXPECT_EQ(error.code, ErrorCode::badInput);
        EXPECT_EQ(error.where + '\n', root);
        EXPECT_THAT(error.message, HasSubstr(named));
    };
    git({"checkout", "-q", "--detach"});
    refused(SessionAction::keep, "git", "HEAD");
    git({"checkout", "-q", "main"});
    support::writeBytes(file(".git/MERGE_HEAD"), git({"rev-parse", "HEAD"}));
    refused(SessionAction::keep, "git", "merge");
    std::filesystem::remove(file(".git/MERGE_HEAD"));
    EXPECT_EQ(view().next.front().action, SessionAction::keep) << "the decision is still open";
    const std::string commit = unwrap(act(SessionAction::keep, "git")).commit;
    git({"commit", "-q", "--allow-empty", "-m", "later work"});
    refused(SessionAction::undo, {}, commit.substr(0, 12));
}

TEST_F(OwnEditTest, WorkThatWasNotCommittedBeforeIsNotCommittedWithTheEdit)
{
    makeRepository();
    support::writeBytes(file("flip.cu"), "// my own, uncommitted\n" + text("flip.cu"));
    edited();
    const Error mixed = act(SessionAction::keep, "git").error();
    EXPECT_EQ(mixed.code, ErrorCode::badInput);
    EXPECT_EQ(mixed.where, file("flip.cu")) << "its newest commit is not what the edit began with";
    EXPECT_EQ(unwrap(act(SessionAction::keep)).outcome, "");
    EXPECT_EQ(git({"log", "--format=%s"}), "first\n");
}

TEST_F(OwnEditTest, WithoutGitACommitIsAClearErrorAndAKeepWorks)
{
    edited();
    const Error loose = act(SessionAction::keep, "git").error();
    EXPECT_EQ(loose.code, ErrorCode::badInput);
    EXPECT_EQ(loose.where, file("flip.cu"));
    const SessionView kept = unwrap(act(SessionAction::keep));
    EXPECT_TRUE(kept.commit.empty());
    EXPECT_EQ(kept.phase, "document");
    EXPECT_EQ(unwrap(act(SessionAction::undo)).next.front().action, SessionAction::keep);
}

TEST_F(OwnEditTest, SmallEditsAreParkedAndKeptTogetherInOneCommit)
{
    makeRepository();
    const std::string before = text("flip.cu");
    parked();
    const SessionView waiting = view();
    ASSERT_EQ(waiting.parked.size(), 1U);
    ASSERT_TRUE(waiting.parked.front().source);
    EXPECT_EQ(waiting.next.front().action, SessionAction::profile) << waiting.why;
    EXPECT_TRUE(waiting.stale.contains(Evidence::profile)) << "it is from before the parked edit";
    EXPECT_FALSE(waiting.stale.contains(Evidence::baseline)) << "the baseline is about the text the session started from";
    stepUntil(SessionAction::chooseFix);
    unwrap(step());
    support::writeBytes(file("flip.cu"), "// two\n" + text("flip.cu"));
    costs(320'000, true, 10);
    EXPECT_THAT(unwrap(with([&](SessionEngine& session) { return session.edit(id); })).summary, StartsWith("+1 −0"))
        << "against the parked text";
    stepUntil(SessionAction::keep);
    const SessionView both = view();
    const Ratio whole = computeProduct(both.parked, both.evaluation->ratio);
    EXPECT_THAT(both.why, AllOf(HasSubstr(" 2 "), HasSubstr(intervalText(whole)))) << "of both steps";
    const SessionView kept = unwrap(act(SessionAction::keep, "git"));
    EXPECT_EQ(git({"rev-parse", "HEAD"}), kept.commit + '\n');
    EXPECT_EQ(git({"show", "HEAD:flip.cu"}), "// two\n// one\n" + before);
    const std::string message = git({"log", "-1", "--format=%B"});
    EXPECT_THAT(message, HasSubstr("flip/plain: 1.2"));
    EXPECT_THAT(message, HasSubstr("Make accesses contiguous"));
    EXPECT_THAT(message, HasSubstr(ratioText(both.parked.front().ratio)));
    EXPECT_THAT(message, HasSubstr(ratioText(whole)));
    unwrap(act(SessionAction::undo));
    EXPECT_EQ(git({"log", "--format=%s"}), "first\n");
}

TEST_F(OwnEditTest, SnapshotOfTheMessageOfACommit)
{
    makeRepository();
    parked();
    stepUntil(SessionAction::chooseFix);
    unwrap(step());
    support::writeBytes(file("flip.cu"), "// two\n" + text("flip.cu"));
    costs(320'000, true, 10);
    stepUntil(SessionAction::keep);
    unwrap(act(SessionAction::keep, "git"));
    expectSnapshot("texts/commit.txt", git({"log", "-1", "--format=%B"}));
}

TEST_F(OwnEditTest, DroppedParkedEditsGiveTheFileBackAndCanBeBroughtBack)
{
    const std::string before = text("flip.cu");
    parked();
    const std::string edit = text("flip.cu");
    stepUntil(SessionAction::chooseFix);
    EXPECT_EQ(act(SessionAction::keep).error().where, "G5") << "1.11× is not worth a keep";
    const SessionView dropped = unwrap(act(SessionAction::revert));
    EXPECT_EQ(text("flip.cu"), before);
    EXPECT_TRUE(dropped.parked.empty());
    EXPECT_FALSE(dropped.stale.contains(Evidence::baseline));
    const SessionView back = unwrap(act(SessionAction::undo));
    EXPECT_EQ(text("flip.cu"), edit);
    EXPECT_EQ(back.parked.size(), 1U);
}

TEST_F(OwnEditTest, AParkedEditThatWasEditedFurtherIsANewChange)
{
    parked();
    support::writeBytes(file("flip.cu"), "// more\n" + text("flip.cu"));
    costs(350'000, true, 10);
    EXPECT_EQ(step().error().where, "profile-before-optimizing") << "a profile now would be of the further edit";
    EXPECT_EQ(act(SessionAction::takeEdit).error().where, "profile-before-optimizing");
    const std::string more = text("flip.cu");
    support::writeBytes(file("flip.cu"), more.substr(more.find('\n') + 1));
    stepUntil(SessionAction::chooseFix);
    support::writeBytes(file("flip.cu"), more);
    EXPECT_EQ(view().next.front().action, SessionAction::takeEdit);
    EXPECT_EQ(act(SessionAction::chooseFix, "own-edit").error().where, "one-variable") << "an unmeasured edit is not built upon";
    const SessionView taken = unwrap(act(SessionAction::takeEdit));
    ASSERT_TRUE(taken.sourceChange);
    EXPECT_THAT(taken.sourceChange->summary, StartsWith("+1 −0"));
    EXPECT_EQ(taken.parked.size(), 1U);
}

TEST_F(OwnEditTest, TheOptionGitIsRequestedOnceAndFollowed)
{
    makeRepository();
    openSession();
    EXPECT_FALSE(view().git) << "nobody has said";
    with([&](SessionEngine& session) { return unwrap(session.option(id, "git", true)); });
    stepUntil(SessionAction::chooseFix);
    unwrap(step());
    support::writeBytes(file("flip.cu"), "// tiled\n" + text("flip.cu"));
    costs(100'000);
    stepUntil(SessionAction::keep);
    EXPECT_EQ(view().next.front().argument, "");
    EXPECT_EQ(view().next.at(1).argument, "no-git") << "the other way needs a word";
    EXPECT_FALSE(unwrap(step()).commit.empty()) << "a keep without a word follows the option";
    unwrap(act(SessionAction::undo));
    EXPECT_TRUE(unwrap(act(SessionAction::keep, "no-git")).commit.empty());
    unwrap(act(SessionAction::undo));
    with([&](SessionEngine& session) { return unwrap(session.option(id, "git", false)); });
    EXPECT_TRUE(unwrap(act(SessionAction::keep)).commit.empty());
    EXPECT_EQ(git({"log", "--format=%s"}), "first\n");
    EXPECT_EQ(act(SessionAction::keep, "svn").error().code, ErrorCode::refused);
    NewSession request;
    request.kernel = "flip";
    request.kind = "baseline";
    request.git = true;
    EXPECT_EQ(with([&](SessionEngine& session) { return session.create(request); }).error().code, ErrorCode::usage);
}

TEST_F(OwnEditTest, WhatAnEditHasChangedUpToNowCanBeAsked)
{
    openSession();
    const auto ask = [&] { return with([&](SessionEngine& session) { return session.edit(id); }); };
    EXPECT_EQ(ask().error().code, ErrorCode::badInput) << "no edit is begun";
    stepUntil(SessionAction::chooseFix);
    unwrap(step());
    EXPECT_EQ(ask().error().code, ErrorCode::refused) << "nothing has changed";
    support::writeBytes(file("flip.cu"), "// tiled\n" + text("flip.cu"));
    EXPECT_THAT(unwrap(ask()).diff, HasSubstr("+// tiled"));
    support::writeBytes(file("kernel.json"), text("kernel.json") + "\n");
    EXPECT_EQ(ask().error().where, "one-variable");
    EXPECT_EQ(view().refusals, 0) << "looking is not an attempt";
}

TEST_F(OwnEditTest, TheHistoryIsSearchedForTheCommitThatBrokeIt)
{
    makeRepository();
    openSession();
    unwrap(step());
    support::writeBytes(file("flip.cu"), "// broken\n" + text("flip.cu"));
    git({"commit", "-qam", "break it"});
    costs(400'000, false);
    const SessionView view = unwrap(act(SessionAction::bisect));
    EXPECT_GT(view.historySeq, 0);
    EXPECT_THAT(view.historyFound, HasSubstr(git({"rev-parse", "HEAD"}).substr(0, 12)));
    const auto item = std::ranges::find(view.checklist, kHistoryItem, &ChecklistItem::id);
    EXPECT_EQ(item->state, TickState::done);
    EXPECT_EQ(item->evidence, fmt::format("event:{}", view.historySeq));
}

TEST_F(OwnEditTest, AnUncommittedFaultIsWhatTheSearchSays)
{
    makeRepository();
    openSession();
    unwrap(step());
    support::writeBytes(file("flip.cu"), "// broken\n" + text("flip.cu"));
    costs(400'000, false);
    EXPECT_THAT(unwrap(act(SessionAction::bisect)).historyFound, HasSubstr("good")) << "HEAD itself is";
}

TEST_F(OwnEditTest, EachSourceIsMeasuredOnceAndAnyIsBroughtBack)
{
    openSession();
    stepUntil(SessionAction::chooseFix);
    EXPECT_EQ(measure().error().code, ErrorCode::badInput) << "no edit yet";
    EXPECT_THAT(attempts(), testing::IsEmpty());
    unwrap(step());
    const std::string start = text("flip.cu");
    EXPECT_EQ(measure().error().code, ErrorCode::refused) << "nothing has changed";
    ASSERT_THAT(attempts(), testing::SizeIs(1));
    EXPECT_EQ(attempts()[0].seq, 0);
    EXPECT_EQ(attempts()[0].time->median, 400'000);

    support::writeBytes(file("flip.cu"), "// one\n" + start);
    costs(300'000, true, 40);
    ASSERT_TRUE(measure());
    support::writeBytes(file("flip.cu"), "// one\n// two\n" + start);
    costs(500'000, false, 90);
    ASSERT_TRUE(measure());
    ASSERT_TRUE(measure()) << "the same source";
    const std::vector<Attempt> three = attempts();
    ASSERT_THAT(three, testing::SizeIs(3));
    EXPECT_EQ(three[1].time->median, 300'000);
    EXPECT_EQ(three[1].classId, "bank-conflicts");
    EXPECT_EQ(three[1].correctness, CorrectnessResult::correct);
    EXPECT_THAT(three[1].diff, HasSubstr("+// one"));
    EXPECT_TRUE(isRefuted(three[2].correctness));
    EXPECT_LT(three[1].seq, three[2].seq);

    EXPECT_EQ(goBack(three[2].seq + 1).error().code, ErrorCode::notFound);
    ASSERT_TRUE(goBack(three[1].seq));
    EXPECT_EQ(text("flip.cu"), "// one\n" + start);
    ASSERT_TRUE(measure());
    EXPECT_THAT(attempts(), testing::SizeIs(3)) << "that source was measured";
    ASSERT_TRUE(goBack(0));
    EXPECT_EQ(text("flip.cu"), start);
    ASSERT_TRUE(goBack(three[1].seq));
    EXPECT_EQ(unwrap(step()).sourceChange->after, three[1].source);
}

TEST_F(OwnEditTest, AttemptsAreOfTheEditInProgressAndWhatIsLeftBehindIsKept)
{
    openSession();
    stepUntil(SessionAction::chooseFix);
    unwrap(step());
    const std::string start = text("flip.cu");
    support::writeBytes(file("flip.cu"), "// one\n" + start);
    costs(300'000, true, 40);
    ASSERT_TRUE(measure());
    const std::vector<Attempt> first = attempts();
    ASSERT_THAT(first, testing::SizeIs(2));
    EXPECT_EQ(first[0].classId, "uncoalesced") << "of the session's profile";
    EXPECT_EQ(first[1].finding, "Bank conflicts.");
    EXPECT_THAT(first[1].summary, StartsWith("+1 −0"));
    EXPECT_EQ(first[1].status, ResultStatus::ok);
    support::writeBytes(file("flip.cu"), "// two\n" + start);
    const std::string left = encodeFiles(unwrap(readKernelFiles(file("kernel.json").string())));
    ASSERT_TRUE(goBack(first[1].seq));
    EXPECT_EQ(unwrap(store->artifact(fmt::format("session/{}/edit-left-{}.json", id.text, contentHash(left)))), left);
    unwrap(act(SessionAction::revert));
    EXPECT_THAT(attempts(), testing::IsEmpty()) << "no edit is in progress";
    unwrap(act(SessionAction::chooseFix, "own-edit"));
    EXPECT_THAT(attempts(), testing::SizeIs(1)) << "those of the edit before are not its own";
    EXPECT_EQ(attempts()[0].source, first[0].source);
}

TEST_F(OwnEditTest, AnEditThatTheVariantIsNotBuiltFromIsNoChangeOfIt)
{
    const std::string descriptor = text("kernel.json");
    const std::size_t at = descriptor.find("    {\n      \"id\": \"plain\"");
    ASSERT_NE(at, std::string::npos);
    const std::string plain = descriptor.substr(at, descriptor.rfind("    }") + 5 - at);
    std::string other = plain;
    other.replace(other.find("plain"), 5, "other");
    other.replace(other.find("\"title\""), 7, "\"source\": \"other.cu\", \"title\"");
    support::writeBytes(file("other.cu"), text("flip.cu"));
    support::writeBytes(file("kernel.json"), descriptor.substr(0, at) + plain + ",\n" + other + descriptor.substr(at + plain.size()));
    openSession();
    stepUntil(SessionAction::chooseFix);
    EXPECT_EQ(toText(view().start), "flip/plain");
    unwrap(step());
    support::writeBytes(file("other.cu"), "// tiled\n" + text("other.cu"));
    const Error refused = step().error();
    EXPECT_EQ(refused.where, "one-variable");
    EXPECT_THAT(refused.message, HasSubstr("other.cu"));
    EXPECT_EQ(refused.next.at(0).id, StepId::stepSession);
}

TEST_F(OwnEditTest, ACommitThatWasMadeAlreadyIsNotMadeTwice)
{
    makeRepository();
    edited();
    git({"commit", "-q", "-m", "by hand", "flip.cu"});
    const SessionView kept = unwrap(act(SessionAction::keep, "git"));
    EXPECT_EQ(kept.commit + '\n', git({"rev-parse", "HEAD"}));
    EXPECT_EQ(git({"log", "--format=%s"}), "by hand\nfirst\n");
}

TEST_F(OwnEditTest, AHistorySearchBeginsWhereItIsToldAndAsksWhatFails)
{
    openSession();
    unwrap(step());
    const Error loose = act(SessionAction::bisect).error();
    EXPECT_EQ(loose.code, ErrorCode::badInput);
    EXPECT_EQ(loose.next.at(0).id, StepId::noteInSession) << "it is in no repository";
    makeRepository();
    support::writeBytes(file("flip.cu"), "// broken\n" + text("flip.cu"));
    costs(400'000, false);
    git({"commit", "-qam", "break it"});
    const std::string bad = git({"rev-parse", "HEAD"}).substr(0, 40);
    support::writeBytes(file("flip.cu"), "// broken still\n" + text("flip.cu"));
    costs(400'000, false);
    git({"commit", "-qam", "more"});
    const auto firstBad = [&](const std::string& good) {
        return unwrap(parseJson(unwrap(act(SessionAction::bisect, good)).events.back().dataJson, "event"))["first_bad"];
    };
    EXPECT_EQ(firstBad(""), Json({bad})) << "from the oldest commit of the kernel";
    EXPECT_EQ(firstBad("HEAD~1"), Json::array()) << "which is not good";
    NewSession request;
    request.kernel = "flip";
    request.kind = "expert";
    live.build = CompileAnswer{};
    live.build->status = ResultStatus::compilationFailed;
    id = with([&](SessionEngine& session) { return unwrap(session.create(request)).header.id; });
    unwrap(step());
    unwrap(step());
    EXPECT_EQ(act(SessionAction::bisect).error().where, "build") << "whether it builds";
}

} // namespace
} // namespace kl::test
