// SPDX-License-Identifier: MIT
#pragma once

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "profiler/collector.h"
#include "profiler/device/device_spec.h"
#endif

#include <memory>

namespace kl::ui {

/// A device that is opened already: one that cannot be opened says so in its hello and answers every request with the reason. Scripts that
/// its host wants to run are asked about in the window. From any thread; may take seconds, and in a queue hours, which is reported through
/// `job` and ended by its stop.
std::shared_ptr<Collector> openWindowDevice(DeviceSpec device, const Job& job = {});

/// The place of one that is still waited for: it measures nothing, and says so.
std::shared_ptr<Collector> makeAwaitedDevice(const DeviceSpec& device);

} // namespace kl::ui
