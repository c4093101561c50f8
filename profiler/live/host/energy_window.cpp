// SPDX-License-Identifier: MIT
#include "profiler/live/host/energy_window.h"

#include "core/base/format.h"
#include "core/base/try.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

constexpr double kBatchSeconds = 0.02;
constexpr int kMostPasses = 1 << 16; ///< in a batch
constexpr double kLeastBusy = 0.5;

/// The counter at one of its updates.
struct Mark {
    double joules = 0;
    double at = 0;
    double passes = 0; ///< done by then
};

/// Follows the counter's updates from the first one after settling.
class Window {
public:
    void update(const Mark& mark)
    {
        if (settling_ > 0) {
            --settling_;
            return;
        }
        if (!first_) {
            first_ = last_ = mark;
            return;
        }
        ++updates_;
        widest_ = std::max(widest_, mark.at - last_->at);
        last_ = mark;
    }

    bool isLongEnough() const
    {
        return updates_ >= kEnergyUpdates && last_->at - first_->at >= std::max(kLeastEnergySeconds, kEnergyUpdates * widest_);
    }

    Energy energy() const
    {
        Energy energy;
        energy.updates = updates_;
        energy.windowSeconds = last_->at - first_->at;
        const double passes = last_->passes - first_->passes;
        energy.launches = std::llround(passes);
        energy.perLaunchJ = (last_->joules - first_->joules) / passes;
        return energy;
    }

    int updates() const { return updates_; }

private:
    int settling_ = kEnergySettling;
    std::optional<Mark> first_;
    std::optional<Mark> last_;
    int updates_ = 0;
    double widest_ = 0;
};

Energy makeMissingEnergy(std::string reason)
{
    Energy energy;
    energy.reason = std::move(reason);
    return energy;
}

} // namespace

Result<Energy> measureEnergy(const EnergyPorts& ports)
{
    std::optional<double> seen = ports.joules();
    Window window;
    const double begin = ports.now();
    double passes = 0;
    int batch = 1;
    while (seen) {
        if (ports.stop.stop_requested())
            return Error{.code = ErrorCode::interrupted, .message = "Stopped by the user."};
        const double issued = ports.now();
        KL_TRY(ports.start(batch));
        const double requestTime = ports.now();
        const std::optional<double> joules = ports.joules();
        const double read = ports.now();
        KL_TRY(ports.finish());
        const double done = ports.now();
        const double part = done > issued ? (read - issued) / (done - issued) : 1;
        if (joules && *joules != *seen)
            window.update({*joules, read, passes + part * batch});
        if (window.isLongEnough())
            return window.energy();
        if (done - begin > kMostEnergySeconds)
            return makeMissingEnergy(fmt::format("The GPU's energy counter changed only {} times in {:.0f} s; {} are needed.",
                                                 window.updates(), done - begin, kEnergyUpdates));
        seen = joules;
        passes += batch;
        if (done - issued < std::max(kBatchSeconds, 2 * (read - requestTime)))
            batch = std::min(2 * batch, kMostPasses);
    }
    return makeMissingEnergy("NVML reports no total energy of this GPU: it needs Volta or newer, and a driver that offers it.");
}

std::string whyTooShort(const Energy& energy, double passNs)
{
    const double busy = energy.windowSeconds > 0 ? static_cast<double>(energy.launches) * passNs * 1e-9 / energy.windowSeconds : 1;
    if (!energy.perLaunchJ || busy >= kLeastBusy)
        return {};
    return fmt::format("The kernel is too short: back to back, its passes of {} fill {} of the time, and the rest would be an idle GPU's "
                       "energy.",
                       formatTime(passNs), formatPercent(100 * busy));
}

} // namespace kl::inline live
