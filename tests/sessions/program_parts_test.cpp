// SPDX-License-Identifier: MIT
// The parts of a session on a program, each by itself: its commands, its copies, its checks and its rival.
#include "core/base/format.h"
#include "sessions/import/open_file.h"
#include "sessions/session/rules.h"
#include "sessions/subject/brought_report.h"
#include "sessions/subject/program_check.h"
#include "sessions/subject/program_copy.h"
#include "sessions/subject/program_rival.h"
#include "sessions/subject/program_runner.h"
#include "sessions/target/target_file.h"
#include "tests/support/fake_program.h"
#include "tests/support/real_reports.h"
#include "tests/support/set_variable.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <utime.h>

namespace kl::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Params makeSize(std::int64_t n)
{
    return {{"N", n}};
}

class ProgramParts : public ::testing::Test {
protected:
    ProgramParts() : program(folder / "project") { support::writeBytes(folder / "inject.so", "not loaded by programs without CUDA"); }

    TargetSpec spec() const
    {
        const Result<TargetSpec> read = loadTarget(program.folder());
        EXPECT_TRUE(read) << (read ? "" : read.error().message);
        return read ? *read : TargetSpec{};
    }
    /// What a command of a target wrote.
    std::string printed(const TargetSpec& target, const std::string& script, const CommandInputs& inputs = {}, const std::string& gpu = {})
    {
        const Result<CommandEnd> end = ProgramRunner(target, target.folder, gpu, job).run({"sh", "-c", script}, inputs, "a test");
        EXPECT_TRUE(end) << (end ? "" : end.error().message);
        return end ? end->output : std::string();
    }

    support::TempDir folder;
    FakeProgram program;
    support::SetVariable inject{"KERNELLOOP_INJECT", (folder / "inject.so").c_str()};
    support::SetVariable state{"XDG_STATE_HOME", (folder / "state").c_str()};
    Job job;
};

TEST(TellingLines, BeginAtTheFirstErrorElseAreTheLastOnes)
{
    EXPECT_EQ(selectKeyLines(""), "");
    EXPECT_EQ(selectKeyLines("\n \t\n"), "");
    EXPECT_EQ(selectKeyLines("a\n\nb\n"), "a\nb");
    EXPECT_EQ(selectKeyLines("1\n2\n3\n4\n5\n6\n7\n8\n"), "3\n4\n5\n6\n7\n8");
    EXPECT_EQ(selectKeyLines("1\n2\n3\n4\n5\n6\n"), "1\n2\n3\n4\n5\n6");
    EXPECT_EQ(selectKeyLines("1\nk.cu: error: x\n3\n4\n5\n6\n7\n8\n9\n"), "k.cu: error: x\n3\n4\n5\n6\n7");
    EXPECT_EQ(selectKeyLines("Traceback\nValueError: no\nlast\n"), "ValueError: no\nlast");
    std::string mentions = "no error yet\n";
    for (int i = 1; i <= 199; ++i)
        mentions += std::to_string(i) + '\n';
    EXPECT_EQ(selectKeyLines(mentions).substr(0, 12), "no error yet") << "200 lines from there to the end";
    EXPECT_EQ(selectKeyLines(mentions + "200\n"), "195\n196\n197\n198\n199\n200");
    EXPECT_EQ(selectKeyLines(std::string(3000, 'x')).size(), 2000U);
}

TEST(FilledCommands, HaveEachSizeAndTheInterpreter)
{
    const support::SetVariable python("KLOOP_PYTHON", "/opt/py");
    const Params problem{{"M", std::int64_t{3}}, {"N", std::int64_t{40}}, {"NAME", std::string("text")}};
    EXPECT_THAT(ProgramRunner::fillCommand({"{python}", "{N}x{M}x{N}", "{NAME}", "{Q}", "$N"}, problem),
                ElementsAre("/opt/py", "40x3x40", "{NAME}", "{Q}", "$N"));
}

