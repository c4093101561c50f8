// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"

namespace kl::ui {

inline constexpr const char* kLongScoreboard = "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio";
inline constexpr const char* kWait = "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio";
inline constexpr const char* kDramShare = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";

/// A profile of fma/fp32 on an H200 with a finding, work, traffic, DRAM busy at 20 %, and stall reasons: 60 % long scoreboard, 20 % wait.
RunRecord countedRun(const char* id, double ns);

} // namespace kl::ui
