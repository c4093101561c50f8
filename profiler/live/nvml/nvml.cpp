// SPDX-License-Identifier: MIT
#include "profiler/live/nvml/nvml.h"

#include "core/base/try.h"
#include "profiler/live/host/shared_library.h"
#include "profiler/live/nvml/nvml_functions.h"

#include <algorithm>
#include <array>
#include <unistd.h>
#include <utility>

namespace kl::inline live {
namespace {

constexpr unsigned long long kClocksSet = 0x2; // "applications clocks setting": application or locked clocks hold it down
constexpr unsigned kGpuSensor = 0;
constexpr std::size_t kVersionSize = 96;

// Bits of nvmlClocksEventReasons that mean the GPU runs slower than it could.
constexpr std::array<std::pair<unsigned long long, const char*>, 6> kThrottles{{
    {0x4, "power cap"},
    {0x8, "hardware slowdown"},
    {0x10, "sync boost"},
    {0x20, "thermal"},
    {0x40, "thermal, hardware"},
    {0x80, "power brake"},
}};

Result<NvmlFunctions> bind()
{
    const Result<SharedLibrary> library = SharedLibrary::open({"libnvidia-ml.so.1"}, {"/usr/local/nvidia/lib64", "/usr/lib/wsl/lib"});
    if (!library)
        return Error{.code = ErrorCode::environment,
                     .message = "NVML, the driver's monitoring library, was not found.",
                     .hint = "Install the NVIDIA driver; in a container run with --gpus all.",
                     .where = "libnvidia-ml.so.1",
                     .detail = library.error().message};
    NvmlFunctions f;
    const auto get = [&](auto& member, const char* name, const char* older = nullptr) {
        using Function = std::remove_reference_t<decltype(member)>;
        member = library->function<Function>(name);
        if (!member && older)
            member = library->function<Function>(older);
    };
    get(f.init, "nvmlInit_v2");
    get(f.deviceByUuid, "nvmlDeviceGetHandleByUUID");
    get(f.driverVersion, "nvmlSystemGetDriverVersion");
    get(f.clock, "nvmlDeviceGetClockInfo");
    get(f.maxClock, "nvmlDeviceGetMaxClockInfo");
    get(f.throttleReasons, "nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons");
    get(f.temperature, "nvmlDeviceGetTemperature");
    get(f.power, "nvmlDeviceGetPowerUsage");
    get(f.totalEnergy, "nvmlDeviceGetTotalEnergyConsumption");
    get(f.persistence, "nvmlDeviceGetPersistenceMode");
    get(f.utilization, "nvmlDeviceGetUtilizationRates");
    get(f.migMode, "nvmlDeviceGetMigMode");
    get(f.processes, "nvmlDeviceGetComputeRunningProcesses_v3");
    return f;
}

// Calls a function that may be absent and gives its value only on success.
template <class T, class Function, class... Arguments> std::optional<T> ask(Function function, Arguments... arguments)
{
    T value{};
    if (!function || function(arguments..., &value) != 0)
        return {};
    return value;
}

class NvmlGpu final : public Nvml {
public:
    NvmlGpu(const NvmlFunctions& functions, NvmlDevice device) : f_(functions), device_(device) {}

    std::optional<double> smClockMhz() override { return ask<unsigned>(f_.clock, device_, kNvmlClockSm); }
    std::optional<double> maxSmClockMhz() override { return ask<unsigned>(f_.maxClock, device_, kNvmlClockSm); }
    std::optional<double> memoryClockMhz() override { return ask<unsigned>(f_.clock, device_, kNvmlClockMemory); }
    std::optional<double> maxMemoryClockMhz() override { return ask<unsigned>(f_.maxClock, device_, kNvmlClockMemory); }
    std::vector<std::string> throttleReasons() override { return throttleWords(reasons()); }
    bool clocksLocked() override { return (reasons() & kClocksSet) != 0; }
    std::optional<double> temperatureC() override { return ask<unsigned>(f_.temperature, device_, kGpuSensor); }

