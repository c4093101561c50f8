// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/options.h"
#include "profiler/protocol/metric_messages.h"

namespace kl {

/// The metrics that --sections and --metrics name together, each once; empty where neither was said, and the tier counts.
/// Error usage for an unknown section.
Result<std::vector<std::string>> chosenMetrics(const ProfileOptions& options);

/// What would be collected on --chip, on the recording's chip, or on this machine's GPU, and in how many passes. Needs a worker, and a
/// GPU only where no chip is named. Errors: badInput for a name that no chip has, with the nearest; environment.
Result<MetricsAnswer> planMetrics(Program& program, const Options& options);

/// Asks the worker about a chip, whether or not it has a GPU. `chip`: empty for the recording's or this machine's.
Result<MetricsAnswer> askAboutChip(Program& program, const Options& options, MetricsRequest request);

} // namespace kl
