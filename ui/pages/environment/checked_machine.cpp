// SPDX-License-Identifier: MIT
#include "ui/pages/environment/checked_machine.h"

#include "core/base/try.h"
#include "sessions/measure/machine_check.h"
#include "ui/context/opened_device.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <filesystem>

namespace kl::ui {

Result<CheckedMachine> checkOneMachine(Engine& engine, const MachineWanted& wanted, const Job& job)
{
    const bool recorded = wanted.device.kind == DeviceKind::sample;
    // The engine's own worker, if it measures there: a second one would wait for the GPU.
    const std::vector<std::string> hosts = listDeviceHosts(wanted.device);
    const bool own = engine.collector->source() == chooseSource(wanted.device) &&
                     (recorded || engine.collector->remoteHost() == (hosts.empty() ? std::string() : hosts.front()));
    const std::shared_ptr<Collector> collector = own ? engine.collector : openWindowDevice(wanted.device, job);
    const std::unique_lock<std::mutex> lock = own ? std::unique_lock(*engine.mutex) : std::unique_lock<std::mutex>();
    CheckedMachine checked;
    checked.device = wanted.device;
    const std::string& file = engine.store->location();
    const std::string folder = file == ":sample:" ? std::string() : std::filesystem::path(file).parent_path().string();
    Result<EnvReport> report = checkMachine(*engine.catalog, *collector, {wanted.project, wanted.torch, folder}, job);
    if (!report && report.error().code == ErrorCode::environment) // no worker answers there
        checked.report = reportWithoutWorker(report.error(), !hosts.empty());
    else if (!report)
        return report.error();
    else
        checked.report = std::move(*report);
    checked.gpus = collector->hello().devices;
    checked.settings = shellSettings(&collector->hello(), {});
    checked.recipe = buildRecipe(checked.report, checked.settings);
    return checked;
}

QString machineName(const DeviceSpec& device)
{
    if (device.kind == DeviceKind::sample)
        return QCoreApplication::translate("EnvironmentPage", "the recorded machine");
    const std::vector<std::string> hosts = listDeviceHosts(device);
    return hosts.empty() ? QCoreApplication::translate("EnvironmentPage", "this machine") : q(hosts.front());
}

} // namespace kl::ui
