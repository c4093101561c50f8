// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"
#include "core/model/params.h"
#include "kernels/model/descriptor.h"
#include "kernels/model/work.h"
#include "sessions/engine/session_parts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kl {

/// A rule that the product enforces: an action that breaks it is refused (spec, "Rules that the product enforces").
struct Rule {
    std::string id;
    std::string name; ///< as an imperative
    std::string cost; ///< what breaking it cost, in the notes' own figures where they give one
};

namespace rule {
inline constexpr const char* kProfileFirst = "profile-before-optimising";
inline constexpr const char* kSmallestFirst = "smallest-first";
inline constexpr const char* kStopBelowHalf = "stop-below-half";
inline constexpr const char* kSharedMemoryFirst = "shared-memory-first";
inline constexpr const char* kOneVariable = "one-variable";
inline constexpr const char* kCorrectnessFirst = "correctness-first";
inline constexpr const char* kBaselineFirst = "baseline-first";
inline constexpr const char* kNeverSilent = "never-silent";
} // namespace rule

/// The eight rules in the method's order.
const std::vector<Rule>& rules();

/// Error refused whose `where` is the rule's id (or a gate's, "G1"): what is refused and why, the rule's name and its cost.
Error refusal(const std::string& where, const std::string& what, const std::string& hint);

/// What changes from one variant to another, one text a variable: "naive → tiled" for a step of the ladder, "BLOCK_M 64 → 128" for a
/// tunable, the file for an edit of the source (one commit's worth is one variable). A jump over several rungs, or to a variant that is no
/// repair of the first, counts as more than one.
std::vector<std::string> changedVariables(const KernelFamily& family, const Address& from, const Address& to,
                                          const std::optional<SourceChange>& source = {});

/// Rule 4, before anything compiles: the largest dynamic shared memory that the launches ask for, where it exceeds the device's
/// per-block limit (bytes).
std::optional<std::int64_t> sharedMemoryOverflow(const WorkSpec& work, std::int64_t limit);

} // namespace kl
