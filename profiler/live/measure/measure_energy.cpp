// SPDX-License-Identifier: MIT
#include "profiler/live/measure/measure_energy.h"

#include "core/base/timings.h"
#include "core/base/try.h"
#include "profiler/live/host/energy_window.h"
#include "profiler/live/work/nvtx_phase.h"

#include <chrono>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

/// Before anything is measured; empty if it may be.
std::string whyUnmeasurable(Nvml* nvml, const ProvenWork& proven)
{
    if (nvml == nullptr)
        return "NVML, the driver's monitoring library, could not be loaded.";
    if (nvml->migEnabled().value_or(false))
        return "The GPU is divided by MIG, and its energy counter is of all parts.";
    if (const int others = nvml->otherProcesses(); others > 0)
        return fmt::format("{} other process{} on this GPU: its energy counter adds {}.", others, others == 1 ? " computes" : "es compute",
                           others == 1 ? "its energy" : "their energy");
    if (proven.fromPrepared())
        return "The kernel changes its own inputs: passes back to back would not do the same work.";
    return {};
}

} // namespace

Result<Energy> energyOf(GpuSession& session, ProvenWork& proven, double passNs, const Job& job)
{
    const Phase phase(job, "energy");
    const Timed time("energy window");
    Nvml* nvml = session.nvml();
    Energy energy;
    energy.reason = whyUnmeasurable(nvml, proven);
    if (!energy.reason.empty())
        return energy;
    const std::size_t set = proven.draw();
    EnergyPorts ports;
    ports.joules = [nvml] { return nvml->totalEnergyJ(); };
    ports.issue = [&](int passes) -> Status {
        for (int i = 0; i < passes; ++i)
            KL_TRY(proven.issue(set));
        return waitFor(session.bench().stream(), kHangSeconds);
    };
    ports.now = [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
    ports.stop = job.stop;
    KL_ASSIGN(energy, measureEnergy(ports));
    if (std::string reason = whyTooShort(energy, passNs); !reason.empty()) {
        energy.perLaunchJ.reset();
        energy.reason = std::move(reason);
    }
    return energy;
}

} // namespace kl::inline live
