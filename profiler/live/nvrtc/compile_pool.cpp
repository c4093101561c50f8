// SPDX-License-Identifier: MIT
#include "profiler/live/nvrtc/compile_pool.h"

#include "profiler/live/nvrtc/kept_heap.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

namespace kl::inline live {
namespace {

/// Points of a space are in the order of their tunables and cost more towards its end. Visited in steps of about the golden ratio, which
/// visit each once, the first few are representative, and so is the time estimated from them.
class SpreadOrder {
public:
    explicit SpreadOrder(std::size_t count) : count_(count)
    {
        constexpr double kGoldenRatio = 0.6180339887;
        step_ = std::max<std::size_t>(1, static_cast<std::size_t>(kGoldenRatio * static_cast<double>(count)));
        while (std::gcd(step_, count) > 1)
            ++step_;
    }
    std::size_t operator[](std::size_t i) const { return i * step_ % count_; }

private:
    std::size_t count_;
    std::size_t step_;
};

} // namespace

int compileThreads(int requested, std::size_t tasks)
{
    const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t wanted = requested > 0 ? static_cast<std::size_t>(requested) : processors;
    return static_cast<int>(std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(1, tasks)));
}

Status compileAll(std::size_t count, int threads, const Job& job, const CompileOne& one)
{
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    const SpreadOrder order(count);
    std::atomic<std::size_t> next{0};
    std::mutex mutex; // of all below
    std::size_t finished = 0;
    std::size_t earlier = 0;
    std::optional<Error> failure;
    const auto report = [&] {
        const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
        // What was compiled earlier takes next to no time; that the rest was not is the safe guess.
        const double each = elapsed / static_cast<double>(std::max<std::size_t>(1, finished - earlier));
        job.report(fmt::format("compiled {} of {}{}", finished, count, earlier > 0 ? fmt::format(", {} of them earlier", earlier) : ""),
                   elapsed, elapsed + each * static_cast<double>(count - finished));
    };
    const auto work = [&] {
        for (std::size_t i = next++; i < count && !job.stop.stop_requested(); i = next++) {
            const Result<bool> known = one(order[i], job.stop);
            const std::scoped_lock lock(mutex);
            if (!known) {
                if (!failure)
                    failure = known.error();
                next = count;
                return;
            }
            ++finished;
            earlier += *known ? 1 : 0;
            report();
        }
    };
    {
        const KeptHeap heap;
        std::vector<std::jthread> workers;
        for (int i = 1; i < threads; ++i)
            workers.emplace_back(work);
        work();
    }
    if (failure && failure->code != ErrorCode::interrupted)
        return *failure;
    if (finished < count)
        return Error{.code = ErrorCode::interrupted,
                     .message = fmt::format("Stopped after {} of {} were compiled.", finished, count),
                     .hint = "The results so far are kept; the same command continues from there."};
    return {};
}

} // namespace kl::inline live
