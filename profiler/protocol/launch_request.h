// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "kernels/model/work.h"

namespace kl {

/// The request `launch`: issue the work's launches and nothing else, with no counter or record of ours, so that another profiler can
/// look at them. Buffers are as a program of the user's would have them: exactly as large as they are, outputs and scratch never written
/// before (but those that start as zeros). The answer is a RunAnswer that holds the launches' facts.
struct LaunchRequest {
    WorkSpec work;
    int repeat = 1; ///< each on fresh inputs
};

// As in message_codec.h.
Json toJsonMessage(const LaunchRequest& request);

} // namespace kl
