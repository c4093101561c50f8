// SPDX-License-Identifier: MIT
// Sessions on a program: what is built, checked, measured, profiled, edited and compared is a process.
#include "sessions/edit/command.h"
#include "sessions/measure/compare.h"
#include "sessions/target/target_family.h"
#include "tests/sessions/engine_support.h"
#include "tests/support/fake_program.h"
#include "tests/support/real_reports.h"
#include "tests/support/snapshot.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <iterator>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <utime.h>

namespace kl::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class TargetSession : public EngineTest {
protected:
    TargetSession() : program(folder / "project"), live(Source::live)
    {
        ::setenv("XDG_STATE_HOME", (folder / "state").c_str(), 1);
        support::writeBytes(folder / "inject.so", "not loaded by programs without CUDA");
        ::setenv("KERNELLOOP_INJECT", (folder / "inject.so").c_str(), 1);
        live.hello().devices.front().name = "NVIDIA H200";
    }
    ~TargetSession() override { ::unsetenv("KERNELLOOP_INJECT"); }

    template <class Work> auto with(Work work)
    {
        Catalog now({});
        EXPECT_TRUE(now.add(unwrap(loadFamily(program.file("kernelloop.json")))).ok());
        TestBench own(now, tree, live, *store);
        TestEngine session(own);
        return work(session);
    }
    void openSession(const std::string& kind = "optimize")
    {
        NewSession request;
        request.objective = "make it fast";
        request.kernel = "sums";
        request.kind = kind;
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
        for (int i = 0; i < 20 && !view().next.empty() && view().next.front().action != action; ++i)
            unwrap(step());
        ASSERT_EQ(view().next.front().action, action) << view().why;
    }
    /// From the start to an edit that is taken.
    void edited(int ns, const std::string& result = "right")
    {
        openSession();
        stepUntil(SessionAction::chooseFix);
        unwrap(step());
        program.code(ns, result);
        unwrap(step());
    }
    static const CheckRow& findRow(const SessionView& seen, const std::string& gate, const std::string& check)
    {
        for (const CheckRow& row : findGate(seen, gate).checks)
            if (row.id == check)
                return row;
        throw std::runtime_error("no check " + check);
    }
    std::string git(std::vector<std::string> words)
    {
        words.insert(words.begin(), {"-C", program.folder().string(), "-c", "user.name=A", "-c", "user.email=a@b.c"});
        const Result<CommandAnswer> answer = runCommand("git", words);
        EXPECT_TRUE(answer.ok());
        return answer ? answer->output + answer->errors : std::string();
    }
    std::string report(const std::string& name)
    {
        const std::string path = (folder / (name + ".ncu-rep")).string();
        support::writeBytes(path, ncuData(name + ".ncu-rep"));
        return path;
    }
    /// When the code was last changed, for the file system.
    void changedAt(std::time_t at)
    {
        const utimbuf times{at, at};
        ASSERT_EQ(::utime(program.file("kernel.txt").c_str(), &times), 0);
    }

    /// The rule or gate by which it is refused; the error is `last`.
    std::string refusedBy(SessionAction action, const std::string& argument = {})
    {
        const Result<SessionView> result = act(action, argument);
        EXPECT_FALSE(result.ok()) << toString(action);
        last = result ? Error{} : result.error();
        return last.where;
    }

    FakeProgram program;
    FakeCollector live;
    SessionId id;
    Error last;
    int commits = 0;
};

