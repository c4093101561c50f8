// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/timings.h"
#include "core/codec/json.h"

namespace kl {

/// Of an answer: where the worker spent its time since the answer before. [{"name", "begin_ns", "end_ns"}].
Json timingsToJson(const std::vector<TimedPart>& parts);

/// Its inverse. What is not of that shape is left out: nothing depends on it.
std::vector<TimedPart> timingsFromJson(const Json& json);

} // namespace kl
