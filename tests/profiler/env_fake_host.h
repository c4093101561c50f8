// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/env/env_checks.h"
#include "profiler/live/env/env_host.h"
#include "profiler/live/nvml/nvml.h"

#include <algorithm>
#include <fnmatch.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kl::fake {

/// What NVML answers; copied into each handle that the host gives out.
struct Gpu final : Nvml {
    std::optional<double> smClockMhz() override { return smClock; }
    std::optional<double> maxSmClockMhz() override { return 1980; }
    std::optional<double> memoryClockMhz() override { return 2619; }
    std::optional<double> maxMemoryClockMhz() override { return 3201; }
    std::vector<std::string> throttleReasons() override { return throttles; }
    bool clocksLocked() override { return locked; }
    std::string driverVersion() override { return "580.159.04"; }
    std::optional<double> temperatureC() override { return celsius; }
    std::optional<double> powerW() override { return watt; }
    std::optional<double> totalEnergyJ() override { return {}; }
    std::optional<bool> migEnabled() override { return mig; }
    std::optional<bool> persistenceMode() override { return persistent; }
    std::optional<double> utilizationPercent() override { return load; }
    int otherProcesses() override { return others; }

    std::optional<double> smClock = 345;
    std::optional<double> celsius = 31;
    std::optional<double> watt = 114;
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
    std::string pythonOutput = "kloop-python 3.12.3\nkloop-numpy 2.5.2\nkloop-torch 2.11.0+cu130\nkloop-cuda 1\n";
    bool havePython = true;
    bool haveLibraries = true;
    bool onLoaderPath = true;
    std::string lostComponent; ///< of the toolkit, in no folder
    std::int64_t free = std::int64_t{50} << 30;
    bool haveDriver = true;
    std::string driverHint = "Install the NVIDIA driver.";
    std::string driver = "580.159.04";
    Gpu gpu;
    std::map<std::string, std::string> variables{{"HOME", "/home/me"}};
    std::map<std::string, std::string> programs{
        {"nvcc", "nvcc: NVIDIA (R) Cuda compiler driver\nCuda compilation tools, release 13.0, V13.0.48\n"}, {"ninja", "1.11.1\n"}};
    std::map<std::string, double> ages;         ///< files and folders by path, seconds
    std::map<std::string, std::string> service; ///< of the cloud, by "GET /path"
    bool commandStarts = true;
    CommandResult built{0, false, 3.2, "ninja: no work to do.\n"};
    CommandResult imported{0, false, 1.5,
                           "kloop-tag cpython-312\nkloop-torch 2.11.0+cu130\nkloop-abi 1\nkloop-imported /p/fast.cpython-312.so\n"};
    mutable std::vector<Command> requested;                                  ///< of execute()
    mutable std::vector<std::string> headers;                                ///< of the last request to the cloud's service
    mutable std::string diskAsked;                                           ///< path of freeBytes()
    mutable std::string gpuAsked;                                            ///< UUID of nvml()
    mutable std::vector<std::pair<std::string, std::string>> librariesAsked; ///< first name and component, beyond the loader's path

    std::optional<std::string> readFile(const std::string& path) const override
    {
        const auto file = files.find(path);
        return file == files.end() ? std::nullopt : std::optional(file->second);
    }
    std::optional<std::string> variable(const std::string& name) const override
    {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
    }
    std::vector<Found> findNamed(const std::string& folder, const std::string& name, int depth) const override
    {
        std::vector<Found> all;
        for (const auto& [path, age] : ages)
            if (path.starts_with(folder + '/') &&
                std::count(path.begin() + static_cast<std::ptrdiff_t>(folder.size()), path.end(), '/') <= depth &&
                ::fnmatch(name.c_str(), path.substr(path.rfind('/') + 1).c_str(), 0) == 0)
                all.push_back({path, age});
        return all;
    }
    Result<CommandResult> execute(const Command& command) const override
    {
        requested.push_back(command);
        if (!commandStarts)
            return Error{.code = ErrorCode::environment,
                         .message = command.arguments.front() + " could not be started: No such file or directory."};
        return command.arguments.size() > 1 && command.arguments[1] == "-c" ? imported : built;
    }
    Result<std::string> metadata(const std::string& method, const std::string& path, const std::vector<std::string>& given) const override
    {
        headers = given;
        const auto found = service.find(method + ' ' + path);
        if (found == service.end())
            return Error{.code = ErrorCode::notFound, .message = "There is nothing at " + path + '.'};
        return found->second;
    }
    Result<std::string> run(const std::vector<std::string>& arguments, double) const override
    {
        if (arguments.front() == "ninja" || arguments.front().ends_with("nvcc")) {
            const auto found = programs.find(arguments.front());
            if (found == programs.end())
                return Error{.code = ErrorCode::environment,
                             .message = arguments.front() + " could not be started: No such file or directory."};
            return found->second;
        }
        return runPython({}, 0);
    }
    Result<std::string> runPython(const std::string&, double) const override
    {
        if (!havePython)
            return Error{.code = ErrorCode::environment, .message = "python3 could not be started: No such file or directory."};
        return pythonOutput;
    }
    std::optional<std::string> findLibrary(const std::vector<std::string>& names, const std::string& component,
                                           bool loaderOnly) const override
    {
        if (!loaderOnly)
            librariesAsked.emplace_back(names.front(), component);
        if (!haveLibraries || component == lostComponent || (loaderOnly && !onLoaderPath))
            return {};
        return "/usr/local/cuda/lib64/" + names.front();
    }
    Result<std::int64_t> freeBytes(const std::string& path) const override
    {
        diskAsked = path;
        if (free < 0)
            return Error{.code = ErrorCode::environment, .message = "The free space cannot be read."};
        return free;
    }
    Result<std::string> driverVersion() const override
    {
        if (!haveDriver)
            return Error{.code = ErrorCode::environment, .message = "NVML was not found.", .hint = driverHint};
        return driver;
    }
    Result<std::unique_ptr<Nvml>> nvml(const std::string& uuid) const override
    {
        gpuAsked = uuid;
        if (!haveDriver)
            return Error{.code = ErrorCode::environment, .message = "NVML was not found."};
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
