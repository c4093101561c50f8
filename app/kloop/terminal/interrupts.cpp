// SPDX-License-Identifier: MIT
#include "app/kloop/terminal/interrupts.h"

#include "core/base/descendants.h"
#include "core/base/error.h"
#include "core/base/last_act.h"
#include "core/base/leftovers.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <string>
#include <thread>
#include <unistd.h>

namespace kl::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kGrace{1400};   // for the command to end by itself
constexpr milliseconds kChildren{200}; // for other programs to put their things in order
constexpr milliseconds kPoll{50};

std::atomic<pid_t> receiver = 0;

/// Whatever the command does: it may be in a call that knows of no stop, in the kernel, or in a library.
[[noreturn]] void endNow()
{
    std::string text = std::string("\n") + ::program_invocation_short_name + ": Stopped by a signal.\n";
    for (const std::string& line : doLastActs())
        text += line + '\n';
    endDescendants(kChildren);
    removeLeftovers();
    [[maybe_unused]] const ssize_t wrote = ::write(STDERR_FILENO, text.data(), text.size());
    ::_exit(exitCode(ErrorCode::interrupted));
}

/// Until the command has ended the process, its time is up, or another signal comes.
void letFinish(const sigset_t& signals)
{
    const auto end = std::chrono::steady_clock::now() + kGrace;
    while (std::chrono::steady_clock::now() < end || Finishing::any()) {
        const timespec pause{0, std::chrono::nanoseconds(kPoll).count()};
        if (::sigtimedwait(&signals, nullptr, &pause) > 0)
            return;
    }
}

[[noreturn]] void waitForSignals(const sigset_t& signals, std::stop_source& stop)
{
    for (;;) {
        siginfo_t info{};
        const int got = ::sigwaitinfo(&signals, &info);
        if (got < 0)
            continue;
        if (const pid_t program = receiver) {
            if (info.si_code != SI_KERNEL)
                ::kill(program, got);
            continue;
        }
        stop.request_stop();
        letFinish(signals);
        endNow();
    }
}

} // namespace

std::stop_token Interrupts::watch()
{
    static std::stop_source& stop = *new std::stop_source; // outlives the thread, which no end of the program waits for
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    struct sigaction hangUp = {};
    if (::sigaction(SIGHUP, nullptr, &hangUp) == 0 && hangUp.sa_handler != SIG_IGN) // under nohup it stays ignored
        sigaddset(&signals, SIGHUP);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread([signals] { waitForSignals(signals, stop); }).detach(); // it waits until the process ends
    return stop.get_token();
}

void Interrupts::passOnTo(pid_t program)
{
    receiver = program;
}

} // namespace kl::cli
