// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/protocol/messages.h"

#include <nlohmann/json.hpp> // an answer holds a whole Json

namespace kl::inline profiler {

/// One worker's answer to what all are asked (Collector::askEach).
struct MachineAnswer {
    Result<Json> answer;
    Hello machine; ///< what the worker says of its machine
};

} // namespace kl::inline profiler
