// SPDX-License-Identifier: MIT
#include "core/base/timings.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <tuple>
#include <utility>

namespace kl {
namespace {

constexpr std::size_t kMost = 4096;

struct Notes {
    std::mutex mutex;
    std::vector<TimedPart> parts;
};

Notes& notes()
{
    static Notes* all = new Notes; // never destroyed: a thread may still note its end while the process exits
    return *all;
}

std::int64_t monotonicNs()
{
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<TimedPart> sortParts(std::vector<TimedPart> parts)
{
    std::ranges::stable_sort(parts, {}, [](const TimedPart& part) { return std::tuple(part.beginNs, -part.endNs); });
    return parts;
}

} // namespace

void addTiming(TimedPart part)
{
    const std::lock_guard lock(notes().mutex);
    if (notes().parts.size() < kMost)
        notes().parts.push_back(std::move(part));
}

std::vector<TimedPart> timings()
{
    const std::lock_guard lock(notes().mutex);
    return sortParts(notes().parts);
}

std::vector<TimedPart> takeTimings()
{
    const std::lock_guard lock(notes().mutex);
    return sortParts(std::exchange(notes().parts, {}));
}

Timed::Timed(std::string name) : part_{std::move(name), monotonicNs(), 0} {}

void Timed::end()
{
    if (part_.endNs != 0)
        return;
    part_.endNs = monotonicNs();
    addTiming(part_);
}

} // namespace kl
