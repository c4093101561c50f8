// SPDX-License-Identifier: MIT
#include "core/model/device.h"

#include <fmt/format.h>

namespace kl {

std::string computeCapability(const DeviceInfo& device)
{
    return fmt::format("{}.{}", device.ccMajor, device.ccMinor);
}

std::string formatArch(const DeviceInfo& device)
{
    return fmt::format("sm_{}{}", device.ccMajor, device.ccMinor);
}

} // namespace kl