    std::string driverVersion() override
    {
        std::array<char, kVersionSize> text{};
        return f_.driverVersion && f_.driverVersion(text.data(), kVersionSize) == 0 ? std::string(text.data()) : std::string();
    }

    std::optional<double> powerW() override
    {
        const std::optional<unsigned> milliwatt = ask<unsigned>(f_.power, device_);
        return milliwatt ? std::optional<double>(*milliwatt / 1000.0) : std::nullopt;
    }

    std::optional<double> totalEnergyJ() override
    {
        const std::optional<unsigned long long> millijoule = ask<unsigned long long>(f_.totalEnergy, device_);
        return millijoule ? std::optional(static_cast<double>(*millijoule) / 1000) : std::nullopt;
    }

    std::optional<bool> migEnabled() override
    {
        unsigned current = 0;
        unsigned pending = 0;
        if (!f_.migMode || f_.migMode(device_, &current, &pending) != 0)
            return {};
        return current == 1;
    }

    std::optional<bool> persistenceMode() override
    {
        const std::optional<unsigned> enabled = ask<unsigned>(f_.persistence, device_);
        return enabled ? std::optional<bool>(*enabled == 1) : std::nullopt;
    }

    std::optional<double> utilizationPercent() override
    {
        const std::optional<NvmlUtilization> value = ask<NvmlUtilization>(f_.utilization, device_);
        return value ? std::optional<double>(value->gpu) : std::nullopt;
    }

    int otherProcesses() override
    {
        std::array<NvmlProcess, 64> list{};
        unsigned count = list.size();
        if (!f_.processes || f_.processes(device_, &count, list.data()) != 0)
            return 0;
        const auto own = static_cast<unsigned>(::getpid());
        return static_cast<int>(std::count_if(list.begin(), list.begin() + std::min<std::size_t>(count, list.size()),
                                              [own](const NvmlProcess& process) { return process.pid != own; }));
    }

private:
    unsigned long long reasons() { return ask<unsigned long long>(f_.throttleReasons, device_).value_or(0); }

    NvmlFunctions f_;
    NvmlDevice device_;
};

const Result<NvmlFunctions>& library()
{
    static const Result<NvmlFunctions> functions = bind();
    return functions;
}

Status start(const NvmlFunctions& functions)
{
    if (!functions.init || !functions.deviceByUuid || functions.init() != 0)
        return Error{.code = ErrorCode::environment,
                     .message = "NVML could not be initialized: the driver does not respond.",
                     .hint = "Check with nvidia-smi; reload the driver or reboot."};
    return {};
}

} // namespace

std::vector<std::string> throttleWords(unsigned long long bits)
{
    std::vector<std::string> words;
    for (const auto& [bit, word] : kThrottles)
        if (bits & bit)
            words.emplace_back(word);
    return words;
}

Result<std::unique_ptr<Nvml>> Nvml::open(const std::string& uuid, const NvmlFunctions& functions)
{
    KL_TRY(start(functions));
    NvmlDevice device = nullptr;
    if (functions.deviceByUuid(uuid.c_str(), &device) != 0)
        return Error{.code = ErrorCode::environment,
                     .message = "NVML has no device " + uuid + ".",
                     .hint = "List the devices with nvidia-smi -L.",
                     .where = uuid};
    return std::unique_ptr<Nvml>(std::make_unique<NvmlGpu>(functions, device));
}

Result<std::unique_ptr<Nvml>> Nvml::open(const std::string& uuid)
{
    KL_ASSIGN(const NvmlFunctions* functions, pointerTo(library()));
    return open(uuid, *functions);
}

Result<std::string> nvmlDriverVersion()
{
    KL_ASSIGN(const NvmlFunctions* functions, pointerTo(library()));
    KL_TRY(start(*functions));
    std::array<char, kVersionSize> text{};
    if (!functions->driverVersion || functions->driverVersion(text.data(), kVersionSize) != 0)
        return Error{.code = ErrorCode::environment, .message = "The driver did not report its version.", .hint = "Check with nvidia-smi."};
    return std::string(text.data());
}

} // namespace kl::inline live
