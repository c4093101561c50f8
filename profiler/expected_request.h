// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/protocol/message_codec.h"
#include "profiler/protocol/verb.h"

#include <nlohmann/json.hpp> // a request holds a whole Json

namespace kl::inline profiler {

/// A request that will be asked for soon (Collector::expect).
struct ExpectedRequest {
    Verb verb = Verb::run;
    Json body;
};

/// The one that run(), profile() or another typed request of this verb sends.
template <Verb verb> ExpectedRequest makeExpectedRequest(const RequestOf<verb>& request)
{
    return {verb, toJsonMessage(request)};
}

} // namespace kl::inline profiler
