// SPDX-License-Identifier: MIT
#include "profiler/remote/relay.h"

#include "core/codec/json.h"
#include "profiler/remote/host_trouble.h"
#include "profiler/remote/last_line.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <utility>

namespace kl::inline remote {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t kMostPrinted = std::size_t{64} << 10; ///< by a host before the frames
constexpr std::size_t kMostHeld = std::size_t{64} << 20;    ///< of what the client, or the host, does not read yet
constexpr milliseconds kFirstPause{250};                    ///< between attempts; doubled each time
constexpr milliseconds kLongestPause{8000};
constexpr seconds kAttempt{45}; ///< of which ssh itself takes 15 at most to connect
constexpr int kMostFirstAttempts = 5;
constexpr seconds kStart{60}; ///< for a worker that starts by itself to listen
constexpr seconds kPing{5};
constexpr milliseconds kParting{1500}; ///< for the last frames to leave
constexpr int kSlice = 200;            ///< ms

double inSeconds(std::chrono::steady_clock::duration time)
{
    return std::chrono::duration<double>(time).count();
}

Fd catchSignals()
{
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        sigaddset(&signals, signal);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    return Fd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

} // namespace

Relay::Relay(std::unique_ptr<Route> route, RelayOptions options, Fd output)
    : route_(std::move(route)), options_(options), output_(std::move(output)), signals_(catchSignals())
{
    for (const int descriptor : {STDIN_FILENO, output_.get()})
        ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

int Relay::run()
{
    while (!status_)
        waitForNews();
    return finish();
}

void Relay::connect()
{
    const Result<std::vector<std::string>> command = route_->command(everAttached_);
    if (!command)
        return fail(command.error());
    Result<ChildProcess> started = ChildProcess::start(command->front(), {command->begin() + 1, command->end()});
    if (!started)
        return fail(started.error());
    carrier_.emplace(std::move(*started));
    printed_.clear();
    errors_.clear();
    errorsOpen_ = true;
    heard_ = pinged_ = Clock::now();
}

void Relay::waitForNews()
{
    if (!carrier_ && Clock::now() >= nextAttempt_)
        connect();
    std::array<pollfd, 6> waiting{{{inputOpen_ && link_.keptBytes() < kMostHeld ? STDIN_FILENO : -1, POLLIN, 0},
                                   {output_.get(), static_cast<short>(unwritten_.empty() ? 0 : POLLOUT), 0},
                                   {signals_.get(), POLLIN, 0},
                                   {carrier_ && unwritten_.size() < kMostHeld ? carrier_->output() : -1, POLLIN, 0},
                                   {carrier_ && errorsOpen_ ? carrier_->errors() : -1, POLLIN, 0},
                                   {carrier_ && attached_ && !link_.unsent().empty() ? carrier_->input() : -1, POLLOUT, 0}}};
    if (status_ || ::poll(waiting.data(), waiting.size(), kSlice) < 0)
        return;
    if (waiting[2].revents != 0 || (waiting[1].revents & (POLLERR | POLLHUP)) != 0)
        return killWorker();
    if (waiting[0].revents != 0)
        readInput();
    if (carrier_ && waiting[4].revents != 0) {
        std::string text;
        errorsOpen_ = ChildProcess::drain(carrier_->errors(), text);
        errors_.append(text);
    }
    if (carrier_ && waiting[3].revents != 0)
        readHost();
    if (carrier_ && attached_)
        writeHost();
    watchConnection();
    writeOutput();
}

void Relay::readInput()
{
    std::string bytes;
    inputOpen_ = ChildProcess::drain(STDIN_FILENO, bytes);
    if (!bytes.empty())
        link_.send(FrameType::input, bytes);
    if (!inputOpen_)
        link_.send(FrameType::inputEnd, {});
}

void Relay::readHost()
{
    std::string bytes;
    const bool open = ChildProcess::drain(carrier_->output(), bytes);
    if (!bytes.empty())
        heard_ = Clock::now();
    if (attached_) {
        readFrames(bytes);
    } else {
        printed_ += bytes;
        if (!readMark())
            return;
    }
    if (!open && carrier_ && !status_) {
        carrier_->wait(kParting);
        if (std::string text; errorsOpen_) {
            ChildProcess::drain(carrier_->errors(), text);
            errors_.append(text);
        }
        cutOff(lastLine(errors_.text()));
    }
}

/// False when this connection is of no more use.
bool Relay::readMark()
{
    const std::optional<AttachLine> line = findAttachLine(printed_, route_->name());
    if (!line && printed_.size() > kMostPrinted) {
        fail(makeHostLostError(route_->host(), fmt::format("{} prints text without end where the worker should answer.", route_->host()),
                               "Look at what the files of your shell there print without a terminal."));
        return false;
    }
    if (!line)
        return true;
    switch (line->state) {
    case AttachState::ready: break;
    case AttachState::gone:
        if (!everAttached_ && route_->startsByItself() && Clock::now() - began_ < kStart) {
            cutOff({});
            return false;
        }
        if (const std::optional<Error> ended = route_->findEnd()) {
            fail(*ended);
            return false;
        }
        fail(makeHostLostError(route_->host(), fmt::format("The worker on {} is gone, and what it was doing is lost.", route_->host()),
                               "The host was preempted or restarted, or the connection was away for too long. Run the command again."));
        return false;
    case AttachState::missing:
        fail(makeWorkerMissingError(route_->host(), fmt::format("kloop-worker is not installed on {}.", route_->host()), line->text));
        return false;
    case AttachState::failed:
        fail({.code = ErrorCode::environment,
              .message = fmt::format("{}: {}", route_->host(), line->text),
              .hint = "The message is from that host.",
              .where = route_->host()});
        return false;
    }
    attached_ = true;
    again_ = std::exchange(everAttached_, true);
    attempts_ = 0;
    link_.connect();
    const std::string frames = printed_.substr(line->end);
    printed_.clear();
    readFrames(frames);
    return carrier_.has_value();
}

void Relay::readFrames(std::string_view bytes)
{
    const Result<std::vector<Frame>> frames = link_.receive(bytes);
    if (!frames && again_) // a job that began again on the same node has a worker of the same name
        return fail(makeHostLostError(route_->host(),
                                      fmt::format("The worker on {} is another one now, and what it was doing is lost.", route_->host()),
                                      "The host was restarted, or its job began again. Run the command again."));
    if (!frames)
        return fail(frames.error());
    for (const Frame& frame : *frames)
        switch (frame.type) {
        case FrameType::output: addOutput(frame.payload); break;
        case FrameType::errors:
            for (std::size_t sent = 0; sent < frame.payload.size();) { // a pipe that the client always empties
                const ssize_t wrote = ::write(STDERR_FILENO, frame.payload.data() + sent, frame.payload.size() - sent);
                if (wrote <= 0)
                    break;
                sent += static_cast<std::size_t>(wrote);
            }
            break;
        case FrameType::ended: readEnd(frame.payload); break;
        default: break;
        }
}

/// "3", or "139 11" with the signal.
void Relay::readEnd(const std::string& payload)
{
    int status = 0;
    int signal = 0;
    const char* const last = payload.data() + payload.size();
    const auto [end, problem] = std::from_chars(payload.data(), last, status);
    if (problem == std::errc() && end != last && std::from_chars(end + 1, last, signal).ec == std::errc() && signal > 0)
        signal_ = signal;
    status_ = status & 0xFF;
}

void Relay::writeHost()
{
    std::string& bytes = link_.unsent();
    while (!bytes.empty()) {
        const std::ptrdiff_t taken = carrier_->write(bytes);
        if (taken <= 0)
            return; // one that no longer reads ends, too
        bytes.erase(0, static_cast<std::size_t>(taken));
    }
}

/// Only whole lines are passed on, so that events of our own come between them.
void Relay::addOutput(std::string_view bytes)
{
    const std::size_t end = bytes.rfind('\n');
    if (end == std::string_view::npos && line_.size() + bytes.size() > kMostLine)
        return fail({.code = ErrorCode::internal,
                     .message = fmt::format("The worker on {} sent a line without end.", route_->host()),
                     .hint = "Install the same version of KernelLoop on both hosts.",
                     .where = route_->host()});
    if (end == std::string_view::npos) {
        line_.append(bytes);
        return;
    }
    greeted_ = true;
    unwritten_.append(line_).append(bytes.substr(0, end + 1));
    line_ = bytes.substr(end + 1);
}

void Relay::writeOutput()
{
    std::size_t written = 0;
    while (written < unwritten_.size()) {
        const ssize_t wrote = ::write(output_.get(), unwritten_.data() + written, unwritten_.size() - written);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            break; // a client that is gone shows in the next poll
        written += static_cast<std::size_t>(wrote);
    }
    unwritten_.erase(0, written);
}

void Relay::cutOff(const std::string& why)
{
    const std::optional<ProcessEnd> end = carrier_->end();
    carrier_->killGroup();
    const std::string words = errors_.text();
    carrier_.reset();
    attached_ = false;
    link_.disconnect();
    const auto now = Clock::now();
    if (!everAttached_) {
        std::optional<Error> refused = route_->findRefusal(end, words);
        const bool starting = route_->startsByItself() && now - began_ < kStart;
        if (!refused && (starting || attempts_ < kMostFirstAttempts)) {
            nextAttempt_ = now + kFirstPause;
            ++attempts_;
            return;
        }
        return fail(refused ? *refused : makeNeverAnsweredError(words));
    }
    if (const std::optional<Error> ended = route_->findEnd())
        return fail(*ended);
    if (attempts_ == 0)
        lost_ = reported_ = now;
    if (now - lost_ >= options_.giveUp)
        return fail(makeHostLostError(route_->host(),
                                      fmt::format("The connection to {} was lost {:.0f} s ago and cannot be made again{}.", route_->host(),
                                                  inSeconds(now - lost_), why.empty() ? why : ": " + why),
                                      "The host may have been preempted, or the network is down."));
    nextAttempt_ = now + std::min(kLongestPause, kFirstPause * (1 << std::min(attempts_, 5)));
    ++attempts_;
}

/// A connection can die without a word: its ends ping each other.
void Relay::watchConnection()
{
    const auto now = Clock::now();
    if (!carrier_ || status_)
        return reportWaiting();
    if (!attached_) {
        if (now - heard_ > kAttempt)
            return cutOff("it does not answer");
        return reportWaiting();
    }
    if (now - pinged_ >= kPing) {
        link_.sendNow(FrameType::ping);
        pinged_ = now;
    }
    if (now - heard_ > options_.silence)
        cutOff("it does not answer");
}

void Relay::reportWaiting()
{
    const auto now = Clock::now();
    if (attempts_ == 0 || !greeted_ || status_ || now - reported_ < seconds(1))
        return;
    reported_ = now;
    const Json event{
        {"event", "progress"},
        {"seq", 0},
        {"step", fmt::format("connection to {} lost; the worker continues; attempt {} to reconnect", route_->host(), attempts_)},
        {"elapsed_s", inSeconds(now - lost_)},
        {"expected_s", nullptr}};
    unwritten_ += encode(event) + '\n';
}

Error Relay::makeNeverAnsweredError(const std::string& words) const
{
    const std::string reportedLine = lastLine(words);
    return makeHostLostError(
        route_->host(), fmt::format("{} cannot be reached{}.", route_->host(), reportedLine.empty() ? std::string() : ": " + reportedLine),
        "Run the command again; the detail has what was printed last.");
}

void Relay::fail(const Error& error)
{
    Json event{{"event", "error"}, {"last", true}};
    event.update(errorToJson(error)["error"]);
    if (error.detail.empty() && isHostLost(error))
        event["detail"] = errors_.text(); // what the carrier said
    unwritten_ += encode(event) + '\n';
    status_ = exitCode(error.code);
}

void Relay::killWorker()
{
    link_.sendNow(FrameType::quit);
    status_ = exitCode(ErrorCode::interrupted);
}

/// The last events reach the client, and the last acknowledgment or the order to quit reaches the host.
int Relay::finish()
{
    const auto end = Clock::now() + kParting;
    ::fcntl(output_.get(), F_SETFL, ::fcntl(output_.get(), F_GETFL) & ~O_NONBLOCK);
    writeOutput();
    output_.close();
    while (carrier_ && attached_ && !link_.unsent().empty() && Clock::now() < end && !carrier_->wait(milliseconds(1)))
        writeHost();
    if (carrier_) {
        carrier_->closeInput();
        carrier_->wait(std::chrono::duration_cast<milliseconds>(end - Clock::now()));
        carrier_->killGroup();
    }
    if (signal_) { // so that the client sees what it would see of a worker of its own
        const rlimit none{0, 0};
        ::setrlimit(RLIMIT_CORE, &none);
        std::signal(*signal_, SIG_DFL);
        sigset_t all;
        sigfillset(&all);
        ::pthread_sigmask(SIG_UNBLOCK, &all, nullptr);
        ::raise(*signal_);
    }
    return *status_;
}

} // namespace kl::inline remote
