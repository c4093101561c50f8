// SPDX-License-Identifier: MIT
// What a worker does of a `trace` request: shell scripts as programs, which leave what the library inside would leave.
#include "core/base/scratch_folder.h"
#include "profiler/client/consent.h"
#include "profiler/program/injected_run.h"
#include "profiler/program/streamed_run.h"
#include "profiler/protocol/message_codec.h"
#include "tests/support/scale_trace.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>

namespace kl {
namespace {

class StreamedRun : public testing::Test {
protected:
    void SetUp() override
    {
        std::ofstream(folder_->path() / "inject.so") << "not loaded by programs without CUDA";
        std::ofstream(folder_->path() / "trace") << test::scaleTrace();
        ::setenv("KERNELLOOP_INJECT", (folder_->path() / "inject.so").c_str(), 1);
        job_.output = [this](std::string_view bytes, bool errors) { (errors ? bad_ : good_) += bytes; };
    }
    void TearDown() override { ::unsetenv("KERNELLOOP_INJECT"); }
    TraceProgramRequest shell(const std::string& script) const
    {
        return {{"/bin/sh", "-c", script}, {"PLACE=" + folder_->path().string()}, encodeTraceConfig({})};
    }

    Result<ScratchFolder> folder_ = ScratchFolder::make();
    Job job_;
    std::string good_, bad_;
};

TEST_F(StreamedRun, OutputTracesAndExitStatusComeBack)
{
    const auto answer = runStreamed(shell("echo out; echo bad >&2; cp $PLACE/trace $KLOOP_INJECT_SPOOL/1-1.trace; exit 3"), job_);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(good_, "out\n");
    EXPECT_EQ(bad_, "bad\n");
    EXPECT_EQ(answer->exitCode, 3);
    const InjectedEnd end = readAnswer(*answer, "farm");
    EXPECT_EQ(end.host, "farm");
    ASSERT_EQ(end.processes.size(), 1U);
    EXPECT_EQ(end.processes.front().launches.size(), 10U);
}

TEST_F(StreamedRun, ItHasNoInputAndAllOfALongOutputArrives)
{
    const auto answer = runStreamed(shell("cat; head -c 3000000 /dev/zero; kill -9 $$"), job_);
    ASSERT_TRUE(answer);
    EXPECT_EQ(good_, std::string(3000000, '\0'));
    EXPECT_EQ(answer->exitCode, 137);
    EXPECT_EQ(answer->signal, 9);
}

TEST_F(StreamedRun, ItsFirstMinuteIsProgressAndNobodyNeedsToListen)
{
    std::vector<Progress> steps;
    job_.progress = [&](const Progress& progress) {
        if (progress.step.find("/bin/sh") != std::string::npos) // before it, a GPU of this host may have to be waited for
            steps.push_back(progress);
    };
    ASSERT_TRUE(runStreamed(shell("echo out"), job_));
    ASSERT_EQ(steps.size(), 1U) << "one for a minute";
    EXPECT_GE(steps[0].elapsed, 0);
    EXPECT_EQ(good_, "out\n");
    const auto unheard = runStreamed(shell("echo out; exit 6"), {});
    ASSERT_TRUE(unheard);
    EXPECT_EQ(unheard->exitCode, 6);
}

TEST_F(StreamedRun, OfASecondRunNothingIsShown)
{
    TraceProgramRequest request = shell("echo out; echo bad >&2");
    request.again = true;
    ASSERT_TRUE(runStreamed(request, job_));
    EXPECT_EQ(good_ + bad_, "");
}

TEST_F(StreamedRun, WhatItLeavesRunningIsNotWaitedFor)
{
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_TRUE(runStreamed(shell("setsid sleep 60 & echo out"), job_));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
    EXPECT_EQ(good_, "out\n");
}

TEST_F(StreamedRun, ItsVariablesReplaceThoseOfTheWorker)
{
    ::setenv("KLOOP_TEST_GIVEN", "ours", 1);
    ::setenv("KLOOP_TEST_GIVEN_TOO", "stays", 1);
    TraceProgramRequest request = shell("env | grep -e ^KLOOP_TEST -e INJECTION64 | sort");
    request.variables.push_back("KLOOP_TEST_GIVEN=theirs");
    ASSERT_TRUE(runStreamed(request, job_));
    const std::string library = (folder_->path() / "inject.so").string();
    EXPECT_EQ(good_, "CUDA_INJECTION64_PATH=" + library +
                         "\nKLOOP_TEST_GIVEN=theirs\nKLOOP_TEST_GIVEN_TOO=stays\nNVTX_INJECTION64_PATH=" + library + '\n');
    good_.clear();
    request.variables.push_back("NVTX_INJECTION64_PATH=/other.so");
    ASSERT_TRUE(runStreamed(request, job_));
    EXPECT_THAT(good_, testing::EndsWith("NVTX_INJECTION64_PATH=/other.so\n")) << "another tool's stays";
    request.variables.back() = "CUDA_INJECTION64_PATH=/other.so";
    EXPECT_EQ(runStreamed(request, job_).error().where, "CUDA_INJECTION64_PATH");
    request.variables.back() = "CUDA_INJECTION64_PATH=";
    EXPECT_TRUE(runStreamed(request, job_)) << "empty is not set";
    ::unsetenv("KLOOP_TEST_GIVEN");
    ::unsetenv("KLOOP_TEST_GIVEN_TOO");
}

TEST_F(StreamedRun, AVariableIsGivenOnce)
{
    ::setenv("KLOOP_TEST_GIVEN", "ours", 1);
    TraceProgramRequest request{{"/usr/bin/env"}, {"KLOOP_TEST_GIVEN=theirs"}, encodeTraceConfig({})};
    ASSERT_TRUE(runStreamed(request, job_));
    ::unsetenv("KLOOP_TEST_GIVEN");
    EXPECT_THAT(good_, testing::HasSubstr("KLOOP_TEST_GIVEN=theirs\n"));
    EXPECT_THAT(good_, testing::Not(testing::HasSubstr("KLOOP_TEST_GIVEN=ours\n")));
}

TEST_F(StreamedRun, TracesAreInTheOrderOfTheirStarts)
{
    const auto answer = runStreamed(shell("cd $KLOOP_INJECT_SPOOL; echo b > 1-200.trace; echo a > 9-100.trace; echo x > 3-1.other"), job_);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->traces, (std::vector<std::string>{"a\n", "b\n"}));
}

TEST_F(StreamedRun, AProgramThatCannotStartIsNamed)
{
    const auto missing = runStreamed({{"no-such-program", "argument"}, {}, encodeTraceConfig({})}, job_);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().where, "no-such-program");
    EXPECT_THAT(missing.error().message, testing::HasSubstr("no-such-program "));
    EXPECT_THAT(missing.error().message, testing::HasSubstr(std::make_error_code(std::errc::no_such_file_or_directory).message()));
    const auto folder = runStreamed({{folder_->path().string(), "argument"}, {}, encodeTraceConfig({})}, job_);
    ASSERT_FALSE(folder);
    EXPECT_EQ(folder.error().where, folder_->path().string());
    EXPECT_NE(folder.error().hint, missing.error().hint);
}

