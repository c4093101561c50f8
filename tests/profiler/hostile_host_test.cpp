// SPDX-License-Identifier: MIT
// A host that means harm, or is broken: whatever it sends, a request fails, and nothing else happens here.
#include "fake_ssh.h"
#include "profiler/client/wire.h"
#include "profiler/device/lazy_device.h"
#include "profiler/remote/frame.h"
#include "profiler/remote/host_trouble.h"
#include "tests/support/build_folder.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

using test::FakeSsh;

constexpr const char* kHello = R"({"event":"hello","protocol":1,"version":"0","host":"farm","devices":[{"name":"X","uuid":"GPU-1"}]})";

class HostileHost : public testing::Test {
protected:
    void SetUp() override
    {
        if (!std::filesystem::exists(test::kBuiltWorker))
            GTEST_SKIP() << "kloop-worker is not built";
    }
    /// After the line that says that it is ready, the host sends these bytes, runs `more` and reads on.
    void sends(const std::string& bytes, const std::string& more = {})
    {
        std::ofstream(ssh_.home() / "bytes", std::ios::binary) << bytes;
        ssh_.installWorker("echo; echo \"kloop-attach/1 $2 ready\"; cat \"$HOME/bytes\"; " + more + " exec cat > /dev/null");
    }
    static std::string output(const std::string& text) { return encodeFrame(FrameType::output, text); }
    /// The hello, and these lines.
    static std::string greetedWith(const std::string& lines)
    {
        return encodeFrame(FrameType::resume, "0") + output(std::string(kHello) + '\n' + lines);
    }
    static WorkerOptions options()
    {
        WorkerOptions options;
        options.program = test::kBuiltWorker;
        return options;
    }
    static Result<std::unique_ptr<Collector>> open(const DeviceSpec& device) { return openDevice(device, options()); }
    static Result<std::unique_ptr<Collector>> open() { return open(*parseDeviceSpec("ssh:farm")); }

    FakeSsh ssh_;
};

TEST_F(HostileHost, FramesThatAreNoneEndTheConnection)
{
    const std::string cases[] = {
        std::string("\xff\xfe\x00\x01garbage", 11),
        std::string("O\xff\xff\xff\x7f", 5) + "too long",
        encodeFrame(FrameType::output, "before any resume\n"),
        encodeFrame(FrameType::resume, "18446744073709551616"),
        encodeFrame(FrameType::resume, "-1"),
        encodeFrame(FrameType::resume, "7"),
        encodeFrame(FrameType::resume, "0") + encodeFrame(FrameType::resume, "0"),
        encodeFrame(FrameType::resume, "0") + encodeFrame(FrameType::acknowledge, "99"),
    };
    for (const std::string& bytes : cases) {
        sends(bytes);
        const auto opened = open();
        ASSERT_FALSE(opened) << bytes.substr(0, 20);
        EXPECT_EQ(opened.error().code, ErrorCode::internal) << opened.error().message;
    }
}

TEST_F(HostileHost, ALineWithoutEndDoesNotFillTheMemory)
{
    std::string chunk;
    for (int i = 0; i < 64; ++i)
        chunk += output(std::string(kMostPayload, 'x'));
    std::ofstream(ssh_.home() / "chunk", std::ios::binary) << chunk;
    sends(greetedWith({}), "while cat \"$HOME/chunk\"; do :; done;");
    auto opened = open();
    ASSERT_TRUE(opened) << opened.error().message;
    const Result<Json> answer = (*opened)->ask(Verb::probe, Json::object(), {});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::internal) << answer.error().message;
    EXPECT_FALSE(isHostLost(answer.error())) << answer.error().message;
    EXPECT_EQ(answer.error().where, "farm");
}

TEST_F(HostileHost, EventsThatAreNoneFailTheRequest)
{
    const std::string deep(100000, '[');
    const std::string cases[] = {
        "not JSON",
        "[]",
        "{}",
        deep,
        R"({"event":7})",
        R"({"event":"launch-missiles"})",
        R"({"event":"progress","step":{"a":1}})",
        R"({"event":"progress","seq":1e400,"step":"x"})",
        R"({"event":"output","id":1,"base64":"%%%"})",
        R"({"event":"output","id":1,"base64":7})",
        R"({"event":"result","id":1})",
        "{\"event\":\"result\",\"id\":1,\"body\":\"\xff\xfe\"}",
        std::string("{\"event\":\"result\"\0}", 19),
    };
    for (const std::string& line : cases) {
        sends(greetedWith(line + '\n'));
        auto opened = open();
        if (!opened) { // it came together with the hello
            EXPECT_TRUE(opened.error().code == ErrorCode::environment || opened.error().code == ErrorCode::internal) << line.substr(0, 40);
            continue;
        }
        const Result<Json> answer = (*opened)->ask(Verb::probe, Json::object(), {});
        ASSERT_FALSE(answer) << line.substr(0, 40);
        EXPECT_EQ(answer.error().code, ErrorCode::internal) << line.substr(0, 40) << answer.error().message;
    }
}

TEST_F(HostileHost, AnAnswerOfTheWrongShapeFailsTheRequest)
{
    for (const char* body : {"[]", R"({"devices":[{"sm_count":"many"}]})"}) {
        sends(greetedWith(std::string(R"({"event":"result","id":1,"body":)") + body + "}\n"));
        auto opened = open();
        ASSERT_TRUE(opened);
        EXPECT_EQ(probe(**opened).error().code, ErrorCode::badInput) << body;
    }
}

TEST_F(HostileHost, WhatItCallsItsGpuReachesNoShell)
{
    const std::filesystem::path mark = ssh_.home() / "ran";
    for (const std::string& uuid : {"GPU-1; touch " + mark.string(), "$(touch " + mark.string() + ")\ntouch " + mark.string()}) {
        Json hello = Json::parse(kHello);
        hello["devices"][0]["uuid"] = uuid;
        sends(encodeFrame(FrameType::resume, "0") + output(encode(hello) + '\n'));
        const auto opened = open();
        ASSERT_TRUE(opened) << opened.error().message;
        const auto again = open(describeDevice(**opened));
        EXPECT_FALSE(again) << uuid;
        EXPECT_FALSE(parseDeviceSpec(toText(describeDevice(**opened)))) << uuid;
        EXPECT_FALSE(std::filesystem::exists(mark)) << uuid;
    }
}

TEST_F(HostileHost, WhatNobodyAskedForIsDropped)
{
    sends(greetedWith(R"({"event":"result","id":77,"body":{}})"
                      "\n"
                      R"({"event":"output","id":77,"base64":"aGVsbG8="})"
                      "\n"
                      R"({"event":"error","id":1,"code":"refused","message":"\u001b[2Jno"})"
                      "\n"));
    auto opened = open();
    ASSERT_TRUE(opened);
    std::string written;
    Job job;
    job.output = [&](std::string_view bytes, bool) { written += bytes; };
    const Result<Json> answer = (*opened)->ask(Verb::probe, Json::object(), job);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::refused);
    EXPECT_EQ(written, "");
}

} // namespace
} // namespace kl
