// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "profiler/protocol/messages.h"

namespace kl::inline protocol {

/// The request `count`: metrics of several works, collected in one go, without correctness, timing and baseline: like other
/// profilers. Setting up counters takes longer than counting, so many works together cost little more than one.
struct CountRequest {
    std::vector<WorkSpec> works;
    int tier = 2;
    std::vector<std::string> metrics;        ///< exactly these, if any
    int maxPasses = 0;                       ///< 0: no limit
    std::optional<std::string> cacheControl; ///< as in ProfileRequest
};

struct CountAnswer {
    std::vector<RunAnswer> answers; ///< one per work, in their order
};

// As in message_codec.h.
Json toJsonMessage(const CountRequest& request);
Json toJsonMessage(const CountAnswer& answer);

} // namespace kl::inline protocol
