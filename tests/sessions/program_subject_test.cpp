// SPDX-License-Identifier: MIT
// What a program is asked for, without a session around it.
#include "sessions/edit/command.h"
#include "sessions/subject/program_bisect.h"
#include "sessions/target/target_family.h"
#include "tests/sessions/engine_support.h"
#include "tests/support/fake_program.h"
#include "tests/support/set_variable.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace kl::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// A stand-in for compute-sanitizer: writes the log of its tool, if there is one, and ends as it says, without the program.
constexpr const char* kProgramTool = R"(
echo "$@" >> "$HERE/ran"
while [ $# -gt 0 ]; do
    case "$1" in
    --tool) tool=$2; shift 2 ;;
    --log-file) log=$2; shift 2 ;;
    *) shift ;;
    esac
done
cp "$HERE/$tool.txt" "$log" 2>/dev/null
status=$(cat "$HERE/$tool.status" 2>/dev/null)
exit "${status:-0}"
)";

class ProgramSubjects : public EngineTest {
protected:
    ProgramSubjects() : program(folder / "project"), live(Source::live)
    {
        support::writeBytes(folder / "inject.so", "not loaded by programs without CUDA");
        live.hello().devices.front().name = "NVIDIA H200";
    }

    template <class Work> auto requested(Work work)
    {
        Catalog now({});
        const KernelFamily family = unwrap(loadFamily(program.file("kernelloop.json")));
        EXPECT_TRUE(now.add(family).ok());
        TestBench own(now, tree, live, *store);
        return work(*makeSubject(own, family), own, family);
    }
    Result<RunRecord> run(const Params& problem = {})
    {
        return requested([&](Subject& subject, auto&, auto&) { return subject.run(kSums, problem, false, job); });
    }
    /// How a folder with these files is judged, as a revision of the project.
    Judgment judged(const std::map<std::string, std::string>& files, const RevisionQuestion& question = {})
    {
        const std::filesystem::path other = folder / fmt::format("revision-{}", ++revisions);
        std::filesystem::create_directories(other / "project");
        for (const auto& [name, text] : files)
            support::writeBytes(other / "project" / name, text);
        return requested(
            [&](Subject& subject, auto&, auto&) { return unwrap(subject.judge(question, folder.path().string(), job)(other.string())); });
    }
    Result<std::vector<SanitizerCheck>> sanitized(const std::vector<std::string>& tools, const Params& problem = {})
    {
        support::writeBytes(folder / "tool.sh", "#!/bin/sh\nHERE='" + folder.path().string() + "'\n" + kProgramTool);
        std::filesystem::permissions(folder / "tool.sh", std::filesystem::perms::owner_all);
        const support::SetVariable tool("KERNELLOOP_SANITIZER", (folder / "tool.sh").c_str());
        return requested([&](Subject& subject, auto&, auto&) { return subject.sanitize(kSums, problem, tools, job); });
    }
    /// Replaces a part of what the program does.
    void does(const std::string& from, const std::string& to) const
    {
        std::string script = program.text("run.sh");
        const std::size_t at = script.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        program.write("run.sh", script.replace(at, from.size(), to));
    }
    static std::string formatKernel(const std::string& result) { return "time=8000\nresult=" + result + "\n"; }

    const Address kSums{"sums", "program", {}};
    FakeProgram program;
    FakeCollector live;
    support::SetVariable inject{"KERNELLOOP_INJECT", (folder / "inject.so").c_str()};
    support::SetVariable state{"XDG_STATE_HOME", (folder / "state").c_str()};
    Job job;
    int revisions = 0;
};

TEST_F(ProgramSubjects, ARevisionWithoutAnEditedFileIsSkippedAndLacksNothingElse)
{
    EXPECT_EQ(judged({}).state, RevisionState::skip);
    EXPECT_THAT(judged({}).seen, HasSubstr("kernel.txt"));
    EXPECT_EQ(judged({{"kernel.txt", formatKernel("right")}}).state, RevisionState::good) << "its scripts and data are today's";
    EXPECT_EQ(judged({{"kernel.txt", formatKernel("wrong")}}).state, RevisionState::bad);
    EXPECT_EQ(judged({{"kernel.txt", formatKernel("right")}, {"run.sh", "exit 1\n"}}).state, RevisionState::bad) << "its own script stays";
}

