// SPDX-License-Identifier: MIT
#include "profiler/remote/supervisor.h"

#include "profiler/remote/worker_socket.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

namespace kl::inline remote {
namespace {

/// A worker that writes without end waits for its client from here on.
constexpr std::size_t kMostUnacknowledged = std::size_t{64} << 20;
constexpr int kPatience = 500; ///< ms between looks at a worker whose output somebody else keeps open, and at the time
constexpr int kEnding = 5;     ///< ms between looks at a worker that has closed its output

} // namespace

Supervisor::Supervisor(ChildProcess worker, Fd listener, std::chrono::seconds idle)
    : worker_(std::move(worker)), listener_(std::move(listener)), idle_(idle), left_(Clock::now())
{
    ::fcntl(listener_.get(), F_SETFL, ::fcntl(listener_.get(), F_GETFL) | O_NONBLOCK);
}

void Supervisor::run()
{
    while (!quit_ && !(ended_ && link_.keptBytes() == 0) && (client_ || Clock::now() < left_ + idle_))
        waitForNews();
}

void Supervisor::waitForNews()
{
    const bool room = link_.keptBytes() < kMostUnacknowledged;
    std::array<pollfd, 5> waiting{{{listener_.get(), POLLIN, 0},
                                   {client_.get(), static_cast<short>(POLLIN | (link_.unsent().empty() ? 0 : POLLOUT)), 0},
                                   {outputOpen_ && room ? worker_.output() : -1, POLLIN, 0},
                                   {errorsOpen_ && room ? worker_.errors() : -1, POLLIN, 0},
                                   {inputOpen_ && !input_.empty() ? worker_.input() : -1, POLLOUT, 0}}};
    if (::poll(waiting.data(), waiting.size(), outputOpen_ || ended_ ? kPatience : kEnding) < 0)
        return;
    if (waiting[2].revents != 0)
        readWorker(worker_.output(), FrameType::output, outputOpen_);
    if (waiting[3].revents != 0)
        readWorker(worker_.errors(), FrameType::errors, errorsOpen_);
    if (client_ && waiting[1].revents != 0)
        readClient();
    if (waiting[0].revents != 0)
        takeClient();
    writeWorker();
    watchWorker();
    if (client_)
        writeClient();
}

void Supervisor::takeClient()
{
    Fd next = acceptClient(listener_);
    if (!next)
        return;
    client_ = std::move(next);
    link_.connect();
}

void Supervisor::leaveClient()
{
    client_.close();
    link_.disconnect();
    left_ = Clock::now();
}

void Supervisor::readClient()
{
    std::string bytes;
    const bool open = ChildProcess::drain(client_.get(), bytes);
    const Result<std::vector<Frame>> frames = link_.receive(bytes);
    if (!frames)
        return leaveClient();
    for (const Frame& frame : *frames)
        switch (frame.type) {
        case FrameType::input: input_ += frame.payload; break;
        case FrameType::inputEnd: inputEnds_ = true; break;
        case FrameType::ping: link_.sendNow(FrameType::ping); break;
        case FrameType::quit: quit_ = true; break;
        default: break;
        }
    if (!open)
        leaveClient();
}

void Supervisor::writeClient()
{
    std::string& bytes = link_.unsent();
    while (!bytes.empty()) {
        const ssize_t taken = ::send(client_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (taken < 0 && errno == EINTR)
            continue;
        if (taken < 0 && errno != EAGAIN)
            return leaveClient();
        if (taken <= 0)
            return;
        bytes.erase(0, static_cast<std::size_t>(taken));
    }
}

void Supervisor::readWorker(int descriptor, FrameType type, bool& open)
{
    std::string bytes;
    open = ChildProcess::drain(descriptor, bytes);
    if (!bytes.empty())
        link_.send(type, bytes);
}

void Supervisor::writeWorker()
{
    if (!inputOpen_)
        return;
    while (!input_.empty()) {
        const std::ptrdiff_t taken = worker_.write(input_);
        if (taken < 0)
            input_.clear(); // it no longer reads: its end is on its way
        if (taken <= 0)
            break;
        input_.erase(0, static_cast<std::size_t>(taken));
    }
    if (inputEnds_ && input_.empty()) {
        worker_.closeInput();
        inputOpen_ = false;
    }
}

void Supervisor::watchWorker()
{
    if (ended_ || !worker_.wait(std::chrono::milliseconds(0)))
        return;
    if (outputOpen_) // what it wrote last
        readWorker(worker_.output(), FrameType::output, outputOpen_);
    if (errorsOpen_)
        readWorker(worker_.errors(), FrameType::errors, errorsOpen_);
    const ProcessEnd end = *worker_.end();
    link_.send(FrameType::ended, std::to_string(end.status) + (end.signal ? ' ' + std::to_string(*end.signal) : std::string()));
    ended_ = true;
    outputOpen_ = errorsOpen_ = inputOpen_ = false;
}

} // namespace kl::inline remote
