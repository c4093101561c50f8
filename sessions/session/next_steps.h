// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/suggestions.h"

namespace kl {

/// Each fills why, rule and next of the view for one situation; see decideNext.

/// A kind of evidence that is not there, fails, or counts no more. Precondition: none of the kinds below.
void suggestEvidence(SessionModel& model, Suggestions& next, Evidence kind);
/// No change is being tried where one is due.
void suggestFix(SessionModel& model, Suggestions& next);
/// The user is at an edit of the source, or has edited further after it was taken.
void suggestEdit(SessionModel& model, Suggestions& next);
/// Whether the method's next step is an edit of the user's own: the finding has fixes, none of them ready made.
bool asksForEdit(const SessionModel& model);
/// The candidate is to be proven right: `kind` is minimalCase or candidate.
void suggestProof(SessionModel& model, Suggestions& next, Evidence kind);
/// Old against new, and what to do with the result.
void suggestEvaluation(SessionModel& model, Suggestions& next);
/// Keep, and whether the edit in it becomes a git commit: as the option says, where it was set; else both are offered.
void suggestKeep(SessionModel& model, Suggestions& next, const std::string& title);
/// Steps are parked and there is nothing more to try.
void suggestParked(SessionModel& model, Suggestions& next);
void suggestDocument(SessionModel& model, Suggestions& next);

/// The debugging loop: hypothesis, instrument, failingCase, analysis.
void suggestDebugging(SessionModel& model, Suggestions& next, Evidence kind);
/// A candidate is right on every size, or not: keep, or another iteration.
void suggestIterationEnd(SessionModel& model, Suggestions& next);

/// What the tool itself proposes to write down for a step of the loop, from what it has measured; the engineer may say it better.
std::string proposedWords(const SessionModel& model, const std::string& action);

} // namespace kl
