// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "sessions/measure/requests.h"

namespace kl::inline measure {

/// Whether the scope requests anything other than a whole tier with its defaults, which is what a recording has.
bool isNarrowed(const ProfileScope& scope);

/// The profile of a recording, with the metrics of the scope and as many as its passes allow; what is left out or was never
/// recorded is missing with that reason. The plan is the one that ran. Expressions are matched against the recorded names.
/// Errors: badInput for a name unknown to recording and catalog, with the nearest names; notRecorded.
Result<RunAnswer> profileRecorded(Collector& collector, const Catalog& catalog, const Address& address, const Params& problem,
                                  const ProfileScope& scope, const Job& job);

} // namespace kl::inline measure
