// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"

namespace kl {

/// The run as it would be had no hardware counter been read: its times, launches and compiled code are left, its metrics are empty, and no
/// line of its source was sampled.
RunRecord withoutCounters(RunRecord run);

} // namespace kl
