// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "profiler/protocol/messages.h"

#include <string>
#include <vector>

namespace kl {

/// A run against baselines by name, from a recording: that was made against all of them, and those asked for are taken out of its answer.
/// `request` asks for all. Error notRecorded says so where the recording holds no such run.
Result<RunAnswer> runRecordedBaselines(Collector& collector, const RunRequest& request, const std::vector<std::string>& names,
                                       const Job& job);

/// The answer with the baselines of these names alone, in the recorded order; `baseline` is the fastest of them. "all" keeps every one.
RunAnswer withBaselines(RunAnswer answer, const std::vector<std::string>& names);

} // namespace kl
