// SPDX-License-Identifier: MIT
#include "core/device/roof_time.h"

#include "core/base/try.h"
#include "core/device/peaks.h"

#include <fmt/format.h>
#include <optional>

namespace kl::inline device {

Result<RoofTime> roofTime(const RoofWork& work, const DeviceInfo& device, double copiedBytesPerNs)
{
    const Peaks peaks = computePeaks(device);
    RoofTime roof{work.bytes / copiedBytesPerNs, "memory"};
    std::string rates = fmt::format("{:.0f} GB/s copied", copiedBytesPerNs);
    const auto consider = [&](double operations, std::optional<double> perSecond, const char* peak) -> Status {
        if (operations <= 0)
            return {};
        if (!perSecond || *perSecond <= 0)
            return Error{.code = ErrorCode::environment, .message = fmt::format("The {} of {} is not known.", peak, device.name)};
        rates += fmt::format(", {:.1f} TFLOP/s {}", *perSecond / 1e12, peak);
        if (const double ns = operations / *perSecond * 1e9; ns > roof.ns)
            roof = {ns, "compute"};
        return {};
    };
    KL_TRY(consider(work.flops, peaks.fp32, "FP32 peak"));
    KL_TRY(consider(work.tensorFlops, peaks.tensorFp16, "FP16 tensor peak"));
    roof.name += fmt::format(" roof ({})", rates);
    return roof;
}

} // namespace kl::inline device
