// SPDX-License-Identifier: MIT
#include "profiler/live/measure/measure_energy.h"

#include "core/base/timings.h"
#include "core/base/try.h"
#include "profiler/live/host/energy_window.h"
#include "profiler/live/work/nvtx_phase.h"

#include <chrono>
#include <fmt/format.h>
#include <functional>

namespace kl::inline live {
namespace {

/// Of the energy of a pass that first restores what the kernel changes.
constexpr double kMostRestoring = 0.5;

/// Before anything is measured; empty if it may be.
std::string whyUnmeasurable(GpuSession& session)
{
    Nvml* nvml = session.nvml();
    if (nvml == nullptr)
        return "NVML, the driver's monitoring library, could not be loaded.";
    if (nvml->migEnabled().value_or(false))
        return "The GPU is divided by MIG, and its energy counter is of all parts.";
    if (const int others = session.strangers(); others > 0)
        return fmt::format("{} other process{} on this GPU: its energy counter adds {}.", others, others == 1 ? " computes" : "es compute",
                           others == 1 ? "its energy" : "their energy");
    return {};
}

/// Energy of one of these passes.
Result<Energy> measureWindow(GpuSession& session, const std::function<Status()>& pass, const Job& job)
{
    Nvml* nvml = session.nvml();
    const CUstream stream = session.bench().stream();
    EnergyPorts ports;
    ports.joules = [nvml] { return nvml->totalEnergyJ(); };
    ports.start = [&pass](int passes) -> Status {
        for (int i = 0; i < passes; ++i)
            KL_TRY(pass());
        return {};
    };
    ports.finish = [stream] { return waitFor(stream, kHangSeconds); };
    ports.now = [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
    ports.stop = job.stop;
    return measureEnergy(ports);
}

/// Takes the energy of restoring alone from that of passes which restore first.
void subtractRestoring(Energy& energy, const Energy& restoring)
{
    if (!restoring.perLaunchJ || *restoring.perLaunchJ > kMostRestoring * *energy.perLaunchJ) {
        energy.perLaunchJ.reset();
        energy.reason = restoring.perLaunchJ ? "Restoring what the kernel changes between passes takes as much energy as the kernel."
                                             : restoring.reason;
        return;
    }
    *energy.perLaunchJ -= *restoring.perLaunchJ;
}

} // namespace

Result<Energy> measurePassEnergy(GpuSession& session, ProvenWork& proven, double passNs, const Job& job)
{
    const Phase phase(job, "energy");
    const Timed time("energy window");
    Energy energy;
    energy.reason = whyUnmeasurable(session);
    if (!energy.reason.empty())
        return energy;
    const std::size_t set = proven.draw();
    const auto restored = [&]() -> Status {
        KL_TRY(proven.restore(set));
        return proven.launch(set);
    };
    const auto alone = [&] { return proven.issue(set); };
    KL_ASSIGN(energy, proven.fromPrepared() ? measureWindow(session, restored, job) : measureWindow(session, alone, job));
    if (std::string reason = whyTooShort(energy, passNs); !reason.empty()) {
        energy.perLaunchJ.reset();
        energy.reason = std::move(reason);
    }
    if (energy.perLaunchJ && proven.fromPrepared()) {
        KL_ASSIGN(const Energy restoring, measureWindow(
                                              session, [&] { return proven.restore(set); }, job));
        subtractRestoring(energy, restoring);
    }
    return energy;
}

} // namespace kl::inline live
