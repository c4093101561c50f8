// SPDX-License-Identifier: MIT
#include "profiler/live/env/command_runner.h"
#include "profiler/live/env/http.h"

#include <arpa/inet.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace kl {
namespace {

using testing::HasSubstr;

TEST(RunCommand, GathersOutputStatusAndSettingsInItsFolder)
{
    const Result<CommandResult> done =
        runCommand({{"sh", "-c", "echo out; echo err >&2; pwd; echo $MAX_JOBS; exit 7"}, "/tmp", {"MAX_JOBS=3"}, 300, {}});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(done->exitCode, 7);
    EXPECT_FALSE(done->timedOut);
    EXPECT_EQ(done->output, "out\nerr\n/tmp\n3\n");
}

TEST(RunCommand, SettingsReplaceVariablesOfTheSameName)
{
    const Result<CommandResult> done =
        runCommand({{"/bin/sh", "-c", "echo $A $AB $B"}, {}, {"A=1", "B=x=y"}, 300, {}, {"A=0", "AB=2", "B=3"}});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(done->output, "1 2 x=y\n");
    EXPECT_GT(done->seconds, 0);
    EXPECT_LT(done->seconds, 300);
}

TEST(RunCommand, AVariableThatASettingReplacesIsThereOnce)
{
    const Result<CommandResult> done = runCommand({{"/usr/bin/env"}, {}, {"A=1", "A=4"}, 300, {}, {"A=0", "AB=2", "A=3"}});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(done->output, "AB=2\nA=4\n") << "the last setting, and what merely begins alike";
    EXPECT_EQ(done->exitCode, 0);
}

TEST(RunCommand, KeepsTheWholeOutputInTheLogAndTheEndInHand)
{
    const std::string log = (std::filesystem::temp_directory_path() / ("kl-log-" + std::to_string(::getpid()))).string();
    std::ofstream(log) << "before\n";
    const Result<CommandResult> done =
        runCommand({{"sh", "-c", "i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done"}, {}, {}, 300, log});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_LE(done->output.size(), 64U * 1024);
    EXPECT_TRUE(done->output.ends_with("line 19999\n"));
    std::ifstream in(log);
    const std::string kept(std::istreambuf_iterator<char>(in), {});
    EXPECT_TRUE(kept.starts_with("before\nline 0\n")) << "it is appended to";
    EXPECT_TRUE(kept.ends_with("line 19999\n"));
    std::filesystem::remove(log);
}

TEST(RunCommand, PastItsTimeItIsKilledWithWhatItStarted)
{
    const Result<CommandResult> done = runCommand({{"sh", "-c", "sleep 300 & echo started; wait"}, {}, {}, 1, {}});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_TRUE(done->timedOut);
    EXPECT_EQ(done->exitCode, 137);
    EXPECT_EQ(done->output, "started\n");
}

TEST(RunCommand, AGrandchildThatKeepsTheOutputOpenIsNotWaitedFor)
{
    const Result<CommandResult> done = runCommand({{"sh", "-c", "sleep 300 & echo done"}, {}, {}, 300, {}});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_FALSE(done->timedOut);
    EXPECT_EQ(done->output, "done\n");
}

TEST(RunCommand, WhatCannotBeStartedIsAnError)
{
    const Result<CommandResult> none = runCommand({{"kloop-no-such-program", "argument"}, {}, {}, 1, {}});
    EXPECT_EQ(none.error().code, ErrorCode::environment);
    EXPECT_EQ(none.error().where, "kloop-no-such-program");
    const Result<CommandResult> lost = runCommand({{"true"}, "/no/such/folder", {}, 1, {}});
    ASSERT_FALSE(lost);
    EXPECT_THAT(lost.error().message, HasSubstr("/no/such/folder"));
}

/// Answers one connection with a text, then ends.
class OneAnswer {
public:
    explicit OneAnswer(std::string answer) : socket_(::socket(AF_INET, SOCK_STREAM, 0))
    {
        sockaddr_in place = {};
        place.sin_family = AF_INET;
        place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof place;
        EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&place), length), 0);
        EXPECT_EQ(::listen(socket_, 1), 0);
        EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&place), &length), 0);
        port_ = ntohs(place.sin_port);
        thread_ = std::thread([this, answer = std::move(answer)] {
            const int peer = ::accept(socket_, nullptr, nullptr);
            char chunk[4096];
            const ssize_t got = ::read(peer, chunk, sizeof chunk);
            request.assign(chunk, static_cast<std::size_t>(std::max<ssize_t>(0, got)));
            (void)::send(peer, answer.data(), answer.size(), MSG_NOSIGNAL); // who asked may have heard enough
            ::close(peer);
        });
    }
    ~OneAnswer()
    {
        join();
        ::close(socket_);
    }
    void join()
    {
        if (thread_.joinable())
            thread_.join();
    }
    Result<std::string> get(const std::string& method = "GET")
    {
        const Result<std::string> body = fetch({"127.0.0.1", port_, method, "/notice", {"Metadata: true"}, 300});
        join();
        return body;
    }
    std::string request;

