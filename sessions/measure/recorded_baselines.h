// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "profiler/protocol/messages.h"

#include <string>
#include <vector>

namespace kl::inline measure {

/// A run against baselines by name, from a recording: it was made against all of them, and the requested ones are extracted.
/// `request` asks for all. Error notRecorded if the recording has no such run.
Result<RunAnswer> runRecordedBaselines(Collector& collector, const RunRequest& request, const std::vector<std::string>& names,
                                       const Job& job);

/// The answer with only the baselines of these names, in the recorded order; `baseline` is the fastest of them. "all" keeps every one.
RunAnswer withBaselines(RunAnswer answer, const std::vector<std::string>& names);

} // namespace kl::inline measure
