// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/collector.h"
#include "sessions/session/session_model.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline engine {

/// Whether the rules and gates allow an action now. Of its argument only whether there is one counts: choose-fix without one takes
/// bestFix(). Errors: refused, whose `where` is the id of the rule, gate or stage that is in the way, or empty; unknownAction's; bestFix's.
Status checkActionAllowed(const SessionModel& model, SessionAction action, const std::string& argument = {});

/// A session stays on its kind of device, and live on the same GPU: figures of different devices are not comparable. Only the
/// environment check may run on another GPU: it moves the session there, and earlier measurements become stale.
Status sameDevice(const SessionModel& model, SessionAction action, const Collector& collector);

/// A change of driver or GPU, as the event that makes older evidence stale; unset on a recording.
std::optional<SessionEvent> findChangedConditions(const SessionModel& model, const Collector& collector);

/// The actions of a kind of session, in the method's order.
std::vector<SessionAction> listActions(const SessionTemplate& plan);

/// Error usage for an action that a kind of session does not know, with those that it does.
Error unknownAction(const SessionHeader& header, const SessionTemplate& plan, const std::string& word);

/// Whether a variant may be the candidate: one variable away from the kept one, not tried before, shared memory within the device's
/// limit. `searched`: the winner of a search, whose tunables count as one variable. Errors: refused by one-variable or
/// shared-memory-first; what Catalog::work answers.
Status candidateAllowed(const SessionModel& model, const Catalog& catalog, const Address& candidate, bool searched = false);

/// Whether a fix can be the one change, where a change may be chosen. Errors: needsEdit's; candidateAllowed's.
Status fixAllowed(const SessionModel& model, const Fix& fix);

/// The first of the ready fixes that can be the one change. Errors: fixAllowed's for the first of them; refused where none is left.
Result<Fix> bestFix(const SessionModel& model);

/// The rule shared-memory-first for one variant: the shared memory of its launches versus the limit per block (bytes; 0: unknown).
/// Errors: refused by shared-memory-first; what Catalog::work answers.
Status fitsSharedMemory(const Catalog& catalog, const Address& variant, const Params& problem, std::int64_t limit);

} // namespace kl::inline engine
