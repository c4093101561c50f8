// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "sessions/patterns/suggest.h"
#include "sessions/patterns/totals.h"
#include "sessions/store/rows.h"

namespace kl::inline patterns {

/// One pattern with its savings: {slug, label, title, kind, when, problem, advice, quoted_minutes, quoted_minutes_high, quoted_dollars,
/// origin, learned_in, applications, saved: {measured_minutes, quoted_minutes, derived_minutes, quoted_dollars}}. Unknown values are
/// null.
Json patternToJson(const Pattern& pattern, const PatternReturn& gained);

/// {pattern, session, at, measured_minutes, quoted_minutes, quoted_dollars, derived, note}.
Json applicationToJson(const PatternApplication& application);

/// {slug, applications, learned_in, invested_minutes: {low, high}, measured: {minutes, value, return}, quoted: {minutes, dollars, value,
/// return}, derived_minutes}. Measured and quoted are never added.
Json returnToJson(const PatternReturn& row);

/// {slug, title, why, applied, next[]}.
Json suggestionToJson(const Suggestion& suggestion, const std::vector<Pattern>& patterns);

} // namespace kl::inline patterns
