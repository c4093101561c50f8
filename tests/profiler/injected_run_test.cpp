// SPDX-License-Identifier: MIT
// Programs that are run with the library in them: their streams, folder and environment, and how they end.
#include "core/base/host_name.h"
#include "core/base/scratch_folder.h"
#include "core/process/fd.h"
#include "profiler/gpu_lock.h"
#include "profiler/program/injected_run.h"
#include "tests/support/scale_trace.h"
#include "tests/support/set_variable.h"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <unistd.h>

namespace kl {
namespace {

/// Another standard input for as long as it lives.
class OtherInput {
public:
    explicit OtherInput(int descriptor) : before_(::dup(STDIN_FILENO)) { ::dup2(descriptor, STDIN_FILENO); }
    ~OtherInput() { ::dup2(before_.get(), STDIN_FILENO); }
    OtherInput(const OtherInput&) = delete;

private:
    Fd before_;
};

class InjectedPrograms : public testing::Test {
protected:
    void SetUp() override
    {
        std::ofstream(path("inject.so")) << "not loaded by programs without CUDA";
        std::ofstream(path("trace")) << test::scaleTrace();
        std::ofstream(path("input")) << "first\nsecond\n";
    }
    std::string path(const std::string& name) const { return (folder_->path() / name).string(); }
    std::string content(const std::string& name) const
    {
        std::ifstream in(path(name));
        return {std::istreambuf_iterator<char>(in), {}};
    }
    InjectedRun shell(const std::string& script) const
    {
        return {.command = {"/bin/sh", "-c", script}, .variables = {"PLACE=" + folder_->path().string()}};
    }
    /// A file to which a program in the background writes.
    Fd file(const std::string& name) const { return Fd(::open(path(name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)); }

    Result<ScratchFolder> folder_ = ScratchFolder::make();
    const support::SetVariable library_{"KERNELLOOP_INJECT", path("inject.so").c_str()};
};

TEST_F(InjectedPrograms, InTheBackgroundOutputAndErrorsGoWhereTheyAreWanted)
{
    const Fd output = file("output"), errors = file("errors");
    InjectedRun run = shell("pwd; echo bad >&2; exit 3");
    run.folder = folder_->path();
    run.output = output.get();
    const auto together = runForTraces(run);
    ASSERT_TRUE(together.ok()) << together.error().message;
    EXPECT_EQ(together->exitCode, 3);
    EXPECT_FALSE(together->signal);
    EXPECT_TRUE(together->traces.empty());
    EXPECT_EQ(content("output"), folder_->path().string() + "\nbad\n");
    run.errors = errors.get();
    ASSERT_TRUE(runForTraces(run).ok());
    EXPECT_EQ(content("errors"), "bad\n");
    run.again = true;
    const std::string before = content("output");
    ASSERT_TRUE(runForTraces(run).ok());
    EXPECT_EQ(content("output"), before) << "of a second run nothing is shown";
}

TEST_F(InjectedPrograms, InTheBackgroundWhoWaitsCanEndIt)
{
    const Fd output = file("output");
    InjectedRun run = shell("exec sleep 60");
    run.output = output.get();
    double last = -1;
    const auto answer = runForTraces(run, {.waiting = [&](double seconds) {
                                         EXPECT_GE(seconds, 0);
                                         EXPECT_GE(seconds, last);
                                         last = seconds;
                                         return false;
                                     }});
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer->signal, SIGTERM);
    EXPECT_EQ(answer->exitCode, 128 + SIGTERM);
    EXPECT_GE(last, 0);
}

TEST_F(InjectedPrograms, InTheBackgroundOneThatDoesNotHeedTheRequestIsKilled)
{
    const Fd output = file("output");
    InjectedRun run = shell("trap '' TERM; echo up; while :; do sleep 0.05; done");
    run.output = output.get();
    const auto answer = runForTraces(run, {.waiting = [&](double) { return content("output").empty(); }});
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer->signal, SIGKILL);
}

TEST_F(InjectedPrograms, InTheForegroundItHasOurStreams)
{
    std::vector<pid_t> started;
    const RunWatch watch{.started = [&](pid_t program) { started.push_back(program); }};
    InjectedRun run = shell("echo $$ > \"$PLACE/pid\"; echo out; echo bad >&2; kill -9 $$");
    const auto streams = [&] {
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        const auto answer = runForTraces(run, watch);
        const std::string output = testing::internal::GetCapturedStdout();
        EXPECT_EQ(answer->signal, SIGKILL);
        EXPECT_EQ(answer->exitCode, 137);
        return output + '|' + testing::internal::GetCapturedStderr();
    };
    EXPECT_EQ(streams(), "out\n|bad\n");
    EXPECT_EQ(started, (std::vector<pid_t>{std::stoi(content("pid")), 0}));
    run.outputToErrors = true;
    EXPECT_EQ(streams(), "|out\nbad\n");
    run.again = true;
    EXPECT_EQ(streams(), "|") << "a second run is silent";
}

TEST_F(InjectedPrograms, ASecondRunReadsTheInputOfTheFirstIfThatIsAFile)
{
    InjectedRun run = shell("cat > \"$PLACE/seen\"");
    const Fd input = file("input");
    const OtherInput redirected(input.get());
    EXPECT_TRUE(canReadInputAgain());
    for (const bool again : {false, true}) {
        run.again = again;
        ASSERT_TRUE(runForTraces(run).ok());
        EXPECT_EQ(content("seen"), "first\nsecond\n") << again;
    }
    std::error_code failure;
    Pipe pipe = makePipe(failure);
    ASSERT_FALSE(failure);
    ASSERT_EQ(::write(pipe.input.get(), "more", 4), 4);
    pipe.input.close();
    const OtherInput piped(pipe.output.get());
    EXPECT_FALSE(canReadInputAgain());
    ASSERT_TRUE(runForTraces(run).ok());
    EXPECT_EQ(content("seen"), "") << "what a pipe held is not a second run's";
    run.again = false;
    ASSERT_TRUE(runForTraces(run).ok());
    EXPECT_EQ(content("seen"), "more");
    const Fd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    const OtherInput empty(nothing.get());
    EXPECT_TRUE(canReadInputAgain());
}

TEST_F(InjectedPrograms, TheLibraryIsToldWhatToCollect)
{
    InjectedRun run = shell("cp \"$KLOOP_INJECT_SPOOL/" + std::string(kTraceConfigFile) +
                            "\" \"$PLACE/config\"; cp \"$PLACE/trace\" \"$KLOOP_INJECT_SPOOL/1-1.trace\"; exit 4");
    run.config.kernel = "gemm";
    run.config.skip = 3;
    run.config.source = true;
    const Result<InjectedEnd> end = runInjected(run);
    ASSERT_TRUE(end.ok()) << end.error().message;
    EXPECT_EQ(*parseTraceConfig(content("config"), "c"), run.config);
    EXPECT_EQ(end->exitCode, 4);
    EXPECT_EQ(end->host, hostName());
    EXPECT_GT(end->wallSeconds, 0);
    ASSERT_EQ(end->processes.size(), 1U);
    EXPECT_EQ(end->processes.front().launches.size(), 10U);
    const InjectedEnd reported = readAnswer({.exitCode = 139, .signal = 11, .wallSeconds = 2.5, .traces = {"x\n", ""}}, "farm");
    EXPECT_EQ(reported.exitCode, 139);
    EXPECT_EQ(reported.signal, 11);
    EXPECT_EQ(reported.wallSeconds, 2.5);
    EXPECT_EQ(reported.host, "farm");
    ASSERT_EQ(reported.processes.size(), 2U);
    EXPECT_NE(reported.processes[0].damage, "");
    EXPECT_EQ(reported.processes[1].damage, "");
}

TEST_F(InjectedPrograms, AKernelLoopInsideKnowsWhichGpusAreHeldAroundIt)
{
    const InjectedRun run = shell("echo \"$KLOOP_LOCKED_GPUS\" > \"$PLACE/seen\"");
    ASSERT_TRUE(runForTraces(run).ok());
    EXPECT_EQ(content("seen"), "\n");
    const Result<GpuLock> lock = GpuLock::take("GPU-7", {}, folder_->path());
    ASSERT_TRUE(lock.ok());
    ASSERT_TRUE(runForTraces(run).ok());
    EXPECT_EQ(content("seen"), "GPU-7\n");
}

TEST_F(InjectedPrograms, AProgramThatIsNotThereIsToldFromOneThatCannotRun)
{
    InjectedRun run = shell("");
    run.command = {"no-such-program"};
    const Error missing = runForTraces(run).error();
    EXPECT_EQ(missing.code, ErrorCode::notFound);
    EXPECT_EQ(missing.detail, kNoSuchProgram);
    EXPECT_EQ(missing.where, "no-such-program");
    run.command = {path("input")};
    const Error closed = runForTraces(run).error();
    EXPECT_EQ(closed.code, ErrorCode::notFound);
    EXPECT_EQ(closed.detail, "");
    EXPECT_NE(closed.hint, missing.hint);
}

TEST(LibraryOfPrograms, IsTheOneNamedOrThatOfThisInstallation)
{
    {
        const support::SetVariable named("KERNELLOOP_INJECT", "/x/inject.so");
        EXPECT_EQ(*findInjectedLibrary(), "/x/inject.so");
    }
    for (const char* none : {"", static_cast<const char*>(nullptr)}) {
        const support::SetVariable unset("KERNELLOOP_INJECT", none);
        const Result<std::filesystem::path> library = findInjectedLibrary();
        if (library) {
            EXPECT_TRUE(std::filesystem::exists(*library));
            EXPECT_EQ(library->filename(), "libkloop-inject.so");
        } else {
            EXPECT_EQ(library.error().code, ErrorCode::environment);
            EXPECT_TRUE(library.error().where.ends_with("/lib/libkloop-inject.so"));
        }
    }
}

} // namespace
} // namespace kl
