// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "sessions/measure/requests.h"

namespace kl {

/// Whether the scope asks for anything but a whole tier as it is collected by default. A recording holds just those.
bool isNarrowed(const ProfileScope& scope);

/// The profile of a recording, with the metrics that the scope names and as many as its passes allow; what is left out or was never
/// recorded is missing with that reason. The plan stays the one that ran. Expressions are held against the recorded names.
/// Errors: badInput for a name that neither the recording nor the catalog knows, with the nearest; notRecorded.
Result<RunAnswer> profileRecorded(Collector& collector, const Catalog& catalog, const Address& address, const Params& problem,
                                  const ProfileScope& scope, const Job& job);

} // namespace kl
