// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace kl::inline nsight {

/// The nearest integer of a figure in a foreign file; unset when it does not fit (NaN, beyond 2^53).
std::optional<std::int64_t> wholeNumber(double value);

/// Fills in the GPU properties from ncu's device__attribute_… metrics; the rest is not changed.
void readDeviceFacts(const std::map<std::string, std::optional<double>>& metrics, const std::map<std::string, std::string>& texts,
                     DeviceInfo& device);

} // namespace kl::inline nsight