private:
    int socket_;
    int port_ = 0;
    std::thread thread_;
};

TEST(Fetch, GivesTheBodyOfAGoodAnswer)
{
    OneAnswer server("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nTRUE");
    const Result<std::string> body = server.get("PUT");
    ASSERT_TRUE(body) << body.error().message;
    EXPECT_EQ(*body, "TRUE");
    EXPECT_TRUE(server.request.starts_with("PUT /notice HTTP/1.0\r\n"));
    EXPECT_THAT(server.request, HasSubstr("\r\nMetadata: true\r\n"));
}

TEST(Fetch, AsksAsSimpleServersUnderstand)
{
    OneAnswer get("HTTP/1.0 200 OK\r\n\r\nyes");
    EXPECT_EQ(get.get().value(), "yes");
    EXPECT_EQ(get.request, "GET /notice HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: close\r\nMetadata: true\r\n\r\n");
    OneAnswer put("HTTP/1.0 200 OK\r\n\r\n");
    EXPECT_EQ(put.get("PUT").value(), "");
    EXPECT_THAT(put.request, HasSubstr("\r\nContent-Length: 0\r\n\r\n"));
    OneAnswer parts("HTTP/1.0 200 OK\r\n\r\nfirst\r\n\r\nsecond");
    EXPECT_EQ(parts.get().value(), "first\r\n\r\nsecond") << "the body begins behind the first empty line";
}

TEST(Fetch, ALongAnswerIsCutAndASilentServerGivenUp)
{
    const std::string body(200'000, 'x');
    const Result<std::string> cut = OneAnswer("HTTP/1.0 200 OK\r\n\r\n" + body).get();
    ASSERT_TRUE(cut) << cut.error().message;
    EXPECT_GT(cut->size(), 60'000U);
    EXPECT_LT(cut->size(), 70'000U);
    const int silent = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in place = {};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof place;
    ASSERT_EQ(::bind(silent, reinterpret_cast<sockaddr*>(&place), length), 0);
    ASSERT_EQ(::listen(silent, 1), 0);
    ASSERT_EQ(::getsockname(silent, reinterpret_cast<sockaddr*>(&place), &length), 0);
    const Result<std::string> none = fetch({"127.0.0.1", ntohs(place.sin_port), "GET", "/", {}, 0.05});
    ::close(silent);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::environment);
    EXPECT_EQ(none.error().where, "/");
}

TEST(Fetch, TellsNothingThereFromTrouble)
{
    EXPECT_EQ(OneAnswer("HTTP/1.0 404 Not Found\r\n\r\n").get().error().code, ErrorCode::notFound);
    EXPECT_EQ(OneAnswer("HTTP/1.0 500 Oops\r\n\r\n").get().error().code, ErrorCode::environment);
    EXPECT_EQ(OneAnswer("not HTTP at all").get().error().code, ErrorCode::environment);
    EXPECT_EQ(OneAnswer("200 OK\r\n\r\nTRUE").get().error().code, ErrorCode::environment);
    EXPECT_EQ(OneAnswer("HTTP/1.0 200 OK\r\nno body").get().error().code, ErrorCode::environment);
    EXPECT_EQ(OneAnswer("HTTP/1.0\r\n\r\n").get().error().code, ErrorCode::environment);
    EXPECT_EQ(OneAnswer("HTTP/1.0 200 OK\r\n\r\n").get().value(), "") << "a body may be empty";
    EXPECT_EQ(fetch({"127.0.0.1", 1, "GET", "/", {}, 1}).error().code, ErrorCode::environment);
    EXPECT_EQ(fetch({"nowhere", 80, "GET", "/", {}, 1}).error().code, ErrorCode::environment);
}

} // namespace
} // namespace kl
