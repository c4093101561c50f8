// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/timings.h"
#include "core/codec/json.h"

namespace kl::cli {

/// [{name, begin, seconds}]: begin in seconds since the first part's.
Json phasesToJson(const std::vector<TimedPart>& parts);

/// The same as lines for people; what is inside another part is indented below it.
std::string timingsTable(const std::vector<TimedPart>& parts);

} // namespace kl::cli
