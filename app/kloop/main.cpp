// SPDX-License-Identifier: MIT
#include "app/kloop/parse.h"
#include "app/kloop/program.h"

#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

namespace {

/// Ctrl-C asks the command to stop, which cancels the worker's request; the second time the program ends at once. A thread
/// waits for the signal, since hardly anything may be called from a handler. Blocked before any other thread begins.
class Interrupts {
public:
    Interrupts()
    {
        sigemptyset(&signals_);
        sigaddset(&signals_, SIGINT);
        sigaddset(&signals_, SIGTERM);
        ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
        std::thread([this] {
            for (int times = 0;; ++times) {
                int got = 0;
                ::sigwait(&signals_, &got);
                if (times > 0)
                    ::_exit(130);
                stop_.request_stop();
            }
        }).detach(); // it waits until the process ends
    }
    std::stop_token token() const { return stop_.get_token(); }

private:
    sigset_t signals_{};
    std::stop_source stop_;
};

int explain(const kl::Error& error, bool json)
{
    fmt::print(stderr, "kloop: {}\n", error.message);
    if (error.code == kl::ErrorCode::refused && !error.where.empty())
        fmt::print(stderr, "Rule: {}\n", error.where);
    if (!error.hint.empty())
        fmt::print(stderr, "{}\n", error.hint);
    if (!error.detail.empty())
        fmt::print(stderr, "\n{}\n", error.detail);
    if (json)
        fmt::print("{}\n", kl::encodePretty(kl::errorToJson(error)));
    return kl::exitCode(error.code);
}

} // namespace

int main(int argc, char** argv)
{
    static Interrupts interrupts; // outlives its thread
    const kl::Parsed parsed = kl::parseCommandLine(argc, argv);
    if (parsed.exit)
        return *parsed.exit;
    kl::Program program(parsed.options, interrupts.token());
    const kl::Result<int> done = parsed.command(program, parsed.options);
    const int code = done ? *done : explain(done.error(), parsed.options.json);
    // A full disk or a closed pipe must not look like success.
    return std::fflush(stdout) == 0 || code != 0 ? code : kl::exitCode(kl::ErrorCode::badInput);
}
