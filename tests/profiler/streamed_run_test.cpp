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

TEST_F(StreamedRun, WhatCannotRunIsAnError)
{
    EXPECT_EQ(runStreamed({{"no-such-program"}, {}, encodeTraceConfig({})}, job_).error().code, ErrorCode::notFound);
    EXPECT_EQ(runStreamed({{}, {}, encodeTraceConfig({})}, job_).error().code, ErrorCode::badInput);
    EXPECT_EQ(runStreamed({{"true"}, {}, "not JSON"}, job_).error().code, ErrorCode::badInput);
}

TEST_F(StreamedRun, ItsConsentIsForOneHostAndTheseWords)
{
    const auto hashOf = [](const std::string& host, const TraceProgramRequest& request) {
        const std::vector<FileCommand> commands = fileCommandsIn(Verb::trace, toJsonMessage(request), host);
        EXPECT_EQ(commands.size(), 1U);
        return commands.front().hash;
    };
    EXPECT_EQ(hashOf("gpu7", shell("a")), hashOf("gpu7", shell("a")));
    EXPECT_NE(hashOf("gpu7", shell("a")), hashOf("gpu8", shell("a")));
    EXPECT_NE(hashOf("gpu7", shell("a")), hashOf("gpu7", shell("b")));
    EXPECT_NE(hashOf("gpu7", {{"a b"}, {}, {}}), hashOf("gpu7", {{"a", "b"}, {}, {}}));
}

} // namespace
} // namespace kl
