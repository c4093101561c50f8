// SPDX-License-Identifier: MIT
// Traces of a program's processes as tests write them.
#pragma once

#include "sessions/program/program_profile.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kl::support {

inline const std::string kScale = "_Z5scalePfif";
inline const std::string kCopy = "_Z6stridePf";

inline DeviceInfo h200()
{
    DeviceInfo device;
    device.uuid = "GPU-1";
    device.name = "NVIDIA H200";
    device.ccMajor = 9;
    device.smCount = 132;
    return device;
}

/// A process that ran `launches` of kernel 0, each `ns` long, every `period`.
inline ProcessTrace process(int launches, std::uint64_t ns, std::uint64_t period)
{
    ProcessTrace trace;
    trace.pid = 1;
    trace.command = {"prog"};
    trace.devices[0] = h200();
    trace.kernels = {kScale, kCopy};
    trace.ended = true;
    for (int i = 0; i < launches; ++i) {
        TracedLaunch launch;
        launch.start = 1000 + static_cast<std::uint64_t>(i) * period;
        launch.end = launch.start + ns;
        launch.correlation = static_cast<std::uint32_t>(i + 1);
        launch.grid = {1320, 1, 1};
        launch.block = {256, 1, 1};
        launch.registers = 32;
        trace.launches.push_back(launch);
    }
    return trace;
}

inline ProfiledLaunch profiled(const std::string& kernel, double ns)
{
    ProfiledLaunch launch{kernel, 0, 0, {1320, 1, 1}, {256, 1, 1}, {}, {"step"}, {}, "", 0.2};
    launch.metrics.values = {{"gpu__time_duration.sum", ns},
                             {"dram__throughput.avg.pct_of_peak_sustained_elapsed", 92},
                             {"sm__throughput.avg.pct_of_peak_sustained_elapsed", 10}};
    return launch;
}

inline ProgramProfile summed(std::vector<ProcessTrace> processes, const std::string& pattern = {})
{
    static const DiagnosisTree tree = *DiagnosisTree::loadEmbedded();
    const ProgramRun run{{"prog", "--fast"}, 0, {}, 1.5, "2026-01-02T03:04:05.678Z"};
    return makeProgramProfile(run, std::move(processes), *KernelPattern::parse(pattern), tree);
}

inline std::vector<std::string> codes(const std::vector<Warning>& warnings)
{
    std::vector<std::string> list;
    for (const Warning& warning : warnings)
        list.push_back(warning.code);
    return list;
}

} // namespace kl::support
