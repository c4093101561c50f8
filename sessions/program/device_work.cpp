// SPDX-License-Identifier: MIT
#include "sessions/program/device_work.h"

#include <algorithm>
#include <utility>

namespace kl::inline program {

DeviceInfo describeDevice(const ProcessTrace& process, int index)
{
    const auto found = process.devices.find(index);
    return found == process.devices.end() ? DeviceInfo{} : found->second;
}

DeviceKey makeKey(const ProcessTrace& process, int index)
{
    std::string uuid = describeDevice(process, index).uuid;
    const int number = uuid.empty() ? index : 0;
    return {std::move(uuid), number};
}

std::map<DeviceKey, DeviceWork> workByDevice(const std::vector<ProcessTrace>& processes)
{
    std::map<DeviceKey, DeviceWork> work;
    for (const ProcessTrace& process : processes) {
        for (const TracedLaunch& launch : process.launches)
            work[makeKey(process, launch.device)].activities.push_back({launch.start, launch.end, &process, launch.device, &launch});
        for (const TracedCopy& copy : process.copies)
            work[makeKey(process, copy.device)].activities.push_back({copy.start, copy.end, &process, copy.device, nullptr});
    }
    for (auto& [key, device] : work) {
        std::ranges::sort(device.activities, {}, &Activity::start);
        for (const ProcessTrace& process : processes)
            device.pauses.insert(device.pauses.end(), process.pauses.begin(), process.pauses.end());
        std::ranges::sort(device.pauses, {}, &TracedPause::start);
    }
    return work;
}

std::uint64_t sumPauses(const std::vector<TracedPause>& pauses, std::uint64_t from, std::uint64_t to)
{
    std::uint64_t sum = 0;
    for (const TracedPause& pause : pauses) {
        const std::uint64_t begin = std::max(pause.start, from);
        const std::uint64_t end = std::min(pause.end, to);
        sum += end > begin ? end - begin : 0;
    }
    return sum;
}

} // namespace kl::inline program
