// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/device/device_spec.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline hosts {
struct KnownHost;
}

namespace kl::inline learning {

struct GpuPrice;

/// What an hour of all that shares a device's work costs, in dollars: a host with a price once, whatever runs on it; else each GPU, and
/// each job of a partition. Of a list of hosts that take each other's place it is `host`, the one in use. Unset where one price is not
/// known.
std::optional<double> hourOn(const DeviceSpec& device, const std::string& host, const std::string& gpu, const std::vector<KnownHost>& hosts,
                             const std::vector<GpuPrice>& prices);

} // namespace kl::inline learning
