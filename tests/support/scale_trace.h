// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"
#include "profiler/protocol/program_trace.h"

#include <string>

namespace kl::test {

/// What a process with the injected library leaves behind: ten launches of 8 us of one kernel on an H200.
inline std::string scaleTrace()
{
    DeviceInfo device;
    device.uuid = "GPU-1";
    device.name = "NVIDIA H200";
    device.ccMajor = 9;
    device.smCount = 132;
    std::string text = traceLine(1, {"prog"}, "/x/libcupti.so.13") + traceLine(0, device) + traceLine(0, "_Z5scalePfif");
    for (std::uint64_t i = 0; i < 10; ++i)
        text += traceLine(TracedLaunch{0, i * 9000 + 1, i * 9000 + 8001, 0, 7, 1, {66000, 1, 1}, {256, 1, 1}, 32, 0, 0, 0, false});
    return text + traceEnd();
}

} // namespace kl::test