TEST_F(ProgramSubjects, WhetherARevisionBuildsIsAQuestionOfItsOwn)
{
    const std::map<std::string, std::string> broken{{"kernel.txt", "syntax error\n"}};
    const std::map<std::string, std::string> wrong{{"kernel.txt", formatKernel("wrong")}};
    EXPECT_EQ(judged(broken).state, RevisionState::skip);
    EXPECT_EQ(judged(broken, {true, {}, {}}).state, RevisionState::bad);
    EXPECT_THAT(judged(broken, {true, {}, {}}).seen, HasSubstr("kernel.txt(1)"));
    EXPECT_EQ(judged(wrong, {true, {}, {}}).state, RevisionState::good);
    EXPECT_EQ(judged(wrong).state, RevisionState::bad);
}

TEST_F(ProgramSubjects, ARevisionIsCheckedOnItsProblemFirstAndThenOnTheSuite)
{
    const std::map<std::string, std::string> everywhere{{"kernel.txt", formatKernel("wrong")}};
    EXPECT_THAT(judged(everywhere).seen, HasSubstr("N=512")) << "the target's first";
    EXPECT_THAT(judged(everywhere, {false, {}, {{"N", std::int64_t{7}}}}).seen, HasSubstr("N=7"));
    EXPECT_THAT(judged(everywhere, {false, {}, {{"N", std::int64_t{20}}}}).seen, HasSubstr("N=20")) << "one of no suite";
    const std::map<std::string, std::string> once{{"kernel.txt", formatKernel("7")}};
    EXPECT_EQ(judged(once).state, RevisionState::bad);
    EXPECT_THAT(judged(once).seen, HasSubstr("N=7"));
}

TEST_F(ProgramSubjects, AHistoryIsSearchedInsideARepositoryAlone)
{
    const Result<BisectResult> found = requested([&](Subject&, Workbench& own, const KernelFamily& family) {
        return bisectProgram(own, family, {"HEAD~1", "HEAD", {}}, job);
    });
    ASSERT_FALSE(found.ok());
    EXPECT_EQ(found.error().code, ErrorCode::badInput);
    EXPECT_EQ(found.error().where, program.folder().string());
    EXPECT_THAT(found.error().message, HasSubstr(program.folder().string()));
}

TEST_F(ProgramSubjects, FindingsInOtherKernelsOfTheProgramAreLeftOut)
{
    const std::string theirs = support::readBytes(KL_SOURCE_DIR "/tests/data/sanitizer/memcheck.txt");
    std::string log = theirs;
    for (std::size_t at = 0; (at = log.find("past_the_end", at)) != std::string::npos;)
        log.replace(at, std::string("past_the_end").size(), "column_sum");
    support::writeBytes(folder / "memcheck.txt", theirs + log);
    support::writeBytes(folder / "memcheck.status", "3");
    support::writeBytes(folder / "racecheck.txt", theirs);
    support::writeBytes(folder / "initcheck.status", "5");
    const auto checks = sanitized({"memcheck", "racecheck", "initcheck"});
    ASSERT_TRUE(checks.ok()) << checks.error().message;
    ASSERT_THAT(*checks, SizeIs(3));
    EXPECT_EQ((*checks)[0].tool, "memcheck");
    ASSERT_THAT((*checks)[0].findings, SizeIs(1));
    EXPECT_EQ((*checks)[0].findings[0].place.kernel, "column_sum");
    EXPECT_EQ((*checks)[0].log, theirs + log);
    EXPECT_EQ((*checks)[0].trouble, "") << "the finding is why it failed";
    EXPECT_EQ((*checks)[1].tool, "racecheck");
    EXPECT_THAT((*checks)[1].findings, SizeIs(0));
    EXPECT_EQ((*checks)[1].trouble, "");
    EXPECT_THAT((*checks)[2].trouble, HasSubstr("5")) << "nothing explains the status";
    EXPECT_EQ((*checks)[2].log, "");
}

