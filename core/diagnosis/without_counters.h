// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"

namespace kl::inline diagnosis {

/// The run without its hardware counters: times, launches and compiled code are kept, metrics and
/// source samples are removed.
RunRecord withoutCounters(RunRecord run);

} // namespace kl::inline diagnosis
