// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/suggestions.h"

namespace kl::inline session {

/// Each fills why, rule and next of the view for one situation; see decideNext.

/// A kind of evidence that is missing, fails, or is no longer valid. Precondition: none of the kinds below.
void suggestEvidence(SessionModel& model, Suggestions& next, Evidence kind);
/// A change has to be chosen.
void suggestFix(SessionModel& model, Suggestions& next);
/// The user is editing the source, or edited it again after it was taken.
void suggestEdit(SessionModel& model, Suggestions& next);
/// Whether a search of the tunables can make the change: the current variant has some, and a GPU measures; a recording has no times of a
/// space.
bool canSearch(const SessionModel& model);
/// Whether the method's next step is an edit by the user: the finding has fixes, but no variant has them.
bool asksForEdit(const SessionModel& model);
/// The candidate must be proven correct: `kind` is minimalCase or candidate.
void suggestProof(SessionModel& model, Suggestions& next, Evidence kind);
/// Old against new, and what to do with the result.
void suggestEvaluation(SessionModel& model, Suggestions& next);
/// Keep, and whether the edit in it becomes a git commit: as the option says, if set; else both are offered.
void suggestKeep(SessionModel& model, Suggestions& next, const std::string& title);
/// Steps are parked and there is nothing more to try.
void suggestParked(SessionModel& model, Suggestions& next);
void suggestDocument(SessionModel& model, Suggestions& next);

/// The debugging loop: hypothesis, instrument, failingCase, analysis.
void suggestDebugging(SessionModel& model, Suggestions& next, Evidence kind);
/// A candidate is correct on every size, or not: keep, or another iteration.
void suggestIterationEnd(SessionModel& model, Suggestions& next);

/// A proposed text for a step of the loop, from measurements; the engineer can edit it.
std::string proposeWords(const SessionModel& model, SessionAction action);

} // namespace kl::inline session
