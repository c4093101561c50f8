// SPDX-License-Identifier: MIT
#include "ui/context/opened_device.h"

#include "profiler/device/lazy_device.h"
#include "sessions/trust/asked_consent.h"
#include "ui/jobs/consent_desk.h"

namespace kl::ui {

std::shared_ptr<Collector> openedDevice(DeviceSpec device)
{
    WorkerOptions options;
    options.consent = std::make_shared<AskedConsent>(
        TrustStore(), [](const FileCommand& command, const Job& job) { return ConsentDesk::instance().ask(command, job); });
    auto opened = std::make_shared<LazyDevice>(std::move(device), std::move(options));
    (void)opened->open(); // its hello has the reason
    return opened;
}

} // namespace kl::ui
