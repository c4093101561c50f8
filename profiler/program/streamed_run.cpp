// SPDX-License-Identifier: MIT
#include "profiler/program/streamed_run.h"

#include "core/base/try.h"
#include "core/process/fd.h"
#include "profiler/program/injected_run.h"
#include "profiler/program/program_gpus.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <fmt/format.h>
#include <poll.h>
#include <thread>
#include <unistd.h>

namespace kl::inline program_runs {
namespace {

constexpr int kSlice = 100;                ///< ms between looks at whether the program has ended
constexpr std::size_t kMostAtOnce = 32768; ///< bytes of an event
constexpr double kMinute = 60;

/// Passes on what is in a pipe; false at its end.
bool passOn(const Fd& from, bool errors, const Job& job)
{
    std::array<char, kMostAtOnce> chunk{};
    const ssize_t got = ::read(from.get(), chunk.data(), chunk.size());
    if (got > 0 && job.output)
        job.output({chunk.data(), static_cast<std::size_t>(got)}, errors);
    return got > 0 || (got < 0 && errno == EINTR);
}

/// Until both are at their end; a process that the program left running keeps them open, and is not waited for.
void passOnBoth(Fd output, Fd errors, const std::atomic<bool>& ended, const Job& job)
{
    while (output || errors) {
        std::array<pollfd, 2> waiting{{{output.get(), POLLIN, 0}, {errors.get(), POLLIN, 0}}};
        const bool last = ended; // before the look: what it wrote is there then
        const int ready = ::poll(waiting.data(), waiting.size(), kSlice);
        if (ready == 0 && last)
            return;
        if (ready > 0 && waiting[0].revents != 0 && !passOn(output, false, job))
            output.close();
        if (ready > 0 && waiting[1].revents != 0 && !passOn(errors, true, job))
            errors.close();
    }
}

} // namespace

Result<TraceProgramAnswer> runStreamed(const TraceProgramRequest& request, const Job& job)
{
    InjectedRun run{.command = request.command, .again = request.again, .variables = request.variables};
    if (run.command.empty())
        return Error{.code = ErrorCode::badInput, .message = "There is no program to run.", .where = "trace"};
    KL_ASSIGN(run.config, parseTraceConfig(request.config, "trace"));
    KL_ASSIGN([[maybe_unused]] const std::vector<GpuLock> locks, lockGpus(request.variables, job));
    std::error_code failure;
    Pipe output = makePipe(failure);
    Pipe errors = failure ? Pipe() : makePipe(failure);
    if (failure)
        return Error{.code = ErrorCode::environment, .message = failure.message(), .where = run.command.front()};
    run.output = output.input.get();
    run.errors = errors.input.get();
    int minutes = -1;
    const auto waiting = [&](double seconds) {
        if (const int now = static_cast<int>(seconds / kMinute); now != std::exchange(minutes, now))
            job.report(fmt::format("{} has been running for {} min", run.command.front(), minutes), seconds);
        return true;
    };
    std::atomic<bool> ended = false;
    std::jthread pump([from = std::move(output.output), fromErrors = std::move(errors.output), &ended, &job]() mutable {
        passOnBoth(std::move(from), std::move(fromErrors), ended, job);
    });
    Result<TraceProgramAnswer> answer = runForTraces(run, {{}, job.stop, waiting});
    output.input.close();
    errors.input.close();
    ended = true;
    pump.join();
    if (answer && job.stop.stop_requested())
        return Error{.code = ErrorCode::interrupted, .message = "The program was stopped.", .where = run.command.front()};
    return answer;
}

} // namespace kl::inline program_runs
