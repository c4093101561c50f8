// SPDX-License-Identifier: MIT
// What keeps a worker running between connections: a shell script for the worker, and clients on a socket.
#include "profiler/remote/supervisor.h"
#include "profiler/remote/worker_socket.h"

#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace kl {
namespace {

class Supervised : public testing::Test {
protected:
    void start(const std::string& script, std::chrono::seconds idle = std::chrono::seconds(60))
    {
        const Result<std::filesystem::path> path = workerSocket("supervised-" + std::to_string(::getpid()));
        ASSERT_TRUE(path.ok());
        socket_ = *path;
        std::filesystem::remove(socket_);
        Result<Fd> listener = listenForClients(socket_);
        Result<ChildProcess> worker = ChildProcess::start("/bin/sh", {"-c", script});
        ASSERT_TRUE(listener.ok() && worker.ok());
        supervisor_ = std::jthread([worker = std::make_shared<ChildProcess>(std::move(*worker)),
                                    listener = std::make_shared<Fd>(std::move(*listener)),
                                    idle] { Supervisor(std::move(*worker), std::move(*listener), idle).run(); });
    }
    void TearDown() override { std::filesystem::remove(socket_); }

    void connect()
    {
        Result<Fd> connection = connectToWorker(socket_);
        ASSERT_TRUE(connection.ok());
        connection_ = std::move(*connection);
        ::fcntl(connection_.get(), F_SETFL, ::fcntl(connection_.get(), F_GETFL) | O_NONBLOCK);
        link_.connect();
    }
    void cut()
    {
        connection_.close();
        link_.disconnect();
    }

    /// Exchanges bytes until a frame of this type came; all payloads of that type since the last call. Empty: the other end closed.
    std::string exchangeUntil(FrameType type)
    {
        while (came_[type].empty()) {
            std::string& unsent = link_.unsent();
            if (const ssize_t wrote = ::send(connection_.get(), unsent.data(), unsent.size(), MSG_NOSIGNAL); wrote > 0)
                unsent.erase(0, static_cast<std::size_t>(wrote));
            pollfd waiting{connection_.get(), POLLIN, 0};
            ::poll(&waiting, 1, 50);
            std::string bytes;
            const bool open = ChildProcess::drain(connection_.get(), bytes);
            const Result<std::vector<Frame>> frames = link_.receive(bytes);
            EXPECT_TRUE(frames.ok());
            if (!frames)
                break;
            for (const Frame& frame : *frames)
                came_[frame.type] += frame.type == FrameType::ping ? "ping" : frame.payload;
            if (!open)
                break;
        }
        return std::exchange(came_[type], {});
    }
    void flush()
    {
        std::string& unsent = link_.unsent();
        EXPECT_EQ(::send(connection_.get(), unsent.data(), unsent.size(), MSG_NOSIGNAL), static_cast<ssize_t>(unsent.size()));
        unsent.clear();
    }

    std::filesystem::path socket_;
    Fd connection_;
    ResumableLink link_;
    std::map<FrameType, std::string> came_; ///< payloads of the frames that came
    std::jthread supervisor_;               ///< joined first
};

TEST_F(Supervised, ASignalThatEndedTheWorkerIsReported)
{
    start("read -r line; kill -SEGV $$");
    connect();
    link_.send(FrameType::input, "go\n");
    EXPECT_EQ(exchangeUntil(FrameType::ended), "139 11");
    flush(); // the acknowledgment, after which it ends
}

TEST_F(Supervised, OutputOfATimeWithoutAConnectionIsKept)
{
    start("read -r line; echo first; read -r line; echo words >&2; echo \"$line\"; exit 3");
    connect();
    link_.send(FrameType::input, "go\n");
    EXPECT_EQ(exchangeUntil(FrameType::output), "first\n");
    link_.send(FrameType::input, "second\n");
    flush();
    cut();
    connect();
    EXPECT_EQ(exchangeUntil(FrameType::output), "second\n");
    EXPECT_EQ(exchangeUntil(FrameType::ended), "3");
    EXPECT_EQ(exchangeUntil(FrameType::errors), "words\n");
    flush();
}

TEST_F(Supervised, TheEndOfTheInputReachesTheWorkerBehindTheInput)
{
    start("cat; echo over");
    connect();
    link_.send(FrameType::input, "first\n");
    link_.send(FrameType::input, "second\n");
    link_.send(FrameType::inputEnd, {});
    EXPECT_EQ(exchangeUntil(FrameType::ended), "0");
    EXPECT_EQ(exchangeUntil(FrameType::output), "first\nsecond\nover\n");
    flush();
}

TEST_F(Supervised, TheTimeWithoutAConnectionBeginsWithTheEndOfTheLastOne)
{
    start("read -r line; sleep 1.2; echo \"$line\"; cat", std::chrono::seconds(1));
    connect();
    link_.send(FrameType::input, "first\n");
    EXPECT_EQ(exchangeUntil(FrameType::output), "first\n") << "with one it stays, however quiet that is";
    flush();
    cut();
    std::this_thread::sleep_for(std::chrono::milliseconds(100)); // it sees the end
    connect();
    link_.send(FrameType::input, "second\n");
    EXPECT_EQ(exchangeUntil(FrameType::output), "second\n");
    link_.send(FrameType::inputEnd, {});
    EXPECT_EQ(exchangeUntil(FrameType::ended), "0");
    flush();
}

TEST_F(Supervised, ANewConnectionTakesThePlaceOfAnother)
{
    start("echo first; read -r line; echo \"$line\"");
    connect();
    EXPECT_EQ(exchangeUntil(FrameType::output), "first\n");
    const Fd before = std::move(connection_);
    connect(); // while the other end of the first one still believes in it
    link_.send(FrameType::input, "second\n");
    EXPECT_EQ(exchangeUntil(FrameType::output), "second\n");
    EXPECT_EQ(exchangeUntil(FrameType::ended), "0");
    flush();
}

TEST_F(Supervised, PingsAreAnsweredAndQuitKillsTheWorker)
{
    start("sleep 1000");
    connect();
    link_.sendNow(FrameType::ping);
    EXPECT_EQ(exchangeUntil(FrameType::ping), "ping");
    link_.sendNow(FrameType::quit);
    flush();
    EXPECT_EQ(exchangeUntil(FrameType::ended), "") << "it closes the connection";
}

TEST_F(Supervised, WithoutAConnectionItEndsByItself)
{
    start("sleep 1000", std::chrono::seconds(1));
    supervisor_.join();
    EXPECT_FALSE(connectToWorker(socket_).ok());
}

TEST_F(Supervised, OtherBytesEndTheConnectionAndNotTheWorker)
{
    start("echo first; read -r line; echo \"$line\"");
    Result<Fd> stranger = connectToWorker(socket_);
    ASSERT_TRUE(stranger.ok());
    ASSERT_EQ(::write(stranger->get(), "GET / HTTP/1.1\r\n", 16), 16);
    char byte = 0;
    while (::read(stranger->get(), &byte, 1) > 0) {
    }
    connect();
    EXPECT_EQ(exchangeUntil(FrameType::output), "first\n");
    link_.sendNow(FrameType::quit);
    flush();
}

} // namespace
} // namespace kl
