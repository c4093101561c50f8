// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/host/activity_span.h"
#include "profiler/live/host/series.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace kl::inline live {

/// The kernel that holds the stream back until a whole pass is queued behind it: its record begins a pass.
inline constexpr std::string_view kGateName = "kl_gate";

bool isGate(const ActivitySpan& span);

/// Name prefix of the kernels that prepare and check passes: the first of them after a pass ends it.
inline constexpr std::string_view kProofPrefix = "klp_";

/// What was enqueued as one pass: unmeasured once where `primed`, the flush, the gate, the sequence, perhaps a check of its outputs.
struct EnqueuedPass {
    bool primed = false;
    std::optional<double> clockMhz;
};

/// Drops memsets at the end: the flush before the next pass is not part of this one.
void dropFlush(std::vector<const ActivitySpan*>& pass);

/// Of the activities of one pass, in order of start. Precondition: at least one.
Sample makeSample(const std::vector<const ActivitySpan*>& spans);

/// Samples of passes from all records since the first was enqueued, in order of start. `activities`: of one sequence, for each pass.
/// Records between the first checking kernel after a pass and the next gate are not part of it.
/// Unset for a pass with a different number of records; empty where a gate's own record is missing, since passes cannot be told
/// from the next.
std::vector<std::optional<Sample>> collectSamples(std::span<const ActivitySpan> spans, std::span<const EnqueuedPass> enqueued,
                                                  std::span<const std::size_t> activities);

} // namespace kl::inline live
