// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/session_trace.h"

#include <string>
#include <vector>

namespace kl::inline learning {

/// One mistake of the shipped session N (resources/sample-history.json, "mistakes").
struct MistakeKind {
    std::string id;
    std::string text;
    std::string cost;            ///< from the October 2025 documents; may be empty
    std::string prevention = {}; ///< the gate or rule that stops it
};

namespace mistake {
inline constexpr const char* kUnvalidatedBuild = "unvalidated-build";
inline constexpr const char* kSharedMemoryAfterCompile = "shared-memory-after-compile";
inline constexpr const char* kBlindChange = "tiles-shrunk-without-profile";
inline constexpr const char* kClaimsAsReal = "claims-taken-as-real";
inline constexpr const char* kScaledDownDesign = "scaled-down-design";
inline constexpr const char* kLargeSizeFirst = "large-size-first";
inline constexpr const char* kTwoVariables = "two-variables";
} // namespace mistake

/// How often one mistake was made in a session.
struct Mistake {
    std::string id;
    int count = 0;
    int caught = 0;  ///< of these, attempts that a rule refused before they cost anything
    int before = 0;  ///< times it was made in earlier sessions, the shipped ones included: above 0 it is repeated
    std::string how; ///< what was seen the first time, a sentence

    bool operator==(const Mistake&) const = default;
};

/// Mistakes of a session, in the order of the list, counted from its events alone:
/// - unvalidated-build: an action refused by G1; G1 waived; a build that failed before any environment check had passed.
/// - shared-memory-after-compile: rule shared-memory-first; a run that ended at the device's limits.
/// - tiles-shrunk-without-profile (a change made blindly): rules profile-before-optimizing and stop-below-half; a change kept although its
///   whole interval of old / new lies below 1.
/// - claims-taken-as-real: rule baseline-first while no baseline was measured; claims that no baseline was measured after, at the end.
/// - scaled-down-design: the opening answer target-gpu names a known GPU that is not the one the session measures on.
/// - large-size-first: rule smallest-first.
/// - two-variables: rule one-variable on a choice that changes several things, or on a second choice while one is being tried.
/// `before` is left at 0: see markRepeated.
std::vector<Mistake> findMistakes(const SessionTrace& trace);

/// Attempts to optimize without a profile, which the rules profile-before-optimizing and stop-below-half refused. The method's target is 0.
int blindOptimizations(const SessionTrace& trace);

} // namespace kl::inline learning