TEST_F(ProgramSubjects, ASanitizerRunsTheProgramOnItsSmallestSizeUnlessAskedForAnother)
{
    ASSERT_TRUE(sanitized({"memcheck"}).ok());
    ASSERT_TRUE(sanitized({"synccheck"}, {{"N", std::int64_t{7}}}).ok());
    const std::string ran = support::readBytes(folder / "ran");
    EXPECT_THAT(ran, HasSubstr("--target-processes all sh run.sh 1\n"));
    EXPECT_THAT(ran, HasSubstr("--target-processes all sh run.sh 7\n"));
    program.write("kernel.txt", "syntax error\n");
    const auto broken = sanitized({"memcheck"});
    ASSERT_FALSE(broken.ok());
    EXPECT_EQ(broken.error().code, ErrorCode::environment);
    EXPECT_EQ(broken.error().where, program.file("kernelloop.json").string());
    EXPECT_THAT(broken.error().message, HasSubstr("kernel.txt(1)"));
    EXPECT_EQ(support::readBytes(folder / "ran"), ran) << "what does not build is not run";
}

TEST_F(ProgramSubjects, AnIntervalAroundTheThresholdIsMeasuredTwiceAsLong)
{
    const KernelFiles before = unwrap(readKernelFiles(program.file("kernelloop.json").string()));
    const auto compareAt = [&](double keepAt) {
        return requested([&](Subject& subject, auto&, auto&) { return unwrap(subject.compareEdit(before, kSums, {}, keepAt, job)); });
    };
    program.code(4000);
    EXPECT_EQ(compareAt(1.2).blocks, kBlocksPerLook);
    does("kind=times\n", "kind=times\n"
                         "n=$(cat build/count 2>/dev/null || echo 0); echo $((n + 1)) > build/count\n"
                         "if grep -q unsteady build/kernel && [ $((n / 2 % 2)) = 1 ]; then ns=4000; fi\n");
    program.write("kernel.txt", formatKernel("right") + "unsteady\n");
    const Comparison unsure = compareAt(1.2);
    EXPECT_EQ(unsure.blocks, 2 * kBlocksPerLook);
    ASSERT_TRUE(unsure.ratio);
    EXPECT_LT(unsure.ratio->low, 1.2);
    EXPECT_GT(unsure.ratio->high, 1.2);
    EXPECT_THAT(unsure.data, SizeIs(2 * kBlocksPerLook));
    ASSERT_TRUE(unsure.wall);
}

TEST_F(ProgramSubjects, ASideThatDoesNotBuildOrIsIncorrectIsNotTimed)
{
    const KernelFiles before = unwrap(readKernelFiles(program.file("kernelloop.json").string()));
    const auto compared = [&](const KernelFiles& old) {
        return requested([&](Subject& subject, auto&, auto&) { return unwrap(subject.compareEdit(old, kSums, {}, 1.2, job)); });
    };
    program.write("kernel.txt", "syntax error\n");
    const Comparison broken = compared(before);
    EXPECT_FALSE(broken.ratio);
    EXPECT_FALSE(broken.refuted);
    EXPECT_EQ(broken.reason, "run-failed");
    EXPECT_EQ(broken.blocks, 0);
    EXPECT_THAT(broken.sentence, HasSubstr("kernel.txt(1)"));
    EXPECT_FALSE(broken.wall);
    program.code(8000);
    KernelFiles wrong = before;
    wrong.texts[program.file("kernel.txt").string()] = formatKernel("wrong");
    const Comparison refuted = compared(wrong);
    EXPECT_FALSE(refuted.ratio);
    ASSERT_TRUE(refuted.refuted);
    EXPECT_EQ(refuted.refuted->side, "a");
    EXPECT_EQ(refuted.refuted->result, CorrectnessResult::incorrect);
    EXPECT_EQ(refuted.reason, "wrong-result");
    EXPECT_THAT(refuted.sentence, HasSubstr("N=512"));
    program.code(8000, "wrong");
    const Comparison changed = compared(before);
    ASSERT_TRUE(changed.refuted);
    EXPECT_EQ(changed.refuted->side, "b");
    EXPECT_EQ(changed.blocks, 0);
}