TEST_F(StreamedRun, StoppingEndsIt)
{
    std::stop_source stop;
    job_.stop = stop.get_token();
    std::jthread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        stop.request_stop();
    });
    EXPECT_EQ(runStreamed(shell("exec sleep 60"), job_).error().code, ErrorCode::interrupted);
}

TEST_F(StreamedRun, StoppingAsksItToEndFirst)
{
    std::stop_source stop;
    job_.stop = stop.get_token();
    job_.output = [&](std::string_view bytes, bool errors) {
        (errors ? bad_ : good_) += bytes;
        if (good_ == "up\n")
            stop.request_stop();
    };
    const auto answer = runStreamed(shell("trap 'echo asked; exit 5' TERM; echo up; while :; do sleep 0.05; done"), job_);
    EXPECT_EQ(answer.error().code, ErrorCode::interrupted);
    EXPECT_EQ(good_, "up\nasked\n");
}

TEST_F(StreamedRun, WhatCannotRunIsAnError)
{
    EXPECT_EQ(runStreamed({{"no-such-program"}, {}, encodeTraceConfig({})}, job_).error().code, ErrorCode::notFound);
    EXPECT_EQ(runStreamed({{}, {}, encodeTraceConfig({})}, job_).error().code, ErrorCode::badInput);
    EXPECT_EQ(runStreamed({{"true"}, {}, "not JSON"}, job_).error().code, ErrorCode::badInput);
}

TEST_F(StreamedRun, ItsConsentIsForOneHostAndTheseWords)
{
    const auto computeHash = [](const std::string& host, const TraceProgramRequest& request) {
        const std::vector<FileCommand> commands = fileCommandsIn(Verb::trace, toJsonMessage(request), host);
        EXPECT_EQ(commands.size(), 1U);
        return commands.front().hash;
    };
    EXPECT_EQ(computeHash("gpu7", shell("a")), computeHash("gpu7", shell("a")));
    EXPECT_NE(computeHash("gpu7", shell("a")), computeHash("gpu8", shell("a")));
    EXPECT_NE(computeHash("gpu7", shell("a")), computeHash("gpu7", shell("b")));
    EXPECT_NE(computeHash("gpu7", {{"a b"}, {}, {}}), computeHash("gpu7", {{"a", "b"}, {}, {}}));
}

} // namespace
} // namespace kl
