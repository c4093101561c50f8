// SPDX-License-Identifier: MIT
#include "sessions/measure/noise_floor.h"

#include "sessions/store/store.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <set>

namespace kl::inline measure {
namespace {

std::optional<NoiseFloor> findAcceptedNoise(const Store& store, const std::string& device)
{
    for (const std::string& key : {"accepted-noise:" + device, std::string("accepted-noise")})
        if (const std::optional<std::string> text = store.setting(key))
            if (const double value = std::strtod(text->c_str(), nullptr); value > 0)
                return NoiseFloor{value, "the setting " + key};
    return {};
}

std::string describeNoiseOrigin(const NoiseRecord& record)
{
    return fmt::format("{} A/A repeats of {} at {}", record.ratios.size(), record.kernel, record.problem);
}

} // namespace

NoiseFloor noiseFloor(const Store& store, const DeviceInfo& device, Source source, const std::vector<std::string>& kernels)
{
    if (const std::optional<NoiseFloor> accepted = findAcceptedNoise(store, device.name))
        return *accepted;
    const Result<std::vector<NoiseRecord>> records = store.noise();
    const NoiseRecord* ofKernel = nullptr;
    const NoiseRecord* ofDevice = nullptr;
    std::set<std::pair<std::string, std::string>> seen; // newest first: an older figure of the same kernel and problem is out of date
    const auto keepWorse = [](const NoiseRecord*& worst, const NoiseRecord& record) {
        if (!worst || record.noise > worst->noise)
            worst = &record;
    };
    if (records)
        for (const NoiseRecord& record : *records) {
            const bool here = record.deviceUuid == device.uuid && record.driver == device.driverVersion && record.source == source;
            if (!here || !seen.emplace(record.kernel, record.problem).second)
                continue;
            keepWorse(ofDevice, record);
            if (std::find(kernels.begin(), kernels.end(), record.kernel) != kernels.end())
                keepWorse(ofKernel, record);
        }
    if (ofKernel)
        return {ofKernel->noise, describeNoiseOrigin(*ofKernel)};
    if (ofDevice)
        return {ofDevice->noise, "the device's worst: " + describeNoiseOrigin(*ofDevice)};
    return {{}, "not calibrated"};
}

std::vector<Warning> noiseWarnings(const NoiseFloor& floor, const std::string& kernel, bool recorded)
{
    if (floor.value)
        return {};
    NextStep calibrate{StepId::calibrate, {{StepArgument::kernel, kernel}}};
    if (recorded)
        calibrate.set(StepArgument::source, "sample");
    return {{"noise-not-calibrated", "This device's A/A noise is not calibrated: any effect above 1 % counts. Calibrate it.", {calibrate}}};
}

} // namespace kl::inline measure