TEST_F(ProgramSubjects, AProgramThatFailsWhileItIsMeasuredHasNoTime)
{
    does("cp data/$kind-$ns \"$KLOOP_INJECT_SPOOL\"/1-1.trace\n", "cp data/$kind-$ns \"$KLOOP_INJECT_SPOOL\"/1-1.trace\nexit 37\n");
    const RunRecord record = unwrap(run());
    EXPECT_EQ(record.status, ResultStatus::computationFailed);
    EXPECT_THAT(record.reason, HasSubstr("37"));
    EXPECT_FALSE(record.timing);
    EXPECT_TRUE(record.launches.empty());
    const auto profiled = requested([&](Subject& subject, auto&, auto&) { return unwrap(subject.profile(kSums, {}, {}, job)); });
    EXPECT_EQ(profiled.status, ResultStatus::computationFailed);
    EXPECT_FALSE(profiled.diagnosis);
}

TEST_F(ProgramSubjects, AProfileWithoutALaunchOfTheKernelFails)
{
    program.change("column_sum", "row_sum");
    const auto profiled = requested([&](Subject& subject, auto&, auto&) { return unwrap(subject.profile(kSums, {}, {}, job)); });
    EXPECT_EQ(profiled.status, ResultStatus::computationFailed);
    EXPECT_THAT(profiled.reason, HasSubstr("row_sum"));
    EXPECT_FALSE(profiled.metrics);
}

TEST_F(ProgramSubjects, WithoutAKnownDeviceARunIsStillMeasured)
{
    live.hello().devices.clear();
    const RunRecord record = unwrap(run({{"N", std::int64_t{7}}}));
    EXPECT_EQ(record.status, ResultStatus::ok) << record.reason;
    ASSERT_TRUE(record.timing);
    EXPECT_EQ(record.timing->gpu.median, 8000);
    EXPECT_EQ(record.problem, (Params{{"N", std::int64_t{7}}}));
    EXPECT_THAT(record.program->command, ElementsAre("sh", "run.sh", "7"));
    EXPECT_EQ(unwrap(store->run(record.id)).problem, record.problem) << "stored";
}

TEST_F(ProgramSubjects, ASuiteGetsInputsOfItsOwnAndOneRunTheUsualOnes)
{
    program.change("\"reference\": [\"sh\", \"reference.sh\", \"{N}\"]", "\"command\": \"echo $KLOOP_SEED-{N} >> seeds\"");
    const RunRecord one = unwrap(run());
    EXPECT_EQ(one.correctness.seed, 1U);
    EXPECT_EQ(program.text("seeds"), "1-512\n");
    program.write("seeds", "");
    const RunRecord whole = unwrap(requested([&](Subject& subject, auto&, auto&) { return subject.run(kSums, {}, true, job); }));
    EXPECT_NE(whole.correctness.seed, 1U) << "inputs that nobody tuned the code for";
    const std::string seed = fmt::format("{}", whole.correctness.seed.value_or(0));
    EXPECT_EQ(program.text("seeds"), fmt::format("{0}-1\n{0}-7\n{0}-512\n", seed)) << "the same on every size";
    ASSERT_THAT(whole.correctness.suite, SizeIs(3));
    EXPECT_EQ(unwrap(store->run(whole.id)).correctness.seed, whole.correctness.seed);
}

