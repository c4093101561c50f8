// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace kl {

/// Calls each(i) once for every i below `count`, on at most as many threads as there are processors, the calling one among them; comes
/// back when all are done. The order is open. `each` must not throw.
template <class Each> void inParallel(std::size_t count, const Each& each)
{
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < count; i = next++)
            each(i);
    };
    std::vector<std::jthread> others;
    const std::size_t threads = std::min<std::size_t>(count, std::max(1U, std::thread::hardware_concurrency()));
    try {
        while (others.size() + 1 < threads)
            others.emplace_back(work);
    } catch (const std::system_error&) { // no more threads available: those that there are do it all
    }
    work();
}

} // namespace kl
