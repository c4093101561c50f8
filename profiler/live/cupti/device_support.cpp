// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/device_support.h"

#include "core/base/try.h"

#include <array>
#include <utility>

namespace kl::inline live {

Status judgeDeviceSupport(const CUpti_Profiler_DeviceSupported_Params& answer)
{
    if (answer.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
        return {};
    const std::array<std::pair<CUpti_Profiler_Support_Level, const char*>, 6> reasons{{
        {answer.architecture, "its architecture is too old (compute capability 7.0 or newer is needed)"},
        {answer.sli, "SLI is enabled"},
        {answer.vGpu, "it is a virtual GPU without profiling"},
        {answer.confidentialCompute, "confidential computing is enabled"},
        {answer.cmp, "it is a mining card (CMP)"},
        {answer.wsl, "this Windows driver does not expose counters to WSL"},
    }};
    std::string why;
    for (const auto& [level, text] : reasons)
        if (level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED || level == CUPTI_PROFILER_CONFIGURATION_DISABLED)
            why += (why.empty() ? "" : ", ") + std::string(text);
    return Error{.code = ErrorCode::environment,
                 .message = "Performance counters cannot be read on this device: " + (why.empty() ? "CUPTI gives no reason" : why) + ".",
                 .hint = "Use another GPU, or continue in counter-free mode."};
}

Status checkDeviceSupported(const CuptiApi& api, int deviceIndex)
{
    KL_CUPTI_PARAMS(CUpti_Profiler_DeviceSupported_Params, params);
    params.cuDevice = deviceIndex;
    params.api = CUPTI_PROFILER_RANGE_PROFILING;
    KL_TRY(checkCupti(api.ProfilerDeviceSupported(&params), "cuptiProfilerDeviceSupported"));
    return judgeDeviceSupport(params);
}

Result<std::string> chipName(const CuptiApi& api, int deviceIndex)
{
    KL_CUPTI_PARAMS(CUpti_Device_GetChipName_Params, params);
    params.deviceIndex = static_cast<std::size_t>(deviceIndex);
    KL_TRY(checkCupti(api.DeviceGetChipName(&params), "cuptiDeviceGetChipName"));
    return std::string(params.pChipName ? params.pChipName : "");
}

Result<std::vector<std::uint8_t>> counterAvailability(const CuptiApi& api, CUcontext context)
{
    KL_CUPTI_PARAMS(CUpti_Profiler_GetCounterAvailability_Params, params);
    params.ctx = context;
    KL_TRY(checkCupti(api.ProfilerGetCounterAvailability(&params), "cuptiProfilerGetCounterAvailability"));
    std::vector<std::uint8_t> image(params.counterAvailabilityImageSize);
    params.pCounterAvailabilityImage = image.data();
    KL_TRY(checkCupti(api.ProfilerGetCounterAvailability(&params), "cuptiProfilerGetCounterAvailability"));
    return image;
}

} // namespace kl::inline live