TEST_F(ProgramSubjects, ALaunchThatIsNotFoundSaysHowToFixIt)
{
    const auto runCheck = [&](const std::string& id) {
        const EnvReport report = unwrap(requested([&](Subject& subject, auto&, auto&) { return subject.environment(job); }));
        const auto found = std::ranges::find(report.checks, id, &EnvCheck::id);
        return found == report.checks.end() ? EnvCheck{} : *found;
    };
    EXPECT_EQ(runCheck("target-launch").result, CheckResult::pass);
    EXPECT_EQ(runCheck("target-launch").fix, "");
    EXPECT_EQ(runCheck("target-build").result, CheckResult::pass);
    EXPECT_EQ(runCheck("target-build").fix, "");
    EXPECT_EQ(runCheck("target-launch").requirement, Requirement::required);
    program.change("{\"name\": \"column_sum\"}", "{\"name\": \"^nowhere\"}");
    EXPECT_EQ(runCheck("target-launch").result, CheckResult::fail);
    EXPECT_NE(runCheck("target-launch").fix, "");
    EXPECT_FALSE(runCheck("target-launch").found.ends_with('.'));
    program.write("run.sh", "exit 3\n");
    EXPECT_EQ(runCheck("target-launch").result, CheckResult::fail);
    program.write("kernel.txt", "syntax error\n");
    EXPECT_EQ(runCheck("target-build").result, CheckResult::fail);
    EXPECT_NE(runCheck("target-build").fix, "");
    EXPECT_EQ(runCheck("target-launch").result, CheckResult::skipped);
}

TEST_F(ProgramSubjects, AProgramHasNoSpaceToSearch)
{
    const auto found = requested([&](Subject& subject, auto&, auto&) { return subject.search(kSums, {}, 1, job); });
    EXPECT_EQ(found.error().code, ErrorCode::refused);
    EXPECT_EQ(found.error().where, "sums/program");
}

TEST_F(ProgramSubjects, TheFirstSizeThatFailsIsTheFailingCase)
{
    program.code(8000, "7");
    const FailingCase found = unwrap(requested([&](Subject& subject, auto&, auto&) { return subject.findFailing(kSums, job); }));
    EXPECT_EQ(found.problem, (Params{{"N", std::int64_t{7}}}));
    EXPECT_EQ(found.run.status, ResultStatus::validationFailed);
    EXPECT_TRUE(found.run.correctness.firstWrong || found.run.correctness.maxAbs == 0) << "its own size is right";
    program.code(8000);
    EXPECT_FALSE(unwrap(requested([&](Subject& subject, auto&, auto&) { return subject.findFailing(kSums, job); })).problem);
    program.write("kernel.txt", "syntax error\n");
    const FailingCase broken = unwrap(requested([&](Subject& subject, auto&, auto&) { return subject.findFailing(kSums, job); }));
    EXPECT_EQ(broken.problem, (Params{{"N", std::int64_t{1}}})) << "what does not build fails on the smallest";
}

TEST_F(ProgramSubjects, AHistoryIsSearchedBetweenTheTwoRevisionsThatAreNamed)
{
    const auto git = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"-C", program.folder().string(), "-c", "user.name=t", "-c", "user.email=t@t"});
        const Result<CommandAnswer> answer = runCommand("git", words);
        EXPECT_TRUE(answer && answer->code == 0) << words.back();
        return answer ? answer->output.substr(0, answer->output.find('\n')) : std::string();
    };
    const auto commit = [&](const std::string& result) {
        program.code(8000, result);
        git({"add", "."});
        git({"commit", "-q", "--allow-empty", "-m", result});
        return git({"rev-parse", "HEAD"});
    };
    git({"init", "-q", "-b", "main"});
    const std::string good = commit("right");
    const std::string bad = commit("wrong");
    const std::string worse = commit("7");
    commit("right");
    const auto firstBad = [&](const std::string& from, const std::string& to, const RevisionQuestion& question = {}) {
        const Result<BisectResult> found = requested([&](Subject&, Workbench& own, const KernelFamily& family) {
            return bisectProgram(own, family, {from, to, question}, job);
        });
        return found ? found->firstBad : std::vector<std::string>{toString(found.error().code)};
    };
    EXPECT_THAT(firstBad(good, worse), ElementsAre(bad));
    EXPECT_THAT(firstBad(good, bad), ElementsAre(bad));
    const std::vector<std::string> refused{toString(ErrorCode::badInput)};
    EXPECT_EQ(firstBad(good, "HEAD"), refused) << "that one is good again";
    EXPECT_EQ(firstBad(bad, worse), refused) << "it begins at a bad one";
    EXPECT_EQ(firstBad(good, worse, {true, {}, {}}), refused) << "each of them builds";
}

} // namespace
} // namespace kl::test
