// SPDX-License-Identifier: MIT
#include "core/process/run_to_end.h"

#include "core/process/fd.h"

#include <poll.h>
#include <thread>
#include <unistd.h>

namespace kl::inline process {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kSlice{50}; ///< between looks at a program that keeps its output open
constexpr std::chrono::milliseconds kPause{5};  ///< where it has closed it and still runs
constexpr int kMostReads = 64;                  ///< once it has ended: a pipe holds four such pieces, and who writes on may never stop

/// Adds a piece and forgets what is older than the last `kept` bytes, now and then.
void keep(std::string& output, std::string_view piece, std::size_t kept)
{
    output.append(piece);
    if (output.size() > 2 * kept)
        output.erase(0, output.size() - kept);
}

/// Reads until the program has ended, and then what is in the pipe: who else keeps that open is not waited for.
void collect(Process& process, const Fd& input, Clock::time_point begin, Clock::time_point last, const OutputWanted& wanted,
             CompletedRun& run)
{
    for (int reads = 0; reads < kMostReads;) {
        const bool ended = !process.running();
        reads += ended ? 1 : 0;
        pollfd waiting{input.get(), POLLIN, 0};
        const bool ready = ::poll(&waiting, 1, ended ? 0 : static_cast<int>(kSlice.count())) > 0;
        char chunk[16384];
        const ssize_t got = ready ? ::read(input.get(), chunk, sizeof chunk) : 0;
        if (got > 0) {
            const std::string_view piece(chunk, static_cast<std::size_t>(got));
            if (wanted.listen)
                wanted.listen(piece);
            keep(run.output, piece, wanted.kept);
        } else if (ended) {
            return;
        } else if (ready) {
            std::this_thread::sleep_for(kPause);
        }
        if (process.wait(std::chrono::milliseconds(0)))
            continue;
        if (Clock::now() >= last) {
            run.timedOut = true;
            process.kill();
        } else if (wanted.waiting && !wanted.waiting(std::chrono::duration<double>(Clock::now() - begin).count())) {
            run.stopped = true;
            process.kill();
        }
    }
}

} // namespace

CompletedRun runToEnd(ProcessOptions options, double seconds, const OutputWanted& wanted, std::error_code& failure)
{
    CompletedRun run;
    Pipe pipe = makePipe(failure);
    if (failure)
        return run;
    options.group = ProcessGroup::own;
    options.output = StandardStream::to(pipe.input.get());
    options.errors = wanted.errors ? options.output : StandardStream::none();
    const auto begin = Clock::now();
    Process process = Process::start(options, failure);
    if (failure)
        return run;
    pipe.input.close();
    collect(process, pipe.output, begin, begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)),
            wanted, run);
    run.end = *process.end();
    run.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (run.output.size() > wanted.kept)
        run.output.erase(0, run.output.size() - wanted.kept);
    return run;
}

} // namespace kl::inline process
