// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "profiler/collector.h"
#include "profiler/live/measure/proven_work.h"
#include "profiler/live/session/gpu_session.h"

namespace kl::inline live {

/// Energy of one pass of the work, of the whole board (see measureEnergy()). `passNs`: what a pass takes. Without a figure, with the
/// reason: no counter; a GPU that is shared, whose counter adds up everybody's energy; passes too short. Where passes need restored
/// memory between them, the energy of restoring, measured alone, is subtracted; there is no figure if that is more than half. Errors:
/// faults and hangs of the kernel, interrupted.
Result<Energy> measurePassEnergy(GpuSession& session, ProvenWork& proven, double passNs, const Job& job);

} // namespace kl::inline live
