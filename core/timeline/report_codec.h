// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "core/timeline/timeline_report.h"

namespace kl::inline timelines {

/// {finding: {sentence, waiting[], waited_for}, roles[], overlap[], critical_path, block, overhead, notes[]}.
Json reportToJson(const TimelineReport& report);

/// The recording for a trace viewer (chrome://tracing, ui.perfetto.dev): a process per block, a thread per warp, an event per segment.
/// Times are microseconds on the GPU's clock since the first block began. Where the clock rate is unknown (no warp ended), a cycle counts
/// as 1 ns.
Json chromeTrace(const Timeline& timeline, const std::string& title);

} // namespace kl::inline timelines
