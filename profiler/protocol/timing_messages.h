// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/timings.h"
#include "core/codec/json.h"

namespace kl::inline protocol {

/// Of an answer: how the worker spent its time since the previous answer. [{"name", "begin_ns", "end_ns"}].
Json timingsToJson(const std::vector<TimedPart>& parts);

/// Its inverse. Invalid entries are ignored: nothing depends on them.
std::vector<TimedPart> timingsFromJson(const Json& json);

} // namespace kl::inline protocol
