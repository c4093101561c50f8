// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "sessions/session/session_view.h"

namespace kl::inline session {

/// The `session …` answer: {schema, session, kind, phase, gate, blocked, rule, why, next}, with more fields after them.
Json sessionToJson(const SessionView& view);

/// The `gate` part of the `session …` answer: {id, result, requirement, progress, checks[]}, with title, rule and verdict after them.
/// [{id, title, question, text, drafted}] of composeDocument.
Json documentToJson(const SessionView& view);

Json gateToJson(const GateView& gate);

/// The `next` part of every session answer: [{action, command, argv[]}], with title, argument, enabled, reason and inputs after them.
/// An input is a word of argv that the caller replaces: {placeholder, question, choices[]}.
Json nextToJson(const std::vector<NextAction>& next);

/// The `actions` part of a session's answer: [{action, argument, offered, enabled, reason, hint, next_steps[]}], of each action that its
/// kind has, then of each fix of its finding.
Json offersToJson(const std::vector<ActionOffer>& offers);

/// The kinds of session: {schema, folder, kinds: [{kind, title, budget_minutes, phases[], gates[], own, where, error}]}.
Json kindsToJson();

/// The exit code of the step that led here: 0 if the session can continue, 1 if a failed gate blocks it, 3 if the blocking gate
/// has no verdict. 0 after reverting a change whose gate failed.
int chooseExitCode(const SessionView& view);

} // namespace kl::inline session
