// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/env/env_checks.h"
#include "profiler/live/env/env_host.h"
#include "profiler/live/nvml/nvml.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kl::fake {

/// What NVML answers; copied into each handle that the host gives out.
struct Gpu final : Nvml {
    std::optional<double> smClockMhz() override { return 345; }
    std::optional<double> maxSmClockMhz() override { return 1980; }
    std::optional<double> memoryClockMhz() override { return 3201; }
    std::optional<double> maxMemoryClockMhz() override { return 3201; }
    std::vector<std::string> throttleReasons() override { return throttles; }
    bool clocksLocked() override { return locked; }
    std::string driverVersion() override { return "580.159.04"; }
    std::optional<double> temperatureC() override { return 31; }
    std::optional<double> powerW() override { return 114; }
    std::optional<bool> migEnabled() override { return mig; }
    std::optional<bool> persistenceMode() override { return persistent; }
    std::optional<double> utilizationPercent() override { return load; }
    int otherProcesses() override { return others; }

    std::vector<std::string> throttles;
    bool locked = false;
    bool mig = false;
    std::optional<bool> persistent = true;
    std::optional<double> load = 0;
    int others = 0;
};

/// A healthy GPU host; each test breaks one thing.
struct Host final : EnvHost {
    std::map<std::string, std::string> files{{"/proc/driver/nvidia/version", "NVRM"}};
    std::string pythonOutput = "kloop-python 3.12.3\nkloop-numpy 2.5.2\nkloop-torch 2.11.0+cu130\nkloop-cuda NVIDIA H200\n";
    bool havePython = true;
    bool haveLibraries = true;
    bool onLoaderPath = true;
    std::int64_t free = std::int64_t{50} << 30;
    bool haveDriver = true;
    Gpu gpu;

    std::optional<std::string> readFile(const std::string& path) const override
    {
        const auto file = files.find(path);
        return file == files.end() ? std::nullopt : std::optional(file->second);
    }
    Result<std::string> run(const std::vector<std::string>&, double) const override
    {
        if (!havePython)
            return Error{ErrorCode::environment, "python3 could not be started: No such file or directory.", {}, {}, {}};
        return pythonOutput;
    }
    std::optional<std::string> findLibrary(const std::vector<std::string>& names, const std::string&, bool loaderOnly) const override
    {
        if (!haveLibraries || (loaderOnly && !onLoaderPath))
            return {};
        return "/usr/local/cuda/lib64/" + names.front();
    }
    Result<std::int64_t> freeBytes(const std::string&) const override
    {
        if (free < 0)
            return Error{ErrorCode::environment, "The free space cannot be read.", {}, {}, {}};
        return free;
    }
    Result<std::string> driverVersion() const override
    {
        if (!haveDriver)
            return Error{ErrorCode::environment, "NVML was not found.", "Install the NVIDIA driver.", {}, {}};
        return std::string("580.159.04");
    }
    Result<std::unique_ptr<Nvml>> nvml(const std::string&) const override
    {
        if (!haveDriver)
            return Error{ErrorCode::environment, "NVML was not found.", {}, {}, {}};
        return std::unique_ptr<Nvml>(std::make_unique<Gpu>(gpu));
    }
};

inline DeviceInfo h200()
{
    DeviceInfo device;
    device.uuid = "GPU-1";
    device.name = "NVIDIA H200";
    device.ccMajor = 9;
    device.smCount = 132;
    device.memoryBytes = std::int64_t{140} << 30;
    device.smemPerBlockOptin = 227 * 1024;
    device.smemPerSm = 228 * 1024;
    device.chip = "GH100";
    device.driverVersion = "580.159.04";
    device.cudaDriverVersion = 13000;
    return device;
}

/// Facts of a worker on that host.
inline EnvFacts facts()
{
    EnvFacts facts;
    facts.hello.devices = {h200()};
    facts.probe.countersPermitted = true;
    facts.probe.nvrtcVersion = "13.0";
    facts.probe.cuptiVersion = "13.0";
    return facts;
}

/// Facts on a machine without a GPU.
inline EnvFacts noGpu()
{
    EnvFacts facts;
    facts.hello.unavailable = "libcuda.so.1 could not be loaded.";
    return facts;
}

inline EnvCheck line(const EnvReport& report, const std::string& id)
{
    const auto at = std::ranges::find(report.checks, id, &EnvCheck::id);
    return at == report.checks.end() ? EnvCheck{} : *at;
}

inline EnvCheck check(const std::string& id, const Host& host, const EnvFacts& given = facts(), const EnvRequest& request = {})
{
    return line(runEnvChecks(request, given, host), id);
}

} // namespace kl::fake