TEST_F(ProgramParts, CommandsGetTheVariablesOfTheTargetAndOfTheirPurpose)
{
    program.change("\"edit\"", "\"environment\": {\"MODE\": \"fast\"}, \"warmup\": 3, \"launches\": 60, \"edit\"");
    const TargetSpec target = spec();
    const std::string script = "echo $KLOOP_SEED/$KLOOP_LAUNCHES/$KLOOP_OUTPUT/$MODE/$EXTRA/$CUDA_VISIBLE_DEVICES/$PYTHONDONTWRITEBYTECODE";
    const support::SetVariable before("MODE", "slow");
    const support::SetVariable devices("CUDA_VISIBLE_DEVICES", "7");
    EXPECT_EQ(printed(target, script), "1/63//fast//7/1\n");
    EXPECT_EQ(printed(target, script, {makeSize(1), "/out", 9, 5, {"EXTRA=e"}}, "GPU-2"), "9/5//out/fast/e/GPU-2/1\n");
    EXPECT_EQ(printed(target, "echo [$TORCH_EXTENSIONS_DIR]"), "[]\n");
    const ProgramRunner copy(target, program.file("data"), {}, job);
    const Result<CommandEnd> end = copy.run({"sh", "-c", "pwd; echo $TORCH_EXTENSIONS_DIR"}, {}, "a test");
    ASSERT_TRUE(end) << end.error().message;
    EXPECT_EQ(end->output, program.file("data").string() + '\n' + program.file("data/.torch_extensions").string() + '\n');
}

TEST_F(ProgramParts, HowACommandEndsIsInItsEnd)
{
    TargetSpec target = spec();
    const ProgramRunner runner(target, target.folder, {}, job);
    Result<CommandEnd> end = runner.run({"sh", "-c", "echo fine"}, {}, "a test");
    ASSERT_TRUE(end);
    EXPECT_EQ(end->why, "");
    EXPECT_EQ(end->end.status, 0);
    end = runner.run({"sh", "-c", "echo 'an error: here' >&2; exit 3"}, {}, "a test");
    EXPECT_EQ(end->end.status, 3);
    EXPECT_THAT(end->why, HasSubstr("an error: here"));
    EXPECT_EQ(runner.run({"no-such-program-here"}, {}, "a test").error().where, "no-such-program-here");
    target.timeoutSeconds = 0.2;
    end = runner.run({"sleep", "60"}, {}, "a test");
    ASSERT_TRUE(end);
    EXPECT_THAT(end->why, HasSubstr("0.2 s"));
    std::stop_source stop;
    stop.request_stop();
    job.stop = stop.get_token();
    EXPECT_EQ(runner.run({"sleep", "60"}, {}, "a test").error().code, ErrorCode::interrupted);
}

TEST_F(ProgramParts, ABuildIsTheTargetsCommandAndItsLog)
{
    TargetSpec target = spec();
    const ProgramRunner runner(target, target.folder, {}, job);
    Result<SubjectBuild> built = runner.build();
    ASSERT_TRUE(built);
    EXPECT_EQ(built->status, ResultStatus::ok);
    EXPECT_EQ(built->log, "$ sh -c 'sh build.sh'\nbuilt\n");
    program.write("kernel.txt", "syntax error\n");
    built = runner.build();
    EXPECT_EQ(built->status, ResultStatus::compilationFailed);
    EXPECT_THAT(built->reason, HasSubstr("expected an expression"));
    target.build.clear();
    built = runner.build();
    EXPECT_EQ(built->status, ResultStatus::ok) << "there is nothing to build";
    EXPECT_EQ(built->log, "");
}

TEST_F(ProgramParts, ACopyHasTheProjectWithOtherTexts)
{
    ASSERT_EQ(::chmod(program.file("kernel.txt").c_str(), 0755), 0);
    ASSERT_EQ(::chmod(program.file("run.sh").c_str(), 0750), 0);
    const TargetSpec target = spec();
    std::filesystem::path copied;
    {
        const Result<ProgramCopy> copy = ProgramCopy::make(target, {{program.file("kernel.txt").string(), "other\n"}});
        ASSERT_TRUE(copy) << copy.error().message;
        copied = copy->folder();
        EXPECT_NE(copied, program.folder());
        EXPECT_EQ(support::readBytes(copied / "kernel.txt"), "other\n");
        EXPECT_EQ(support::readBytes(copied / "run.sh"), program.text("run.sh"));
        EXPECT_EQ(support::readBytes(copied / "data/right.npy"), program.text("data/right.npy"));
        for (const auto& [name, mode] : {std::pair{"kernel.txt", 0755U}, std::pair{"run.sh", 0750U}}) {
            struct stat about = {};
            ASSERT_EQ(::stat((copied / name).c_str(), &about), 0);
            EXPECT_EQ(about.st_mode & 0777U, mode) << name;
        }
    }
    EXPECT_FALSE(std::filesystem::exists(copied));
    EXPECT_THAT(program.text("kernel.txt"), HasSubstr("time=8000")) << "the project itself stays";
    EXPECT_TRUE(canBeCopied(target));
    for (const auto member : {&TargetSpec::build, &TargetSpec::run}) {
        TargetSpec absolute = target;
        (absolute.*member).push_back(target.folder + "/run.sh");
        EXPECT_EQ(canBeCopied(absolute).error().where, target.file) << "it would measure the project";
    }
}

