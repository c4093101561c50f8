// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/store/store.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline patterns {

/// A total of the October 2025 documents. Quoted: never added to measured figures.
struct QuotedTotal {
    std::string what; ///< "minutes-saved", "dollars-saved", "library", "success-rate"
    std::optional<double> low;
    std::optional<double> high;
    std::string text;
};

/// The shipped lessons (resources/patterns.json). Immutable.
struct PatternLibrary {
    std::string origin;
    std::vector<Pattern> patterns;                           ///< in the order of the October 2025 documents
    std::map<std::string, std::vector<std::string>> byClass; ///< finding class to slugs that apply to it alone
    std::vector<QuotedTotal> totals;
    std::vector<std::string> notes; ///< where the October 2025 documents contradict themselves

    /// Error badInput names the faulty field; also for a duplicate slug and a reference to a missing one.
    static Result<PatternLibrary> parse(std::string_view json, std::string_view where);
    static Result<PatternLibrary> loadEmbedded();
};

/// Adds the shipped patterns to a store. Unchanged ones are skipped, so seeding twice writes
/// nothing; the user's own are never touched.
Status seedPatterns(Store& store, const PatternLibrary& library);

/// The occasions for suggesting patterns, the values of Pattern::when.
namespace occasion {
inline constexpr const char* kSessionStart = "session-start";
inline constexpr const char* kSpeedupBelow1 = "speedup-below-1";
inline constexpr const char* kFinding = "finding";
inline constexpr const char* kReMeasure = "re-measure";
inline constexpr const char* kKeep = "keep";
inline constexpr const char* kLongWork = "long-work";
inline constexpr const char* kSourceChange = "source-change";
inline constexpr const char* kBuildFailure = "build-failure";
inline constexpr const char* kWrongResult = "wrong-result";
} // namespace occasion
/// All of them.
const std::vector<std::string>& occasions();

/// Slugs to suggest on an occasion, the method's own order first: session start → environment-validation, baseline-first;
/// speedup below 1 → profile-before-optimize, profiling-decision-tree; a finding → profile-before-optimize (one fix) and what
/// belongs to its class; re-measure → baseline-first. `classId` counts for a finding only. Planned ones are left out.
std::vector<std::string> patternsFor(const PatternLibrary& library, const std::string& when, const std::string& classId = {});

} // namespace kl::inline patterns
