// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/collector.h"
#include "sessions/engine/session_model.h"

#include <string>

namespace kl {

/// Whether the rules and gates allow an action now. Error refused whose `where` is the rule's or gate's id; usage for an unknown action.
Status allowed(const SessionModel& model, const std::string& action);

/// A session stays on the kind of device it was opened on, and live on the very GPU: figures of two devices do not compare.
Status sameDevice(const SessionModel& model, const Collector& collector);

/// Whether a variant may be the candidate: one variable away from the kept one, not tried before, shared memory within the device's
/// limit. Errors: refused by one-variable or shared-memory-first; what Catalogue::work answers.
Status candidateAllowed(const SessionModel& model, const Catalogue& catalogue, const Address& candidate);

} // namespace kl
