// SPDX-License-Identifier: MIT
#include "app/kloop/interrupts.h"

#include <atomic>
#include <csignal>
#include <thread>
#include <unistd.h>

namespace kl {
namespace {

std::atomic<pid_t> receiver = 0;

[[noreturn]] void waitForSignals(sigset_t signals, std::stop_source& stop)
{
    for (int times = 0;;) {
        siginfo_t info{};
        const int got = ::sigwaitinfo(&signals, &info);
        if (got < 0)
            continue;
        if (const pid_t program = receiver) {
            if (info.si_code != SI_KERNEL)
                ::kill(program, got);
            continue;
        }
        if (times++ > 0)
            ::_exit(130);
        stop.request_stop();
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
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread([signals] { waitForSignals(signals, stop); }).detach(); // it waits until the process ends
    return stop.get_token();
}

void Interrupts::passOnTo(pid_t program)
{
    receiver = program;
}

} // namespace kl
