// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/session/session_view.h"
#include "sessions/store/store.h"

namespace kl::inline patterns {

/// The pattern that a session teaches: draftPattern, with the answers that the engineer has written in the document stage in place of what
/// was drafted: the root cause as the problem; what worked, and what an expert would have done, as the advice.
Pattern draftLesson(const SessionView& view);

/// Stores it as a pattern of the user's own. The lesson of a session that has taught one already replaces that one; a pattern of another
/// session keeps its name. Errors: addPattern's.
Result<Pattern> saveLesson(Store& store, const SessionView& view);

/// The pattern that a session has taught; unset before.
std::optional<Pattern> lessonIn(const std::vector<Pattern>& patterns, const SessionId& session);

} // namespace kl::inline patterns
