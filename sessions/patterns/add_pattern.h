// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/session/session_view.h"
#include "sessions/store/store.h"

#include <string>

namespace kl::inline patterns {

/// A pattern drafted from a session: the finding is the problem, the fix that was kept (or reverted) with its measured
/// outcome is the advice, the finding's class the occasion. Without a profile, the objective and the retrospective are used. Everything may
/// be reworded before it is stored; it claims no minutes.
Pattern draftPattern(const SessionView& view);

/// Stores a pattern of the user's own (kind "own"). An empty slug is made from the title.
/// Errors: badInput for a blank title, problem or advice, an occasion that is not known, a figure below 0, or a slug that another pattern
/// has (with `replace`: only when that one is shipped).
Result<Pattern> addPattern(Store& store, Pattern pattern, bool replace = false);

} // namespace kl::inline patterns
