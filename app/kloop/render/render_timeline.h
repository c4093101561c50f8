// SPDX-License-Identifier: MIT
#pragma once

#include "core/timeline/timeline_report.h"

#include <string>

namespace kl::cli {

/// The finding, the roles with their waits, the overlap, bars of one block, and what recording cost.
std::string renderTimeline(const Timeline& timeline, const TimelineReport& report);

} // namespace kl::cli