TEST_F(TargetSession, AFixIsMeasuredInTurnsAndKept)
{
    openSession();
    stepUntil(SessionAction::chooseFix);
    SessionView before = view();
    EXPECT_EQ(findRow(before, "G1", "target-build").result, GateResult::pass);
    EXPECT_EQ(findRow(before, "G1", "target-launch").result, GateResult::pass);
    ASSERT_TRUE(before.baselineRun && before.baselineRun->timing && before.baselineRun->baseline);
    EXPECT_EQ(before.baselineRun->timing->gpu.median, 8000);
    EXPECT_EQ(before.baselineRun->timing->gpu.n, 60) << "ten of 70 launches are warm-up";
    EXPECT_FALSE(before.baselineRun->timing->host) << "no launch was waited for";
    EXPECT_EQ(before.baselineRun->timing->samples.size(), 60U);
    EXPECT_EQ(before.baselineRun->timing->stoppedBy, "end of the program");
    EXPECT_EQ(before.baselineRun->baseline->gpu->median, 6000);
    EXPECT_EQ(before.baselineRun->launches.at(0).gridBlocks, 32 * 4 * 2);
    EXPECT_EQ(before.baselineRun->launches.at(0).blockThreads, 32 * 4 * 2);
    EXPECT_EQ(before.baselineRun->launches.at(0).registers, 32);
    EXPECT_EQ(before.baselineRun->program->launches, 70);
    EXPECT_EQ(before.baselineRun->program->totalNs, 70 * 8000);
    EXPECT_DOUBLE_EQ(before.baselineRun->program->share, 8.0 / 14);
    EXPECT_EQ(before.speedup, 0.75);
    ASSERT_TRUE(before.profileRun && before.profileRun->diagnosis);
    EXPECT_EQ(before.profileRun->diagnosis->finding.classId, "uncoalesced");
    EXPECT_EQ(before.profileRun->kernel, (Address{"sums", "program", {}}));
    EXPECT_EQ(findGate(before, "G3").result, GateResult::pass);

    unwrap(step()); // begins the edit
    program.code(4000);
    SessionView taken = unwrap(step());
    ASSERT_TRUE(taken.sourceChange);
    EXPECT_THAT(taken.sourceChange->diff, HasSubstr("+time=4000"));
    stepUntil(SessionAction::evaluate);
    EXPECT_EQ(view().candidateRun->correctness.suite.size(), 3U);
    const SessionView evaluated = unwrap(step());
    ASSERT_TRUE(evaluated.evaluation && evaluated.evaluation->ratio) << evaluated.why;
    EXPECT_EQ(evaluated.evaluation->verdict, Verdict::faster);
    EXPECT_NEAR(evaluated.evaluation->ratio->value, 2, 1e-9);
    EXPECT_EQ(evaluated.evaluation->blocks, 10);
    EXPECT_EQ(std::ranges::count(evaluated.evaluation->warnings, kPassesUnchecked, &Warning::code), 0) << "every process was checked";
    EXPECT_THAT(evaluated.evaluation->data.front().a, SizeIs(2)) << "old, new, new, old";
    ASSERT_TRUE(evaluated.evaluation->wall);
    EXPECT_NEAR(evaluated.evaluation->wall->ratio.value, 20.0 / 16, 1e-9);
    EXPECT_EQ(evaluated.evaluation->wall->aNs, 20'000);
    EXPECT_EQ(evaluated.evaluation->wall->bNs, 16'000);
    EXPECT_EQ(findRow(evaluated, "G5", "step-time").result, GateResult::pass);
    EXPECT_EQ(evaluated.next.front().action, SessionAction::keep);
    EXPECT_TRUE(unwrap(step()).kept);
    EXPECT_THAT(program.text("kernel.txt"), HasSubstr("time=4000"));
}

TEST_F(TargetSession, AKeptFixIsCommittedAndARevertRestoresIt)
{
    git({"init", "-q", "-b", "main"});
    git({"config", "user.name", "A"});
    git({"config", "user.email", "a@b.c"});
    git({"add", "."});
    git({"commit", "-qm", "first"});
    edited(4000);
    stepUntil(SessionAction::keep);
    const Result<SessionView> kept = act(SessionAction::keep, "git");
    ASSERT_TRUE(kept.ok()) << kept.error().message;
    EXPECT_THAT(kept->commit, Not(IsEmpty()));
    EXPECT_THAT(git({"show", "--stat", "HEAD"}), HasSubstr("kernel.txt"));
    EXPECT_THAT(git({"log", "-1", "--format=%B"}), HasSubstr("2.00"));
}

/// Its launches follow each other: the message claims no cold L2 cache.
TEST_F(TargetSession, SnapshotOfTheMessageOfItsCommit)
{
    git({"init", "-q", "-b", "main"});
    git({"config", "user.name", "A"});
    git({"config", "user.email", "a@b.c"});
    git({"add", "."});
    git({"commit", "-qm", "first"});
    edited(4000);
    stepUntil(SessionAction::keep);
    ASSERT_TRUE(act(SessionAction::keep, "git").ok());
    expectSnapshot("texts/commit-of-a-program.txt", git({"log", "-1", "--format=%B"}));
}

TEST_F(TargetSession, ASlowFixIsRevertedAndItsFilesAreRestored)
{
    const std::string before = program.text("kernel.txt");
    edited(7900);
    stepUntil(SessionAction::evaluate);
    const SessionView seen = unwrap(step());
    EXPECT_EQ(findGate(seen, "G5").result, GateResult::fail);
    EXPECT_EQ(seen.next.front().action, SessionAction::revert);
    EXPECT_TRUE(unwrap(step()).reverted);
    EXPECT_EQ(program.text("kernel.txt"), before);
    EXPECT_EQ(refusedBy(SessionAction::keep), "one-variable");
}

TEST_F(TargetSession, AnIncorrectFixIsNeverTimed)
{
    edited(4000, "7");
    const SessionView seen = unwrap(step());
    EXPECT_EQ(seen.candidateRun->status, ResultStatus::validationFailed);
    EXPECT_FALSE(seen.candidateRun->timing);
    const CheckRow& row = findRow(seen, "G4", "suite-correct");
    EXPECT_EQ(row.result, GateResult::fail);
    EXPECT_THAT(row.found, HasSubstr("N=7"));
    EXPECT_THAT(row.next, IsEmpty()) << "kloop run takes no program";
    EXPECT_EQ(refusedBy(SessionAction::evaluate), "correctness-first");
    EXPECT_TRUE(unwrap(act(SessionAction::revert)).reverted);
    EXPECT_THAT(program.text("kernel.txt"), HasSubstr("result=right"));
}

TEST_F(TargetSession, ABuildFailureIsTheResultOfTheStep)
{
    program.write("kernel.txt", "syntax error\n");
    openSession();
    const SessionView failed = unwrap(step());
    const CheckRow& row = findRow(failed, "G1", "target-build");
    EXPECT_EQ(row.result, GateResult::fail);
    EXPECT_THAT(row.found, HasSubstr("expected an expression"));
    EXPECT_EQ(findRow(failed, "G1", "target-launch").result, GateResult::unknown);
    program.code(8000);
    EXPECT_EQ(findGate(unwrap(act(SessionAction::checkEnvironment)), "G1").result, GateResult::pass);
}

TEST_F(TargetSession, AnEditThatDoesNotBuildIsNoCandidateToMeasure)
{
    openSession();
    stepUntil(SessionAction::chooseFix);
    unwrap(step());
    program.write("kernel.txt", "syntax error\n");
    unwrap(step());
    const SessionView seen = unwrap(step());
    EXPECT_EQ(seen.candidateRun->status, ResultStatus::compilationFailed);
    EXPECT_THAT(seen.candidateRun->reason, HasSubstr("expected an expression"));
    EXPECT_EQ(refusedBy(SessionAction::evaluate), "correctness-first");
}

TEST_F(TargetSession, OnlyTheListedFilesMayChange)
{
    openSession();
    stepUntil(SessionAction::chooseFix);
    unwrap(step());
    program.code(4000);
    program.write("run.sh", "# faster\n" + program.text("run.sh"));
    const Result<SessionView> taken = step();
    ASSERT_FALSE(taken.ok());
    EXPECT_EQ(taken.error().where, "one-variable");
    EXPECT_THAT(taken.error().message, HasSubstr("run.sh"));
}

TEST_F(TargetSession, WhatJudgesATakenEditMayNotChange)
{
    edited(4000, "wrong");
    const std::string target = program.text("kernelloop.json");
    program.change("\"reference\": [\"sh\", \"reference.sh\", \"{N}\"]", "\"command\": \"true\"");
    EXPECT_EQ(refusedBy(SessionAction::verifySuite), "one-variable");
    EXPECT_THAT(last.message, HasSubstr("kernelloop.json"));
    program.write("kernelloop.json", target);
    const std::string reference = program.text("reference.sh");
    program.write("reference.sh", "cp data/wrong.npy \"$KLOOP_OUTPUT\"/out.npy\n");
    EXPECT_EQ(refusedBy(SessionAction::verifySuite), "one-variable");
    program.write("reference.sh", reference);
    unwrap(act(SessionAction::verifySuite));
    EXPECT_EQ(findGate(view(), "G4").result, GateResult::fail);
}

TEST_F(TargetSession, ItsCommandsAskFirst)
{
    live.consent = [](const FileCommand& command) -> Status {
        Error refused{.code = ErrorCode::needsConsent, .message = "not allowed", .where = command.file};
        refused.command = std::make_shared<const FileCommand>(command);
        return refused;
    };
    openSession();
    const Result<SessionView> refused = step();
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::needsConsent);
    EXPECT_EQ(exitCode(refused.error().code), 1);
    EXPECT_FALSE(std::filesystem::exists(program.file("build")));
    const FileCommand& requested = *refused.error().command;
    EXPECT_EQ(requested.file, program.file("kernelloop.json"));
    EXPECT_EQ(requested.command, (std::vector<std::string>{"sh", "-c", "sh build.sh"}));
    EXPECT_EQ(requested.hash.size(), 64U);
    EXPECT_THAT(requested.afterwards, HasSubstr("run.sh"));

    live.consent = {};
    unwrap(step());
    const std::string known = live.commands.back().hash;
    program.code(7900); // what is edited does not ask again
    EXPECT_TRUE(step().ok());
    EXPECT_EQ(live.commands.back().hash, known);
    program.write("build.sh", program.text("build.sh") + "echo more\n");
    unwrap(act(SessionAction::checkEnvironment));
    EXPECT_NE(live.commands.back().hash, known);
}

TEST_F(TargetSession, ADebugSessionFindsTheSizeAndKeepsTheFix)
{
    program.code(8000, "7");
    openSession("debug");
    stepUntil(SessionAction::chooseFix);
    EXPECT_EQ(view().failingProblem, (Params{{"N", std::int64_t{7}}}));
    unwrap(step());
    program.code(8000);
    stepUntil(SessionAction::verifyMinimal);
    EXPECT_EQ(findGate(unwrap(step()), "D1").result, GateResult::pass);
    stepUntil(SessionAction::keep);
    EXPECT_EQ(findGate(view(), "D2").result, GateResult::pass);
    EXPECT_TRUE(unwrap(step()).kept);
}

TEST_F(TargetSession, ItsHistoryIsSearchedWithTheChecksOfToday)
{
    const std::string checks = program.text("run.sh");
    std::filesystem::remove(program.file("run.sh")); // younger than the fault
    git({"init", "-q", "-b", "main"});
    for (const char* result : {"right", "right", "7", "7"}) {
        program.code(8000 - (std::string(result) == "right" ? 0 : 100), result);
        program.write("step.txt", program.file("step.txt").string() + std::to_string(++commits));
        git({"add", "."});
        git({"commit", "-qm", fmt::format("step {}", commits)});
    }
    program.write("run.sh", checks);
    openSession("debug");
    stepUntil(SessionAction::chooseFix);
    const Result<SessionView> searched = act(SessionAction::bisect);
    ASSERT_TRUE(searched.ok()) << searched.error().message;
    EXPECT_THAT(searched->historyFound, HasSubstr("step 3"));
}

TEST_F(TargetSession, AReportOfThisKernelTakesTheProfilesPlace)
{
    openSession();
    stepUntil(SessionAction::profile);
    const std::vector<NextAction> offered = view().next;
    ASSERT_GE(offered.size(), 2U);
    EXPECT_EQ(offered[1].action, SessionAction::profile);
    EXPECT_THAT(offered[1].step.inputs, SizeIs(1)) << "asks for the report";
    changedAt(1'600'000'000);
    const Result<SessionView> seen = act(SessionAction::profile, report("basic"));
    ASSERT_TRUE(seen.ok()) << seen.error().message;
    ASSERT_TRUE(seen->profileRun && seen->profileRun->imported);
    EXPECT_EQ(seen->profileRun->imported->kernel, "column_sum(const float *, float *, int, int)");
    EXPECT_EQ(seen->profileRun->correctness.result, CorrectnessResult::correct);
    EXPECT_EQ(findGate(*seen, "G3").result, GateResult::pass) << findGate(*seen, "G3").verdict;
    std::vector<std::string> codes;
    for (const Warning& note : seen->profileRun->warnings)
        codes.push_back(note.code);
    EXPECT_THAT(codes, ::testing::IsSupersetOf({"report-age", "report-clock"}));
}

TEST_F(TargetSession, AStaleOrForeignReportIsRefused)
{
    openSession();
    stepUntil(SessionAction::profile);
    changedAt(1'900'000'000); // after the report
    EXPECT_EQ(refusedBy(SessionAction::profile, report("basic")), "profile-before-optimizing");
    EXPECT_THAT(last.message, HasSubstr("kernel.txt"));
    changedAt(1'600'000'000);
    EXPECT_EQ(refusedBy(SessionAction::profile, report("three_kernels")), "profile-before-optimizing");
    EXPECT_THAT(last.message, HasSubstr("column_sum"));
    live.hello().devices.front().name = "NVIDIA L40S";
    EXPECT_EQ(refusedBy(SessionAction::profile, report("basic")), "profile-before-optimizing");
    EXPECT_THAT(last.message, HasSubstr("L40S"));
}

TEST_F(TargetSession, AReportWithItsSourceIsHeldAgainstTheText)
{
    program.change("\"edit\": [\"kernel.txt\"]", "\"edit\": [\"kernel.txt\", \"small.cu\"]");
    program.write("small.cu", "not the text of the report\n");
    openSession();
    stepUntil(SessionAction::profile);
    changedAt(1'600'000'000);
    const utimbuf old{1'600'000'000, 1'600'000'000};
    ASSERT_EQ(::utime(program.file("small.cu").c_str(), &old), 0) << "by its age it could be that text";
    EXPECT_EQ(refusedBy(SessionAction::profile, report("source")), "profile-before-optimizing");
    EXPECT_THAT(last.message, HasSubstr("small.cu"));
}

TEST_F(TargetSession, WithoutEnoughLaunchesNothingIsMeasured)
{
    program.change("\"edit\"", "\"launches\": 61, \"edit\"");
    openSession();
    const SessionView seen = unwrap(step());
    EXPECT_EQ(findRow(seen, "G1", "target-launch").result, GateResult::fail);
    EXPECT_THAT(findRow(seen, "G1", "target-launch").found, ::testing::ContainsRegex("^60 [^0-9]+ 10 [^0-9]+ 61 "))
        << "left, of warm-up, needed";
}

TEST_F(TargetSession, ACommandCanCheck)
{
    program.change("\"reference\": [\"sh\", \"reference.sh\", \"{N}\"]", "\"command\": \"! grep -q 'result={N}' build/kernel\"");
    edited(4000, "512");
    const SessionView seen = unwrap(step());
    EXPECT_EQ(seen.candidateRun->status, ResultStatus::validationFailed);
    EXPECT_THAT(seen.candidateRun->reason, HasSubstr("N=512"));
    EXPECT_EQ(findRow(seen, "G4", "suite-correct").result, GateResult::fail);
    EXPECT_EQ(findRow(seen, "G4", "finite").result, GateResult::unknown) << "a command gives no figures";
    EXPECT_EQ(findRow(seen, "G4", "finite").requirement, Requirement::optional);
    EXPECT_THAT(findRow(seen, "G2", "kernel-correct").found, Not(::testing::ContainsRegex("[0-9]"))) << "it has no figures";
}

TEST_F(TargetSession, ACrashIsNoIncorrectResult)
{
    program.write("run.sh", "if grep -q crash build/kernel; then kill -11 $$; fi\n" + program.text("run.sh"));
    edited(4000, "crash");
    const SessionView seen = unwrap(step());
    EXPECT_EQ(seen.candidateRun->status, ResultStatus::computationFailed);
    EXPECT_EQ(seen.candidateRun->correctness.result, CorrectnessResult::notChecked);
    EXPECT_THAT(seen.candidateRun->reason, HasSubstr("signal 11"));
}

TEST_F(TargetSession, OnARecordingItIsRefused)
{
    FakeCollector sample(Source::sample);
    Catalog now({});
    ASSERT_TRUE(now.add(unwrap(loadFamily(program.file("kernelloop.json")))).ok());
    TestBench own(now, tree, sample, *store);
    TestEngine session(own);
    NewSession request;
    request.kernel = "sums";
    const Result<SessionView> opened = session.create(request);
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().code, ErrorCode::environment);
    EXPECT_EQ(own.run({"sums", "program", {}}, {}, false).error().code, ErrorCode::refused) << "kloop run measures by a worker";
}

TEST_F(TargetSession, ARunOnAnotherGpuThanTheSessionsIsNoMeasurement)
{
    openSession();
    stepUntil(SessionAction::verifySmallest);
    live.hello().devices.front().uuid = "GPU-elsewhere";
    const Result<SessionView> moved = act(SessionAction::checkEnvironment);
    ASSERT_TRUE(moved) << moved.error().message;
    const SessionView seen = unwrap(act(SessionAction::verifySmallest));
    ASSERT_TRUE(seen.smallestRun);
    EXPECT_EQ(seen.smallestRun->status, ResultStatus::computationFailed);
    for (const char* uuid : {"GPU-fake", "GPU-elsewhere"})
        EXPECT_THAT(seen.smallestRun->reason, HasSubstr(uuid));
    EXPECT_FALSE(seen.smallestRun->timing);
}

TEST_F(TargetSession, AmongSeveralGpusTheProgramSeesTheSessions)
{
    program.write("run.sh", "echo \"[$CUDA_VISIBLE_DEVICES]\" >> seen\n" + program.text("run.sh"));
    openSession();
    unwrap(step());
    EXPECT_THAT(program.text("seen"), Not(HasSubstr("GPU")));
    std::filesystem::remove(program.file("seen"));
    live.hello().devices.push_back(live.hello().devices.front());
    live.hello().devices.back().uuid = "GPU-second";
    unwrap(act(SessionAction::checkEnvironment));
    EXPECT_THAT(program.text("seen"), HasSubstr("[GPU-fake]"));
    EXPECT_THAT(program.text("seen"), Not(HasSubstr("[]")));
}

TEST_F(TargetSession, ARivalOfItsOwnAlternatesWithTheProgram)
{
    program.change("{\"kernel\": \"^rival\"}", "{\"kernel\": \"^rival\", \"name\": \"Theirs\", \"run\": [\"sh\", \"rival.sh\"]}");
    program.write("rival.sh", "echo rival >> order\nsh run.sh 1\n");
    program.write("run.sh", "if [ -n \"$KLOOP_INJECT_SPOOL\" ]; then echo run >> order; fi\n" + program.text("run.sh"));
    openSession();
    stepUntil(SessionAction::measureBaseline);
    std::filesystem::remove(program.file("order"));
    const SessionView seen = unwrap(step());
    ASSERT_TRUE(seen.baselineRun && seen.baselineRun->timing && seen.baselineRun->baseline);
    EXPECT_EQ(program.text("order"), "run\nrival\nrun\nrival\nrun\nrun\n") << "the rival's script runs the program itself";
    EXPECT_EQ(seen.baselineRun->timing->gpu.n, 120) << "of both runs";
    EXPECT_EQ(seen.baselineRun->timing->samples.size(), 120U);
    EXPECT_EQ(seen.baselineRun->baseline->name, "Theirs");
    EXPECT_EQ(seen.baselineRun->baseline->gpu->n, 120);
    EXPECT_EQ(seen.baselineRun->speedup, 0.75);
}

TEST_F(TargetSession, AResultThatIsOnlyWrongWhenTimedRefutesTheNewSide)
{
    program.change("\"sh\", \"run.sh\"", "\"sh\", \"cheat.sh\"");
    program.write("cheat.sh",
                  "sh run.sh \"$1\"\nif grep -q cheat build/kernel && [ -n \"$KLOOP_INJECT_SPOOL\" ] && [ -n \"$KLOOP_OUTPUT\" ]; then "
                  "cp data/wrong.npy \"$KLOOP_OUTPUT\"/out.npy; fi\n");
    edited(4000, "cheat");
    stepUntil(SessionAction::evaluate);
    const SessionView seen = unwrap(step());
    ASSERT_TRUE(seen.evaluation);
    EXPECT_FALSE(seen.evaluation->ratio);
    ASSERT_TRUE(seen.evaluation->refuted);
    EXPECT_EQ(seen.evaluation->refuted->side, "b");
    EXPECT_EQ(seen.evaluation->refuted->result, CorrectnessResult::incorrectWhenTimed);
    EXPECT_EQ(findRow(seen, "G5", "both-correct").result, GateResult::fail);
}

TEST_F(TargetSession, AComparisonNamesBothTextsAndStepsOfProgramsAlone)
{
    program.change("\"reference\": [\"sh\", \"reference.sh\", \"{N}\"]", "\"command\": \"true\"");
    edited(4000);
    stepUntil(SessionAction::evaluate);
    const SessionView seen = unwrap(step());
    ASSERT_TRUE(seen.evaluation && seen.evaluation->ratio) << seen.why;
    const auto source = std::ranges::find(seen.evaluation->tunables, "source", &Difference::name);
    ASSERT_NE(source, seen.evaluation->tunables.end());
    EXPECT_EQ(source->a, seen.baselineRun->sourceHash.substr(0, 12)) << "the old text";
    EXPECT_EQ(source->b, seen.candidateRun->sourceHash.substr(0, 12));
    EXPECT_NE(source->a, source->b);
    for (const NextStep& next : seen.evaluation->nextSteps)
        EXPECT_TRUE(next.id != StepId::run && next.id != StepId::calibrate) << "which are for kernels of a worker";
}

TEST_F(TargetSession, AProgramThatCrashesFailsOnItsSmallestSize)
{
    program.write("run.sh", "kill -11 $$\n");
    openSession("debug");
    stepUntil(SessionAction::findFailing);
    const SessionView seen = unwrap(step());
    EXPECT_EQ(seen.failingProblem, (Params{{"N", std::int64_t{1}}}));
    EXPECT_EQ(seen.failingRun->status, ResultStatus::computationFailed);
    program.code(8000);
}

/// A session on the second problem of a target. What the program is run on is listed outside of the project.
class SecondProblem : public TargetSession {
protected:
    SecondProblem()
    {
        program.change("\"problems\": [\"N=512\"]", "\"problems\": [\"N=512\", \"N=64\"]");
        program.write("run.sh", "if [ -n \"$KLOOP_INJECT_SPOOL\" ]; then echo \"$1\" >> " + (folder / "timed").string() + "; fi\n" +
                                    "echo \"$1\" >> " + (folder / "ran").string() + "\n" + program.text("run.sh"));
    }
    void openOn(const std::string& problem)
    {
        NewSession request;
        request.objective = "make it fast";
        request.kernel = "sums";
        request.problem = problem.empty() ? Params{} : unwrap(parseParams(problem));
        id = with([&](SessionEngine& session) { return unwrap(session.create(request)).header.id; });
    }
    /// The sizes in a list; each once.
    std::set<std::string> sizesIn(const std::string& list)
    {
        std::istringstream lines(support::readBytes(folder / list));
        return {std::istream_iterator<std::string>(lines), {}};
    }
};

TEST_F(SecondProblem, IsWhatEachStepOfTheSessionMeasuresAndCompares)
{
    openOn("N=64");
    stepUntil(SessionAction::chooseFix);
    EXPECT_EQ(view().baselineRun->problem, (Params{{"N", std::int64_t{64}}}));
    EXPECT_EQ(view().profileRun->problem, (Params{{"N", std::int64_t{64}}}));
    EXPECT_TRUE(sizesIn("timed").contains("64"));
    EXPECT_FALSE(sizesIn("ran").contains("512"));
    unwrap(step());
    program.code(4000);
    unwrap(step());
    stepUntil(SessionAction::evaluate);
    for (const char* list : {"timed", "ran"})
        std::filesystem::remove(folder / list);
    const SessionView seen = unwrap(step());
    ASSERT_TRUE(seen.evaluation && seen.evaluation->ratio) << seen.why;
    EXPECT_EQ(sizesIn("timed"), (std::set<std::string>{"64"}));
    EXPECT_FALSE(sizesIn("ran").contains("512"));
}

TEST_F(SecondProblem, WithoutAProblemASessionIsOnTheFirst)
{
    openOn("");
    stepUntil(SessionAction::chooseFix);
    EXPECT_EQ(view().baselineRun->problem, (Params{{"N", std::int64_t{512}}}));
    EXPECT_TRUE(sizesIn("timed").contains("512"));
    EXPECT_FALSE(sizesIn("ran").contains("64"));
}

} // namespace
} // namespace kl::test
