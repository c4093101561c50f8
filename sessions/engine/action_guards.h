// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/session/session_model.h"

#include <vector>

/// The rules of the method, as the action table asks them: each says whether an action may be taken now, as Error refused whose `where`
/// is the rule's or gate's id. Pure.
namespace kl::inline engine::guard {

/// Kinds of evidence that have to be there and count, in this order; those that the template does not ask for are in nobody's way.
Status inOrder(const SessionModel& model, const std::vector<Evidence>& kinds);

Status smallestFirst(const SessionModel& model, SessionAction action);
Status baseline(const SessionModel& model, SessionAction action);
Status profile(const SessionModel& model, SessionAction action);
Status chooseFix(const SessionModel& model, SessionAction action);
Status takeEdit(const SessionModel& model, SessionAction action);
/// Everything that is done with a candidate, once it is chosen.
Status tryCandidate(const SessionModel& model, SessionAction action);
Status undo(const SessionModel& model, SessionAction action);
/// The kernel is the user's own: a built-in one has no history here.
Status bisect(const SessionModel& model, SessionAction action);
/// The debugging loop is gone through again.
Status repeat(const SessionModel& model, SessionAction action);
/// The session is documented or finished.
Status end(const SessionModel& model, SessionAction action);

} // namespace kl::inline engine::guard
