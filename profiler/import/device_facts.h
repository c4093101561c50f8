// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace kl {

/// The nearest integer of a figure in a foreign file; nothing when it does not fit (NaN, beyond 2^53).
std::optional<std::int64_t> wholeNumber(double value);

/// Fills in what ncu's device__attribute_… metrics say of a GPU; the rest stays as it is.
void readDeviceFacts(const std::map<std::string, std::optional<double>>& metrics, const std::map<std::string, std::string>& texts,
                     DeviceInfo& device);

} // namespace kl
