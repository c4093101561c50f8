// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/store/store.h"

#include <string>
#include <vector>

namespace kl::inline learning {

/// One finding whose fix was then measured. Reductions are fractions of the time before.
struct RuleCase {
    std::string rule;   ///< class of the finding: each has one rule
    std::string kernel; ///< address before the fix
    std::string fix;    ///< address, or the title of an edit
    std::string problem;
    double estimated = 0; ///< runtime reduction that the finding promised
    double realized = 0;  ///< realized by the fix; negative if it got slower
    std::string from;     ///< "session NAME", an interleaved A/B; "runs", two stored runs
    std::string at;       ///< UTC
    bool replayed = false;

    /// The estimate was correct within a factor of two.
    bool isHit() const;

    bool operator==(const RuleCase&) const = default;
};

/// The accuracy of a rule's estimates.
struct RuleOutcome {
    std::string rule;
    int cases = 0;
    int hits = 0;         ///< estimates within a factor of two
    int paid = 0;         ///< fixes that made it faster at all, by 1 % and more
    double estimated = 0; ///< median
    double realized = 0;  ///< median
    /// What to multiply the rule's estimates by: the geometric mean of realized / estimated, each kept within 1/20 and 20, with kPriorCases
    /// cases at 1 added so that few cases have little weight.
    double factor = 1;

    bool operator==(const RuleOutcome&) const = default;
};
inline constexpr double kPriorCases = 4;

/// Every case of the database, oldest first: sessions' evaluated candidates, and profiles whose best recommended variant that was run has a
/// later run on the same problem and device. The same pair is counted once, from its session where there is one; of several later runs the
/// first. Findings without an estimate, inferred ones and imported runs are left out.
Result<std::vector<RuleCase>> ruleCases(const Store& store);

/// By rule, most cases first. Replayed cases count only where `replayed` is true and no other case is there: what was measured and what
/// was recorded are not added up.
std::vector<RuleOutcome> ruleOutcomes(const std::vector<RuleCase>& cases, bool replayed = false);

} // namespace kl::inline learning
