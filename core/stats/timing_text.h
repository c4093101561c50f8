// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"

#include <string>

namespace kl::inline stats {

/// "269 µs to 270 µs"; "no interval" for fewer than two samples, whose ends would say nothing.
std::string timeInterval(const Summary& ns);

/// How the cold samples lie and why their series ended: "100: min 8.1 µs, quartiles 8.12 µs and 8.2 µs, 95 % CI width 0.40 %, 0
/// discarded; stopped at the sample limit".
std::string samplesText(const Timing& timing);

/// The GPU around the samples: "SM clock 1980 MHz (1965 MHz to 1980 MHz), 41 °C, 310 W, held back by power cap"; empty when nothing
/// of it was read.
std::string gpuStateText(const Timing& timing);

/// Peak memory of a run beside its baseline's: "8.00 MiB; PyTorch SDPA (FlashAttention) 8.00 MiB". A library's that was not recorded says
/// so.
std::string memoryText(std::int64_t bytes, const std::optional<Baseline>& baseline);

/// "12.3 mJ per launch (20,100 launches in 1.21 s, 204 W)", or "not measured: REASON".
std::string energyText(const Energy& energy);

} // namespace kl::inline stats
