// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/imported.h"
#include "core/model/measurement.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline nsight {

/// What Nsight Compute recommends first.
struct NcuOpinion {
    const RuleResult* rule = nullptr; ///< of the given list
    std::string classId;              ///< one of kClasses; empty for a rule about none of them

    bool operator==(const NcuOpinion&) const = default;
};

/// The class that a rule's message is about; empty for other messages (about the measurement, links to a guide). Rules about
/// several classes are distinguished by the title and text of the message, and where they only say "memory" or "compute" by the busiest
/// unit among `metrics`. Generous to ncu: advice to compress L2's traffic counts as dram-bound, slow issue as latency-bound.
std::string classifyNcuRule(const RuleResult& result, const MetricSet& metrics);

/// ncu's top rule: among its optimizations the highest estimate of the whole kernel's speedup, else the highest local estimate, else the
/// first; estimates below 1 % count as none. Without any optimization, the first result that is about a class. Rules about no
/// class are skipped. Unset if none is left.
std::optional<NcuOpinion> ncuOpinion(const std::vector<RuleResult>& rules, const MetricSet& metrics);

/// The class of its first section, the speed of light; unset if that names none.
std::optional<NcuOpinion> ncuSpeedOfLight(const std::vector<RuleResult>& rules, const MetricSet& metrics);

} // namespace kl::inline nsight
