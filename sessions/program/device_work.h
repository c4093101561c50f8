// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/protocol/program_trace.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kl::inline program {

/// Anything that kept a device busy; kernel executions point at their launch. Nanoseconds of CUPTI's clock, which the processes of a
/// machine share.
struct Activity {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    const ProcessTrace* process = nullptr;
    int device = 0; ///< as the process numbers it
    const TracedLaunch* launch = nullptr;

    double ns() const { return static_cast<double>(end - start); }
};

/// A device as the program's processes name it: two processes may number it differently.
struct DeviceKey {
    std::string uuid;
    int index = 0; ///< tells devices apart that the driver did not describe

    auto operator<=>(const DeviceKey&) const = default;
};

/// What one device did, all processes together, in order of start.
struct DeviceWork {
    std::vector<Activity> activities;
    std::vector<TracedPause> pauses;
};

/// The device that a process numbers `index`; empty where the driver did not describe it.
DeviceInfo describeDevice(const ProcessTrace& process, int index);
DeviceKey makeKey(const ProcessTrace& process, int index);
std::map<DeviceKey, DeviceWork> workByDevice(const std::vector<ProcessTrace>& processes);

/// Part of the stretch in which activity was not recorded, ns.
std::uint64_t sumPauses(const std::vector<TracedPause>& pauses, std::uint64_t from, std::uint64_t to);

/// Adds up time in which anything of a list happened, overlaps counted once. Intervals come in order of start.
class UnionTime {
public:
    void add(std::uint64_t start, std::uint64_t end)
    {
        const std::uint64_t from = start > until_ ? start : until_;
        if (end <= from)
            return;
        ns_ += static_cast<double>(end - from);
        until_ = end;
    }
    double ns() const { return ns_; }
    std::uint64_t until() const { return until_; } ///< the latest end; 0 before the first

private:
    std::uint64_t until_ = 0;
    double ns_ = 0;
};

} // namespace kl::inline program
