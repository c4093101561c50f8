// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "core/model/run.h"
#include "core/model/timeline.h"
#include "kernels/model/work.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline protocol {

/// The request `timeline`: record the marks of the longest launch's first blocks, check the marked kernel's results, and time it against
/// the plain one.
struct TimelineRequest {
    WorkSpec work;
    std::optional<bool> automatic; ///< marks at waits and arrivals, too; unset = only where the source has no KL_MARK
    int blocks = 8;                ///< recorded, from the first of the grid on
    int marks = 4096;              ///< kept of each warp, the last ones; rounded up to a power of two
    std::optional<bool> overhead;  ///< time the marked kernel against the plain one; unset = yes
};

struct TimelineAnswer {
    ResultStatus status = ResultStatus::ok;
    std::string reason;
    DeviceInfo device;
    Correctness correctness; ///< of the marked kernel
    std::vector<LaunchFacts> launches;
    std::optional<Timeline> timeline;
    std::vector<Warning> warnings;
    std::string recordedAt; ///< empty for a live answer
    std::string sourceHash;

    bool operator==(const TimelineAnswer&) const = default;
};

// As in message_codec.h.
Json toJsonMessage(const TimelineRequest& request);
Json toJsonMessage(const TimelineAnswer& answer);

} // namespace kl::inline protocol
