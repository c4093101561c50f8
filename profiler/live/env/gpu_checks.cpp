// SPDX-License-Identifier: MIT
#include "profiler/live/env/check.h"
#include "profiler/live/host/oldest_driver.h"
#include "profiler/live/nvml/nvml.h"

#include <charconv>
#include <fmt/format.h>

namespace kl::inline live::env {
namespace {

constexpr int kOldestArch = 75; // Turing: what CUDA 13 still compiles for
constexpr double kBusyPercent = 10;
constexpr std::int64_t kUsualSmem = 48 * 1024; // without opting in

std::string mhz(const std::optional<double>& value)
{
    return value ? fmt::format("{:.0f} MHz", *value) : std::string("unknown");
}

std::string joinWords(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

// The worker's sentence goes on with advice of its own; the check has its fix.
std::string firstSentence(const std::string& text)
{
    const std::size_t end = text.find(". ");
    return end == std::string::npos ? text : text.substr(0, end + 1);
}

/// 580 of "580.159.04"; 0 where the text begins with no number.
int parseDriverBranch(const std::string& version)
{
    int branch = 0;
    std::from_chars(version.data(), version.data() + version.size(), branch);
    return branch;
}

} // namespace

EnvCheck gpu(const Context& context)
{
    EnvCheck line{"gpu", Requirement::required, {}, {}, "Kernels are compiled for, run on and measured on an NVIDIA GPU.", {}};
    if (const DeviceInfo* device = context.device()) {
        std::string found = fmt::format("{}, {} SMs, {:.0f} GiB", device->name, device->smCount,
                                        static_cast<double>(device->memoryBytes) / (1024.0 * 1024 * 1024));
        if (const std::vector<DeviceInfo>& all = context.facts.hello.devices; all.size() > 1)
            found += fmt::format("; GPU {}; this machine has {}", *context.facts.hello.device, gpuList(all));
        return passCheck(line, found);
    }
    const std::string why = firstSentence(context.facts.hello.unavailable.value_or(""));
    if (!context.host.readFile("/proc/driver/nvidia/version"))
        return failCheck(line, "No usable GPU: " + (why.empty() ? "no NVIDIA driver is loaded." : why),
                         "On a machine with an NVIDIA GPU, install its driver (Debian: apt install nvidia-driver; in a container run with "
                         "--gpus all). The recorded sample can be used without one.");
    return failCheck(line, "No usable GPU, although a driver is loaded" + (why.empty() ? "." : ": " + why),
                     "List what the driver finds: nvidia-smi -L. An empty CUDA_VISIBLE_DEVICES hides every GPU.");
}

EnvCheck driver(const Context& context)
{
    EnvCheck line{"driver", Requirement::required, {}, {}, "The driver determines which CUDA versions can run.", {}};
    const DeviceInfo* device = context.device();
    std::string version = device ? device->driverVersion : std::string();
    if (version.empty()) {
        const Result<std::string> reportedVersion = context.host.driverVersion();
        if (!reportedVersion)
            return failCheck(line, reportedVersion.error().message,
                             reportedVersion.error().hint.empty() ? "Install the NVIDIA driver." : reportedVersion.error().hint);
        version = *reportedVersion;
    }
    if (!device || device->cudaDriverVersion == 0) {
        const int branch = parseDriverBranch(version);
        return branch > 0 && branch < kOldestDriverBranch ? failCheck(line, version, kNewerDriver) : passCheck(line, version);
    }
    const std::string found = fmt::format("{}, for CUDA up to {}", version, cudaVersionText(device->cudaDriverVersion));
    if (device->cudaDriverVersion < kOldestDriverCuda)
        return failCheck(line, found, kNewerDriver);
    return passCheck(line, found);
}

EnvCheck computeCapabilityCheck(const Context& context)
{
    EnvCheck line{"compute-capability", Requirement::required, {}, {}, "Compiler, counters and tensor cores differ by generation.", {}};
    const DeviceInfo* device = context.device();
    if (!device)
        return skipCheck(line, kNoGpu);
    const std::string found = fmt::format("{} ({})", computeCapability(*device), formatArch(*device));
    if (device->ccMajor * 10 + device->ccMinor < kOldestArch)
        return failCheck(line, found, "Use a GPU of compute capability 7.5 (Turing) or newer.");
    return passCheck(line, device->chip.empty() ? found : found + ", chip " + device->chip);
}

EnvCheck sharedMemory(const Context& context)
{
    EnvCheck line{"shared-memory", Requirement::optional, {}, {}, "Limits the tiles of a block: 227 KiB on Hopper, 99 KiB on Ada.", {}};
    const DeviceInfo* device = context.device();
    if (!device)
        return skipCheck(line, kNoGpu);
    const std::string found =
        fmt::format("{} KiB per block, {} KiB per multiprocessor", device->smemPerBlockOptin / 1024, device->smemPerSm / 1024);
    if (device->smemPerBlockOptin < kUsualSmem)
        return failCheck(line, found, "Check the GPU with nvidia-smi -q: less than 48 KiB per block is not a plausible value.");
    return passCheck(line, found);
}

EnvCheck gpuIdle(const Context& context)
{
    EnvCheck line{"gpu-idle", Requirement::optional, {}, {}, "Other programs on the GPU affect every measured time.", {}};
    if (!context.nvml)
        return skipCheck(line, context.nvmlReason);
    const int others = context.nvml->otherProcesses();
    const std::optional<double> load = context.nvml->utilizationPercent();
    std::string found =
        others == 0 ? std::string("no other program on it") : fmt::format("{} other program{} on it", others, others == 1 ? "" : "s");
    if (load)
        found += fmt::format(", {:.0f} % busy", *load);
    // A program that only holds memory disturbs little: the load counts, or the number of programs if the load is unknown.
    if (load ? *load > kBusyPercent : others > 0)
        return failCheck(line, found, "nvidia-smi lists them. Wait for them, stop them, or measure on another GPU (CUDA_VISIBLE_DEVICES).");
    return passCheck(line, found);
}

EnvCheck throttling(const Context& context)
{
    EnvCheck line{"throttling", Requirement::optional, {}, {}, "A throttled GPU runs below its clocks; such samples are discarded.", {}};
    if (!context.nvml)
        return skipCheck(line, context.nvmlReason);
    std::string state;
    if (const std::optional<double> celsius = context.nvml->temperatureC())
        state += fmt::format(", {:.0f} °C", *celsius);
    if (const std::optional<double> watt = context.nvml->powerW())
        state += fmt::format(", {:.0f} W", *watt);
    const std::vector<std::string> reasons = context.nvml->throttleReasons();
    if (!reasons.empty())
        return failCheck(line, joinWords(reasons) + state,
                         "Wait until it has cooled down and is idle; see nvidia-smi -q -d PERFORMANCE,TEMPERATURE,POWER.");
    return passCheck(line, "not throttled" + state);
}

EnvCheck clocks(const Context& context)
{
    EnvCheck line{"clocks",
                  Requirement::optional,
                  {},
                  {},
                  "Times are comparable only at the same clock. KernelLoop records clocks and never changes them.",
                  {}};
    if (!context.nvml)
        return skipCheck(line, context.nvmlReason);
    return passCheck(line, fmt::format("SM {} (max {}), memory {} (max {}), {}", mhz(context.nvml->smClockMhz()),
                                       mhz(context.nvml->maxSmClockMhz()), mhz(context.nvml->memoryClockMhz()),
                                       mhz(context.nvml->maxMemoryClockMhz()), context.nvml->clocksLocked() ? "locked" : "not locked"));
}

EnvCheck persistence(const Context& context)
{
    EnvCheck line{"persistence",
                  Requirement::optional,
                  {},
                  {},
                  "Without it, the driver unloads when idle, and the first call takes seconds longer.",
                  {}};
    if (!context.nvml)
        return skipCheck(line, context.nvmlReason);
    const std::optional<bool> enabled = context.nvml->persistenceMode();
    if (!enabled)
        return skipCheck(line, "The driver does not report it.");
    line = passCheck(line, *enabled ? "on" : "off");
    if (!*enabled)
        line.fix = "If first calls are slow: sudo nvidia-smi -pm 1";
    return line;
}

} // namespace kl::inline live::env