TEST_F(ProgramParts, TheProblemIsCheckedBesideASuiteWithoutIt)
{
    const TargetSpec target = spec();
    const ProgramRunner runner(target, target.folder, {}, job);
    const auto checked = [&](const std::string& result, const std::vector<Params>& suite) {
        program.code(8000, result);
        EXPECT_EQ(runner.build()->status, ResultStatus::ok);
        RunRecord record;
        record.problem = makeSize(512);
        EXPECT_TRUE(checkSizes(target, runner, suite, 77, record));
        EXPECT_EQ(record.correctness.seed, 77U);
        EXPECT_EQ(record.correctness.suite.size(), suite.size());
        return record;
    };
    RunRecord record = checked("right", {makeSize(1), makeSize(7)});
    EXPECT_EQ(record.status, ResultStatus::ok);
    EXPECT_EQ(record.correctness.result, CorrectnessResult::correct);
    record = checked("512", {makeSize(1), makeSize(7)});
    EXPECT_EQ(record.status, ResultStatus::validationFailed);
    EXPECT_EQ(record.correctness.result, CorrectnessResult::incorrect);
    EXPECT_EQ(record.reason.substr(0, 6), "N=512:") << "which is not in the suite";
    EXPECT_EQ(record.correctness.maxAbs, 4);
    EXPECT_GT(record.correctness.relL2, 0.5);
    EXPECT_EQ(record.correctness.firstWrong->index, 2);
    EXPECT_TRUE(record.correctness.suite[0].pass && record.correctness.suite[1].pass);
    record = checked("7", {makeSize(1), makeSize(7), makeSize(512)});
    EXPECT_EQ(record.correctness.result, CorrectnessResult::incorrect);
    EXPECT_EQ(record.reason.substr(0, 4), "N=7:");
    EXPECT_EQ(record.correctness.maxAbs, 0) << "of the problem itself";
    EXPECT_FALSE(record.correctness.firstWrong);
    record = checked("wrong", {makeSize(1), makeSize(512)});
    EXPECT_EQ(record.reason.substr(0, 6), "N=512:") << "the problem itself comes first";
}

TEST_F(ProgramParts, AProgramThatFailsIsNotIncorrectAndAReferenceThatFailsIsAnError)
{
    program.write("run.sh", "if [ \"$1\" = 7 ]; then exit 4; fi\n" + program.text("run.sh"));
    TargetSpec target = spec();
    const ProgramRunner runner(target, target.folder, {}, job);
    ASSERT_EQ(runner.build()->status, ResultStatus::ok);
    RunRecord record;
    record.problem = makeSize(512);
    ASSERT_TRUE(checkSizes(target, runner, {makeSize(1), makeSize(7)}, 1, record));
    EXPECT_EQ(record.status, ResultStatus::computationFailed);
    EXPECT_EQ(record.correctness.result, CorrectnessResult::notChecked);
    EXPECT_EQ(record.reason.substr(0, 4), "N=7:");
    target.check.reference = {"false"};
    EXPECT_EQ(checkSize(target, runner, makeSize(1), 1).error().where, "target.check.reference");
    target.check.reference.clear();
    target.check.command = {"sh", "-c", "test $KLOOP_SEED-{N} = 5-1"};
    EXPECT_TRUE(checkSize(target, runner, makeSize(1), 5)->row.pass);
    const CheckedSize other = *checkSize(target, runner, makeSize(2), 5);
    EXPECT_FALSE(other.row.pass);
    EXPECT_TRUE(other.ran) << "the check said so";
    EXPECT_EQ(other.row.problem, "N=2");
    EXPECT_NE(other.row.reason, "");
}

