// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/collector.h"
#include "sessions/session/session_model.h"

#include <optional>
#include <string>
#include <vector>

namespace kl {

/// Whether the rules and gates allow an action now. Error refused whose `where` is the rule's or gate's id; usage for an unknown action.
Status allowed(const SessionModel& model, const std::string& action);

/// A session stays on the kind of device it was opened on, and live on the very GPU: figures of two devices do not compare. Only the
/// environment check may be made on another GPU: that moves the session there, and all that was measured before goes stale.
Status sameDevice(const SessionModel& model, const std::string& action, const Collector& collector);

/// Another driver or GPU than the session last knew, as the event that makes older evidence stale; nothing on a recording.
std::optional<SessionEvent> changedConditions(const SessionModel& model, const Collector& collector);

/// The actions that a kind of session knows, in the method's order.
std::vector<std::string> actionsOf(const SessionTemplate& plan);

/// Whether a variant may be the candidate: one variable away from the kept one, not tried before, shared memory within the device's
/// limit. Errors: refused by one-variable or shared-memory-first; what Catalog::work answers.
Status candidateAllowed(const SessionModel& model, const Catalog& catalog, const Address& candidate);

/// Rule 4 for one variant: the shared memory that its launches ask for, against what a block gets on the device (bytes; 0: not known).
/// Errors: refused by shared-memory-first; what Catalog::work answers.
Status fitsSharedMemory(const Catalog& catalog, const Address& variant, const Params& problem, std::int64_t limit);

} // namespace kl
