// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"
#include "core/model/params.h"
#include "kernels/model/descriptor.h"
#include "kernels/model/work.h"
#include "sessions/session/session_parts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline session {

/// A rule that the product enforces: an action that breaks it is refused.
struct Rule {
    std::string id;
    std::string name; ///< as an imperative
    std::string cost; ///< why it is a rule: what breaking it cost, with the figures of the October 2025 documents if they have one
};

namespace rule {
inline constexpr const char* kProfileFirst = "profile-before-optimizing";
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
Error refusal(const std::string& where, const std::string& what, const std::string& hint, std::vector<NextStep> next = {});

/// What changes from one variant to another, one text per variable: "naive → tiled" for another variant, "BLOCK_M 64 → 128" for a
/// tunable, the file for an edit of the source (one commit's worth is one variable). A jump over several steps, or to a variant that is not
/// a fix of the first, counts as more than one.
std::vector<std::string> listChangedVariables(const KernelFamily& family, const Address& from, const Address& to,
                                              const std::optional<SourceChange>& source = {});

/// For the rule shared-memory-first: the largest dynamic shared memory of the launches, if it exceeds the device's
/// per-block limit (bytes).
std::optional<std::int64_t> sharedMemoryOverflow(const WorkSpec& work, std::int64_t limit);

} // namespace kl::inline session