TEST_F(ProgramParts, ARivalOfItsOwnIsRunTwice)
{
    program.change("{\"kernel\": \"^rival\"}", "{\"kernel\": \"^rival\", \"name\": \"Theirs\", \"run\": \"sh run.sh 1; echo x >> ran\"}");
    const TargetSpec target = spec();
    const ProgramRunner runner(target, target.folder, {}, job);
    ASSERT_EQ(runner.build()->status, ResultStatus::ok);
    const Result<Baseline> rival = rivalRuns(target, runner, makeSize(512));
    ASSERT_TRUE(rival) << rival.error().message;
    EXPECT_EQ(rival->name, "Theirs");
    EXPECT_EQ(rival->unavailable, "");
    ASSERT_TRUE(rival->gpu);
    EXPECT_EQ(rival->gpu->median, 6000);
    EXPECT_EQ(rival->gpu->n, 120) << "60 of each run";
    EXPECT_THAT(rival->kernels, ElementsAre("rival(float*)"));
    EXPECT_EQ(rival->version, "");
    EXPECT_EQ(program.text("ran"), "x\nx\n");
    TargetSpec other = target;
    other.rival.run = {"sh", "-c", "exit 6"};
    const Result<Baseline> failed = rivalRuns(other, runner, makeSize(512));
    ASSERT_TRUE(failed) << "a session goes on without it";
    EXPECT_FALSE(failed->gpu);
    EXPECT_EQ(failed->name, "Theirs");
    EXPECT_NE(failed->unavailable, "");
    other = target;
    other.rival.launches.kernel = "^nowhere";
    EXPECT_NE(rivalRuns(other, runner, makeSize(512))->unavailable, "");
}

TEST_F(ProgramParts, ARivalInTheProgramIsMeasuredInTheSameRun)
{
    const TargetSpec target = spec();
    const std::vector<ProcessTrace> processes{parseTrace(FakeProgram::trace(8000, false))};
    const Baseline rival = rivalIn(target, processes, makeSize(512));
    EXPECT_EQ(rival.name, "^rival");
    ASSERT_TRUE(rival.gpu) << rival.unavailable;
    EXPECT_EQ(rival.gpu->median, 6000);
    EXPECT_EQ(rival.gpu->n, 60);
    EXPECT_THAT(rival.kernels, ElementsAre("rival(float*)"));
    TargetSpec other = target;
    other.launches = 61;
    const Baseline few = rivalIn(other, processes, makeSize(512));
    EXPECT_FALSE(few.gpu);
    EXPECT_EQ(few.name, "^rival");
    EXPECT_NE(few.unavailable, "");
}

/// A trace in which each pair of launches is an entry of the range in which the rival's script calls the attention.
std::string rangedTrace()
{
    std::string text = FakeProgram::trace(8000, false);
    text.resize(text.size() - traceEnd().size());
    text += traceLine(0, std::vector<std::string>{"kernelloop.rival"});
    for (std::uint32_t i = 1; i <= 140; ++i)
        text += traceLaunchRanges(i, 0);
    return text + traceRangeTime(0, {70, 1e6}) + traceEnd();
}

