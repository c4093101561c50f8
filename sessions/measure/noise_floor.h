// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "core/model/noise.h"

namespace kl::inline store {
class Store;
}

namespace kl::inline measure {

/// The calibrated noise for an A/B of `kernels` on a device: the largest of the newest figures of these kernels there
/// (same UUID, driver and source; any problem), else the worst of the device's newest figures, else none, "not calibrated". A figure of
/// the user ("accepted-noise:NAME", then "accepted-noise" among the settings, a fraction) takes precedence over all of them.
NoiseFloor noiseFloor(const Store& store, const DeviceInfo& device, Source source, const std::vector<std::string>& kernels);

/// The note of a verdict without calibrated noise; empty when the floor has a figure. `recorded`: the
/// command that it names is for the sample device.
std::vector<Warning> noiseWarnings(const NoiseFloor& floor, const std::string& kernel, bool recorded);

} // namespace kl::inline measure
