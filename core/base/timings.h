// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kl {

/// A part of the work and when it ran, in ns of the monotonic clock, which all processes of a host share.
struct TimedPart {
    std::string name;
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;

    bool operator==(const TimedPart&) const = default;
};

/// Notes a part of this process's work, or of its worker's. From any thread. A few thousand are kept, the oldest: a window that runs for
/// days must not grow.
void addTiming(TimedPart part);

/// The recorded parts, ordered by start; a part comes before those inside it.
std::vector<TimedPart> timings();

/// The same, and forgets it.
std::vector<TimedPart> takeTimings();

/// Notes the time from here to the end of the scope, or to end().
class Timed {
public:
    explicit Timed(std::string name);
    ~Timed() { end(); }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;
    void end();

private:
    TimedPart part_;
};

} // namespace kl