TEST_F(ProgramParts, PyTorchsAttentionIsCalledWithTheShapeOfTheProblem)
{
    program.change(
        "{\"kernel\": \"^rival\"}",
        "{\"sdpa\": {\"shape\": {\"B\": \"2\", \"H\": \"N/128\", \"S\": \"N\", \"D\": \"64\"}, \"type\": \"bf16\", \"causal\": true}}");
    program.write("ranged", rangedTrace());
    const std::string called = program.file("called").string();
    program.write("python", "#!/bin/sh\nshift\necho \"$@\" >> " + called + "\ncp " + program.file("ranged").string() +
                                " \"$KLOOP_INJECT_SPOOL\"/1-1.trace\necho torch 2.9.1\necho more\n");
    std::filesystem::permissions(program.file("python"), std::filesystem::perms::owner_all);
    const support::SetVariable python("KLOOP_PYTHON", program.file("python").c_str());
    TargetSpec target = spec();
    const auto runs = [&] { return rivalRuns(target, ProgramRunner(target, target.folder, {}, job), makeSize(512)); };
    Result<Baseline> rival = runs();
    ASSERT_TRUE(rival) << rival.error().message;
    ASSERT_TRUE(rival->gpu) << rival->unavailable;
    EXPECT_EQ(rival->gpu->median, 14'000) << "all that is launched in the range";
    EXPECT_EQ(rival->version, "torch 2.9.1");
    EXPECT_EQ(rival->name, target.rival.name);
    EXPECT_EQ(program.text("called"), "2 4 512 64 bf16 1 60\n2 4 512 64 bf16 1 60\n");
    std::filesystem::remove(called);
    target.rival.causal = false;
    target.rival.type = "f16";
    target.launches = 52;
    ASSERT_TRUE(runs());
    EXPECT_EQ(program.text("called").substr(0, 22), "2 4 512 64 f16 0 62\n2 ");
    target.rival.shape["H"] = "M";
    EXPECT_FALSE(runs()) << "a size that is not there";
}

/// A report of Nsight Compute as the profile of this kernel, for a record that begins ninety minutes after it was taken.
class BroughtReports : public ProgramParts {
protected:
    BroughtReports()
    {
        support::writeBytes(file, ncuData("source.ncu-rep"));
        runs = openFile(file, *tree, Catalog({}))->runs;
        now.id.text = "new";
        now.kernel = {"sums", "program", {}};
        now.problem = makeSize(512);
        now.sourceHash = "hash";
        now.device.name = runs.at(0).device.name;
        now.startedAt = isoTime(taken() + std::chrono::minutes(90));
        now.program.emplace().command = {"sh", "run.sh"};
        program.change("\"edit\": [\"kernel.txt\"]", "\"edit\": [\"small.cu\"]");
    }
    TimePoint taken() const { return *parseIsoTime(runs.at(0).startedAt); }
    /// The text of the kernel's file in the report.
    std::string reported() const
    {
        for (const RunRecord& run : runs)
            if (run.sourceProfile)
                for (const auto& [name, text] : run.sourceProfile->texts)
                    if (name.ends_with("small.cu"))
                        return text;
        ADD_FAILURE() << "no text";
        return {};
    }
    void changedAfter(const std::string& name, int seconds) const
    {
        const std::time_t at = std::chrono::system_clock::to_time_t(std::chrono::floor<std::chrono::seconds>(taken())) + seconds;
        const utimbuf times{at, at};
        ASSERT_EQ(::utime(program.file(name).c_str(), &times), 0);
    }
    Result<RunRecord> brought(const TargetSpec& target) const { return takeBroughtReport(target, file, now, *tree); }

    const std::string file = (folder / "brought.ncu-rep").string();
    Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
    std::vector<RunRecord> runs;
    RunRecord now;
};

TEST_F(BroughtReports, WithItsOwnTextOfTheSourceAReportIsOfItWhateverItsAge)
{
    program.write("small.cu", reported());
    changedAfter("small.cu", 3600);
    const Result<RunRecord> run = brought(spec());
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->id.text, "new");
    EXPECT_EQ(run->kernel, now.kernel);
    EXPECT_EQ(run->problem, now.problem);
    EXPECT_EQ(run->sourceHash, "hash");
    EXPECT_EQ(run->startedAt, runs.at(0).startedAt);
    ASSERT_TRUE(run->program && run->imported);
    EXPECT_THAT(run->program->command, ElementsAre("sh", "run.sh"));
    EXPECT_EQ(run->program->kernel, run->imported->kernel);
    EXPECT_EQ(run->correctness.result, CorrectnessResult::notChecked) << "a report says nothing of it";
    const auto age = std::ranges::find(run->warnings, "report-age", &Warning::code);
    ASSERT_NE(age, run->warnings.end());
    EXPECT_THAT(age->text, HasSubstr(formatMinutes(90)));
    EXPECT_NE(std::ranges::find(run->warnings, "report-clock", &Warning::code), run->warnings.end());
    now.device.name = "NVIDIA T4";
    EXPECT_EQ(brought(spec()).error().where, rule::kProfileFirst) << "from another GPU";
    now.device.name.clear();
    EXPECT_TRUE(brought(spec())) << "one that is not known";
    TargetSpec range = spec();
    range.kernel = {{}, {}, {}, "step"};
    EXPECT_EQ(brought(range).error().where, rule::kProfileFirst) << "a report is of a kernel";
    TargetSpec shaped = spec();
    shaped.kernel.grid = {"7"};
    EXPECT_EQ(brought(shaped).error().where, rule::kProfileFirst) << "of another shape";
}

TEST_F(BroughtReports, AFileWhoseTextItDoesNotHoldMayNotHaveChangedSince)
{
    program.write("small.cu", reported());
    program.change("[\"small.cu\"]", "[\"small.cu\", \"kernel.txt\"]");
    changedAfter("kernel.txt", 0);
    EXPECT_TRUE(brought(spec())) << "in the second in which it was taken";
    changedAfter("kernel.txt", 1);
    EXPECT_EQ(brought(spec()).error().where, rule::kProfileFirst);
    program.write("small.cu", reported() + "\n");
    changedAfter("kernel.txt", 0);
    EXPECT_EQ(brought(spec()).error().where, rule::kProfileFirst) << "another text";
}

} // namespace
} // namespace kl::test
