// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "kernels/model/work.h"

namespace kl::inline protocol {

/// The request `launch`: issue the work's launches and nothing else, without counters or records, so that another profiler can
/// examine them. Buffers are as in a user's program: of exactly their size, with outputs and scratch uninitialized
/// (except those that start as zeros). The answer is a RunAnswer with the launches' facts.
struct LaunchRequest {
    WorkSpec work;
    int repeat = 1; ///< each on fresh inputs
};

// As in message_codec.h.
Json toJsonMessage(const LaunchRequest& request);

} // namespace kl::inline protocol
