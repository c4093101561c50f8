// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/live/cupti/cupti_api.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kl::inline live {

/// Whether the range profiler works on the device. Error environment names why not: architecture, SLI, vGPU, confidential
/// computing, mining card, WSL.
Status checkDeviceSupported(const CuptiApi& api, int deviceIndex);

/// The error for CUPTI's answer about a device; success when it is supported.
Status judgeDeviceSupport(const CUpti_Profiler_DeviceSupported_Params& answer);

/// CUPTI's chip name: "GH100".
Result<std::string> chipName(const CuptiApi& api, int deviceIndex);

/// The context's counter-availability image, for the host API.
Result<std::vector<std::uint8_t>> counterAvailability(const CuptiApi& api, CUcontext context);

} // namespace kl::inline live
