// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/codec/json.h"
#include "profiler/protocol/gpu_choice.h"
#include "sessions/engine/guards.h"
#include "sessions/session/events.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline engine {

std::optional<SessionEvent> findChangedConditions(const SessionModel& model, const Collector& collector)
{
    const SessionFacts& facts = model.view;
    const DeviceInfo* measured = collector.source() == Source::live ? findMeasuredDevice(collector.hello()) : nullptr;
    if (measured == nullptr)
        return {};
    const DeviceInfo& device = *measured;
    std::string what;
    if (!facts.deviceUuid.empty() && !device.uuid.empty() && device.uuid != facts.deviceUuid)
        what = fmt::format("The session moved from {} ({}) to {} ({}).", facts.device, facts.deviceUuid, device.name, device.uuid);
    else if (!facts.driver.empty() && !device.driverVersion.empty() && device.driverVersion != facts.driver)
        what = fmt::format("The driver changed from {} to {}.", facts.driver, device.driverVersion);
    if (what.empty())
        return {};
    const Json data{{"device", device.name}, {"device_uuid", device.uuid}, {"driver", device.driverVersion}, {"what", what}};
    return SessionEvent{facts.lastSeq + 1, isoNow(), event::kConditionsChanged, encode(data)};
}

} // namespace kl::inline engine
